"""What is checked against, as a person writes it and as it is shown."""

import os
from pathlib import Path

from veracite.engine.display import neutralise
from veracite.engine.errors import USER_ERRORS
from veracite.tui.engine import Against, Engine

__all__ = ["against_from", "described", "described_now", "short_path", "written"]


def against_from(value: str) -> Against:
    """A path, the name of a library, or nothing for the default library.

    What exists or looks like a path is a path; a library named like a folder that is here can still
    be had by the command line.
    """
    value = value.strip()
    if not value:
        return None
    path = Path(os.path.abspath(os.path.expanduser(value)))
    if path.exists() or os.sep in value or value.startswith(("~", ".")):
        return (path,)
    return value


def written(against: Against) -> str:
    """What to put into the input for it."""
    if isinstance(against, tuple):
        return str(against[0]) if len(against) == 1 else ""
    return against or ""


def described(against: Against) -> str:
    """Such as ``~/papers``, ``3 folders and files`` or ``library law``, harmless."""
    if against is None:
        return "the default library"
    if isinstance(against, str):
        return f"library {neutralise(against)}"
    if len(against) == 1:
        return short_path(against[0])
    return f"{len(against)} folders and files"


def described_now(against: Against, engine: Engine) -> str:
    """The same, or that the library that is meant is not there."""
    if not isinstance(against, tuple):
        try:
            engine.require(against)
        except USER_ERRORS:
            return f"{described(against)} (gone)" if against else "no library yet"
    return described(against)


def short_path(path: Path) -> str:
    """A path with the home folder as ``~``, harmless."""
    try:
        text = f"~/{path.relative_to(Path.home())}"
    except ValueError:
        text = str(path)
    return neutralise(text)
