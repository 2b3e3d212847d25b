"""``veracite check``."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from veracite.engine.errors import InputError
from veracite.engine.libraries import Libraries
from veracite.engine.overrides import Overrides
from veracite.engine.report.phrases import counted
from veracite.engine.settings import parse_labels
from veracite.tui import console
from veracite.tui.cli import options, running
from veracite.tui.cli import output as destination
from veracite.tui.cli.root import Session
from veracite.tui.service import namer

if TYPE_CHECKING:
    from veracite.engine.types import Report


@click.command
@click.argument("text", type=click.Path(allow_dash=True))
@options.against
@options.report
@options.settings("fail_on")
@click.option(
    "--only",
    multiple=True,
    metavar="LABELS",
    help="Show only claims with these labels, separated by commas (text, md, html). "
    "The counts are always of all claims, and JSON always holds all.",
)
@options.verbose("every near quote of what is not found or uncertain")
@options.judging
@options.settings("markdown")
@options.trace
@options.quiet
@click.pass_obj
def check(
    session: Session,
    /,
    text: str,
    against: tuple[str, ...],
    as_json: bool,
    kind: str | None,
    output: Path | None,
    fail_on: tuple[str, ...],
    only: tuple[str, ...],
    verbose: bool,
    trace: Path | None,
    quiet: bool,
    **flags: object,
) -> int:
    """Check what TEXT says, claim by claim, against documents.

    TEXT is a file (text, Markdown, PDF, DOCX, HTML), or - for standard input. Verdicts that you
    overrode in the app, against the same documents, hold here too and are marked.
    """
    config = running.configured(session, flags, fail_on, quiet)
    chosen = destination.choose_format(kind, as_json, output)
    shown = destination.Shown(parse_labels(",".join(only)) if only else None, verbose)
    destination.require_place(output, text)
    documents = running.documents(against, Libraries(session.paths))
    read = running.read_named(text)

    overrides = _overrides(session)
    from veracite.engine.workbench import Workbench

    on_screen = chosen == "text" and output is None
    check_settings = config.check if read.markdown else replace(config.check, markdown=False)
    path = None if text == running.STDIN else text
    with (
        Workbench(check_settings, session.paths, verbose=verbose) as bench,
        running.tracing(trace) as record,
        running.interrupting(bench.cancel),
    ):
        events = bench.check(read.text, path=path, against=documents)
        report = running.follow(events, record, quiet=quiet, notes_follow=on_screen)
    report = overrides.told(report, documents)
    if read.note:
        report = replace(report, notes=(*report.notes, read.note))
    destination.send(report, chosen, output, namer(documents), shown)
    if not (quiet or on_screen):
        _mention_failed(report)
    return running.outcome(report, config.fail_on, warn=not (quiet or on_screen))


def _overrides(session: Session) -> Overrides:
    """What the user said in the app; where that cannot be read, nothing, which is told."""
    try:
        return Overrides(session.paths.overrides)
    except InputError as error:
        console.say(f"Warning: {error.message} {error.advice}")
        return Overrides()


def _mention_failed(report: "Report") -> None:
    if report.failed:
        unread = counted(len(report.failed), "document")
        console.say(f"{unread} could not be read; the report names each with its reason.")
