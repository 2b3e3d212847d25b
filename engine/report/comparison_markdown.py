"""Methods on one question as Markdown: a section for each, and what each costs."""

from collections.abc import Iterator

from veracite.engine.report import answer_markdown, phrases
from veracite.engine.report.comparisons import INTERRUPTED, Comparison
from veracite.engine.report.markdown import escape, facts, failures
from veracite.engine.report.phrases import NameFile
from veracite.engine.types import Report


def render(comparison: Comparison, name: NameFile = phrases.base_name) -> str:
    """The comparison as CommonMark with a table.

    Args:
        name: Turns the path of a document into the name a reader is shown.
    """
    return "\n".join(_lines(comparison, name)) + "\n"


def _lines(comparison: Comparison, name: NameFile) -> Iterator[str]:
    reports = comparison.reports
    yield f"# {escape(comparison.question)}"
    if not comparison.complete:
        yield ""
        yield f"**{INTERRUPTED}**"
    for note in comparison.notes:
        yield ""
        yield f"Note: {escape(note)}"
    laid_out = comparison.laid_out()
    for one, told in zip(reports, laid_out, strict=True):
        yield ""
        yield f"## {_method(one)}"
        yield from answer_markdown.said(one, told)
    yield ""
    yield "## What each costs"
    yield ""
    yield from _costs(comparison)
    yield from answer_markdown.sources(laid_out[-1].sources, name)
    yield from answer_markdown.nearest(comparison.nearest, name)
    yield from failures(reports[-1], name)
    yield ""
    yield "## How this was answered"
    yield ""
    yield f"{phrases.documents(reports[-1])}."
    for one in reports:
        yield ""
        yield f"### Settings of {_method(one)}"
        yield ""
        yield from facts(one)


def _costs(comparison: Comparison) -> Iterator[str]:
    yield f"| | {' | '.join(map(_method, comparison.reports))} |"
    yield f"| --- |{' ---: |' * len(comparison.reports)}"
    for measure, figures in comparison.measures:
        yield f"| {measure.strip()} | {' | '.join(figures)} |"


def _method(one: Report) -> str:
    return escape(one.method or "")
