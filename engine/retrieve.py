"""Evidence for claims: a claim to the passages that it is judged by.

CEG (section 3.2) takes the k passages nearest to a claim. Where k is given, so is done here. For a
check as it comes, what counts is that the deciding sentence is among what is read: the best by
words and the best by meaning are pooled, and of the pool those passages are kept that together
have most of the claim, rare words first. A draft's headings and names add queries, whose passages
come behind those of the claim itself: they take none of these away.
"""

import math
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from veracite.engine.settings import Retrieval
from veracite.engine.types import Claim
from veracite.engine.wording.overlap import Terms
from veracite.index.documents import Evidence
from veracite.index.embeddings import encoder_text
from veracite.index.retrieval import Mode

if TYPE_CHECKING:
    from veracite.models.reranker import Reranker

ANSWERED = 6
"""Passages that a question is answered from, where no k is given (CEG, Table 1)."""
KEPT = 12
"""Passages that a claim is judged by, where no k is given."""
_BESIDE = 6
"""Passages more that are found with what stands around a claim."""
_POOLED = 20
"""Passages of each ranking that are pooled."""
_CONSTANT = 60
"""The c of reciprocal-rank fusion (Cormack et al., 2009)."""
_MEANING = 1.0
"""What similarity counts beside the share of the claim's words."""
_RERANKED = 20
"""Passages of each query that a reranker puts in order; more where more are asked for."""


class Searchable(Protocol):
    """What looking for evidence needs of a library."""

    def search_many(
        self, queries: Sequence[str], *, k: int, mode: Mode
    ) -> list[tuple[Evidence, ...]]:
        """The k best passages of each query."""


@dataclass(frozen=True, slots=True)
class Search:
    """How evidence is looked for."""

    library: Searchable
    k: int | None
    """Passages of each claim (CEG, Table 1); None pools both rankings and keeps ``KEPT``."""
    threshold: float | None
    """CEG's t: passages less similar are dropped, the first one never."""
    mode: Retrieval
    without: Collection[str] = ()
    """Paths of documents that are no evidence: the text under check, if the library holds it."""

    def gather(self, claims: Sequence[Claim]) -> list[tuple[Evidence, ...]]:
        """The passages of each claim, best first.

        Each claim's evidence is what it would be alone.
        """
        asked = [tuple(dict.fromkeys((claim.statement, claim.query))) for claim in claims]
        queries = [query for own in asked for query in own]
        pools = self.k is None and self.mode == "hybrid"
        found = iter(
            self.library.search_many(
                queries,
                # Twice k leaves k after fusion, and after taking the text itself out.
                k=_POOLED if self.k is None else 2 * self.k,
                mode="pooled" if pools else self.mode,
            )
        )
        rankings = [[next(found) for _ in own] for own in asked]
        select = self._pooled if self.k is None else self._fused
        return [select(claim, own) for claim, own in zip(claims, rankings, strict=True)]

    def _pooled(self, claim: Claim, rankings: Sequence[Sequence[Evidence]]) -> tuple[Evidence, ...]:
        """The passages found with the claim that together have most of it, then some of those
        found with what stands around it."""
        terms = Terms(claim.hypothesis)
        every, own, around = map(self._merged, (rankings, rankings[:1], rankings[1:]))
        best = {item.passage.id: item for item in every[0]}
        chosen = _covering(terms, own[0], KEPT)
        known = {item.passage.id for item in chosen}
        chosen += _covering(terms, [i for i in around[0] if i.passage.id not in known], _BESIDE)
        return tuple(
            replace(best[item.passage.id], rank=rank, score=item.score)
            for rank, item in enumerate(chosen, start=1)
        )

    def _fused(self, _: Claim, rankings: Sequence[Sequence[Evidence]]) -> tuple[Evidence, ...]:
        """The k best by reciprocal-rank fusion, those after the first under the threshold left."""
        pool, scores = self._merged(rankings)
        pool.sort(key=lambda item: -scores[item.passage.id])
        least = -math.inf if self.threshold is None else self.threshold
        return tuple(
            replace(item, rank=rank, score=scores[item.passage.id])
            for rank, item in enumerate(pool[: self.k], start=1)
            if rank == 1 or item.cosine is None or item.cosine >= least
        )

    def _merged(
        self, rankings: Sequence[Sequence[Evidence]]
    ) -> tuple[list[Evidence], dict[str, float]]:
        """Each passage once, at its most similar, and the sum of what its ranks are worth."""
        best: dict[str, Evidence] = {}
        scores: dict[str, float] = defaultdict(float)
        for item in (item for ranking in rankings for item in ranking):
            if item.passage.document.path in self.without:
                continue
            scores[item.passage.id] += 1 / (_CONSTANT + item.rank)
            known = best.get(item.passage.id)
            if known is None or (known.cosine or -1.0) < (item.cosine or -1.0):
                best[item.passage.id] = item
        return list(best.values()), scores


def _covering(terms: Terms, pool: Sequence[Evidence], most: int) -> list[Evidence]:
    """At most so many passages, scored: those best by words and meaning, and as many again that
    have what these lack."""
    found = {
        item.passage.id: terms.found(_text(item)) | terms.found(item.passage.document.path)
        for item in pool
    }
    rare = terms.rarity(found.values())

    def worth(item: Evidence) -> float:
        near = 0.0 if item.cosine is None else max(0.0, item.cosine)
        return terms.share(found[item.passage.id], rare) + _MEANING * near

    scored = [replace(item, score=round(worth(item), 6)) for item in pool]
    scored.sort(key=lambda item: (-item.score, item.passage.document.path, item.passage.start))
    chosen, rest = scored[: most // 2], scored[most // 2 :]
    lacking = frozenset(rare).difference(*(found[item.passage.id] for item in chosen))
    while rest and len(chosen) < most:
        gains = [sum(map(rare.__getitem__, found[i.passage.id] & lacking)) for i in rest]
        best = rest.pop(gains.index(max(gains)))  # the first of equals
        lacking -= found[best.passage.id]
        chosen.append(best)
    return chosen


@dataclass(frozen=True, slots=True)
class Reranked:
    """A library whose passages come in a reranker's order, with its scores.

    A cross-encoder is too slow for a whole library, so it reads what the search found best
    (Nogueira and Cho, 2019), of a passage what the encoder reads: the headings, too.
    """

    library: Searchable
    reranker: "Reranker"

    def search_many(
        self, queries: Sequence[str], *, k: int, mode: Mode = "hybrid"
    ) -> list[tuple[Evidence, ...]]:
        """The k best passages of each query; passages of one score in the order of the search."""
        depth = max(k, _RERANKED)
        found = self.library.search_many(queries, k=depth, mode=mode)
        of_each = zip(queries, found, strict=True)
        pairs = [(query, _text(item)) for query, items in of_each for item in items]
        scores = iter(self.reranker.score(pairs).tolist())
        scored = [[replace(item, score=next(scores)) for item in items] for items in found]
        best = [sorted(items, key=lambda item: -item.score)[:k] for items in scored]
        return [
            tuple(replace(item, rank=rank) for rank, item in enumerate(items, start=1))
            for items in best
        ]


def _text(item: Evidence) -> str:
    return encoder_text(item.passage.heading, item.passage.text)
