"""``veracite fix``."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from veracite.engine import settings
from veracite.engine.judge.unread import nothing_read, unread_note
from veracite.engine.libraries import Libraries
from veracite.engine.words import Label
from veracite.tui import console
from veracite.tui.cli import fix_file, fix_output, options, sources
from veracite.tui.cli import output as destination
from veracite.tui.cli.fix_file import Source
from veracite.tui.cli.following import follow
from veracite.tui.cli.interrupts import stopping
from veracite.tui.cli.root import Session
from veracite.tui.cli.tracing import tracing
from veracite.tui.console import ExitCode, UsageError

if TYPE_CHECKING:
    from veracite.engine.words import Report

__all__ = ["fix"]


@click.command
@click.argument("text", type=click.Path(allow_dash=True))
@options.against
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--format",
    "kind",
    type=click.Choice(fix_output.FORMATS),
    help="Of what is printed; diff is for `patch` and similar programs [default: text].",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the mended text to FILE.",
)
@click.option("--write", is_flag=True, help="Write the mended text over TEXT.")
@options.with_sets
@options.skills
@options.fail_on
@click.option(
    "--verbose",
    "-v",
    is_flag=True,
    help="In text: every near quote of what is left unsupported. With a GGUF model also "
    "llama.cpp's own log, on standard error.",
)
@options.judging
@click.option("--markdown/--no-markdown", default=None, help="Read the text's markup as structure.")
@options.trace
@options.quiet
@click.pass_obj
def fix(
    session: Session,
    /,
    text: str,
    against: tuple[str, ...],
    as_json: bool,
    kind: str | None,
    output: Path | None,
    write: bool,
    sets: tuple[str, ...],
    fail_on: tuple[str, ...],
    verbose: bool,
    trace: Path | None,
    quiet: bool,
    **flags: object,
) -> int:
    """Mend what TEXT says where no document supports it, and show what changes and why.

    Only unsupported claims change, and only into what the documents support. TEXT stays as it is
    unless --write is given. It is a file (text, Markdown, PDF, DOCX, HTML), or - for standard
    input. Exit code 0 means that nothing unsupported is left, 1 that something is.

    \b
    Settings (--set NAME=VALUE):
      mend=LABELS        labels that are mended [contradicted,not_found,uncertain]
      remove=true        take out what is not supported and cannot be mended
      T=N                attempts at each claim
      passages=N         passages that a claim is mended by
      k=N, t=T, retrieval=MODE  as -k, --threshold and --retrieval
    """
    from veracite.engine.methods.configured import fix_settings

    flags["fail_on"] = ",".join(fail_on) or None
    config = settings.load(session.paths, flags)
    chosen = destination.choose_format(kind, as_json, None)
    fixing = fix_settings(config, sets)
    documents = sources.documents(against, Libraries(session.paths))
    source = fix_file.read(text)
    _require_possible(source, chosen, output, write)
    if not quiet:
        for warning in settings.unknown_variables():
            console.say(warning)

    from veracite.engine.workbench import Workbench

    check = config.check if source.text.markdown else replace(config.check, markdown=False)
    with (
        Workbench(check, session.paths, verbose=verbose) as bench,
        tracing(trace) as record,
        stopping(bench.cancel) as stopped,
    ):
        path = str(source.path) if source.path else None
        events = bench.fix(
            source.text.text,
            fixing,
            path=path,
            against=documents,
            skills=config.ask.skills,
            wording=config.ask.wording,
        )
        report = follow(events, record, quiet=quiet, notes_follow=chosen == "text", stopped=stopped)
    if source.text.note:
        report = replace(report, notes=(*report.notes, source.text.note))
    fix_output.show(report, source, chosen, sources.namer(documents), verbose=verbose)
    if output or write:
        _save(report, source, output, quiet)
    return _outcome(report, config.fail_on)


def _require_possible(source: Source, kind: str, output: Path | None, write: bool) -> None:
    """Find out before the work that what is to be written cannot be."""
    if output and write:
        raise UsageError("--output and --write exclude each other.", "Give one of them.")
    if write and (reason := source.refusal):
        raise UsageError(f"--write cannot be used: {reason}.", "Use -o FILE.")
    if kind == "diff" and (source.form is None or source.form.is_wide):
        raise UsageError(
            f"A diff could not be applied to {source.title}: it is not in an encoding that diffs "
            "are made of.",
            "Leave out --format diff, and use -o FILE.",
        )
    if output is None:
        return
    if source.path and output.exists() and output.samefile(source.path):
        raise UsageError("The output would overwrite the text.", "Use --write if that is meant.")
    destination.require_place(output, "-")
    if not fix_file.is_plain(output):
        raise UsageError(
            f"A {output.suffix} file cannot be written, only text.", "End the name in .md or .txt."
        )


def _save(report: "Report", source: Source, output: Path | None, quiet: bool) -> None:
    """Write the mended text to the output, or over the source."""
    assert report.fix is not None
    if not report.complete:
        console.say("Interrupted, so nothing was written.")
        return
    if output is not None:
        fix_file.write(output, source.encoded(report.fix.text))
    elif report.fix.text != source.text.text:
        source.write_over(report.fix.text)
    else:
        return
    if not quiet:
        console.say(f"The mended text is in {output or source.title}.")


def _outcome(report: "Report", fail_on: Sequence[Label]) -> ExitCode:
    if not report.complete:
        return ExitCode.INTERRUPTED
    unread = unread_note(report.verdicts)
    if unread and nothing_read(report.verdicts):
        console.say(f"Warning: {unread}")
        return ExitCode.FAILED
    return ExitCode.FINDINGS if any(report.counts[label] for label in fail_on) else ExitCode.OK
