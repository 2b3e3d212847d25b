"""From rankings to figures: ``retrieve``. Documents without a grade are not relevant."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from veracite.engine.evaluation.items import Prediction, Query
from veracite.engine.evaluation.results import Comparison, Figure, MethodResult
from veracite.engine.evaluation.significance import bootstrap, paired_difference
from veracite.engine.evaluation.weighted import mean

__all__ = ["MAIN", "RankingFigures", "ndcg", "recall", "reciprocal_rank", "success"]

MAIN = "nDCG@10"
OURS = "hybrid"


def ndcg(found: Sequence[str], relevant: Mapping[str, int], k: int) -> float:
    """Normalised discounted cumulative gain with linear gains, as BEIR's (trec_eval's)."""
    gains = [relevant.get(document, 0) for document in found[:k]]
    best = sorted(relevant.values(), reverse=True)[:k]
    ideal = _discounted(best)
    return _discounted(gains) / ideal if ideal else float("nan")


def recall(found: Sequence[str], relevant: Mapping[str, int], k: int) -> float:
    """The share of the relevant documents among the first k."""
    wanted = {document for document, grade in relevant.items() if grade > 0}
    return len(wanted.intersection(found[:k])) / len(wanted) if wanted else float("nan")


def success(found: Sequence[str], relevant: Mapping[str, int], k: int) -> float:
    """1 if any relevant document is among the first k, else 0."""
    return float(any(relevant.get(document, 0) > 0 for document in found[:k]))


def reciprocal_rank(found: Sequence[str], relevant: Mapping[str, int], k: int) -> float:
    """One over the rank of the first relevant document, 0 if it is not among the first k."""
    for rank, document in enumerate(found[:k], start=1):
        if relevant.get(document, 0) > 0:
            return 1 / rank
    return 0.0


_FIGURES: tuple[tuple[str, Callable[[Sequence[str], Mapping[str, int], int], float], int], ...] = (
    (MAIN, ndcg, 10),
    ("recall@1", recall, 1),
    ("recall@5", recall, 5),
    ("recall@10", recall, 10),
    ("recall@100", recall, 100),
    ("success@5", success, 5),
    ("MRR@10", reciprocal_rank, 10),
)


@dataclass(frozen=True)
class RankingFigures:
    """The figures of every method on the same queries."""

    items: Sequence[Query]
    said: Mapping[str, Sequence[Prediction]]
    seed: int
    rounds: int = 2000

    def methods(self) -> tuple[MethodResult, ...]:
        """A row for each method, in their order."""
        return tuple(self._method(method) for method in self.said)

    def _method(self, method: str) -> MethodResult:
        predictions = self.said[method]
        figures = []
        for name, of, k in _FIGURES:
            values = self._values(method, of, k)
            groups = [query.id for query in self.items]
            found = bootstrap(
                mean(values),
                groups,
                rounds=self.rounds,
                seed=self.seed,
            )
            figures.append(Figure(name, found.estimate, found.low, found.high))
        return MethodResult(
            method=method,
            figures=tuple(figures),
            n=len(predictions),
            problems=sum(not p.found for p in predictions),
            seconds_per_item=float(np.mean([p.seconds for p in predictions])),
            compared=tuple(self._leads(method)),
            trivial=method == "random",
        )

    def _leads(self, method: str) -> list[Comparison]:
        if method != OURS:
            return []
        ours = self._values(OURS, ndcg, 10)
        leads = []
        for other in self.said:
            if other == OURS:
                continue
            theirs = self._values(other, ndcg, 10)
            found = paired_difference(
                mean(ours),
                mean(theirs),
                [query.id for query in self.items],
                rounds=self.rounds,
                seed=self.seed,
            )
            leads.append(Comparison(other, MAIN, found.estimate, found.low, found.high))
        return leads

    def _values(
        self, method: str, of: Callable[[Sequence[str], Mapping[str, int], int], float], k: int
    ) -> NDArray[np.float64]:
        return np.array(
            [
                of(prediction.found, query.relevant, k)
                for query, prediction in zip(self.items, self.said[method], strict=True)
            ]
        )


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(place + 2) for place, gain in enumerate(gains))
