"""The report as one page of HTML that needs nothing else and runs nothing."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from veracite.engine.display import neutralise
from veracite.engine.report import beside, phrases
from veracite.engine.report.answers import doubts, numbered, prose
from veracite.engine.report.page import page
from veracite.engine.report.phrases import NameFile
from veracite.engine.types import Label, Report


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of the checked text: a claim, or what stands between claims."""

    text: str
    number: int | None = None
    """Of the claim, from 1."""
    label: Label | None = None


def render(
    report: Report, name: NameFile = phrases.base_name, only: Collection[Label] | None = None
) -> str:
    """The report, or the answer that it is about, as a self-contained page.

    Args:
        name: Turns the path of a document into the name a reader is shown.
        only: Labels of the claims that are listed; None lists all. The counts are always of all,
            and the text is always whole.
    """
    shown = phrases.chosen(report, only)
    answer = report.answer
    return page(
        "answer.html" if answer else "report.html",
        report=report,
        notes=report.notes,
        answer=numbered(answer) if answer else None,
        doubts=doubts(report) if answer else (),
        title="standard input" if report.path is None else phrases.base_name(report.path),
        pieces=list(_pieces(report)),
        shown=shown,
        listed={number for number, _ in shown},
        left_out=phrases.left_out(report, only),
        phrases=phrases,
        prose=prose,
        beside=beside,
        disagreements=beside.disagreements(report.verdicts),
        name=name,
    )


def _pieces(report: Report) -> Iterator[_Piece]:
    """The text cut at the borders of its claims, in order and without a gap."""
    numbered = sorted(enumerate(report.verdicts, start=1), key=lambda item: item[1].claim.start)
    position = 0
    for number, verdict in numbered:
        start, end = max(verdict.claim.start, position), verdict.claim.end
        if start >= end:
            continue
        if position < start:
            yield _Piece(neutralise(report.source[position:start], lines=True))
        yield _Piece(neutralise(report.source[start:end], lines=True), number, verdict.label)
        position = end
    if position < len(report.source):
        yield _Piece(neutralise(report.source[position:], lines=True))
