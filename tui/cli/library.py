"""``veracite library``: named collections of documents."""

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from veracite.engine.errors import USER_ERRORS, InputError
from veracite.engine.libraries import DEFAULT_LIBRARY, Libraries
from veracite.tui import console
from veracite.tui.cli import sources
from veracite.tui.cli.library_bundle import export, import_
from veracite.tui.cli.library_output import SCHEMA, library_facts, list_lines, status_lines, write
from veracite.tui.cli.library_syncing import opened_library, synchronise
from veracite.tui.cli.options import as_json, quiet
from veracite.tui.cli.root import Session
from veracite.tui.console import UsageError

__all__ = ["library"]


@click.group
def library() -> None:
    """Manage named collections of documents.

    A library follows files and folders. Its index is Veracite's own: nothing here ever touches
    the documents themselves.
    """


for command in (export, import_):
    library.add_command(command)


@library.command
@click.argument("paths", nargs=-1, metavar="PATH...", type=click.Path())
@click.option("--name", default=DEFAULT_LIBRARY, show_default=True, help="Of the library.")
@as_json
@quiet
@click.pass_obj
def add(session: Session, /, paths: tuple[str, ...], name: str, as_json: bool, quiet: bool) -> None:
    """Have a library follow files and folders, and read them."""
    if not paths:
        raise UsageError("No file or folder is named.", "Name at least one to add.")
    added = [Path(os.path.abspath(os.path.expanduser(path))) for path in paths]
    for given, source in zip(paths, added, strict=True):
        if not source.exists():
            raise UsageError(f"There is no file or folder {given!r}.", "Check the spelling.")
    Libraries(session.paths).create(name)
    with opened_library(session, name) as opened:
        opened.add(added)
        synchronise(opened, name, as_json, quiet)


@library.command
@click.argument("what", nargs=-1, metavar="[NAME|PATH...]", type=click.Path())
@as_json
@quiet
@click.pass_obj
def sync(session: Session, /, what: tuple[str, ...], as_json: bool, quiet: bool) -> None:
    """Read what is new or changed in a library's files and folders.

    PATHs mean the index that `veracite check --against` keeps of them.
    """
    with opened_library(session, _meant(session, what)) as opened:
        synchronise(opened, _display(what), as_json, quiet)


@library.command
@click.argument("what", nargs=-1, metavar="[NAME|PATH...]", type=click.Path())
@as_json
@click.pass_obj
def status(session: Session, /, what: tuple[str, ...], as_json: bool) -> None:
    """Say what a library holds, and every document that could not be read.

    PATHs mean the index that `veracite check --against` keeps of them.
    """
    meant = _meant(session, what)
    if isinstance(meant, tuple) and not Libraries(session.paths).adhoc_folder(meant).is_dir():
        raise InputError(
            f"No text has been checked against {_display(what)} yet, so there is no index of it.",
            f"Make one with `veracite library sync {_display(what)}`.",
        )
    with opened_library(session, meant) as opened:
        facts = library_facts(_display(what), opened)
    write(facts, as_json, status_lines)


@library.command("list")
@as_json
@click.pass_obj
def list_(session: Session, /, as_json: bool) -> None:
    """List the libraries."""
    from veracite.index.library import Library

    found = []
    libraries = Libraries(session.paths)
    for name in libraries.names():
        try:
            with Library.open(libraries.folder(name)) as opened:
                held = opened.status()
            found.append(
                {
                    "name": name,
                    "sources": [str(source) for source in held.sources],
                    "elsewhere": [str(source) for source in held.elsewhere],
                    "documents": held.documents,
                    "failed": len(held.failed),
                    "problem": None,
                }
            )
        except USER_ERRORS as error:
            # One damaged library must not hide the others.
            found.append({"name": name, "problem": f"{error.message} {error.advice}"})
    write({"schema": SCHEMA, "libraries": found}, as_json, list_lines)


@library.command
@click.argument("what", nargs=-1, metavar="[NAME] [PATH]...", type=click.Path())
@click.option("--yes", "-y", is_flag=True, help="Do not ask before a whole library is removed.")
@as_json
@quiet
@click.pass_obj
def remove(
    session: Session, /, what: tuple[str, ...], yes: bool, as_json: bool, quiet: bool
) -> None:
    """Remove files and folders from a library, or the whole library.

    With PATHs, the library follows them no longer; with only a NAME, its index is deleted. The
    documents themselves are never touched.
    """
    libraries = Libraries(session.paths)
    name, paths = _name_and_paths(what, libraries)
    if paths:
        with opened_library(session, name) as opened:
            opened.remove([Path(os.path.abspath(os.path.expanduser(path))) for path in paths])
            synchronise(opened, name, as_json, quiet)
        return
    if not yes and not _agreed(name):
        console.say("Nothing was removed.")
        return
    libraries.delete(name)
    removed = {"schema": SCHEMA, "name": name, "removed": True}
    write(removed, as_json, lambda _: [f"The library {name} is removed; its documents are not."])


def _meant(session: Session, what: Sequence[str]) -> sources.Against:
    """A library by its name, or files and folders; where both are called so, the library."""
    libraries = Libraries(session.paths)
    if len(what) == 1 and what[0] in libraries.names():
        return what[0]
    if what == (DEFAULT_LIBRARY,) and not Path(DEFAULT_LIBRARY).exists():
        return None
    return sources.documents(what, libraries)


def _display(what: Sequence[str]) -> str:
    return shlex.join(what or (DEFAULT_LIBRARY,))


def _name_and_paths(what: Sequence[str], libraries: Libraries) -> tuple[str, Sequence[str]]:
    names = libraries.names()
    if not what:
        raise UsageError("Nothing is named.", "Name a library, or files and folders of one.")
    if what[0] in names:
        return what[0], what[1:]
    if not _may_be_source(what[0], libraries):
        known = f"The libraries are: {', '.join(names)}." if names else "There are none."
        raise UsageError(f"There is no library named {what[0]!r}.", known)
    return DEFAULT_LIBRARY, what


def _may_be_source(given: str, libraries: Libraries) -> bool:
    """Whether this is a path that the default library follows, or at least the path of a file."""
    from veracite.index.library import Library

    if DEFAULT_LIBRARY not in libraries.names():
        return False
    path = Path(os.path.abspath(os.path.expanduser(given)))
    if path.exists():
        return True
    with Library.open(libraries.folder(DEFAULT_LIBRARY)) as opened:
        return path in opened.sources  # gone from the disk, but still followed


def _agreed(name: str) -> bool:
    if not (console.is_terminal(sys.stdin) and console.is_terminal(sys.stderr)):
        raise UsageError(
            f"Removing the whole library {name!r} needs a yes.", "Add --yes to the command."
        )
    return click.confirm(f"Remove the library {name} (not its documents)?", err=True)
