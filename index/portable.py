"""What a catalog holds, in a form that travels: texts, where they were cut, and embeddings.

A passage's words are made of the text again on arrival, and everything derived is built there, so
that what is quoted and what is searched always agree, whoever wrote the file in between.
"""

import json
import os
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec import Meta

from veracite.index import embeddings
from veracite.index.catalog import Catalog, FileStamp
from veracite.index.cleaning import clean
from veracite.index.documents import Cut, Extraction
from veracite.index.passages import markup_of, page_of, passage_id

_LONGEST_PATH = 4096
_HASH_BYTES = 32
_BATCH = 1000
_SLACK = 1.01
"""How long a unit vector of half-precision numbers may be."""

_Number = Annotated[int, Meta(ge=0, le=2**62)]


class NotPortable(ValueError):
    """What arrived cannot be what was sent; says why in a few words."""


@dataclass(frozen=True, slots=True)
class _File:
    """A line of ``file_lines``."""

    path: str
    size: _Number
    sha256: Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?\Z")]
    """Empty where the file could not be read at all."""
    reader: str
    reason: str | None = None
    """Why it failed; what follows is of files that did not."""
    extractor: str = ""
    title: str | None = None
    pages: tuple[_Number, ...] = ()
    bytes: _Number = 0
    """Length of its text in ``file_texts``."""
    passages: tuple[tuple[_Number, _Number, str | None], ...] = ()
    """Start, end and heading of each."""


def file_lines(catalog: Catalog) -> Iterator[bytes]:
    """A line of JSON for each file that was read or failed, by path."""
    rows = catalog.query(
        "SELECT id, path, size, sha256, reader, reason, extractor, title, text, pages"
        " FROM documents ORDER BY path"
    )
    for number, path, size, sha256, reader, reason, extractor, title, text, pages in rows:
        said = {"path": os.fsdecode(path), "size": size, "sha256": sha256, "reader": reader}
        if text is None:
            said |= {"reason": reason}
        else:
            said |= {"extractor": extractor, "title": title, "pages": json.loads(pages)}
            cuts = "SELECT start, stop, heading FROM passages WHERE document = ? ORDER BY start"
            said |= {"passages": catalog.query(cuts, (number,)).fetchall()}
            said |= {"bytes": len(zlib.decompress(text))}
        yield json.dumps(said).encode("ascii") + b"\n"


def text_size(line: bytes) -> int:
    """How many bytes of ``file_texts`` belong to a line of ``file_lines``."""
    return int(json.loads(line).get("bytes", 0))


def file_texts(catalog: Catalog) -> Iterator[bytes]:
    """The texts of the files that were read, in the order of ``file_lines``, as UTF-8."""
    for (text,) in catalog.query("SELECT text FROM documents WHERE text NOT NULL ORDER BY path"):
        yield zlib.decompress(text)


def store_file(catalog: Catalog, line: bytes, text_bytes: Callable[[int], bytes]) -> str:
    """Put a file into a catalog, as ``file_lines`` told of it; returns its path.

    Args:
        text_bytes: Gives the next so many bytes of ``file_texts``.

    Raises:
        NotPortable: It cannot be stored.
    """
    try:
        # Names of files may hold lone surrogates, which msgspec's own parser refuses.
        told = msgspec.convert(json.loads(line), _File)
    except (ValueError, RecursionError) as error:
        raise NotPortable(f"a line about a file cannot be used ({error})") from error
    require_path(told.path)
    stamp = FileStamp(told.size, -1, told.sha256, told.reader)
    if told.reason is not None:
        catalog.store_failure(told.path, stamp, told.reason)
        return told.path
    if not told.sha256:
        raise NotPortable(f"the hash of {told.path!a} is missing")
    try:
        raw = text_bytes(told.bytes).decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise NotPortable("a text is not UTF-8") from error
    if any(after < before for before, after in pairwise((0, *told.pages, len(raw)))):
        raise NotPortable("a page starts where none can")
    found = Extraction(raw, (), told.extractor, told.title, told.pages)
    catalog.store(told.path, stamp, found, list(_passages(told, found)))
    return told.path


def _passages(told: _File, found: Extraction) -> Iterator[Cut]:
    last = 0
    for start, end, heading in told.passages:
        if not last <= start < end <= len(found.text):
            raise NotPortable("a passage is where none can be")
        last = end
        text = clean(found.text[start:end], markup_of(found.extractor)).text
        if not text:
            raise NotPortable("a passage is empty")
        page = page_of(found.pages, start)
        yield Cut(start, end, page, heading, text, passage_id(heading, text))


def require_path(path: object) -> None:
    """An absolute path that means nothing but itself, so that it can be listed and cited.

    Raises:
        NotPortable: It is something else.
    """
    try:
        plain = (
            isinstance(path, str)
            and len(path) <= _LONGEST_PATH
            and os.path.isabs(path)
            and os.path.normpath(path) == path
            and b"\0" not in os.fsencode(path)
        )
    except ValueError:
        plain = False
    if not plain:
        raise NotPortable(f"{str(path)[:100]!a} is no path of a file")


@dataclass(frozen=True, slots=True)
class VectorSet:
    """The embeddings that one encoder made."""

    encoder: Annotated[str, Meta(min_length=1, max_length=200)]
    dimension: Annotated[int, Meta(ge=1, le=8192)]

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
    try:
        vectors = msgspec.convert(said, VectorSet)
    except msgspec.ValidationError as error:
        raise NotPortable(
            f"it does not say which encoder it holds embeddings of ({error})"
        ) from error
    if not vectors.encoder.isprintable():
        raise NotPortable("the name of an encoder cannot be shown")
    return vectors


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
    if not (np.linalg.norm(found, axis=1) <= _SLACK).all():  # nor is what holds no number
        raise NotPortable("an embedding is no unit vector")
    held = catalog.query_many("SELECT DISTINCT hash FROM passages WHERE hash IN ({keys})", hashes)
    if sum(1 for _ in held) < len(hashes):
        raise NotPortable("an embedding is there twice, or belongs to no passage")
    embeddings.add_embeddings(catalog, vectors.encoder, hashes, found)
