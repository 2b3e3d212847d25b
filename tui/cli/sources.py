"""What ``--against`` means, and how documents are named to the reader."""

import os
from collections.abc import Sequence
from pathlib import Path

from veracite.engine.libraries import Libraries
from veracite.engine.report.phrases import NameFile
from veracite.tui.console import UsageError

Against = tuple[Path, ...] | str | None


def documents(against: Sequence[str], libraries: Libraries) -> Against:
    """Files and folders, the name of a library, or None for the default library.

    A name that is both is the file or folder.

    Raises:
        UsageError: Something is neither, or a library is named beside other sources.
    """
    if not against:
        return None
    missing = [name for name in against if not Path(name).expanduser().exists()]
    if not missing:
        return tuple(Path(os.path.abspath(Path(name).expanduser())) for name in against)
    names = libraries.names()
    if len(against) == 1 and against[0] in names:
        return against[0]
    unknown = [name for name in missing if name not in names]
    if not unknown:
        raise UsageError(
            f"The library {missing[0]!r} cannot be combined with other sources.",
            "Name one library, or files and folders.",
        )
    known = f" The libraries are: {', '.join(names)}." if names else ""
    raise UsageError(
        f"There is no file or folder {unknown[0]!r}, and no library of that name.",
        f"Check the spelling.{known}",
    )


def namer(against: Against) -> NameFile:
    """Names documents as a person in this folder would: relative where that is shorter."""
    here = Path.cwd()
    roots = against if isinstance(against, tuple) else ()

    def name(file: str) -> str:
        path = Path(file)
        if path.is_relative_to(here):
            return str(path.relative_to(here))
        for root in roots:
            if path.is_relative_to(root):
                return str(path.relative_to(root.parent))
        return file

    return name
