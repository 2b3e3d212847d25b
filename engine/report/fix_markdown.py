"""A mended text as Markdown: the diff, the reasons, and what is left; markup stays text."""

from collections.abc import Iterator

from veracite.engine.display import neutralise
from veracite.engine.report import phrases
from veracite.engine.report.answers import prose
from veracite.engine.report.fixes import Told, diff_lines, grouped, headline, remaining
from veracite.engine.report.markdown import escape, excerpt, facts, failures
from veracite.engine.report.phrases import NameFile
from veracite.engine.types import Report


def render(report: Report, title: str, name: NameFile = phrases.base_name) -> str:
    """The changes as CommonMark.

    Args:
        title: What the text is called.
        name: Turns the path of a document into the name a reader is shown.
    """
    return "\n".join(_lines(report, title, name)) + "\n"


def _lines(report: Report, title: str, name: NameFile) -> Iterator[str]:
    yield f"# Mended: {escape(title)}"
    yield ""
    yield f"**{headline(report)}.** {phrases.claims_by_label(report)}. {phrases.documents(report)}."
    if not report.complete:
        yield ""
        yield "**Interrupted: there would have been more.**"
    for note in report.notes:
        yield ""
        yield f"Note: {escape(note)}"
    if lines := [neutralise(line) for line in diff_lines(report, title)]:
        fence = _fence(lines)
        yield from ("", f"{fence}diff", *lines, fence)
    for heading, group in grouped(report):
        yield from ("", f"## {heading}")
        for told in group:
            yield ""
            yield f"### {_label(told)}: {told.outcome}"
            yield ""
            yield from _told(told, name)
    if left := remaining(report):
        yield ""
        yield "## Unsupported besides"
    for verdict in left:
        yield ""
        yield excerpt(verdict, name).rstrip("\n")
    yield from failures(report, name)
    yield ""
    yield "## How this was mended"
    yield ""
    yield from facts(report)


def _label(told: Told) -> str:
    """The verdict before."""
    before = told.change.before
    return f"{escape(phrases.SYMBOLS[before.label])} {phrases.LABEL_WORDS[before.label]}"


def _told(told: Told, name: NameFile) -> Iterator[str]:
    change = told.change
    yield escape(told.before)
    if change.kept and change.text:
        yield from ("", f"**Now:** {escape(change.text)}")
    if told.tried:
        yield from ("", f"**Tried:** {escape(told.tried)}")
    yield ""
    yield f"*{escape(change.reason)}*"
    if told.split:
        yield ""
        yield f"**{told.split}:**"
    for citation in told.citations:
        relation = phrases.RELATION_WORDS[citation.relation]
        yield ""
        yield f"> {escape(prose(citation))}"
        yield ">"
        yield f"> ({relation}: {escape(phrases.place(citation, name))})"


def _fence(lines: list[str]) -> str:
    """One that none of these lines can close."""
    fence = "```"
    while any(fence in line for line in lines):
        fence += "`"
    return fence
