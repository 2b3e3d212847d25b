"""An answer for people, in a terminal."""

from collections.abc import Iterator, Sequence

from veracite.engine.display import neutralise
from veracite.engine.report import phrases
from veracite.engine.report.answers import Sentence, doubts, marks, numbered
from veracite.engine.report.phrases import NameFile
from veracite.engine.words import Citation, Report
from veracite.engine.wrap import wrap
from veracite.tui.console import Look
from veracite.tui.text_report import LOOKS, documents, head, quoted

__all__ = ["answer_lines", "ending", "question_lines", "render", "rest_lines", "sentence_lines"]

_INDENT = "    "
_LONGEST_QUOTE = 600
_LONGEST_NEAREST = 240


def render(report: Report, look: Look, name: NameFile, *, verbose: bool = False) -> str:
    """The answer with its citations, and what is to be known about it.

    Args:
        name: Turns the path of a document into the name a reader is shown.
        verbose: Show every near quote of what nothing settles, and why each sentence is judged so.
    """
    assert report.answer is not None
    beginning = [
        *question_lines(report.answer.question, look),
        *answer_lines(report, look, verbose=verbose),
    ]
    return "".join(f"{line}\n" for line in beginning) + ending(report, look, name, verbose=verbose)


def ending(report: Report, look: Look, name: NameFile, *, verbose: bool = False) -> str:
    """What stands below the sentences."""
    lines = [*rest_lines(report, look, name, verbose=verbose), *_about(report, look, name)]
    return "".join(f"{line}\n" for line in lines)


def question_lines(question: str, look: Look) -> Iterator[str]:
    """What was asked, and an empty line."""
    for line in wrap(neutralise(question), look.width):
        yield look.paint(line, "bold")
    yield ""


def answer_lines(report: Report, look: Look, *, verbose: bool = False) -> Iterator[str]:
    """The sentences."""
    assert report.answer is not None
    for sentence in numbered(report.answer, near=None if verbose else 1).sentences:
        yield from sentence_lines(sentence, look, verbose=verbose)


def sentence_lines(sentence: Sentence, look: Look, *, verbose: bool = False) -> Iterator[str]:
    """A sentence with its citations; one that is not supported says so before anything else."""
    verdict = sentence.verdict
    said = f"{neutralise(verdict.claim.statement)} {marks(sentence)}".rstrip()
    if sentence.is_fact:
        yield from wrap(said, look.width)
    else:
        for line in wrap(f"{head(verdict, look)}: {said}", look.width, hanging="  "):
            yield look.paint(line, *LOOKS[verdict.label])
    why = sentence.explanation or (verdict.explanation if verbose else "")
    for line in wrap(neutralise(why), look.width, "  "):
        yield look.paint(line, "dim")


def rest_lines(
    report: Report, look: Look, name: NameFile, *, verbose: bool = False
) -> Iterator[str]:
    """What makes the answer doubtful, its quotes, and what is nearest to the question."""
    assert report.answer is not None
    laid_out = numbered(report.answer, near=None if verbose else 1)
    if told := doubts(report):
        if laid_out.sentences:
            yield ""
        for doubt in told:
            yield from (look.paint(line, "bold") for line in wrap(doubt, look.width))
    for number, citation in enumerate(laid_out.sources, start=1):
        yield ""
        yield from _quote(f"[{number}] ", citation, look, name, _LONGEST_QUOTE)
    yield from _nearest(report.answer.nearest, look, name)


def _nearest(citations: Sequence[Citation], look: Look, name: NameFile) -> Iterator[str]:
    if not citations:
        return
    yield ""
    title = "Nearest to the question in the documents:"
    yield from (look.paint(line, "bold") for line in wrap(title, look.width))
    for number, citation in enumerate(citations):
        if number:
            yield ""
        yield from _quote("", citation, look, name, _LONGEST_NEAREST)


def _quote(
    number: str, citation: Citation, look: Look, name: NameFile, longest: int
) -> Iterator[str]:
    """Where a quote stands, and below it the quote."""
    place = f"{number}{phrases.place(citation, name)}"
    yield from (look.paint(line, "dim") for line in wrap(place, look.width, hanging=_INDENT))
    yield from wrap(quoted(citation.quote, look, longest), look.width, _INDENT)


def _about(report: Report, look: Look, name: NameFile) -> Iterator[str]:
    """How the answer came about, in a few lines."""
    yield ""
    for note in report.notes:
        yield from wrap(f"Note: {neutralise(note)}", look.width)
    if report.verdicts:
        counts = f"{phrases.claims_by_label(report)}."
        yield from (look.paint(line, "bold") for line in wrap(counts, look.width))
    yield f"Method: {report.method}."
    yield from documents(report, look, name)
