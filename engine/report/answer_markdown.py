"""An answer as Markdown, for notes; markup from documents stays text."""

from collections.abc import Iterator, Sequence

from veracite.engine.report import phrases
from veracite.engine.report.answers import (
    Numbered,
    Sentence,
    doubts_below,
    hedge,
    marks,
    numbered,
    prose,
)
from veracite.engine.report.markdown import escape, facts, failures
from veracite.engine.report.phrases import NameFile
from veracite.engine.types import Citation, Report


def render(report: Report, name: NameFile = phrases.base_name) -> str:
    """The answer as CommonMark.

    Args:
        name: Turns the path of a document into the name a reader is shown.
    """
    return "\n".join(_lines(report, name)) + "\n"


def _lines(report: Report, name: NameFile) -> Iterator[str]:
    answer = report.answer
    assert answer is not None
    laid_out = numbered(answer)
    yield f"# {escape(answer.question)}"
    for note in report.notes:
        yield ""
        yield f"Note: {escape(note)}"
    yield from said(report, laid_out)
    yield from sources(laid_out.sources, name)
    yield from nearest(answer.nearest, name)
    yield from failures(report, name)
    yield ""
    yield "## How this was answered"
    yield ""
    counts = f"{phrases.claims_by_label(report)}. " if report.verdicts else ""
    yield f"{counts}{phrases.documents(report)}."
    yield ""
    yield from facts(report)


def said(report: Report, laid_out: Numbered) -> Iterator[str]:
    """The sentences, and what makes them doubtful; an empty line before each."""
    assert report.answer is not None
    above = hedge(report.answer)
    if above:
        yield ""
        yield f"**{escape(above)}**"
    for sentence in laid_out.sentences:
        yield ""
        yield from _sentence(sentence)
    for doubt in doubts_below(report, above):
        yield ""
        yield f"**{escape(doubt)}**"


def sources(citations: Sequence[Citation], name: NameFile) -> Iterator[str]:
    """The quotes by their numbers."""
    if citations:
        yield ""
        yield "## Sources"
    for number, citation in enumerate(citations, start=1):
        yield from _quote(f"\\[{number}\\] ", citation, name)


def nearest(citations: Sequence[Citation], name: NameFile) -> Iterator[str]:
    """What is nearest to the question."""
    if citations:
        yield ""
        yield "## Nearest to the question"
    for citation in citations:
        yield from _quote("", citation, name)


def _sentence(sentence: Sentence) -> Iterator[str]:
    verdict = sentence.verdict
    said = escape(f"{verdict.claim.statement} {marks(sentence)}".rstrip())
    if sentence.is_fact:
        yield said
    else:
        label = f"{phrases.SYMBOLS[verdict.label]} {phrases.LABEL_WORDS[verdict.label]}"
        yield f"**{escape(label)} ({escape(phrases.aside(verdict))}):** {said}"
    if sentence.explanation:
        yield f"*{escape(sentence.explanation)}*"


def _quote(number: str, citation: Citation, name: NameFile) -> Iterator[str]:
    yield ""
    yield f"{number}{escape(phrases.place(citation, name))}"
    yield ""
    yield f"> {escape(prose(citation))}"
