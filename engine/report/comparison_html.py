"""Methods on one question as a page of HTML that needs nothing else and runs nothing."""

from veracite.engine.report import beside, phrases
from veracite.engine.report.answers import doubts, prose
from veracite.engine.report.comparisons import INTERRUPTED, Comparison
from veracite.engine.report.page import page
from veracite.engine.report.phrases import NameFile


def render(comparison: Comparison, name: NameFile = phrases.base_name) -> str:
    """The comparison as a self-contained page: a column for each method, and what each costs.

    Args:
        name: Turns the path of a document into the name a reader is shown.
    """
    laid_out = comparison.laid_out()
    return page(
        "comparison.html",
        question=comparison.question,
        complete=comparison.complete,
        answers=list(zip(comparison.reports, laid_out, strict=True)),
        sources=laid_out[-1].sources,
        nearest=comparison.nearest,
        measures=comparison.measures,
        notes=comparison.notes,
        interrupted=INTERRUPTED,
        report=comparison.reports[-1],
        doubts=doubts,
        disagreements=beside.disagreements,
        phrases=phrases,
        prose=prose,
        name=name,
    )
