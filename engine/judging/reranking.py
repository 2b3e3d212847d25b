"""The last step of a search, where a reranker was chosen: it puts the best passages in its order.

Retrieve, then rerank (Nogueira and Cho, 2019): a cross-encoder is too slow for a whole library, so
it reads what the search found best, which is more than is asked for.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from veracite.engine.judging.evidence import Searchable
from veracite.engine.settings import Retrieval
from veracite.index.documents import Evidence
from veracite.index.embeddings import encoder_text

if TYPE_CHECKING:
    from veracite.models.reranker import Reranker

__all__ = ["Reranked"]

_CANDIDATES = 20
"""Passages of each query that are put in order; more where more are asked for."""


@dataclass(frozen=True, slots=True)
class Reranked:
    """A library whose passages come in a reranker's order, with its scores.

    It reads of a passage what the encoder reads: the headings, too.
    """

    library: Searchable
    reranker: "Reranker"

    def search_many(
        self,
        queries: Sequence[str],
        *,
        k: int,
        threshold: float | None = None,
        mode: Retrieval = "hybrid",
    ) -> list[tuple[Evidence, ...]]:
        """The k best passages of each query; passages of one score in the order of the search."""
        depth = max(k, _CANDIDATES)
        found = self.library.search_many(queries, k=depth, threshold=threshold, mode=mode)
        pairs = [
            (query, encoder_text(item.passage.heading, item.passage.text))
            for query, items in zip(queries, found, strict=True)
            for item in items
        ]
        scores = iter(self.reranker.score(pairs).tolist())
        return [_best([(next(scores), item) for item in items], k) for items in found]


def _best(scored: Sequence[tuple[float, Evidence]], k: int) -> tuple[Evidence, ...]:
    ordered = sorted(scored, key=lambda one: -one[0])[:k]
    return tuple(
        replace(item, rank=rank, score=score) for rank, (score, item) in enumerate(ordered, start=1)
    )
