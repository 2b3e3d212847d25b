"""An answer, or those of several methods, with numbered citations, for every report."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from veracite.engine.display import neutralise
from veracite.engine.methods.cost import Cost
from veracite.engine.report import beside, phrases
from veracite.engine.types import Answer, Citation, Label, Report, Verdict
from veracite.index.cleaning import clean
from veracite.index.readers import READERS

INTERRUPTED = "Interrupted before every method had finished."
NO_ANSWER = "No answer was found in the documents."
_REMEMBERED = (
    "What an earlier method or check had judged is remembered, so that the methods asked later "
    "need less time."
)
_NOTHING = "Interrupted before anything was verified."
_LIKELY = 0.65
"""An answer at least so probable is called very likely."""


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


@dataclass(frozen=True, slots=True)
class Compared:
    """What a method said, and what that cost."""

    report: Report
    cost: Cost

    @property
    def supported(self) -> float | None:
        """The share of its sentences that is supported; None if there is no answer."""
        total = len(self.report.verdicts)
        return self.report.counts[Label.SUPPORTED] / total if total else None


_MEASURES: tuple[tuple[str, Callable[[Compared], str]], ...] = (
    ("sentences", lambda one: str(len(one.report.verdicts))),
    ("supported", lambda one: "-" if one.supported is None else phrases.percent(one.supported)),
    ("searches to write", lambda one: str(one.cost.searches)),
    ("claims judged", lambda one: str(one.cost.judged)),
    ("  remembered", lambda one: str(one.cost.remembered)),
    ("model calls", lambda one: str(one.cost.calls)),
    ("tokens prefilled", lambda one: str(one.cost.prefilled)),
    ("tokens reused", lambda one: str(one.cost.reused)),
    ("tokens generated", lambda one: str(one.cost.generated)),
    ("seconds", lambda one: f"{one.cost.seconds:.1f}"),
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What methods said to one question, in the order in which they were asked."""

    question: str
    compared: tuple[Compared, ...]
    """At least one."""
    complete: bool
    """False if it was interrupted."""
    has_costs: bool = True
    """False for one answer, beside no other, of which nobody asks what it costs."""

    @classmethod
    def of(cls, report: "Report | Comparison") -> "Comparison":
        """Itself, or one answer, beside no other."""
        if isinstance(report, Comparison):
            return report
        assert report.answer is not None
        return cls(report.answer.question, (Compared(report, Cost()),), True, has_costs=False)

    @property
    def reports(self) -> tuple[Report, ...]:
        """Of each method."""
        return tuple(one.report for one in self.compared)

    @property
    def measures(self) -> list[tuple[str, tuple[str, ...]]]:
        """What is measured, and the figure of each method; nothing of which all have none."""
        rows = [(name, tuple(told(one) for one in self.compared)) for name, told in _MEASURES]
        return [row for row in rows if set(row[1]) != {"0"}]

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be known of all, each once; not neutralised."""
        told = dict.fromkeys(note for one in self.reports for note in one.notes)
        if any(one.cost.remembered for one in self.compared[1:]):
            told[_REMEMBERED] = None
        return tuple(told)

    @property
    def nearest(self) -> tuple[Citation, ...]:
        """What is nearest to the question where a method has no answer, each once."""
        answers = [one.answer for one in self.reports if one.answer is not None]
        return tuple(dict.fromkeys(quote for answer in answers for quote in answer.nearest))

    def laid_out(self, *, near: int | None = 1) -> tuple[Numbered, ...]:
        """The answers, with numbers that mean the same quotes in all; the last has all sources.

        Args:
            near: See ``numbered_together``.
        """
        answers = [one.answer for one in self.reports if one.answer is not None]
        return numbered_together(answers, near=near)


def numbered(answer: Answer) -> Numbered:
    """Numbers the quotes of an answer.

    The numbers of a sentence do not depend on the sentences after it.
    """
    return numbered_together([answer])[0]


def numbered_together(answers: Sequence[Answer], *, near: int | None = 1) -> tuple[Numbered, ...]:
    """Answers whose numbers mean the same quotes in all of them.

    Args:
        near: How many of the nearest quotes are kept for a sentence that nothing settles; None for
            all.

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
        groups = []
        for relation in ("supports", "contradicts", "nearest"):
            quotes = [c for c in verdict.citations if c.relation == relation]
            kept = quotes[:near] if relation == "nearest" else quotes
            groups.append(tuple(dict.fromkeys(map(number, kept))))
        return Sentence(verdict, *groups)

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
        told.append((answer.problem or NO_ANSWER) if report.complete else _NOTHING)
    elif not report.complete:
        told.append("Interrupted: this is what was verified until then.")
    if answer.verdicts and not _is_backed(answer):
        told.append("The documents support no sentence of this answer.")
    if answer.sufficient is False:
        told.append("The passages that were found do not suffice to answer the question.")
    told += [f"No sentence found for: {neutralise(part)}" for part in answer.unanswered]
    likely = likelihood(answer)
    return (*told, likely) if likely else tuple(told)


def doubts_below(report: Report) -> tuple[str, ...]:
    """All of that but what stands above the sentences, and that documents disagree, if they do."""
    assert report.answer is not None
    told = [doubt for doubt in doubts(report) if doubt != hedge(report.answer)]
    if split := beside.disagreements(report.verdicts):
        told.append(f"{split}.")
    return tuple(told)


def hedge(answer: Answer) -> str | None:
    """What must stand above an answer that is less than very likely: it is one of its doubts."""
    return likelihood(answer) if (answer.probability or 0) < _LIKELY else None


def _is_backed(answer: Answer) -> bool:
    """Whether a document says one of its sentences, whatever others say."""
    return any(v.label is Label.SUPPORTED or v.disagreement is not None for v in answer.verdicts)


def likelihood(answer: Answer) -> str | None:
    """How likely it answers; None where nothing tells, or nothing of it holds."""
    if answer.probability is None or answer.sufficient is False or not _is_backed(answer):
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
