"""``veracite report``: reports of before, looked at again."""

import os
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import click

from veracite.engine.display import neutralise
from veracite.engine.errors import disk_errors
from veracite.engine.report import audit, loading, seal
from veracite.engine.report.phrases import counted
from veracite.engine.settings import parse_labels
from veracite.tui import console
from veracite.tui.cli import options, output
from veracite.tui.cli.running import content_of, path_of
from veracite.tui.cli.session import Session
from veracite.tui.console import ExitCode, Look, OutputError, UsageError
from veracite.tui.service import namer

_STANDING: dict[audit.Standing, str] = {
    "stands": "standing",
    "moved": "standing elsewhere in the same document",
    "gone": "gone",
    "unread": "not to be looked for",
}
_SEALS: dict[seal.Found | None, str] = {
    "intact": "is as it was when it was sealed.",
    "changed": "is not as it was when it was sealed, or its seal was made up.",
    "another key": "was sealed with another key, or its seal was changed.",
    "missing": "has no seal.",
}
_KEY = "Look whether the report is as it was when it was sealed with this key."


@click.group
def report() -> None:
    """Look again at reports that --json wrote."""


@report.command
@click.argument("file", type=click.Path())
@click.option("--key", type=click.Path(path_type=Path), metavar="KEYFILE", help=_KEY)
@options.facts
def verify(session: Session, /, file: str, key: Path | None) -> int:
    """Read the documents again: does every quote of the report FILE still stand?

    Exit code 0 means that all do and that the text is the one that was checked, 1 that something
    has changed. With a key, the seal comes first; where it is not right, nothing else is looked at.
    """
    content = content_of(file, "report")
    state = seal.check(content, seal.read_key(path_of(str(key), "key"))) if key else None
    if state not in (None, "intact"):
        facts = {"schema": "veracite.verified/1", "holds": False, "seal": state}
        output.write_facts(session, facts, Look.of(sys.stdout).lines(f"{file} {_SEALS[state]}"))
        return ExitCode.FINDINGS
    if state and not session.as_json:
        console.write(f"{neutralise(file)} {_SEALS[state]}\n")
    found = audit.verify(audit.read(content, file))
    facts = {
        "schema": "veracite.verified/1",
        "holds": found.holds,
        **({"seal": state} if state else {}),
        "counts": {standing: found.counts[standing] for standing in _STANDING},
        "changed": found.changed,
        "quotes": [asdict(one) for one in found.quotes],
    }
    output.write_facts(session, facts, _told(found))
    return ExitCode.OK if found.holds else ExitCode.FINDINGS


@report.command
@click.argument("before", type=click.Path())
@click.argument("after", type=click.Path())
@options.facts
def diff(session: Session, /, before: str, after: str) -> int:
    """Say which verdicts differ between the reports BEFORE and AFTER, and what else does.

    Exit code 0 means that every claim has the same verdict in both, 1 that some have not.
    """
    held = [audit.read(content_of(file, "report"), file) for file in (before, after)]
    found = audit.compare(*held)
    facts = {"schema": "veracite.difference/1", **asdict(found)}
    output.write_facts(session, facts, _differing(found))
    return ExitCode.FINDINGS if found.changes else ExitCode.OK


@report.command
@click.argument("file", type=click.Path())
@options.report(output.CHECK_FORMATS)
@options.output("Write the report to FILE and not to standard output.", "target")
@options.only
@click.pass_obj
def show(
    session: Session, /, file: str, kind: str | None, target: Path | None, only: tuple[str, ...]
) -> int:
    """Write the report FILE, which --json made, in another format.

    It is the report as the check would have written it; no document is read.
    """
    chosen = output.choose_format(kind, session.as_json, target, output.CHECK_FORMATS)
    output.require_place(target, file)
    found = loading.load(content_of(file, "report"), file)
    if found.answer is not None and chosen not in output.FORMATS:
        raise UsageError(f"An answer is not told as {chosen}.", f"Use {', '.join(output.FORMATS)}.")
    output.send(found, chosen, target, namer(None), only=parse_labels(only) if only else None)
    return ExitCode.OK


@report.command
@click.argument("file", type=click.Path(path_type=Path))
def key(file: Path) -> int:
    """Make a key for --seal in FILE, readable by you alone.

    Whoever has it can seal reports, and find out whether one was changed after it was sealed.
    """
    if os.path.lexists(file):
        raise UsageError(f"There is a file {file} already.", "Name another one.")
    with disk_errors(f"The key cannot be written to {file}", output.ANOTHER_PLACE, OutputError):
        seal.make_key(file)
    console.say(f"The key is in {file}. Keep a copy where only those are who may seal reports.")
    return ExitCode.OK


def _told(found: audit.Verified) -> Iterator[str]:
    look, name = Look.of(sys.stdout), namer(None)
    counts = (f"{found.counts[s]} {words}" for s, words in _STANDING.items() if found.counts[s])
    total = counted(len(found.quotes), "quote")
    yield from look.lines(f"{total}: {', '.join(counts)}." if found.quotes else f"{total}.")
    for file in found.changed:
        yield from look.lines(f"{name(file)} is not what it was when the report was made.")
    for one in found.quotes:
        if one.standing in ("gone", "unread"):
            why = one.reason or "It does not say this any more."
            place = f"{name(one.quoted.file)}, for claim {one.claim}: {why}"
            yield from look.lines(place, hanging="  ")
            yield from look.lines(one.quoted.quote, indent="  ")


def _differing(found: audit.Difference) -> Iterator[str]:
    look = Look.of(sys.stdout)
    same = counted(found.same, "claim")
    yield f"{same} with the same verdict, {len(found.changes)} with another."
    for told in found.around:
        yield from look.lines(told, hanging="  ")
    for change in found.changes:
        yield ""
        yield from look.lines(_change(change))
        claim = change.after or change.before
        assert claim is not None
        for line in (claim.statement or claim.text, *change.why):
            yield from look.lines(line, indent="  ")


def _change(change: audit.Change) -> str:
    if change.before and change.after:
        return f"{change.before.said}, now {change.after.said}:"
    if change.before:
        return f"{change.before.said}, no longer in the text:"
    assert change.after is not None
    return f"New, {change.after.said}:"
