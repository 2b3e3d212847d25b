"""Methods on one question as a page of HTML that needs nothing else and runs nothing."""

from collections.abc import Sequence

from veracite.engine.report import beside, comparisons, phrases
from veracite.engine.report.answers import doubts, prose
from veracite.engine.report.comparisons import Compared
from veracite.engine.report.page import page
from veracite.engine.report.phrases import NameFile

__all__ = ["render"]


def render(
    question: str,
    compared: Sequence[Compared],
    name: NameFile = phrases.base_name,
    *,
    complete: bool,
) -> str:
    """The comparison as a self-contained page: a column for each method, and what each costs.

    Args:
        compared: At least one.
        name: Turns the path of a document into the name a reader is shown.
        complete: False if it was interrupted.
    """
    laid_out = comparisons.laid_out(compared)
    return page(
        "comparison.html",
        question=question,
        complete=complete,
        answers=list(zip([one.report for one in compared], laid_out, strict=True)),
        sources=laid_out[-1].sources,
        nearest=comparisons.nearest(compared),
        measures=comparisons.measures(compared),
        notes=comparisons.notes(compared),
        interrupted=comparisons.INTERRUPTED,
        report=compared[-1].report,
        doubts=doubts,
        disagreements=beside.disagreements,
        phrases=phrases,
        prose=prose,
        name=name,
    )
