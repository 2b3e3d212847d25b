"""Methods side by side on one question: what every format tells."""

from collections.abc import Callable
from dataclasses import dataclass

from veracite.engine.methods.cost import Cost
from veracite.engine.report import phrases
from veracite.engine.report.answers import Numbered, numbered_together
from veracite.engine.types import Citation, Label, Report

INTERRUPTED = "Interrupted: not every method has come to its end."
_REMEMBERED = (
    "What an earlier method or check had judged is remembered, so that the methods asked later "
    "need less time."
)


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
            near: See ``numbered``.
        """
        answers = [one.answer for one in self.reports if one.answer is not None]
        return numbered_together(answers, near=near)
