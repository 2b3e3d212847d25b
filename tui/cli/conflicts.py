"""``veracite conflicts``: the sentences of documents that contradict each other."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict

import click

from veracite.engine import settings
from veracite.engine.events import Compared
from veracite.engine.libraries import Libraries, documents
from veracite.engine.report.phrases import LISTED, NameFile, counted, place
from veracite.engine.types import Conflict
from veracite.index.progress import Synced
from veracite.tui import console
from veracite.tui.cli import options, output
from veracite.tui.cli.running import interrupting
from veracite.tui.cli.session import Session
from veracite.tui.console import ExitCode
from veracite.tui.progress import Progress
from veracite.tui.service import namer


@click.command
@options.against
@options.number("Pairs that are shown, at most.")
@options.work
def conflicts(session: Session, /, against: tuple[str, ...], number: int) -> int:
    """List pairs of sentences in documents that contradict each other, the surest first.

    Only sentences about the same are compared, as far as names and rare words tell. Exit code 0
    means that none contradict each other, 1 that some do.
    """
    from veracite.engine.workbench import Workbench

    meant = documents(against, Libraries(session.paths))
    found, failed = list[Conflict](), 0
    with (
        Workbench(settings.load(session.paths).check, session.paths) as bench,
        interrupting(bench.cancel),
        Progress(quiet=session.quiet) as progress,
    ):
        for event in progress.following(bench.conflicts(meant)):
            if isinstance(event, Compared) and event.found:
                found.append(event.found)
            elif isinstance(event, Synced):
                failed = event.failed
    found.sort(key=lambda one: -one.probability)
    facts = {
        "schema": "veracite.conflicts/1",
        "found": len(found),
        "failed": failed,
        "conflicts": [asdict(one) for one in found[:number]],
    }
    output.write_facts(session, facts, _lines(found, number, failed, namer(meant)))
    return ExitCode.FINDINGS if found else ExitCode.OK


def _lines(found: Sequence[Conflict], number: int, failed: int, name: NameFile) -> Iterator[str]:
    look = console.Look.of(sys.stdout)
    if not found:
        yield "No two sentences were found that contradict each other."
    for rank, one in enumerate(found[:number], start=1):
        yield from look.lines(f"{rank}. {one.explanation}", hanging="   ")
        for side in (one.first, one.second):
            yield from look.lines(f"“{side.quote}”", indent="   ")
            yield from look.lines(place(side, name), indent="      ")
        yield ""
    if len(found) > number:
        yield f"{number} of {len(found)} are shown; -n shows more."
    if failed:
        yield from look.lines(f"{counted(failed, 'document')} could not be read. {LISTED}")
