"""``veracite fix``: rewrite what no document supports, and show the difference."""

import io
import os
import sys
from dataclasses import replace
from pathlib import Path

import click

from veracite.engine.libraries import Libraries
from veracite.engine.texts import decode_text, read_text
from veracite.engine.types import Report
from veracite.tui import console
from veracite.tui.cli import options, running
from veracite.tui.cli import output as destination
from veracite.tui.cli.output import FORMATS as _OF_REPORTS
from veracite.tui.cli.root import Session
from veracite.tui.console import ExitCode, UsageError
from veracite.tui.service import namer
from veracite.tui.texts import Draft, Form, is_plain, save_draft


def read(name: str) -> Draft:
    """Read a text, or the text in a document.

    Args:
        name: Of a file, or ``-``.

    Raises:
        UsageError: There is no such file.
        InputError: It cannot be read, or holds no text.
    """
    if name == running.STDIN:
        content = running.read_stdin("text")
        text = decode_text(content, "Standard input")
        path, refusal = Path("standard input"), "standard input cannot be written over"
    else:
        path = running.text_path(name)
        text, content = read_text(path), path.read_bytes()
        refusal = ""
    form = Form.of(text.text, content) if text.markdown else None
    if not text.markdown:
        refusal = f"{path} is no text file"
    elif form is None:
        refusal = refusal or f"{path} is in an encoding that saving would change"
    elif path.exists() and not path.is_file():
        refusal = f"{path} is no regular file"
    elif path.exists() and not os.access(path, os.W_OK):
        refusal = f"{path} is read-only"
    return Draft(path, text.text, text.markdown, text.note, form, refusal, content)


FORMATS = (*_OF_REPORTS, "diff")


def _show_diff(report: Report, source: Draft) -> None:
    """In the bytes of the file, whatever its encoding is, or no program could apply it."""
    from veracite.engine.report.fixes import diff

    assert report.fix is not None
    made = diff(source.content, source.encoded(report.fix.text), str(source.path))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="latin-1")  # of which each character is one byte
    console.write(made.decode("latin-1"))


@click.command
@click.argument("text", type=click.Path(allow_dash=True))
@options.against
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--format",
    "kind",
    type=click.Choice(FORMATS),
    help="Format of what is printed; diff is for `patch` and similar programs [default: text].",
)
@options.output("Write the mended text to FILE.")
@click.option("--write", is_flag=True, help="Write the mended text over TEXT.")
@options.with_sets
@options.settings("skills")
@options.settings("fail_on")
@options.verbose("every near quote of what is left unsupported")
@options.judging
@options.settings("markdown")
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
    from veracite.engine.methods.catalogue import fix_settings

    config = running.configured(session, flags, fail_on, quiet)
    chosen = destination.choose_format(kind, as_json, None)
    fixing = fix_settings(config, sets)
    documents = running.documents(against, Libraries(session.paths))
    source = read(text)
    _require_possible(source, chosen, output, write)

    from veracite.engine.workbench import Workbench

    check = config.check if source.markdown else replace(config.check, markdown=False)
    with (
        Workbench(check, session.paths, verbose=verbose) as bench,
        running.tracing(trace) as record,
        running.stopping(bench.cancel) as stopped,
    ):
        path = None if text == running.STDIN else str(source.path)
        events = bench.fix(
            source.text,
            fixing,
            path=path,
            against=documents,
            skills=config.ask.skills,
            wording=config.ask.wording,
        )
        report = running.follow(
            events, record, quiet=quiet, notes_follow=chosen == "text", stopped=stopped
        )
    if source.note:
        report = replace(report, notes=(*report.notes, source.note))
    if chosen == "diff":
        _show_diff(report, source)
    else:
        shown = destination.Shown(verbose=verbose)
        destination.send(report, chosen, None, namer(documents), shown)
    if output or write:
        _save(report, source, output, quiet)
    if not report.complete:
        return ExitCode.INTERRUPTED
    return running.outcome(report, config.fail_on, warn=False)


def _require_possible(source: Draft, kind: str, output: Path | None, write: bool) -> None:
    """Find out before the work that what is to be written cannot be."""
    if output and write:
        raise UsageError("--output and --write exclude each other.", "Give one of them.")
    if write and source.refusal:
        raise UsageError(f"--write cannot be used: {source.refusal}.", "Use -o FILE.")
    if kind == "diff" and (source.form is None or source.form.encoding == "utf-16"):
        raise UsageError(
            f"A diff could not be applied to {source.path}: it is not in an encoding that diffs "
            "are made of.",
            "Leave out --format diff, and use -o FILE.",
        )
    if output is None:
        return
    if output.exists() and source.path.exists() and output.samefile(source.path):
        raise UsageError("The output would overwrite the text.", "Use --write if that is meant.")
    destination.require_place(output, "-")
    if not is_plain(output):
        raise UsageError(
            f"A {output.suffix} file cannot be written, only text.", "End the name in .md or .txt."
        )


def _save(report: "Report", source: Draft, output: Path | None, quiet: bool) -> None:
    """Write the mended text to the output, or over the source."""
    assert report.fix is not None
    if not report.complete:
        console.say("Interrupted, so nothing was written.")
        return
    if output is not None:
        destination.write_file(output, source.encoded(report.fix.text))
    elif report.fix.text != source.text:
        save_draft(source, report.fix.text)
    else:
        return
    if not quiet:
        console.say(f"The mended text is in {output or source.path}.")
