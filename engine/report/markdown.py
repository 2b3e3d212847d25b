"""The report as Markdown, for notes and pull requests; markup from documents stays text."""

import re
from collections.abc import Collection, Iterator

from veracite.engine.display import neutralise
from veracite.engine.report import beside, phrases
from veracite.engine.report.beside import Snippet
from veracite.engine.report.phrases import NameFile
from veracite.engine.types import Citation, Label, Report, Verdict

_MARKUP = re.compile(r"[\\`*_\[\]<>&|~#$]|:(?=//)|(?<=www)\.|@")
_AT_START = re.compile(r"^(?:[+=-]|(\d+)([.)]))")


def render(
    report: Report, name: NameFile = phrases.base_name, only: Collection[Label] | None = None
) -> str:
    """The report as CommonMark.

    Args:
        name: Turns the path of a document into the name a reader is shown.
        only: Labels of the claims that are shown; None shows all. The counts are always of all.
    """
    return "\n".join(_lines(report, name, only)) + "\n"


def excerpt(verdict: Verdict, name: NameFile = phrases.base_name) -> str:
    """What the report says about one claim, to paste elsewhere."""
    return "\n".join([f"**{_label(verdict)}**", "", *_told(verdict, name)]) + "\n"


def escape(text: str) -> str:
    """One line of text in which Markdown and HTML find no markup."""
    return _at_start(_inline(text).strip())


def _at_start(line: str) -> str:
    """A line that begins no list and underlines no heading."""
    return _AT_START.sub(lambda m: f"{m[1]}\\{m[2]}" if m[1] else f"\\{m[0]}", line)


def _inline(text: str) -> str:
    """The same of what does not begin a line, spaces at its ends kept."""
    return _MARKUP.sub(lambda match: f"\\{match[0]}", neutralise(text))


def _lines(report: Report, name: NameFile, only: Collection[Label] | None) -> Iterator[str]:
    title = "standard input" if report.path is None else phrases.base_name(report.path)
    yield f"# Checked: {escape(title)}"
    yield ""
    yield f"**{phrases.claims_by_label(report)}.** {phrases.documents(report)}."
    if split := beside.disagreements(report.verdicts):
        yield ""
        yield f"**{split}.**"
    if shown := phrases.left_out(report, only):
        yield ""
        yield f"{shown}."
    for note in report.notes:
        yield ""
        yield f"Note: {escape(note)}"
    for number, verdict in phrases.chosen(report, only):
        yield ""
        yield f"## {number}. {_label(verdict)}"
        yield ""
        yield from _told(verdict, name)
    yield from failures(report, name)
    yield ""
    yield "## How this was checked"
    yield ""
    yield from facts(report)


def failures(report: Report, name: NameFile) -> Iterator[str]:
    """The documents that could not be read, each with its reason."""
    if not report.failed:
        return
    yield ""
    yield "## Documents that could not be read"
    yield ""
    for item in report.failed:
        yield f"- {escape(name(item.file))}: {escape(item.reason)}"
    yield ""
    yield phrases.unread(report)


def facts(report: Report) -> Iterator[str]:
    """What a reader needs in order to repeat it, as a list."""
    for fact, value in phrases.facts(report):
        yield f"- {fact}: {escape(value)}"


def _label(verdict: Verdict) -> str:
    symbol, word = phrases.SYMBOLS[verdict.label], phrases.LABEL_WORDS[verdict.label]
    return f"{escape(symbol)} {word} ({escape(phrases.aside(verdict))})"


def _told(verdict: Verdict, name: NameFile) -> Iterator[str]:
    """The claim, why it was so judged, and the quotes."""
    yield _marked(verdict)
    if said := phrases.override(verdict):
        yield ""
        yield f"**Overridden by hand:** {escape(said)}"
    if verdict.claim.not_checkable is None:
        yield ""
        yield f"*{escape(verdict.explanation)}*"
    if told := beside.summary(verdict):
        yield ""
        yield "; ".join(f"{beside.STATE_WORDS[state]}: {escape(items)}" for state, items in told)
    if pairs := beside.pairs(verdict):
        yield ""
        yield f"| {' | '.join(beside.COLUMNS)} |"
        yield "| --- | --- |"
        for pair in pairs:
            where = escape(phrases.file_and_page(pair.citation, name))
            yield f"| {_snippet(pair.claim)} | {_snippet(pair.document)} ({where}) |"
    if verdict.disagreement is not None:
        yield ""
        yield f"**{beside.SPLIT}:**"
    for citation in verdict.citations:
        yield ""
        yield from _citation(citation, name)


def _marked(verdict: Verdict) -> str:
    """The statement: what differs stands **strong**, what no quote says *emphasised*."""
    marks = {"conflict": "**", "missing": "*"}
    line = ""
    for piece in beside.pieces(verdict):
        mark = marks.get(piece.state or "", "")
        line += f"{mark}{_inline(piece.text)}{mark}"
    return _at_start(line.strip())


def _snippet(snippet: Snippet) -> str:
    return f"{_inline(snippet.before)}**{_inline(snippet.part)}**{_inline(snippet.after)}"


def _citation(citation: Citation, name: NameFile) -> Iterator[str]:
    yield f"> {escape(citation.quote)}"
    yield ">"
    relation = phrases.RELATION_WORDS[citation.relation]
    yield f"> ({relation}: {escape(phrases.place(citation, name))})"
