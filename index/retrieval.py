"""Hybrid retrieval: what dense and lexical search return, fused, with CEG's threshold.

Rankings are fused by reciprocal rank (Cormack, Clarke and Büttcher, 2009): cosine and BM25 have no
common scale, ranks have. The order depends on the library's content and the query alone.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from veracite.index import embeddings
from veracite.index.catalog import Catalog
from veracite.index.dense import Dense
from veracite.index.documents import Evidence, Passage
from veracite.index.lexical import Lexical

Mode = Literal["hybrid", "dense", "lexical", "pooled"]
"""Which rankings take part. "pooled" is the k best of each, where "hybrid" is the k best of both:
what stands on top of one list alone is lost in the second and kept in the first."""

Key = TypeVar("Key")

FUSION_CONSTANT = 60
"""The c of 1 / (c + rank), as in the paper."""


def depth(k: int) -> int:
    """How far down each ranking is read for k results."""
    return max(50, 4 * k)


def fuse(rankings: Sequence[Sequence[Key]]) -> dict[Key, float]:
    """The fused score of everything that stands in a ranking; ranks count from 1."""
    scores: dict[Key, float] = defaultdict(float)
    for ranking in rankings:
        for rank, item in enumerate(ranking, start=1):
            scores[item] += 1 / (FUSION_CONSTANT + rank)
    return dict(scores)


def best(
    passages: Mapping[Key, Passage],
    near: Iterable[Key],
    cosines: Mapping[Key, float],
    bm25: Mapping[Key, float],
    *,
    k: int,
    threshold: float | None,
    mode: Mode,
) -> tuple[Evidence, ...]:
    """The k best passages, those after the first under the threshold dropped (CEG, section 3.2).

    Args:
        passages: Those found, by the keys of the rankings; what is not among them is left out.
        near: The passages whose cosines are ranked.
        cosines: To the query; passages without an embedding have none, and stay.
        bm25: The scores of what lexical search found.
        mode: "dense" turns to BM25 only for passages that have no embedding.
    """

    def ranked(scores: Mapping[Key, float], among: Iterable[Key]) -> list[Key]:
        """Best first; equal scores by document and position, whatever the order of reading."""

        def key(item: Key) -> tuple[float, str, int]:
            return -scores[item], passages[item].document.path, passages[item].start

        return sorted((item for item in among if item in passages), key=key)

    if mode == "dense":
        bm25 = {item: score for item, score in bm25.items() if item not in cosines}
    rankings = [ranked(cosines, (item for item in near if item in cosines)), ranked(bm25, bm25)]
    if mode == "pooled":
        rankings = [ranking[:k] for ranking in rankings]
    fused = fuse(rankings)
    kept = [
        item
        for place, item in enumerate(ranked(fused, fused)[: 2 * k if mode == "pooled" else k])
        if place == 0 or threshold is None or cosines.get(item, 1.0) >= threshold
    ]
    return tuple(
        Evidence(passages[item], rank, fused[item], cosines.get(item), bm25.get(item))
        for rank, item in enumerate(kept, start=1)
    )


def retrieve(
    catalog: Catalog,
    lexical: Lexical,
    dense: Dense | None,
    encoder: str | None,
    query: str,
    vector: NDArray[np.float32] | None,
    *,
    k: int,
    threshold: float | None,
    mode: Mode,
) -> tuple[Evidence, ...]:
    """The best passages of a library on the disk, as ``best`` says.

    Args:
        encoder: Whose embeddings to compare with ``vector``.
        vector: The query's embedding, length 1; None for lexical search alone.
    """
    limit = depth(k)
    hits = lexical.search(query, limit)
    hashes = catalog.passage_hashes(passage for passage, _ in hits)
    bm25 = {hashes[passage]: score for passage, score in hits if passage in hashes}
    near: list[bytes] = []
    cosines: dict[bytes, float] = {}
    if vector is not None and encoder is not None and dense is not None:
        (labels,) = dense.search(vector[np.newaxis], limit)
        near = list(embeddings.hashes_of_labels(catalog, labels).values())
        # One vector at a time, so that a cosine has the same bits whatever it stands beside.
        wide = vector.astype(np.float64)
        found = embeddings.vectors_of_hashes(catalog, encoder, {*near, *bm25})
        cosines = {
            key: float(np.dot(other.astype(np.float64), wide)) for key, other in found.items()
        }
    passages = catalog.passages({*near, *bm25})
    return best(passages, near, cosines, bm25, k=k, threshold=threshold, mode=mode)
