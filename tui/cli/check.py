"""``veracite check``."""

import contextlib
import sys
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from veracite.engine import settings
from veracite.engine.errors import CheckError
from veracite.engine.libraries import Libraries
from veracite.engine.texts import Text, decode_text, read_text
from veracite.engine.unread import nothing_read, unread_note
from veracite.tui import console
from veracite.tui.cli import output as destination
from veracite.tui.cli import sources
from veracite.tui.cli.interrupts import interrupting
from veracite.tui.cli.options import quiet
from veracite.tui.cli.root import Session
from veracite.tui.cli.tracing import Record, tracing
from veracite.tui.console import ExitCode, UsageError

if TYPE_CHECKING:
    from veracite.engine.events import Event
    from veracite.engine.words import Report

__all__ = ["check"]

_STDIN = "-"


@click.command
@click.argument("texts", nargs=-1, metavar="TEXT", type=click.Path(allow_dash=True))
@click.option(
    "--against",
    "-a",
    multiple=True,
    type=click.Path(),
    metavar="PATH|NAME",
    help="Files or folders to check against (repeatable), or a named library; "
    "without it, the default library.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--format", "kind", type=click.Choice(destination.FORMATS), help="Of the report.")
@click.option(
    "--output", "-o", type=click.Path(path_type=Path), metavar="FILE", help="Instead of stdout."
)
@click.option(
    "--fail-on",
    multiple=True,
    metavar="LABELS",
    help="Labels that make the exit code 1, separated by commas, or none "
    "[default: contradicted,not_found,uncertain].",
)
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
@click.option("-k", metavar="N", help="Passages a claim is judged on [default: 6].")
@click.option("--threshold", metavar="T", help="Similarity under which a passage is dropped.")
@click.option("--retrieval", metavar="MODE", help="hybrid, dense or lexical [default: hybrid].")
@click.option("--uncertain-below", metavar="P", help="Probability of a verdict [default: 0.6].")
@click.option("--calibration", metavar="FILE", help="Made by `veracite eval calibrate`.")
@click.option("--model", metavar="FILE.gguf", help="A language model that judges too.")
@click.option(
    "--judge",
    metavar="WHO",
    help="bundled, gguf (the model judges everything) or cascade (only what is uncertain) "
    "[default: cascade with a model].",
)
@click.option(
    "--judge-by",
    metavar="HOW",
    help="choose (the model's probabilities of the answers) or reasoning (it writes down why "
    "first; slow) [default: choose].",
)
@click.option(
    "--joint/--no-joint", default=None, help="Have the model judge by all passages together too."
)
@click.option("--gpu-layers", metavar="N", help="Of the model [default: all that fit].")
@click.option("--context", metavar="N", help="Of the model, in tokens.")
@click.option("--markdown/--no-markdown", default=None, help="Read the text's markup as structure.")
@click.option("--threads", metavar="N", help="For the models [default: physical cores].")
@click.option(
    "--trace",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write everything that happens as JSON lines.",
)
@quiet
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

    TEXT is a file (text, Markdown, PDF, DOCX, HTML), or - for standard input.
    """
    name = _only(texts)
    flags["fail_on"] = ",".join(fail_on) or None
    config = settings.load(session.paths, flags)
    chosen = destination.choose_format(kind, as_json, output)
    shown = destination.Shown(settings.parse_labels(",".join(only)) if only else None, verbose)
    destination.require_place(output, name)
    documents = sources.documents(against, Libraries(session.paths))
    text = _read(name)
    if not quiet:
        _say_all([*settings.unknown_variables()])

    from veracite.engine.workbench import Workbench

    on_screen = chosen == "text" and output is None
    check_settings = config.check
    if not text.markdown:
        check_settings = replace(check_settings, markdown=False)
    path = None if name == _STDIN else name
    with (
        Workbench(check_settings, session.paths, verbose=verbose) as bench,
        tracing(trace) as record,
        interrupting(bench.cancel),
    ):
        events = bench.check(text.text, path=path, against=documents)
        report = _follow(events, record, quiet, notes_follow=on_screen)
    if text.note:
        report = replace(report, notes=(*report.notes, text.note))
    destination.send(report, chosen, output, sources.namer(documents), shown)
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
            f"One text at a time, and {texts[1]!r} is a second one.",
            "If it is meant to be checked against: repeat --against for each folder.",
        )
    return texts[0]


def _read(name: str) -> Text:
    if name == _STDIN:
        if console.is_terminal(sys.stdin):
            console.say("Reading the text from standard input; Ctrl-D ends it.")
        return decode_text(sys.stdin.buffer.read() if sys.stdin else b"", "Standard input")
    path = Path(name).expanduser()
    if not path.exists():
        raise UsageError(f"There is no text {name!r}.", "Check the spelling.")
    return read_text(path)


def _follow(
    events: "Generator[Event]", record: Record, quiet: bool, notes_follow: bool
) -> "Report":
    """Runs the check to its report, telling on standard error how it goes.

    Args:
        notes_follow: The report's notes will be read next: no need to say them twice.
    """
    from veracite.engine.events import Finished
    from veracite.tui.progress import Progress, warnings

    held: list[str] = []
    try:
        with contextlib.closing(events), Progress(quiet=quiet) as progress:
            for event in events:
                record(event)
                progress.update(event)
                held += () if quiet else warnings(event)
                if held and not notes_follow:
                    progress.clear()
                    _say_all(held)
                if isinstance(event, Finished):
                    held = [warning for warning in held if warning not in event.report.notes]
                    return event.report
    finally:
        _say_all(held)
    raise CheckError("The check ended without a report.", "Please report this.")


def _say_all(warnings: list[str]) -> None:
    for warning in warnings:
        console.say(warning)
    warnings.clear()


def _mention_failed(report: "Report") -> None:
    if failed := len(report.failed):
        what = "1 document" if failed == 1 else f"{failed} documents"
        console.say(f"{what} could not be read; the report names each with its reason.")
