"""Methods on one question as Markdown: a section for each, and what each costs."""

from collections.abc import Iterator, Sequence

from veracite.engine.report import answer_markdown, comparisons, phrases
from veracite.engine.report.comparisons import Compared
from veracite.engine.report.markdown import escape, facts, failures
from veracite.engine.report.phrases import NameFile

__all__ = ["render"]


def render(
    question: str,
    compared: Sequence[Compared],
    name: NameFile = phrases.base_name,
    *,
    complete: bool,
) -> str:
    """The comparison as CommonMark with a table.

    Args:
        compared: At least one.
        name: Turns the path of a document into the name a reader is shown.
        complete: False if it was interrupted.
    """
    return "\n".join(_lines(question, compared, name, complete)) + "\n"


def _lines(
    question: str, compared: Sequence[Compared], name: NameFile, complete: bool
) -> Iterator[str]:
    yield f"# {escape(question)}"
    if not complete:
        yield ""
        yield f"**{comparisons.INTERRUPTED}**"
    for note in comparisons.notes(compared):
        yield ""
        yield f"Note: {escape(note)}"
    laid_out = comparisons.laid_out(compared)
    for one, told in zip(compared, laid_out, strict=True):
        yield ""
        yield f"## {_method(one)}"
        yield from answer_markdown.said(one.report, told)
    yield ""
    yield "## What each costs"
    yield ""
    yield from _costs(compared)
    yield from answer_markdown.sources(laid_out[-1].sources, name)
    yield from answer_markdown.nearest(comparisons.nearest(compared), name)
    yield from failures(compared[-1].report, name)
    yield ""
    yield "## How this was answered"
    yield ""
    yield f"{phrases.documents(compared[-1].report)}."
    for one in compared:
        yield ""
        yield f"### Settings of {_method(one)}"
        yield ""
        yield from facts(one.report)


def _costs(compared: Sequence[Compared]) -> Iterator[str]:
    yield f"| | {' | '.join(map(_method, compared))} |"
    yield f"| --- |{' ---: |' * len(compared)}"
    for measure, figures in comparisons.measures(compared):
        yield f"| {measure.strip()} | {' | '.join(figures)} |"


def _method(one: Compared) -> str:
    return escape(one.report.method or "")
