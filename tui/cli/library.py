"""``veracite library``: named collections of documents."""

import os
import shlex
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from veracite.engine import settings
from veracite.engine.display import neutralise
from veracite.engine.errors import USER_ERRORS, CheckError, InputError
from veracite.engine.failures import by_reason, shortfall
from veracite.engine.libraries import (
    DEFAULT_LIBRARY,
    Against,
    Libraries,
    documents,
    no_library,
    open_library,
)
from veracite.engine.paths import absolute
from veracite.engine.report.phrases import counted, other_kinds
from veracite.index.progress import FileFailed, FileRead, FileRemoved, Synced, Waiting
from veracite.index.sources import Patterns
from veracite.models.files import size_in_words
from veracite.tui import console
from veracite.tui.cli import options, output
from veracite.tui.cli.running import path_of
from veracite.tui.cli.session import Session
from veracite.tui.console import ExitCode, UsageError
from veracite.tui.progress import Progress, results, sentence, warnings
from veracite.tui.service import local_time

if TYPE_CHECKING:
    from veracite.index.library import Library, LibraryStatus
    from veracite.index.verify import Fault

_SCHEMA = "veracite.library/1"
_MOST_REASONS = 5
_Patterns = tuple[str, ...]

_strict = click.option(
    "--strict", is_flag=True, help="Exit code 1 also if any single file could not be read."
)


@click.group
def library() -> None:
    """Manage named collections of documents.

    A library follows files and folders. Its index is Veracite's own: nothing here ever touches
    the documents themselves.
    """


@library.command
@click.argument("paths", nargs=-1, metavar="PATH...", type=click.Path(), required=True)
@click.option("--name", default=DEFAULT_LIBRARY, show_default=True, help="Name of the library.")
@options.patterns
@_strict
@options.work
def add(
    session: Session, /, paths: tuple[str, ...], name: str, strict: bool, **patterns: _Patterns
) -> int:
    """Have a library follow files and folders, and read them.

    Patterns stay with the library, in place of those that it had; --include '*' takes everything
    again. Exit code 1 means that nothing could be read.
    """
    added = [absolute(path_of(path, "file or folder")) for path in paths]
    Libraries(session.paths).create(name)
    with opened_library(session, name) as opened:
        opened.add(added)
        _choose(opened, patterns)
        return _synchronise(session, opened, name, strict=strict)


@library.command
@click.argument("what", nargs=-1, metavar="[NAME|PATH...]", type=click.Path())
@options.patterns
@_strict
@options.work
def sync(session: Session, /, what: tuple[str, ...], strict: bool, **patterns: _Patterns) -> int:
    """Read what is new or changed in a library's files and folders.

    PATHs mean the index that `veracite check --against` keeps of them. Patterns stay with the
    library, in place of those that it had. Exit code 1 means that nothing could be read.
    """
    meant = _meant(session, what)
    Libraries(session.paths).require_own(meant)
    with opened_library(session, meant) as opened:
        _choose(opened, patterns)
        return _synchronise(session, opened, _display(what), strict=strict)


@library.command
@click.argument("name")
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path())
@options.cluster("Read and encode on the machines of the Ray cluster whose head is here.")
@click.option(
    "--storage",
    metavar="FOLDER|s3://PLACE",
    help="Where a new library lies, or one that was built from another machine.",
)
@click.option(
    "--drop", multiple=True, type=click.Path(), metavar="PATH", help="Follow PATH no longer."
)
@options.patterns
@click.option("--index", is_flag=True, help="Then make an approximate index, for millions.")
@click.option("--compact", is_flag=True, help="Then join small files, and delete old versions.")
@_strict
@options.work
def build(
    session: Session,
    /,
    name: str,
    paths: tuple[str, ...],
    cluster: str | None,
    storage: str | None,
    drop: tuple[str, ...],
    index: bool,
    compact: bool,
    strict: bool,
    **patterns: _Patterns,
) -> int:
    """Build or update the library NAME on storage that several machines share.

    It follows PATHs, which all machines see under the same names. Only what is new or changed is
    read; what is gone goes. Without --ray, a library that is there is made known under NAME, and
    --index and --compact do their work. Needs the extra cluster.
    """
    from veracite.engine.libraries import require_cluster

    require_cluster()
    from veracite.engine import cluster as machines

    config = settings.load(session.paths).check
    libraries = Libraries(session.paths)
    added = [absolute(path_of(path, "file or folder")) for path in paths]
    if (paths or drop or any(patterns.values())) and cluster is None:
        raise UsageError("Files are read by a Ray cluster.", "Name its head with --ray ADDRESS.")
    dataset = machines.opened(libraries, name, storage, config, cluster)
    if cluster is not None:
        chosen = settings.with_values(settings.CheckSettings(), patterns)
        given = (chosen.include, chosen.exclude) if any(patterns.values()) else None
        events = machines.build(dataset, cluster, config, added, [*map(absolute, drop)], given)
        with Progress(quiet=session.quiet) as progress:
            deque(progress.following(events), maxlen=0)
    if index:
        dataset.index()
    if compact:
        dataset.compact()
    with opened_library(session, name) as opened:
        return _synchronise(session, opened, name, strict=strict)


@library.command
@click.argument("what", nargs=-1, metavar="[NAME|PATH...]", type=click.Path())
@click.pass_obj
def watch(session: Session, /, what: tuple[str, ...]) -> None:
    """Keep a library up to date while its files change, until Ctrl-C.

    PATHs mean the index that `veracite check --against` keeps of them.
    """
    with suppress(KeyboardInterrupt), opened_library(session, _meant(session, what)) as opened:
        for event in opened.watch():
            for line in (sentence(event),) if isinstance(event, Waiting) else warnings(event):
                console.say(line)
            if isinstance(event, FileRead | FileFailed | FileRemoved | Synced):
                console.write(f"{neutralise(sentence(event))}\n")


@library.command
@click.argument("what", nargs=-1, metavar="[NAME|PATH...]", type=click.Path())
@options.facts
def status(session: Session, /, what: tuple[str, ...]) -> None:
    """Say what a library holds, and every document that could not be read.

    PATHs mean the index that `veracite check --against` keeps of them.
    """
    meant, name = _meant(session, what), _display(what)
    if isinstance(meant, tuple) and not Libraries(session.paths).folder(meant).is_dir():
        raise InputError(
            f"No text has been checked against {name} yet, so there is no index of it.",
            f"Make one with `veracite library sync {name}`.",
            "no library",
        )
    with opened_library(session, meant) as opened:
        held = opened.status()
        _write(session, _facts(name, opened, held), _status_lines(name, opened, held))


@library.command()
@click.argument("what", nargs=-1, metavar="[NAME|PATH...]", type=click.Path())
@options.facts
def verify(session: Session, /, what: tuple[str, ...]) -> int:
    """Look whether everything in a library is as it should be.

    Compared are the catalog, the documents with their files, the keyword index and the vectors.
    Exit code 1 means that something is wrong.
    """
    with opened_library(session, _meant(session, what)) as opened:
        faults = opened.verify()
    name, wrong = _display(what), _told(faults)
    advice = [f"`veracite library repair {name}` makes it anew."] if wrong else []
    if not all(fault.discard for fault in faults):
        advice = ["Remove the library and add its files and folders again."]
    _write(session, {"name": name, "faults": wrong}, [*_fault_lines(name, wrong), *advice])
    return ExitCode.FINDINGS if wrong else ExitCode.OK


@library.command()
@click.argument("what", nargs=-1, metavar="[NAME|PATH...]", type=click.Path())
@options.work
def repair(session: Session, /, what: tuple[str, ...]) -> int:
    """Make anew what `veracite library verify` finds wrong, and bring the library up to date."""
    with opened_library(session, _meant(session, what)) as opened:
        faults = opened.verify()
        opened.mend(faults)
        for line in () if session.quiet else _fault_lines(_display(what), _told(faults)):
            console.say(line)
        return _synchronise(session, opened, _display(what))


def _told(faults: "Iterable[Fault]") -> list[dict[str, str]]:
    return [{"of": fault.document or "the index", "what": fault.what} for fault in faults]


def _fault_lines(name: str, wrong: Sequence[Mapping[str, str]]) -> Iterator[str]:
    yield f"{name}: {counted(len(wrong), 'fault')}" if wrong else f"{name}: right"
    yield from (f"  {one['of']}: {one['what']}" for one in wrong)


@library.command("list")
@options.facts
def list_(session: Session, /) -> None:
    """List the libraries."""
    found: list[dict[str, Any]] = []
    lines: list[str] = []
    libraries = Libraries(session.paths)
    for name in libraries.names():
        try:
            with open_library(name, libraries) as opened:
                held = opened.status()
                facts = _facts(name, opened, held)
        except USER_ERRORS as error:
            # One damaged library must not hide the others.
            problem = f"{error.message} {error.advice}"
            found.append({"name": name, "problem": problem})
            lines.append(f"{name}: {problem}")
        else:
            short = {key: facts[key] for key in ("name", "sources", "elsewhere", "documents")}
            unread = {key: len(facts[key]) for key in ("failed", "other_kinds")}
            found.append({**short, **unread, "problem": None})
            lines += _source_lines(name, held)
    none = ["There are no libraries yet: make one with `veracite library add FOLDER`."]
    _write(session, {"libraries": found}, lines or none)


@library.command
@click.argument("what", nargs=-1, metavar="[NAME] [PATH]...", type=click.Path())
@options.yes("Do not ask before a whole library is removed.")
@options.work
def remove(session: Session, /, what: tuple[str, ...], yes: bool) -> None:
    """Remove files and folders from a library, or the whole library.

    With PATHs, the library follows them no longer; with only a NAME, its index is deleted. The
    documents themselves are never touched.
    """
    libraries = Libraries(session.paths)
    name, paths = _name_and_paths(what, libraries)
    if paths:
        with opened_library(session, name) as opened:
            opened.remove([*map(absolute, paths)])
            _synchronise(session, opened, name)
        return
    asked = f"Remove the library {name} (not its documents)?"
    if not yes and not output.agreed(asked, f"Removing the whole library {name!r}"):
        console.say("Nothing was removed.")
        return
    libraries.delete(name)
    said = f"The library {name} is removed; its documents are not."
    _write(session, {"name": name, "removed": True}, [said])


@library.command
@click.argument("name")
@options.output("The bundle to be written.", "target", required=True)
@options.work
def export(session: Session, /, name: str, target: Path) -> None:
    """Write the library NAME into one file, a bundle, for another machine.

    It holds the text that was read from the documents, not the documents themselves.
    """
    from veracite.engine.bundles import Exported
    from veracite.engine.bundles.libraries import export_library

    events = export_library(Libraries(session.paths), name, target)
    (exported,) = results(events, Exported, "Exporting", quiet=session.quiet)
    said = f"{target}: {size_in_words(exported.size)}, the library {name}."
    _write(session, {"name": name, "bundle": str(target), "size": exported.size}, [said])


@library.command("import")
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--name", help="Of the new library, if not as on the machine that it comes from.")
@options.work
def import_(session: Session, /, path: Path, name: str | None) -> None:
    """Make a library of a bundle; the documents need not be on this machine.

    Nothing is looked for at the places that they were read from. `veracite library add` has the
    library follow files and folders of this machine too.
    """
    from veracite.engine.bundles.libraries import import_library

    events = import_library(Libraries(session.paths), path_of(str(path), "bundle"), name)
    (imported,) = results(events, str, f"Importing {path.name}", quiet=session.quiet)
    with opened_library(session, imported) as opened:
        _synchronise(session, opened, imported)


# --- Which library is meant -------------------------------------------------------------------


def _meant(session: Session, what: Sequence[str]) -> Against:
    """A library by its name, or files and folders; where both are called so, the library."""
    libraries = Libraries(session.paths)
    if len(what) == 1 and what[0] in libraries.names():
        return what[0]
    if what == (DEFAULT_LIBRARY,) and not Path(DEFAULT_LIBRARY).exists():
        return None
    return documents(what, libraries)


def _display(what: Sequence[str]) -> str:
    return shlex.join(what or (DEFAULT_LIBRARY,))


def _name_and_paths(what: Sequence[str], libraries: Libraries) -> tuple[str, Sequence[str]]:
    names = libraries.names()
    if not what:
        raise UsageError("Nothing is named.", "Name a library, or files and folders of one.")
    if what[0] in names:
        return what[0], what[1:]
    if DEFAULT_LIBRARY not in names or not (os.sep in what[0] or Path(what[0]).exists()):
        raise UsageError(*no_library(what[0], names))
    return DEFAULT_LIBRARY, what


@contextmanager
def opened_library(session: Session, against: Against) -> "Iterator[Library]":
    """A library with the models that it is brought up to date with; closed at the end."""
    from veracite.engine.workbench import Workbench

    config = settings.load(session.paths)
    notes = [*settings.unknown_variables()]
    wanted = None if against == DEFAULT_LIBRARY else against
    with Workbench(config.check, session.paths) as bench, bench.library(wanted, notes) as opened:
        for note in notes:
            console.say(note)
        yield opened


# --- What is told of it -----------------------------------------------------------------------


def up_to_date(opened: "Library", quiet: bool) -> bool:
    """Bring a library up to date, if that can be done."""
    done = False
    with Progress(quiet=quiet) as progress:
        for event in progress.following(opened.sync()):
            done = isinstance(event, Synced) and event.done
    return done


def _choose(opened: "Library", patterns: Mapping[str, _Patterns]) -> None:
    if any(patterns.values()):
        chosen = settings.with_values(settings.CheckSettings(), patterns)
        opened.choose(Patterns(chosen.include, chosen.exclude))


def _synchronise(session: Session, opened: "Library", name: str, *, strict: bool = False) -> int:
    """Bring a library up to date, and say what it holds then; returns the exit code.

    Raises:
        CheckError: Another process is at it, or it cannot be written.
    """
    if not up_to_date(opened, session.quiet):
        raise CheckError(
            f"The library {name} could not be brought up to date.",
            f"It can be searched as it is. Run `veracite library sync {name}` once no other "
            "Veracite changes it and its folder can be written.",
        )
    held = opened.status()
    _write(session, _facts(name, opened, held), _summary_lines(name, held))
    is_short = not held.documents or (strict and held.failed)
    return ExitCode.FINDINGS if is_short else ExitCode.OK


def _write(session: Session, facts: dict[str, Any], lines: Iterable[str]) -> None:
    output.write_facts(session, {"schema": _SCHEMA, **facts}, lines)


def _facts(name: str, opened: "Library", held: "LibraryStatus") -> dict[str, Any]:
    """What a library holds, in the schema's words."""
    return {
        "name": name,
        "sources": [str(source) for source in held.sources],
        "elsewhere": [str(source) for source in held.elsewhere],
        "documents": held.documents,
        "failed": [asdict(one) for one in held.failed],
        "other_kinds": held.others,
        **asdict(held.patterns),
        "left_out": held.left_out,
        "passages": held.passages,
        "embedded": held.embedded,
        "other_encoders": opened.other_encoders,
        "search": held.search,
        "bytes": held.bytes_on_disk,
        **held.shared,
        "last_sync": held.last_sync.isoformat() if held.last_sync else None,
    }


def _summary_lines(name: str, held: "LibraryStatus") -> Iterator[str]:
    """How many documents are held, and why others are not."""
    yield _held(name, held)
    unread = by_reason(held.failed, held.others)
    yield from (f"  {group.said()}" for group in unread[:_MOST_REASONS])
    if unread:
        yield f"  `veracite library status {name}` lists them."
    elif not held.documents:
        yield "  There is nothing to read in what it follows."
        again = f"build {name} --ray ADDRESS" if held.shared else f"sync {name}"
        yield f"  Put files there and run `veracite library {again}`, or add another folder."


def _status_lines(name: str, opened: "Library", held: "LibraryStatus") -> Iterator[str]:
    """Everything about one library."""
    yield from _source_lines(name, held)
    yield f"  {counted(held.passages, 'passage')}, {held.embedded} of them encoded"
    if held.embedded < held.passages and (others := opened.other_encoders):
        yield f"  encoded by {', '.join(others)} before; the next sync encodes them anew"
    yield f"  search: {held.search}; {held.bytes_on_disk / 1e6:.1f} MB of index"
    yield from (f"  {name} {version}" for name, version in held.shared.items())
    yield f"  last brought up to date: {local_time(held.last_sync)}"
    for about, patterns in asdict(held.patterns).items():
        if patterns:
            yield f"  {about}s {', '.join(patterns)}"
    if unread := by_reason(held.failed, held.others):
        yield "Not read:"
    for group in unread:
        yield f"  {group.said()}"
        yield from (f"    {file}" for file in group.listed)


def _source_lines(name: str, held: "LibraryStatus") -> Iterator[str]:
    yield _held(name, held)
    for source in held.sources:
        there = source in held.elsewhere
        yield f"  holds what was in {source} elsewhere" if there else f"  follows {source}"


def _held(name: str, held: "LibraryStatus") -> str:
    gone = counted(held.left_out, "file or folder", "files and folders")
    left_out = f", {gone} left out by patterns" if held.left_out else ""
    unread = f"{shortfall(held.failed)}{other_kinds(held.others)}"
    return f"{name}: {counted(held.documents, 'document')}{unread}{left_out}"
