"""Dense search: the embeddings in the catalog, and the nearest of them. The only door to hnswlib.

Embeddings are float16, one for each distinct passage and encoder.

They are keyed by the passage's hash, so that a passage which stands in several files, or moves from
one file to another, is encoded once.

Those of one encoder are kept. While another takes its place there are two, until the new one has
encoded everything and is in use: then the old one's are deleted.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from veracite.index.catalog import Catalog
from veracite.index.documents import Encode

_LIVE = "SELECT hash FROM passages"
_MISSING = (
    "SELECT hash FROM passages AS p WHERE NOT EXISTS"
    " (SELECT 1 FROM embeddings AS e WHERE e.hash = p.hash AND e.encoder = ?)"
)


def encoder_text(heading: str | None, text: str) -> str:
    """What the encoder reads of a passage: the heading, a full stop, the text.

    Queries are encoded as they are. A change here needs another encoder id: embeddings are kept
    under (passage hash, encoder id) and are never made again.
    """
    return f"{heading}. {text}" if heading else text


def encode(run: Encode, texts: Sequence[str]) -> NDArray[np.float32]:
    """The encoder's vectors, scaled to length 1; shape (len(texts), dimension).

    Raises:
        ValueError: The encoder returned another shape, or values that are no numbers.
    """
    found = np.asarray(run(texts), dtype=np.float32)
    if found.ndim != 2 or len(found) != len(texts) or not np.isfinite(found).all():
        raise ValueError(f"the encoder returned shape {found.shape} for {len(texts)} texts")
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    unit: NDArray[np.float32] = found / np.maximum(lengths, np.finfo(np.float32).tiny)
    return unit


def missing_embeddings(catalog: Catalog, encoder: str) -> list[bytes]:
    """Hashes of the passages that have no embedding yet, by length, then by hash."""
    order = "GROUP BY hash ORDER BY length(text) + ifnull(length(heading), 0), hash"
    return [digest for (digest,) in catalog.query(f"{_MISSING} {order}", (encoder,))]


def is_complete(catalog: Catalog, encoder: str) -> bool:
    """Whether every passage has an embedding."""
    return catalog.query(f"{_MISSING} LIMIT 1", (encoder,)).fetchone() is None


def other_encoders(catalog: Catalog, encoder: str) -> list[str]:
    """The encoders beside this one whose embeddings are held, by name."""
    rows = catalog.query(
        "SELECT DISTINCT encoder FROM embeddings WHERE encoder <> ? ORDER BY encoder", (encoder,)
    )
    return [name for (name,) in rows]


def texts_to_encode(catalog: Catalog, encoder: str, hashes: Sequence[bytes]) -> dict[bytes, str]:
    """The encoder's input for each hash; what has an embedding or is gone by now is left out."""
    rows = catalog.query_many("SELECT hash, encoder FROM embeddings WHERE hash IN ({keys})", hashes)
    held = {digest for digest, made_by in rows if made_by == encoder}
    rows = catalog.query_many(
        "SELECT hash, heading, text FROM passages WHERE hash IN ({keys})",
        [digest for digest in hashes if digest not in held],
    )
    return {digest: encoder_text(heading, text) for digest, heading, text in rows}


def add_embeddings(
    catalog: Catalog, encoder: str, hashes: Sequence[bytes], found: NDArray[np.float32]
) -> None:
    """Store one vector for each hash, in one transaction.

    Raises:
        ValueError: The encoder's earlier vectors have another dimension.
    """
    held = dimension(catalog, encoder)
    if held is not None and held != found.shape[1]:
        raise ValueError(f"{encoder} gave vectors of {held} numbers, now of {found.shape[1]}")
    rows = zip(hashes, found.astype(np.float16), strict=True)
    with catalog.transaction("embeddings") as connection:
        connection.executemany(
            "INSERT OR IGNORE INTO embeddings (hash, encoder, vector) VALUES (?, ?, ?)",
            ((digest, encoder, vector.tobytes()) for digest, vector in rows),
        )


def count_embedded(catalog: Catalog, encoder: str) -> int:
    """How many passages (copies counted each time) have an embedding."""
    (count,) = catalog.query(
        "SELECT count(*) FROM passages AS p JOIN embeddings AS e ON e.hash = p.hash"
        " WHERE e.encoder = ?",
        (encoder,),
    ).fetchone()
    return int(count)


def dimension(catalog: Catalog, encoder: str) -> int | None:
    """Of this encoder's vectors; None while there are none."""
    row = catalog.query(
        "SELECT length(vector) FROM embeddings WHERE encoder = ? LIMIT 1", (encoder,)
    ).fetchone()
    return None if row is None else int(row[0]) // np.dtype(np.float16).itemsize


def forget_unused(catalog: Catalog) -> None:
    """Delete the embeddings that no passage uses."""
    unused = f"FROM embeddings WHERE hash NOT IN ({_LIVE})"
    if catalog.query(f"SELECT 1 {unused} LIMIT 1").fetchone() is not None:
        with catalog.transaction("embeddings") as connection:
            connection.execute(f"DELETE {unused}")


def forget_others(catalog: Catalog, encoder: str) -> None:
    """Delete the embeddings of every other encoder, and give their space back."""
    with catalog.transaction("embeddings") as connection:
        connection.execute("DELETE FROM embeddings WHERE encoder <> ?", (encoder,))
    catalog.compact()


class Dense:
    """The embeddings of one encoder, and which of them are nearest by inner product.

    Every vector is compared (``BFIndex``): what is found depends on nothing but the vectors. The
    index is set up in memory, in a fraction of a second for 100,000 of them.

    Args:
        hashes: Of the passages; at least one.
        vectors: Of length 1, each of shape (dimension,), in half precision.
    """

    def __init__(self, hashes: Sequence[bytes], vectors: Sequence[NDArray[np.float16]]) -> None:
        import hnswlib

        self._hashes = hashes
        self.vectors = dict(zip(hashes, vectors, strict=True))
        """By the hash of the passage."""
        self._index = hnswlib.BFIndex("ip", len(vectors[0]))
        self._index.init_index(max_elements=len(hashes))
        self._index.add_items(np.stack(vectors).astype(np.float32), np.arange(len(hashes)))

    @classmethod
    def of(cls, catalog: Catalog, encoder: str) -> "Dense | None":
        """The embeddings of an encoder that a passage uses; None if there are none."""
        rows = catalog.query(
            f"SELECT hash, vector FROM embeddings WHERE encoder = ? AND hash IN ({_LIVE})"
            " ORDER BY id",
            (encoder,),
        ).fetchall()
        if not rows:
            return None
        found = [np.frombuffer(vector, dtype=np.float16) for _, vector in rows]
        return cls([digest for digest, _ in rows], found)

    def nearest(self, query: NDArray[np.float32], k: int) -> list[bytes]:
        """The hashes of the k nearest vectors, nearest first (or of all there are)."""
        found, _ = self._index.knn_query(query[np.newaxis], k=min(k, len(self._hashes)))
        return [self._hashes[row] for row in found[0]]
