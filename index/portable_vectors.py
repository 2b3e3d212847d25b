"""Embeddings in a form that travels: the hash of a passage and its vector, one after the other."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veracite.index import embeddings
from veracite.index.catalog import Catalog
from veracite.index.portable import NotPortable

_HASH_BYTES = 32
_BATCH = 1000
_MOST_NUMBERS = 8192
"""In a vector."""
_SLACK = 1.01
"""How long a unit vector of half-precision numbers may be."""


@dataclass(frozen=True, slots=True)
class VectorSet:
    """The embeddings that one encoder made."""

    encoder: str
    dimension: int

    @property
    def record_bytes(self) -> int:
        """Length of a passage's hash and its vector."""
        return _HASH_BYTES + self.dimension * np.dtype(np.float16).itemsize


def vector_sets(catalog: Catalog) -> list[VectorSet]:
    """The encoders whose embeddings the catalog holds."""
    rows = catalog.query("SELECT DISTINCT encoder FROM embeddings ORDER BY encoder").fetchall()
    return [VectorSet(name, embeddings.dimension(catalog, name) or 0) for (name,) in rows]


def vectors_size(catalog: Catalog, vectors: VectorSet) -> int:
    """How many bytes ``vector_records`` gives."""
    (count,) = catalog.query(
        "SELECT count(DISTINCT p.hash) FROM passages AS p JOIN embeddings AS e ON e.hash = p.hash"
        " WHERE e.encoder = ?",
        (vectors.encoder,),
    ).fetchone()
    return int(count) * vectors.record_bytes


def vector_records(catalog: Catalog, encoder: str) -> Iterator[bytes]:
    """Hash and vector (float16, little-endian) of the passages that have one, by hash."""
    hashes = [digest for (digest,) in catalog.query("SELECT DISTINCT hash FROM passages")]
    for at in range(0, len(hashes), _BATCH):
        batch = hashes[at : at + _BATCH]
        found = embeddings.vectors_of_hashes(catalog, encoder, batch)
        yield b"".join(digest + vector.astype("<f2").tobytes() for digest, vector in found.items())


def vector_set(said: Any) -> VectorSet:
    """An encoder's name and dimension, which may come from anybody.

    Raises:
        NotPortable: They cannot be.
    """
    match said:
        case {"encoder": str(encoder), "dimension": int(dimension)} if (
            encoder.isprintable() and 0 < len(encoder) <= 200 and 0 < dimension <= _MOST_NUMBERS
        ):
            return VectorSet(encoder, dimension)
    raise NotPortable("it does not say which encoder its embeddings are of")


def store_vectors(catalog: Catalog, vectors: VectorSet, records: bytes) -> None:
    """Put embeddings into a catalog that holds their passages.

    Args:
        records: Any number of what ``vector_records`` gives.

    Raises:
        NotPortable: They are no embeddings of these passages.
    """
    length = vectors.record_bytes
    if len(records) % length:
        raise NotPortable("the last embedding is not complete")
    rows = np.frombuffer(records, dtype=np.uint8).reshape(-1, length)
    hashes = [row[:_HASH_BYTES].tobytes() for row in rows]
    found = np.ascontiguousarray(rows[:, _HASH_BYTES:]).view("<f2").astype(np.float32)
    _require_unit(found)
    held = catalog.query_many("SELECT DISTINCT hash FROM passages WHERE hash IN ({keys})", hashes)
    if sum(1 for _ in held) < len(hashes):
        raise NotPortable("an embedding is there twice, or belongs to no passage")
    embeddings.add_embeddings(catalog, vectors.encoder, hashes, found)


def _require_unit(found: NDArray[np.float32]) -> None:
    lengths = np.linalg.norm(found, axis=1)
    if not (lengths <= _SLACK).all():  # nor is what holds no number
        raise NotPortable("an embedding is no unit vector")
