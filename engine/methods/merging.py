"""Several rankings of passages made into one."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Literal

from veracite.engine.settings import Retrieval
from veracite.index.documents import Evidence

MergeBy = Literal["rank", "score"]
"""By a passage's best rank, its score where ranks are equal; or by its score alone."""


def merged(
    rankings: Iterable[Sequence[Evidence]], k: int, *, by: MergeBy, mode: Retrieval
) -> tuple[Evidence, ...]:
    """The k best passages of rankings that were found with different queries, each once.

    Args:
        by: Scores of different queries are not comparable; ranks are.
        mode: How they were found, which tells what the score is: BM25, the cosine, or the fused
            one.
    """
    score = _SCORES[mode]

    def rank_first(item: Evidence) -> tuple[float, float]:
        return item.rank, -score(item)

    def score_first(item: Evidence) -> tuple[float, float]:
        return -score(item), item.rank

    found = [item for ranking in rankings for item in ranking]
    best: dict[str, Evidence] = {}
    for item in sorted(found, key=rank_first if by == "rank" else score_first):
        best.setdefault(item.passage.id, item)
    return tuple(
        replace(item, rank=rank) for rank, item in enumerate(list(best.values())[:k], start=1)
    )


_SCORES: dict[Retrieval, Callable[[Evidence], float]] = {
    "lexical": lambda item: item.bm25 or 0.0,
    "dense": lambda item: item.cosine or 0.0,
    "hybrid": lambda item: item.score,
}
