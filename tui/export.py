"""Reports and conversations that the app writes to files."""

import re
from collections.abc import Sequence
from pathlib import Path

from veracite.engine.errors import InputError
from veracite.engine.types import Report
from veracite.tui.service import Against


def export_report(report: Report, path: Path, against: Against) -> Path:
    """Write a report as HTML, Markdown, JSON or text, readable by its owner alone.

    Args:
        against: What the verdicts rest on; documents are named beginning there.

    Raises:
        InputError: It cannot be written there, or the name's end means no format.
    """
    from veracite.tui.cli import output
    from veracite.tui.cli.running import namer
    from veracite.tui.console import OutputError, UsageError

    try:
        kind = output.choose_format(None, False, path)
    except UsageError as error:
        message = f"A report is not written as {path.suffix}."
        raise InputError(message, "The name may end in .html, .md, .json or .txt.") from error
    try:
        output.require_place(path, report.path or "-")
        output.send(report, kind, path, namer(against), output.Shown())
    except (OutputError, UsageError) as error:
        raise InputError(error.message, error.advice) from error
    return path


def report_name(report: Report) -> Path:
    """A name for a report, beside its text where that has a file."""
    if report.path is None:
        return Path("report.html")
    text = Path(report.path)
    return text.with_name(f"{text.stem}.report.html")


_BODY = re.compile(r"(?<=<body>\n).*(?=</body>)", re.DOTALL)
_PLACES = re.compile(r'(id="|href="#)(?=source-|claim-)')
"""Of our own template alone: from a document no quotation mark stands bare in a page."""
_LONGEST_NAME = 60
"""Characters."""
_RENDERERS = "Markdown (.md) and HTML (.html)"


def export_conversation(reports: Sequence[Report], path: Path) -> Path:
    """Write the answers to a file, in the format that its name says.

    Raises:
        InputError: It cannot be written, or its name says no format.
    """
    from veracite.tui.cli.output import deliver
    from veracite.tui.console import OutputError

    render = {".md": as_markdown, ".html": as_html, ".htm": as_html}.get(path.suffix.lower())
    if render is None:
        raise InputError(
            f"A conversation is not written as {path.suffix or 'a file without a suffix'}.",
            f"There are {_RENDERERS}.",
        )
    try:
        deliver(render(reports), path, data=True)
    except OutputError as error:
        raise InputError(error.message, error.advice) from error
    return path


def conversation_name(question: str) -> Path:
    """A name for a conversation, made of the words of its first question."""
    words = re.findall(r"\w+", question.casefold())
    while len("-".join(words)) > _LONGEST_NAME:
        words.pop()
    return Path(f"{'-'.join(words) or 'conversation'}.html")


def as_markdown(reports: Sequence[Report]) -> str:
    """One answer below the other."""
    from veracite.engine.report import answer_markdown

    return "\n---\n\n".join(answer_markdown.render(report) for report in reports)


def as_html(reports: Sequence[Report]) -> str:
    """One page, its answers below each other."""
    from veracite.engine.report import html

    pages = [_apart(html.render(report), number) for number, report in enumerate(reports)]
    bodies = [found[0] for page in pages if (found := _BODY.search(page))]
    return _BODY.sub(lambda _: "<hr>\n".join(bodies), pages[0])


def _apart(page: str, number: int) -> str:
    """The page with its places so named that another answer's are told from them."""
    return _PLACES.sub(lambda found: f"{found[0]}answer-{number}-", page)
