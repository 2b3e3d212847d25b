"""Opens a library for a command, and brings it up to date under the user's eyes."""

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from veracite.engine import settings
from veracite.engine.errors import CheckError
from veracite.engine.libraries import DEFAULT_LIBRARY
from veracite.tui import console
from veracite.tui.cli import sources
from veracite.tui.cli.library_output import library_facts, summary_lines, write
from veracite.tui.cli.root import Session

if TYPE_CHECKING:
    from veracite.index.library import Library
    from veracite.index.progress import Synced

__all__ = ["opened_library", "synchronise"]


@contextlib.contextmanager
def opened_library(session: Session, against: sources.Against) -> "Iterator[Library]":
    """A library with the models that it is brought up to date with; closed at the end."""
    from veracite.engine.workbench import Workbench

    notes: list[str] = []
    config = settings.load(session.paths)
    notes += settings.unknown_variables()
    wanted = None if against == DEFAULT_LIBRARY else against
    with Workbench(config.check, session.paths) as bench, bench.library(wanted, notes) as opened:
        for note in notes:
            console.say(note)
        yield opened


def synchronise(opened: "Library", name: str, as_json: bool, quiet: bool) -> None:
    """Bring a library up to date, and say what it holds then."""
    _follow(opened, quiet)
    write(library_facts(name, opened), as_json, summary_lines)


def _follow(opened: "Library", quiet: bool) -> "Synced":
    from veracite.index.progress import Synced
    from veracite.tui.progress import Progress, warnings

    with Progress(quiet=quiet) as progress:
        for event in opened.sync():
            progress.update(event)
            for warning in () if quiet else warnings(event):
                progress.clear()
                console.say(warning)
            if isinstance(event, Synced):
                return event
    raise CheckError("The library was not brought up to date.", "Please report this.")
