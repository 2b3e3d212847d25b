"""The embeddings in the catalog: float16, one for each distinct passage and encoder.

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

ENCODER = "(SELECT id FROM encoders WHERE name = ?)"
"""In a statement: the encoder's number in the catalog; NULL while it has no embeddings."""
_MISSING = (
    "SELECT hash FROM passages AS p WHERE id >"
    " (SELECT ifnull(max(complete), 0) FROM encoders WHERE name = ?1) AND NOT EXISTS"
    " (SELECT 1 FROM embeddings AS e WHERE e.hash = p.hash AND e.encoder ="
    " (SELECT id FROM encoders WHERE name = ?1))"
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


def missing_embeddings(catalog: Catalog, encoder: str) -> dict[bytes, int]:
    """Hashes of the passages that have no embedding yet, and their lengths in characters.

    By length, then by hash.
    """
    length = "length(text) + ifnull(length(heading), 0)"
    said = _MISSING.replace("SELECT hash", f"SELECT hash, {length} AS length", 1)
    return dict(catalog.query(f"{said} GROUP BY hash ORDER BY length, hash", (encoder,)))


def is_complete(catalog: Catalog, encoder: str) -> bool:
    """Whether every passage has an embedding."""
    return catalog.query(f"{_MISSING} LIMIT 1", (encoder,)).fetchone() is None


def remember_complete(catalog: Catalog, encoder: str, last: int) -> None:
    """Note that every passage up to this id has an embedding, so that it is not looked for again.

    An encoder without embeddings is not noted.
    """
    known = "FROM encoders WHERE name = ? AND complete <> ?"
    if catalog.query(f"SELECT 1 {known}", (encoder, last)).fetchone():
        with catalog.transaction() as connection:
            connection.execute("UPDATE encoders SET complete = ? WHERE name = ?", (last, encoder))


def other_encoders(catalog: Catalog, encoder: str) -> list[str]:
    """The encoders beside this one whose embeddings are held, by name."""
    rows = catalog.query(
        "SELECT name FROM encoders AS n WHERE name <> ? AND EXISTS"
        " (SELECT 1 FROM embeddings WHERE encoder = n.id) ORDER BY name",
        (encoder,),
    )
    return [name for (name,) in rows]


def texts_to_encode(catalog: Catalog, encoder: str, hashes: Sequence[bytes]) -> dict[bytes, str]:
    """The encoder's input for each hash; what has an embedding or is gone by now is left out."""
    held = vectors(catalog, encoder, hashes)
    rows = catalog.query_many(
        "SELECT hash, heading, text FROM passages WHERE hash IN ({keys})",
        [digest for digest in hashes if digest not in held],
    )
    return {digest: encoder_text(heading, text) for digest, heading, text in rows}


def vectors(
    catalog: Catalog, encoder: str, hashes: Sequence[bytes]
) -> dict[bytes, NDArray[np.float16]]:
    """The embeddings of these passages, as far as there are any; shape (dimension,) each."""
    number = catalog.number(f"SELECT ifnull({ENCODER}, 0)", (encoder,))
    rows = catalog.query_many(
        f"SELECT hash, vector FROM embeddings WHERE encoder = {number} AND hash IN ({{keys}})",
        hashes,
    )
    return {digest: np.frombuffer(vector, dtype=np.float16) for digest, vector in rows}


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
        connection.execute("INSERT OR IGNORE INTO encoders (name) VALUES (?)", (encoder,))
        connection.executemany(
            f"INSERT OR IGNORE INTO embeddings (hash, encoder, vector) VALUES (?, {ENCODER}, ?)",
            ((digest, encoder, vector.tobytes()) for digest, vector in rows),
        )


def count_embedded(catalog: Catalog, encoder: str) -> int:
    """How many passages (copies counted each time) have an embedding."""
    if is_complete(catalog, encoder):
        return catalog.count_passages()
    return catalog.number(
        "SELECT count(*) FROM passages AS p JOIN embeddings AS e ON e.hash = p.hash"
        f" WHERE e.encoder = {ENCODER}",
        (encoder,),
    )


def dimension(catalog: Catalog, encoder: str) -> int | None:
    """Of this encoder's vectors; None while there are none."""
    row = catalog.query(
        f"SELECT length(vector) FROM embeddings WHERE encoder = {ENCODER} LIMIT 1", (encoder,)
    ).fetchone()
    return None if row is None else int(row[0]) // np.dtype(np.float16).itemsize


def forget_unused(catalog: Catalog) -> None:
    """Delete the embeddings that no passage uses."""
    if catalog.query("SELECT 1 FROM deleted LIMIT 1").fetchone() is None:
        return
    with catalog.transaction("embeddings") as connection:
        connection.execute(
            "DELETE FROM embeddings WHERE encoder IN (SELECT id FROM encoders)"
            " AND hash IN (SELECT hash FROM deleted AS d WHERE NOT EXISTS"
            " (SELECT 1 FROM passages AS p WHERE p.hash = d.hash))"
        )
        connection.execute("DELETE FROM deleted")


def forget_others(catalog: Catalog, encoder: str) -> None:
    """Delete the embeddings of every other encoder, and give their space back."""
    with catalog.transaction("embeddings") as connection:
        connection.execute("DELETE FROM encoders WHERE name <> ?", (encoder,))
    catalog.compact()


def forget_vector(catalog: Catalog, encoder: str, digest: bytes) -> None:
    """Delete one embedding, so that it is made anew."""
    with catalog.transaction("embeddings") as connection:
        connection.execute(
            f"DELETE FROM embeddings WHERE hash = ? AND encoder = {ENCODER}", (digest, encoder)
        )
        connection.execute("UPDATE encoders SET complete = 0 WHERE name = ?", (encoder,))
