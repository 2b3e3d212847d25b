"""Methods side by side on one question: what every format tells, and the one for programs, schema
``veracite.comparison/1``."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from veracite.engine.methods.cost import Cost
from veracite.engine.report import phrases
from veracite.engine.report.answers import Numbered, numbered_together
from veracite.engine.report.json import as_json, safe_json
from veracite.engine.version import __version__
from veracite.engine.words import Citation, Label, Report

__all__ = [
    "INTERRUPTED",
    "SCHEMA",
    "Compared",
    "laid_out",
    "measures",
    "nearest",
    "notes",
    "render",
]

SCHEMA = "veracite.comparison/1"
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


def measures(compared: Sequence[Compared]) -> list[tuple[str, tuple[str, ...]]]:
    """What is measured, and the figure of each method; nothing of which all have none."""
    rows = [(name, tuple(told(one) for one in compared)) for name, told in _MEASURES]
    return [row for row in rows if set(row[1]) != {"0"}]


def notes(compared: Sequence[Compared]) -> tuple[str, ...]:
    """What is to be known of all, each once; not neutralised."""
    told = dict.fromkeys(note for one in compared for note in one.report.notes)
    if any(one.cost.remembered for one in compared[1:]):
        told[_REMEMBERED] = None
    return tuple(told)


def laid_out(compared: Sequence[Compared], *, near: int | None = 1) -> tuple[Numbered, ...]:
    """The answers, with numbers that mean the same quotes in all; the last has all sources.

    Args:
        near: See ``numbered``.
    """
    answers = [one.report.answer for one in compared if one.report.answer is not None]
    return numbered_together(answers, near=near)


def nearest(compared: Sequence[Compared]) -> tuple[Citation, ...]:
    """What is nearest to the question where a method has no answer, each once."""
    answers = [one.report.answer for one in compared if one.report.answer is not None]
    return tuple(dict.fromkeys(quote for answer in answers for quote in answer.nearest))


def render(question: str, compared: Sequence[Compared], *, complete: bool) -> str:
    """The comparison as indented JSON with a line break at its end; seconds have three decimals."""
    return (
        safe_json(
            {
                "schema": SCHEMA,
                "veracite": __version__,
                "question": question,
                "complete": complete,
                "methods": [_method(one) for one in compared],
            },
            indent=2,
        )
        + "\n"
    )


def _method(one: Compared) -> dict[str, Any]:
    return {
        "method": one.report.method,
        "sentences": len(one.report.verdicts),
        "supported": None if one.supported is None else round(one.supported, 4),
        "cost": asdict(one.cost) | {"seconds": round(one.cost.seconds, 3)},
        "report": as_json(one.report),
    }
