"""``veracite check``."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from itertools import tee
from pathlib import Path
from typing import Any, BinaryIO

import click

from veracite.engine.overrides import Overrides
from veracite.engine.report.phrases import counted
from veracite.engine.settings import parse_labels
from veracite.engine.texts import unread
from veracite.engine.types import Report
from veracite.index.documents import lost
from veracite.tui import console
from veracite.tui.cli import options, output
from veracite.tui.cli.running import STDIN, Run, path_of, read_named, unbroken
from veracite.tui.console import ExitCode, UsageError

_NO_TEXT = {
    "message": "The line is no JSON object that holds a text.",
    "advice": 'Write {"id": ..., "text": "..."}, with at least one sentence, on a line.',
}
_NO_ID = {
    "message": "The id of the line is neither a text nor a number.",
    "advice": "Write it as one of them, or leave it out.",
}


@click.command
@click.argument("text", type=click.Path(allow_dash=True), required=False)
@options.against
@options.patterns
@options.settings("prefer")
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
@click.option(
    "--jsonl",
    is_flag=True,
    help='Check many texts: each line of TEXT is JSON, {"id": ..., "text": "..."}; for each a line '
    "with its id and its report in JSON is printed.",
)
@options.cluster("With --jsonl, check on the machines of the Ray cluster whose head is here.")
def check(
    run: Run,
    /,
    text: str | None,
    only: tuple[str, ...],
    seal: Path | None,
    jsonl: bool,
    cluster: str | None,
) -> int:
    """Check what TEXT says, claim by claim, against documents.

    TEXT is a file (text, PDF, HTML, office and others), or - for standard input, which --jsonl
    reads if no TEXT is named. Verdicts that you overrode in the app, against the same documents,
    hold here too and are marked.
    """
    if text is None and not jsonl:
        raise UsageError("Missing argument 'TEXT'.", "Name a file, or - for standard input.")
    text = text or STDIN
    run.prepare(text, output.CHECK_FORMATS)
    if jsonl and (run.output or run.kind not in ("text", "json") or only or seal):
        raise UsageError(
            "--jsonl prints whole reports in JSON, each on a line.",
            "Leave out --format, --output, --only and --seal.",
        )
    if cluster and (not jsonl or run.trace):
        raise UsageError(
            "--ray is for many texts, without a trace.", "Add --jsonl, and leave out --trace."
        )
    key = _sealing(seal, run.kind)
    shown = parse_labels(only) if only else None
    if jsonl:
        with _lines(text) as lines:
            return _each(run, lines, _overrides(run), cluster)
    read, overrides = read_named(text), _overrides(run)
    path = None if text == STDIN else text
    with run.working(markdown=read.markdown) as bench:
        report = run.follow(bench.check(read.text, path=path, against=run.documents))
    report = overrides.told(report, run.documents)
    if read.note:
        report = replace(report, notes=(*report.notes, read.note))
    run.send(report, shown, key)
    warn = not (run.quiet or run.on_screen)
    if warn and (failed := lost(report.failed)):
        unread = counted(failed, "document")
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


def _overrides(run: Run) -> Overrides:
    """What a person said of verdicts; where that cannot be read, they are warned."""
    return Overrides.kept(run.paths.overrides, lambda why: console.say(f"Warning: {why}"))


def _lines(name: str) -> AbstractContextManager[BinaryIO]:
    """The lines of a file, or of standard input."""
    if name == STDIN:
        return nullcontext(sys.stdin.buffer)
    with unread(name):
        return path_of(name).open("rb")


def _each(run: Run, lines: Iterable[bytes], overrides: Overrides, cluster: str | None) -> int:
    """Check the text of every line by a library that is opened once; a line that holds none is
    answered by a line that says so."""
    from veracite.engine.report.json import as_json, safe_json

    worst = ExitCode.OK
    with run.working() as bench, bench.keeping(run.documents):
        numbered = ((number, *_asked(line)) for number, line in enumerate(lines, 1) if line.strip())
        asked, again = tee(numbered)
        texts = (text for _, _, text in again if text is not None)
        if cluster is None:
            reports: Iterator[Report] = (
                run.follow(bench.check(text, against=run.documents)) for text in texts
            )
        else:
            reports = run.spread(texts, cluster)
        for number, told, text in asked:
            if text is None:
                told = {"id": None, "line": number, "error": _NO_TEXT} | told
                worst = ExitCode.FAILED
            else:
                report = overrides.told(next(reports), run.documents)
                told |= as_json(report)
                worst = max(worst, run.outcome(report))
            with unbroken():
                console.write(safe_json(told), data=True)
    return worst


def _asked(line: bytes) -> tuple[dict[str, Any], str | None]:
    """The id of a line, a text or number, and its text; None for what it does not hold, and what is
    wrong besides."""
    import msgspec

    try:
        asked = msgspec.json.decode(line)
    except (msgspec.DecodeError, ValueError, RecursionError):
        asked = None
    if not isinstance(asked, dict):
        return {}, None
    name, text = asked.get("id"), asked.get("text")
    if isinstance(name, bool | list | dict):
        return {"error": _NO_ID}, None
    return {"id": name}, text if isinstance(text, str) and any(map(str.isalnum, text)) else None
