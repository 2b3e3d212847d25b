"""Hybrid retrieval: what dense and lexical search return, fused.

Rankings are fused by a weighted mean of their scores, each in standard deviations over what either
found (a convex combination, Bruch, Gai and Ingber, 2023): a passage that one ranking has far
ahead stays on top, where ranks alone would lose it to one that both have in the middle. The order
depends on the library's content and the query alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, pstdev
from typing import Literal, TypeVar

from veracite.index.documents import Evidence, Passage

Mode = Literal["hybrid", "dense", "lexical", "pooled"]
"""Which rankings take part. "pooled" is the k best of each, where "hybrid" is the k best of both:
what stands on top of one list alone is lost in the second and kept in the first."""

MEANING = 0.75
"""The weight of the cosines in a hybrid ranking: less is worse than they alone on NQ and QED,
more is worse than words alone on HotpotQA (scripts/LOG.md)."""

Key = TypeVar("Key")


def depth(k: int) -> int:
    """How far down each ranking is read for k results."""
    return max(50, 4 * k)


def fuse(
    cosines: Mapping[Key, float],
    bm25: Mapping[Key, float],
    meaning: float = MEANING,
    floor: float | None = None,
) -> dict[Key, float]:
    """The fused score of everything that has one of both: from 0 to 1, or to the weight of the one
    where the other found nothing.

    Args:
        cosines: Those below the floor, and those that are missing, count as the floor.
        bm25: What is missing counts as 0.
        meaning: The weight of the cosines, 0..1; BM25 has the rest.
        floor: The least cosine of all where none is given.
    """
    least = min(cosines.values(), default=0.0) if floor is None else floor
    items = list({**cosines, **bm25})
    near = _standard([max(cosines.get(item, least), least) for item in items])
    worded = _standard([bm25.get(item, 0.0) for item in items])
    mixed = [meaning * one + (1 - meaning) * other for one, other in zip(near, worded, strict=True)]
    last, most = min(mixed, default=0.0), max(mixed, default=0.0)
    weight = meaning * bool(cosines) + (1 - meaning) * bool(bm25)
    return {
        item: weight * ((score - last) / (most - last) if most > last else 1.0)
        for item, score in zip(items, mixed, strict=True)
    }


def _standard(values: Sequence[float]) -> list[float]:
    """How many standard deviations each lies above the mean; the sums depend on no order."""
    mean = fmean(values) if values else 0.0
    deviation = pstdev(values, mean) if values else 0.0
    return [(value - mean) / deviation if deviation else 0.0 for value in values]


def best(
    passages: Mapping[Key, Passage],
    near: Iterable[Key],
    cosines: Mapping[Key, float],
    bm25: Mapping[Key, float],
    *,
    k: int,
    mode: Mode,
    named: Mapping[Key, float] | None = None,
) -> tuple[Evidence, ...]:
    """The k best passages.

    Args:
        passages: Those found, by the keys of the rankings; what is not among them is left out.
        near: The passages whose cosines are ranked.
        cosines: To the query; passages without an embedding have none, and stay.
        bm25: The scores of what lexical search found.
        mode: "dense" turns to BM25 only for passages that have no embedding.
        named: How much of the query the names of the documents of passages have, 0..1; counts as
            much as the cosines.
    """

    def ranked(scores: Mapping[Key, float], among: Iterable[Key]) -> list[Key]:
        """Best first; equal scores by document and position, whatever the order of reading."""

        def key(item: Key) -> tuple[float, str, int]:
            return -scores[item], passages[item].document.path, passages[item].start

        return sorted((item for item in among if item in passages), key=key)

    if mode == "dense":
        bm25 = {item: score for item, score in bm25.items() if item not in cosines}
    nearest = ranked(cosines, (item for item in near if item in cosines))
    worded = ranked(bm25, bm25)
    if mode == "pooled":
        nearest, worded = nearest[:k], worded[:k]
    fused = fuse(
        {item: cosines[item] for item in (*nearest, *worded) if item in cosines},
        {item: bm25[item] for item in worded},
        # Where both lists are kept whole, they count alike.
        0.5 if mode == "pooled" else MEANING,
        cosines[nearest[-1]] if nearest and mode == "pooled" else None,
    )
    for item, share in (named or {}).items():
        fused[item] = fused.get(item, 0.0) + MEANING * share
    kept = ranked(fused, fused)[: 2 * k if mode == "pooled" else k]
    return tuple(
        Evidence(passages[item], rank, fused[item], cosines.get(item), bm25.get(item))
        for rank, item in enumerate(kept, start=1)
    )
