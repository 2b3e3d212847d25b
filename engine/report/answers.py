"""An answer with numbered citations, for every report."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from veracite.engine.display import neutralise
from veracite.engine.report import beside, phrases
from veracite.engine.types import Answer, Citation, Label, Relation, Report, Verdict
from veracite.index.cleaning import clean
from veracite.index.readers import READERS

NO_ANSWER = "No answer was found in the documents."
_NOTHING = "Interrupted before anything was verified."
_LIKELY = 0.65
"""An answer at least so probable is called very likely."""
_RELATIONS: tuple[Relation, ...] = ("supports", "contradicts", "nearest")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer, and the numbers of what is quoted for it, from 1."""

    verdict: Verdict
    supports: tuple[int, ...]
    contradicts: tuple[int, ...]
    nearest: tuple[int, ...]

    @property
    def is_fact(self) -> bool:
        """Whether it may stand without a word of doubt."""
        return self.verdict.label is Label.SUPPORTED

    @property
    def explanation(self) -> str | None:
        """Why it is so judged, where the answer must say so."""
        plain = self.is_fact and self.verdict.disagreement is None
        if plain or self.verdict.label is Label.NOT_CHECKABLE:
            return None
        return self.verdict.explanation


@dataclass(frozen=True, slots=True)
class Numbered:
    """An answer whose citations have numbers, in the order of their first use."""

    sentences: tuple[Sentence, ...]
    sources: tuple[Citation, ...]
    """The first has number 1; one for each distinct quote, verbatim."""

    def hedge(self, answer: Answer) -> str | None:
        """See ``hedge``; for templates."""
        return hedge(answer)

    def assurance(self, answer: Answer) -> str | None:
        """See ``assurance``; for templates."""
        return assurance(answer)


def numbered(answer: Answer, *, near: int | None = 1) -> Numbered:
    """Numbers the quotes of an answer.

    The numbers of a sentence do not depend on the sentences after it.

    Args:
        near: How many of the nearest quotes are kept for a sentence that nothing settles; None for
            all.
    """
    (only,) = numbered_together([answer], near=near)
    return only


def numbered_together(answers: Sequence[Answer], *, near: int | None = 1) -> tuple[Numbered, ...]:
    """Answers whose numbers mean the same quotes in all of them.

    Args:
        near: As ``numbered``.

    Returns:
        Each with the sources of itself and those before it: the last one's are all of them.
    """
    numbers: dict[tuple[str, int, int], int] = {}
    sources: list[Citation] = []

    def number(citation: Citation) -> int:
        place = (citation.file, citation.start, citation.end)
        if place not in numbers:
            sources.append(citation)
            numbers[place] = len(sources)
        return numbers[place]

    def sentence(verdict: Verdict) -> Sentence:
        of = {
            relation: [c for c in verdict.citations if c.relation == relation]
            for relation in _RELATIONS
        }
        of["nearest"] = of["nearest"][:near]
        distinct = [tuple(dict.fromkeys(map(number, of[relation]))) for relation in _RELATIONS]
        return Sentence(verdict, *distinct)

    return tuple(
        Numbered(tuple(map(sentence, answer.verdicts)), tuple(sources)) for answer in answers
    )


def prose(citation: Citation) -> str:
    """A quote as people read it: of a Markdown file without its notation, else verbatim."""
    if READERS.get(Path(citation.file).suffix.lower()) != "markdown":
        return citation.quote
    return clean(citation.quote, "markdown").text or citation.quote


def marks(sentence: Sentence) -> str:
    """What stands behind a sentence: ``[1][2]``, and in words what does not support it."""
    groups = (("contradicted by ", sentence.contradicts), ("nearest: ", sentence.nearest))
    aside = "; ".join(f"{word}{_brackets(numbers)}" for word, numbers in groups if numbers)
    return " ".join(filter(None, (_brackets(sentence.supports), f"({aside})" if aside else "")))


def doubts(report: Report) -> tuple[str, ...]:
    """What is to be known before an answer is relied on, in whole sentences."""
    answer = report.answer
    assert answer is not None
    told = []
    if not answer.verdicts:
        told.append(NO_ANSWER if report.complete else _NOTHING)
    elif not report.complete:
        told.append("Interrupted: this is what was verified until then.")
    backed = any(map(_is_told, answer.verdicts))
    if answer.verdicts and not backed:
        told.append("The documents support no sentence of this answer.")
    if answer.sufficient is False:
        told.append("The passages that were found do not suffice to answer the question.")
    told += [f"No sentence found for: {neutralise(part)}" for part in answer.unanswered]
    told += filter(None, (hedge(answer), assurance(answer)))
    return tuple(told)


def doubts_below(report: Report, above: str | None) -> tuple[str, ...]:
    """The doubts that stand below the sentences, and that documents disagree, if they do.

    Args:
        above: The one that stands above them already.
    """
    told = [doubt for doubt in doubts(report) if doubt != above]
    if split := beside.disagreements(report.verdicts):
        told.append(f"{split}.")
    return tuple(told)


def hedge(answer: Answer) -> str | None:
    """What must stand above an answer that is less than very likely: it is one of its doubts."""
    return None if _is_likely(answer) else _likelihood(answer)


def assurance(answer: Answer) -> str | None:
    """That an answer is very likely: it is told with its doubts, and is none."""
    return _likelihood(answer) if _is_likely(answer) else None


def _is_likely(answer: Answer) -> bool:
    return answer.probability is not None and answer.probability >= _LIKELY


def _is_told(verdict: Verdict) -> bool:
    """Whether a document says so, whatever others say."""
    return verdict.label is Label.SUPPORTED or verdict.disagreement is not None


def _likelihood(answer: Answer) -> str | None:
    """How likely it answers; None where nothing tells, or nothing of it holds."""
    if answer.probability is None or answer.sufficient is False:
        return None
    if not any(map(_is_told, answer.verdicts)):
        return None
    percent = phrases.percent(answer.probability)
    asked = "the rest of the question" if answer.unanswered else "the question"
    if answer.probability >= _LIKELY:
        return f"Very likely this answers {asked} ({percent})."
    if answer.probability >= 0.5:
        return f"Perhaps this answers {asked} ({percent})."
    return f"Perhaps this does not answer {asked} ({percent} that it does)."


def _brackets(numbers: Iterable[int]) -> str:
    return "".join(f"[{number}]" for number in numbers)
