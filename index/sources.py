"""The files and folders that a library follows."""

import os
from collections.abc import Sequence
from pathlib import Path

from veracite.index.catalog import Catalog
from veracite.index.elsewhere import come_back
from veracite.index.errors import SourceError


def follow(catalog: Catalog, paths: Sequence[Path]) -> None:
    """Follow these files and folders too.

    Raises:
        SourceError: One of them does not exist or cannot be listed; none is added.
    """
    for path in paths:
        _check(path)
    added = _absolute(paths)
    catalog.add_sources(added)
    come_back(catalog, added)


def unfollow(catalog: Catalog, paths: Sequence[Path]) -> None:
    """Follow these sources no longer; the next sync forgets what was read from them.

    Raises:
        SourceError: One of them is no source; none is removed.
    """
    wanted = _absolute(paths)
    held = set(catalog.sources())
    for path in wanted:
        if path not in held:
            raise SourceError(
                f"{path} is not a source of this library.",
                "`veracite library status` lists its sources.",
            )
    catalog.remove_sources(wanted)
    catalog.set_meta("forget", "yes")


def _absolute(paths: Sequence[Path]) -> list[Path]:
    return [Path(os.path.abspath(path)) for path in paths]


def _check(path: Path) -> None:
    try:
        if path.is_dir():
            os.scandir(path).close()
        else:
            path.stat()
    except OSError as error:
        raise SourceError(
            f"{path} cannot be read ({error.strerror}).",
            "Check the name and the permissions of this file or folder.",
        ) from error
