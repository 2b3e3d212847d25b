"""``veracite check``."""

from dataclasses import replace
from pathlib import Path

import click

from veracite.engine.errors import InputError
from veracite.engine.overrides import Overrides
from veracite.engine.report.phrases import counted
from veracite.engine.settings import parse_labels
from veracite.tui import console
from veracite.tui.cli import options, output
from veracite.tui.cli.running import STDIN, Run, path_of, read_named
from veracite.tui.console import UsageError


@click.command
@click.argument("text", type=click.Path(allow_dash=True))
@options.against
@options.patterns
@options.report(output.CHECK_FORMATS)
@options.output("Write the report to FILE and not to standard output.")
@options.settings("fail_on")
@options.only
@click.option(
    "--seal",
    type=click.Path(path_type=Path),
    metavar="KEYFILE",
    help="Seal the report (JSON) with a key that `veracite report key` made.",
)
@options.run("every near quote of what is not found or uncertain", "markdown")
def check(run: Run, /, text: str, only: tuple[str, ...], seal: Path | None) -> int:
    """Check what TEXT says, claim by claim, against documents.

    TEXT is a file (text, PDF, HTML, office and others), or - for standard input. Verdicts that you
    overrode in the app, against the same documents, hold here too and are marked.
    """
    run.prepare(text, output.CHECK_FORMATS)
    key = _sealing(seal, run.kind)
    shown = parse_labels(only) if only else None
    read = read_named(text)
    try:
        overrides = Overrides(run.paths.overrides)
    except InputError as error:
        console.say(f"Warning: {error.message} {error.advice}")
        overrides = Overrides()
    path = None if text == STDIN else text
    with run.working(markdown=read.markdown) as bench:
        report = run.follow(bench.check(read.text, path=path, against=run.documents))
    report = overrides.told(report, run.documents)
    if read.note:
        report = replace(report, notes=(*report.notes, read.note))
    run.send(report, shown, key)
    warn = not (run.quiet or run.on_screen)
    if warn and report.failed:
        unread = counted(len(report.failed), "document")
        console.say(f"{unread} could not be read; the report names each with its reason.")
    return run.outcome(report, warn=warn)


def _sealing(path: Path | None, kind: str) -> bytes | None:
    """The key that a report is sealed with.

    Raises:
        InputError: It is none.
        UsageError: There is no such file, or a report in this format has no place for a seal.
    """
    from veracite.engine.report.seal import read_key

    if path is None:
        return None
    if kind != "json":
        raise UsageError("Only reports in JSON have a seal.", "Add --json, or end FILE in .json.")
    return read_key(path_of(str(path), "key"))
