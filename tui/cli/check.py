"""``veracite check``."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from veracite.engine import settings
from veracite.engine.errors import InputError
from veracite.engine.judge.unread import nothing_read, unread_note
from veracite.engine.libraries import Libraries
from veracite.engine.overrides import Overrides
from veracite.engine.settings import parse_labels
from veracite.tui import console
from veracite.tui.cli import options, running
from veracite.tui.cli import output as destination
from veracite.tui.cli.root import Session
from veracite.tui.console import ExitCode, UsageError

if TYPE_CHECKING:
    from veracite.engine.types import Report


@click.command
@click.argument("texts", nargs=-1, metavar="TEXT", type=click.Path(allow_dash=True))
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
@click.option(
    "--verbose",
    "-v",
    is_flag=True,
    help="In text: every near quote of what is not found or uncertain. With a GGUF model also "
    "llama.cpp's own log, on standard error.",
)
@options.judging
@options.settings("markdown")
@options.trace
@options.quiet
@click.pass_obj
def check(
    session: Session,
    /,
    texts: tuple[str, ...],
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
    name = _only(texts)
    flags["fail_on"] = ",".join(fail_on) or None
    config = settings.load(session.paths, flags)
    chosen = destination.choose_format(kind, as_json, output)
    shown = destination.Shown(parse_labels(",".join(only)) if only else None, verbose)
    destination.require_place(output, name)
    documents = running.documents(against, Libraries(session.paths))
    text = running.read_named(name)
    if not quiet:
        for warning in settings.unknown_variables():
            console.say(warning)

    overrides = _overrides(session)
    from veracite.engine.workbench import Workbench

    on_screen = chosen == "text" and output is None
    check_settings = config.check
    if not text.markdown:
        check_settings = replace(check_settings, markdown=False)
    path = None if name == running.STDIN else name
    with (
        Workbench(check_settings, session.paths, verbose=verbose) as bench,
        running.tracing(trace) as record,
        running.interrupting(bench.cancel),
    ):
        events = bench.check(text.text, path=path, against=documents)
        report = running.follow(events, record, quiet=quiet, notes_follow=on_screen)
    report = overrides.told(report, documents)
    if text.note:
        report = replace(report, notes=(*report.notes, text.note))
    destination.send(report, chosen, output, running.namer(documents), shown)
    if not (quiet or on_screen):
        _mention_failed(report)
    unread = unread_note(report.verdicts)
    if unread and nothing_read(report.verdicts):
        console.say(f"Warning: {unread}")
        return ExitCode.FAILED
    if unread and not (quiet or on_screen):
        console.say(f"Warning: {unread}")
    return ExitCode.FINDINGS if any(report.counts[f] for f in config.fail_on) else ExitCode.OK


def _only(texts: tuple[str, ...]) -> str:
    if not texts:
        raise UsageError("No text is named.", "Name a file, or - for standard input.")
    if len(texts) > 1:
        raise UsageError(
            f"Only one text can be checked at a time, and {texts[1]!r} is a second one.",
            "To check against several folders, repeat --against for each of them.",
        )
    return texts[0]


def _overrides(session: Session) -> Overrides:
    """What the user said in the app; where that cannot be read, nothing, which is told."""
    try:
        return Overrides(session.paths.overrides)
    except InputError as error:
        console.say(f"Warning: {error.message} {error.advice}")
        return Overrides()


def _mention_failed(report: "Report") -> None:
    if failed := len(report.failed):
        what = "1 document" if failed == 1 else f"{failed} documents"
        console.say(f"{what} could not be read; the report names each with its reason.")
