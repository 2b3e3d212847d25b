"""Hybrid retrieval: what dense and lexical search return, fused, with CEG's threshold.

Rankings are fused by reciprocal rank (Cormack, Clarke and Büttcher, 2009): cosine and BM25 have no
common scale, ranks have. The order depends on the library's content and the query alone.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Literal

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

FUSION_CONSTANT = 60
"""The c of 1 / (c + rank), as in the paper."""


def depth(k: int) -> int:
    """How far down each ranking is read for k results."""
    return max(50, 4 * k)


def fuse(rankings: Sequence[Sequence[bytes]]) -> dict[bytes, float]:
    """The fused score of everything that stands in a ranking; ranks count from 1."""
    scores: dict[bytes, float] = defaultdict(float)
    for ranking in rankings:
        for rank, item in enumerate(ranking, start=1):
            scores[item] += 1 / (FUSION_CONSTANT + rank)
    return dict(scores)


def retrieve(
    catalog: Catalog,
    lexical: Lexical | None,
    dense: Dense | None,
    encoder: str | None,
    query: str,
    vector: NDArray[np.float32] | None,
    *,
    k: int,
    threshold: float | None,
    mode: Mode,
) -> tuple[Evidence, ...]:
    """The k best passages, those after the first under the threshold dropped (CEG, section 3.2).

    Args:
        encoder: Whose embeddings to compare with ``vector``.
        vector: The query's embedding, length 1; None for lexical search alone.
        threshold: Least cosine to the query; passages without an embedding yet stay.
        mode: "dense" turns to BM25 only for passages that have no embedding.
    """
    limit = depth(k)
    bm25 = {} if lexical is None else _lexical_scores(catalog, lexical, query, limit)
    near = []
    if mode != "lexical" and vector is not None and dense is not None:
        near = _nearest(catalog, dense, vector, limit)
    cosines: dict[bytes, float] = {}
    if vector is not None and encoder is not None:
        cosines = _cosines(catalog, encoder, vector, {*near, *bm25})
    if mode == "dense":
        bm25 = {digest: score for digest, score in bm25.items() if digest not in cosines}
    passages = catalog.passages({*near, *bm25})
    rankings = [
        _ranking([digest for digest in near if digest in cosines], cosines, passages),
        _ranking(bm25, bm25, passages),
    ]
    if mode == "pooled":
        rankings = [ranking[:k] for ranking in rankings]
    fused = fuse(rankings)
    best = _ranking(fused, fused, passages)[: 2 * k if mode == "pooled" else k]
    kept = [
        digest
        for place, digest in enumerate(best)
        if place == 0 or threshold is None or cosines.get(digest, 1.0) >= threshold
    ]
    return tuple(
        Evidence(passages[digest], rank, fused[digest], cosines.get(digest), bm25.get(digest))
        for rank, digest in enumerate(kept, start=1)
    )


def _ranking(
    items: Sequence[bytes] | dict[bytes, float],
    scores: dict[bytes, float],
    passages: dict[bytes, Passage],
) -> list[bytes]:
    """Best first; equal scores by document and position, which no order of reading can change."""

    def key(item: bytes) -> tuple[float, str, int]:
        passage = passages[item]
        return -scores[item], passage.document.path, passage.start

    return sorted((item for item in items if item in passages), key=key)


def _lexical_scores(
    catalog: Catalog, lexical: Lexical, query: str, limit: int
) -> dict[bytes, float]:
    hits = lexical.search(query, limit)
    hashes = catalog.passage_hashes(passage for passage, _ in hits)
    scores: dict[bytes, float] = {}
    for passage, score in hits:
        if passage in hashes:
            scores.setdefault(hashes[passage], score)
    return scores


def _nearest(
    catalog: Catalog, dense: Dense, vector: NDArray[np.float32], limit: int
) -> list[bytes]:
    (found,) = dense.search(vector[np.newaxis], limit)
    hashes = embeddings.hashes_of_labels(catalog, found)
    return [hashes[label] for label in found if label in hashes]


def _cosines(
    catalog: Catalog, encoder: str, vector: NDArray[np.float32], hashes: set[bytes]
) -> dict[bytes, float]:
    # One vector at a time, so that a cosine has the same bits whatever it stands beside.
    wide = vector.astype(np.float64)
    found = embeddings.vectors_of_hashes(catalog, encoder, hashes)
    return {
        digest: float(np.dot(other.astype(np.float64), wide)) for digest, other in found.items()
    }
