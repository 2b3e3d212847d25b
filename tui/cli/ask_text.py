"""An answer for people, in a terminal."""

from collections.abc import Iterable, Iterator, Sequence

from veracite.engine.display import neutralise
from veracite.engine.judge.unread import unread_question
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
from veracite.engine.report.phrases import NameFile
from veracite.engine.words import Answer, Citation, Report
from veracite.engine.wrap import wrap
from veracite.tui.console import Look
from veracite.tui.text_report import LOOKS, documents, head, quoted

__all__ = [
    "answer_lines",
    "doubt_lines",
    "ending",
    "hedge_lines",
    "nearest_lines",
    "note_lines",
    "question_lines",
    "render",
    "sentence_lines",
    "source_lines",
]

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
    laid_out = numbered(report.answer, near=None if verbose else 1)
    beginning = [
        *question_lines(report.answer.question, look),
        *hedge_lines(report.answer, look),
        *answer_lines(laid_out, look, verbose=verbose),
    ]
    rest = ending(report, look, name, verbose=verbose, hedged=True)
    return "".join(f"{line}\n" for line in beginning) + rest


def ending(
    report: Report, look: Look, name: NameFile, *, verbose: bool = False, hedged: bool = False
) -> str:
    """What stands below the sentences.

    Args:
        hedged: Whether ``hedge_lines`` stand above them; else they stand here.
    """
    assert report.answer is not None
    sources = numbered(report.answer, near=None if verbose else 1).sources
    lines = [
        *doubt_lines(report, look, hedged=hedged),
        *source_lines(sources, look, name, report.answer.text),
        *nearest_lines(report.answer.nearest, look, name, report.answer.question),
        *_about(report, look, name),
    ]
    return "".join(f"{line}\n" for line in lines)


def question_lines(question: str, look: Look) -> Iterator[str]:
    """What was asked, an empty line, and whether the models do not read its language."""
    for line in wrap(neutralise(question), look.width):
        yield look.paint(line, "bold")
    yield ""
    if note := unread_question(question):
        yield from wrap(f"Note: {note}", look.width)
        yield ""


def answer_lines(laid_out: Numbered, look: Look, *, verbose: bool = False) -> Iterator[str]:
    """The sentences."""
    for sentence in laid_out.sentences:
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


def hedge_lines(answer: Answer, look: Look) -> Iterator[str]:
    """That the answer may be none, to stand above it, and an empty line."""
    if above := hedge(answer):
        yield from (look.paint(line, "bold") for line in wrap(above, look.width))
        yield ""


def doubt_lines(report: Report, look: Look, *, hedged: bool) -> Iterator[str]:
    """What makes the answer doubtful, without what stands above it, if that does."""
    assert report.answer is not None
    told = doubts_below(report, hedge(report.answer) if hedged else None)
    if told and report.answer.verdicts:
        yield ""
    for doubt in told:
        yield from (look.paint(line, "bold") for line in wrap(doubt, look.width))


def source_lines(
    sources: Sequence[Citation], look: Look, name: NameFile, answer: str
) -> Iterator[str]:
    """The quotes by their numbers; of long ones what they have in common with the answer."""
    for number, citation in enumerate(sources, start=1):
        yield ""
        yield from _quote(f"[{number}] ", citation, look, name, _LONGEST_QUOTE, answer)


def nearest_lines(
    citations: Sequence[Citation], look: Look, name: NameFile, question: str
) -> Iterator[str]:
    """What is nearest to the question."""
    if not citations:
        return
    yield ""
    title = "Nearest to the question in the documents:"
    yield from (look.paint(line, "bold") for line in wrap(title, look.width))
    for number, citation in enumerate(citations):
        if number:
            yield ""
        yield from _quote("", citation, look, name, _LONGEST_NEAREST, question)


def note_lines(notes: Iterable[str], question: str, look: Look) -> Iterator[str]:
    """Notes below an answer; what stands below its question already is left out."""
    told = unread_question(question)
    for note in notes:
        if note != told:
            yield from wrap(f"Note: {neutralise(note)}", look.width)


def _quote(
    number: str, citation: Citation, look: Look, name: NameFile, longest: int, said: str
) -> Iterator[str]:
    """Where a quote stands, and below it the quote."""
    place = f"{number}{phrases.place(citation, name)}"
    yield from (look.paint(line, "dim") for line in wrap(place, look.width, hanging=_INDENT))
    yield from wrap(quoted(prose(citation), look, longest, said), look.width, _INDENT)


def _about(report: Report, look: Look, name: NameFile) -> Iterator[str]:
    """How the answer came about, in a few lines."""
    assert report.answer is not None
    yield ""
    yield from note_lines(report.notes, report.answer.question, look)
    if report.verdicts:
        counts = f"{phrases.claims_by_label(report)}."
        yield from (look.paint(line, "bold") for line in wrap(counts, look.width))
    yield f"Method: {report.method}."
    yield from documents(report, look, name)
