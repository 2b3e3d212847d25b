"""Evidence for claims: each is looked up as it stands and in its context.

A draft's headings and names help to find what "she" did and lead astray where they are only style,
so a claim with context is searched for both ways and the two rankings are fused.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from veracite.engine.comparing.sameness import RawText
from veracite.engine.judging.pertinence import pertinent
from veracite.engine.settings import Retrieval
from veracite.engine.words import Claim
from veracite.index.documents import Evidence

__all__ = ["Search", "Searchable"]

_CONSTANT = 60
"""The c of reciprocal-rank fusion, as in the library's own."""
_DEEPER = 3
"""How many times k are looked through where none of the k speaks of the claim's subject."""


class Searchable(Protocol):
    """What looking for evidence needs of a library."""

    def search_many(
        self, queries: Sequence[str], *, k: int, threshold: float | None, mode: Retrieval
    ) -> list[tuple[Evidence, ...]]:
        """The k best passages of each query; those less similar than the threshold dropped."""
        ...


@dataclass(frozen=True, slots=True)
class Search:
    """How evidence is looked for; CEG, section 3.2."""

    library: Searchable
    k: int
    threshold: float | None
    """CEG's t: passages less similar are dropped, the first one never."""
    mode: Retrieval
    without: str | None = None
    """Path of a document that is no evidence: the text under check, if the library holds it."""
    raw_text: RawText | None = None
    """Gives a document's text, to look further where none of those found speaks of the subject."""

    def gather(self, claims: Sequence[Claim]) -> list[tuple[Evidence, ...]]:
        """The passages of each claim, best first, at most k.

        Each claim's evidence is what it would be alone.
        """
        found = self._search(claims, self.k)
        if self.raw_text is None:
            return found
        strange = [
            place
            for place, items in enumerate(found)
            if items and not pertinent(claims[place], items, self.raw_text)
        ]
        further = self._search([claims[place] for place in strange], _DEEPER * self.k)
        for place, items in zip(strange, further, strict=True):
            kept = pertinent(claims[place], items, self.raw_text)[: self.k]
            found[place] = _ranked(kept) or found[place]
        return found

    def _search(self, claims: Sequence[Claim], k: int) -> list[tuple[Evidence, ...]]:
        asked = [dict.fromkeys((claim.statement, claim.query)) for claim in claims]
        found = iter(
            self.library.search_many(
                [query for queries in asked for query in queries],
                k=2 * k,  # leaves k after fusion, and after taking the text itself out
                threshold=None,
                mode=self.mode,
            )
        )
        return [self._select([next(found) for _ in queries], k) for queries in asked]

    def _select(self, rankings: Sequence[Sequence[Evidence]], k: int) -> tuple[Evidence, ...]:
        best: dict[str, Evidence] = {}
        scores: dict[str, float] = defaultdict(float)
        for ranking in rankings:
            for item in ranking:
                if item.passage.document.path == self.without:
                    continue
                scores[item.passage.id] += 1 / (_CONSTANT + item.rank)
                best[item.passage.id] = _nearer(best.get(item.passage.id), item)
        ordered = sorted(scores, key=lambda passage: -scores[passage])[:k]
        return tuple(
            replace(best[passage], rank=rank, score=scores[passage])
            for rank, passage in enumerate(ordered, start=1)
            if rank == 1 or self._is_near(best[passage])
        )

    def _is_near(self, item: Evidence) -> bool:
        return self.threshold is None or item.cosine is None or item.cosine >= self.threshold


def _ranked(items: Sequence[Evidence]) -> tuple[Evidence, ...]:
    return tuple(replace(item, rank=rank) for rank, item in enumerate(items, start=1))


def _nearer(one: Evidence | None, other: Evidence) -> Evidence:
    if one is None:
        return other
    return max(one, other, key=lambda item: -1.0 if item.cosine is None else item.cosine)
