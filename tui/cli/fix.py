"""``veracite fix``: rewrite what no document supports, and show the difference."""

import os
from dataclasses import replace
from pathlib import Path

import click

from veracite.engine.texts import decode_text, is_plain, read_text
from veracite.engine.types import Report
from veracite.tui import console
from veracite.tui.cli import options, output
from veracite.tui.cli.running import STDIN, Run, path_of, read_stdin
from veracite.tui.console import ExitCode, UsageError
from veracite.tui.texts import Draft, Form, save_draft


def read(name: str) -> Draft:
    """Read a text, or the text in a document.

    Args:
        name: Of a file, or ``-``.

    Raises:
        UsageError: There is no such file.
        InputError: It cannot be read, or holds no text.
    """
    from veracite.index.readers import whole

    refusal = ""
    if name == STDIN:
        path, content = Path("standard input"), read_stdin("text")
        text = decode_text(content, "Standard input")
        refusal = "standard input cannot be written over"
    else:
        path = path_of(name)
        text = read_text(path)
        content = whole(path) if text.markdown and path.is_file() else b""
    form = Form.of(text.text, content) if text.markdown else None
    if not text.markdown:
        refusal = f"{path} is no text file"
    elif path.exists() and not path.is_file():
        refusal = f"{path} is no regular file"
    elif form is None:
        refusal = refusal or f"{path} is in an encoding that saving would change"
    elif path.exists() and not os.access(path, os.W_OK):
        refusal = f"{path} is read-only"
    return Draft(path, text.text, text.markdown, text.note, form, refusal, content)


@click.command
@click.argument("text", type=click.Path(allow_dash=True))
@options.against
@options.patterns
@options.report(("text", "json"), "Format of what is printed [default: text].")
@options.output("Write the mended text to FILE.", "target")
@click.option("--write", is_flag=True, help="Write the mended text over TEXT.")
@options.with_sets
@options.settings("skills", "fail_on")
@options.run("every near quote of what is left unsupported", "markdown")
def fix(run: Run, /, text: str, target: Path | None, write: bool, sets: tuple[str, ...]) -> int:
    """Mend what TEXT says where no document supports it, and show what changes and why.

    Only unsupported claims change, and only into what the documents support. TEXT stays as it is
    unless --write is given. It is a file (text, PDF, HTML, office and others), or - for standard
    input. Exit code 0 means that nothing unsupported is left, 1 that something is.

    \b
    Settings (--set NAME=VALUE):
      mend=LABELS        labels that are mended [contradicted,not_found,uncertain]
      remove=true        take out what is not supported and cannot be mended
      T=N                attempts at each claim
      passages=N         passages that a claim is mended by
      sure=P             probability from which on a replacement is supported
    """
    from veracite.engine.methods.catalogue import fix_settings

    run.prepare(text)
    fixing = fix_settings(run.config, sets)
    source = read(text)
    _require_possible(source, run, target, write)
    with run.working(markdown=source.markdown, to_the_end=True) as bench:
        path = None if text == STDIN else str(source.path)
        events = bench.fix(
            source.text, fixing, path=path, against=run.documents, written=run.config.ask
        )
        report = run.follow(events)
    if source.note:
        report = replace(report, notes=(*report.notes, source.note))
    run.send(report)
    if target or write:
        _save(report, source, target, run.quiet)
    return run.outcome(report) if report.complete else ExitCode.INTERRUPTED


def _require_possible(source: Draft, run: Run, target: Path | None, write: bool) -> None:
    """Find out before the work that what is to be written cannot be."""
    if target and write:
        raise UsageError("--output and --write exclude each other.", "Give one of them.")
    if write and source.refusal:
        raise UsageError(f"--write cannot be used: {source.refusal}.", "Use -o FILE.")
    if target is None:
        return
    if target.exists() and source.path.exists() and target.samefile(source.path):
        raise UsageError("The output would overwrite the text.", "Use --write if that is meant.")
    output.require_place(target, "-", run.documents)
    if not is_plain(target):
        raise UsageError(
            f"A {target.suffix} file cannot be written, only text.", "End the name in .md or .txt."
        )


def _save(report: "Report", source: Draft, target: Path | None, quiet: bool) -> None:
    """Write the mended text to the output, or over the source."""
    assert report.fix is not None
    if not report.complete:
        console.say("Interrupted, so nothing was written.")
        return
    if target is not None:
        output.write_file(target, source.encoded(report.fix.text))
        if source.markdown and source.form is None and not quiet:
            console.say("It is in UTF-8, which the encoding of the text was changed to.")
    elif report.fix.text != source.text:
        save_draft(source, report.fix.text)
    else:
        return
    if not quiet:
        console.say(f"The mended text is in {target or source.path}.")
