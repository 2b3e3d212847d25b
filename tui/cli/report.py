"""``veracite report``: reports of before, looked at again."""

import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from veracite.engine.errors import InputError
from veracite.engine.report.phrases import counted
from veracite.tui.cli import options, output
from veracite.tui.cli.root import Session
from veracite.tui.cli.running import path_of
from veracite.tui.console import ExitCode, Look
from veracite.tui.service import namer

if TYPE_CHECKING:
    from veracite.engine.report.audit import Change, Difference, Recorded, Standing, Verified

_STANDING: "dict[Standing, str]" = {
    "stands": "standing",
    "moved": "standing elsewhere in the same document",
    "gone": "gone",
    "unread": "not to be looked for",
}


@click.group
def report() -> None:
    """Look again at reports that --json wrote."""


@report.command
@click.argument("file", type=click.Path())
@options.facts
def verify(_: Session, /, file: str, as_json: bool) -> int:
    """Read the documents again: does every quote of the report FILE still stand?

    Exit code 0 means that all do and that the text is the one that was checked, 1 that something
    has changed.
    """
    from veracite.engine.report import audit

    found = audit.verify(_opened(file))
    facts = {
        "schema": "veracite.verified/1",
        "holds": found.holds,
        "counts": {standing: found.counts[standing] for standing in _STANDING},
        "changed": found.changed,
        "quotes": [asdict(one) for one in found.quotes],
    }
    output.write_facts(facts, as_json, _told(found))
    return ExitCode.OK if found.holds else ExitCode.FINDINGS


@report.command
@click.argument("before", type=click.Path())
@click.argument("after", type=click.Path())
@options.facts
def diff(_: Session, /, before: str, after: str, as_json: bool) -> int:
    """Say which verdicts differ between the reports BEFORE and AFTER, and what else does.

    Exit code 0 means that every claim has the same verdict in both, 1 that some have not.
    """
    from veracite.engine.report import audit

    found = audit.compare(_opened(before), _opened(after))
    facts = {"schema": "veracite.difference/1", **asdict(found)}
    output.write_facts(facts, as_json, _differing(found))
    return ExitCode.FINDINGS if found.changes else ExitCode.OK


def _opened(file: str) -> "Recorded":
    """The report in a file.

    Raises:
        InputError: It cannot be read or is no report.
        UsageError: There is none.
    """
    from veracite.engine.report import audit

    try:
        return audit.read(path_of(file, "report").read_bytes(), file)
    except OSError as error:
        raise InputError(
            f"{file} cannot be read ({error.strerror or error}).", "Check its name and permissions."
        ) from error


def _told(found: "Verified") -> Iterator[str]:
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


def _differing(found: "Difference") -> Iterator[str]:
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
        yield from look.lines(claim.statement or claim.text, indent="  ")
        for why in change.why:
            yield from look.lines(why, indent="  ")


def _change(change: "Change") -> str:
    if change.before and change.after:
        return f"{change.before.said}, now {change.after.said}:"
    if change.before:
        return f"{change.before.said}, no longer in the text:"
    assert change.after is not None
    return f"New, {change.after.said}:"
