"""From choices to figures: ``choose``."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from veracite.engine.evaluation.items import Choice, Prediction
from veracite.engine.evaluation.results import Comparison, Figure, MethodResult, Mistake
from veracite.engine.evaluation.significance import (
    Statistic,
    bootstrap,
    mcnemar_exact,
    paired_difference,
)
from veracite.engine.evaluation.weighted import mean

__all__ = ["MAIN", "ChoiceFigures"]

MAIN = "accuracy"
OURS = "veracite"
_TRIVIAL = ("overlap", "shorter", "first")
_MISTAKES = 50


@dataclass(frozen=True)
class ChoiceFigures:
    """The figures of every method on the same choices."""

    items: Sequence[Choice]
    said: Mapping[str, Sequence[Prediction]]
    seed: int
    rounds: int = 2000

    def methods(self) -> tuple[MethodResult, ...]:
        """A row for each method, in their order."""
        return tuple(self._method(method) for method in self.said)

    def mistakes(self) -> tuple[Mistake, ...]:
        """Where the wrong answer was taken by the widest margin."""
        wrong = [
            Mistake(
                item.id,
                OURS,
                item.question,
                item.right,
                item.wrong,
                said.score,
                min(1.0, abs(said.score or 0.0)),
            )
            for item, said in zip(self.items, self.said[OURS], strict=True)
            if said.label != "right"
        ]
        return tuple(sorted(wrong, key=lambda m: -m.confidence)[:_MISTAKES])

    def _right(self, method: str) -> NDArray[np.bool_]:
        return np.array([p.label == "right" for p in self.said[method]], bool)

    def _method(self, method: str) -> MethodResult:
        right = self._right(method)
        groups = [item.id for item in self.items]
        found = bootstrap(_accuracy(right), groups, rounds=self.rounds, seed=self.seed)
        return MethodResult(
            method=method,
            figures=(Figure(MAIN, found.estimate, found.low, found.high),),
            n=len(right),
            problems=sum(p.problem is not None for p in self.said[method]),
            seconds_per_item=float(np.mean([p.seconds for p in self.said[method]])),
            compared=tuple(self._leads(groups)) if method == OURS else (),
            trivial=method in _TRIVIAL,
        )

    def _leads(self, groups: Sequence[str]) -> list[Comparison]:
        ours = self._right(OURS)
        leads = []
        for other in self.said:
            if other == OURS:
                continue
            theirs = self._right(other)
            found = paired_difference(
                _accuracy(ours),
                _accuracy(theirs),
                groups,
                rounds=self.rounds,
                seed=self.seed,
            )
            p = mcnemar_exact(ours, theirs)
            leads.append(Comparison(other, MAIN, found.estimate, found.low, found.high, p))
        return leads


def _accuracy(right: NDArray[np.bool_]) -> Statistic:
    return mean(right.astype(np.float64))
