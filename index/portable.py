"""What a catalog holds, in a form that travels: texts, where they were cut, and embeddings.

A passage's words are made of the text again on arrival, and everything derived is built there, so
that what is quoted and what is searched always agree, whoever wrote the file in between.
"""

import json
import os
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from veracite.index.catalog import Catalog, FileStamp
from veracite.index.cleaning import clean
from veracite.index.documents import Cut, Extraction, FailedDocument, Row
from veracite.index.embeddings import ENCODER, add_embeddings
from veracite.index.passages import markup_of, page_of, passage_id

_LONGEST_PATH = 4096
_HASH_BYTES = 32
_BATCH = 1000
"""Embeddings that are written at once."""
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
    """Why it failed, and what to do; what follows is of files that did not."""
    advice: str = ""
    extractor: str = ""
    title: str | None = None
    pages: tuple[_Number, ...] = ()
    rows: tuple[Row, ...] = ()
    unread: str = ""
    """What of it was not read; what to do is the advice."""
    bytes: _Number = 0
    """Length of its text in ``file_texts``."""
    passages: tuple[tuple[_Number, _Number, str | None], ...] = ()
    """Start, end and heading of each."""


def file_lines(catalog: Catalog) -> Iterator[bytes]:
    """A line of JSON for each file that was read or failed, by path."""
    rows = catalog.query(
        "SELECT id, path, size, sha256, reader, reason, advice, extractor, title, text, pages, rows"
        " FROM documents ORDER BY path"
    )
    for number, path, size, sha256, reader, *why, extractor, title, text, pages, lines in rows:
        said = {"path": os.fsdecode(path), "size": size, "sha256": sha256, "reader": reader}
        if text is None:
            said |= {"reason": why[0], "advice": why[1] or ""}
        else:
            said |= {"extractor": extractor, "title": title, "pages": json.loads(pages)}
            said |= {"rows": json.loads(lines)}
            said |= {"unread": why[0] or "", "advice": why[1] or ""}
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
        catalog.store_failure(FailedDocument(told.path, told.reason, told.advice), stamp)
        return told.path
    if not told.sha256:
        raise NotPortable(f"the hash of {told.path!a} is missing")
    try:
        raw = text_bytes(told.bytes).decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise NotPortable("a text is not UTF-8") from error
    places = [0, *told.pages, len(raw)]
    if places != sorted(places):
        raise NotPortable("a page starts where none can")
    places = [0, *(row.start for row in told.rows), len(raw)]
    if places != sorted(places) or any(row.columns <= 0 for row in told.rows):
        raise NotPortable("a row stands where none can")
    of_all = told.extractor, told.title, told.pages, told.rows, told.unread, told.advice
    found = Extraction(raw, (), *of_all)
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
        """Length of a passage's hash and its vector, of numbers of two bytes."""
        return _HASH_BYTES + 2 * self.dimension


def vector_sets(catalog: Catalog) -> dict[VectorSet, int]:
    """The encoders whose embeddings the catalog holds, and how many bytes these are."""
    rows = catalog.query(
        "SELECT name, length(vector) / 2, count(*) FROM embeddings"
        " JOIN encoders AS n ON n.id = encoder"
        " WHERE hash IN (SELECT hash FROM passages) GROUP BY encoder ORDER BY name"
    )
    sets = [(VectorSet(encoder, dimension), count) for encoder, dimension, count in rows]
    return {vectors: count * vectors.record_bytes for vectors, count in sets}


def vector_records(catalog: Catalog, encoder: str) -> Iterator[bytes]:
    """Hash and vector (float16, little-endian) of the passages that have one, by hash."""
    cursor = catalog.query(
        f"SELECT hash, vector FROM embeddings WHERE encoder = {ENCODER}"
        " AND hash IN (SELECT hash FROM passages) ORDER BY hash",
        (encoder,),
    )
    while rows := cursor.fetchmany(_BATCH):
        yield b"".join(digest + vector for digest, vector in rows)


def store_vectors(catalog: Catalog, vectors: VectorSet, records: bytes) -> None:
    """Put embeddings into a catalog that holds their passages.

    Args:
        records: Any number of what ``vector_records`` gives.

    Raises:
        NotPortable: They are no embeddings of these passages.
    """
    if len(records) % vectors.record_bytes:
        raise NotPortable("the last embedding is not complete")
    record = np.dtype([("hash", f"V{_HASH_BYTES}"), ("vector", "<f2", vectors.dimension)])
    rows = np.frombuffer(records, dtype=record)
    hashes, found = [row.tobytes() for row in rows["hash"]], rows["vector"].astype(np.float32)
    if not (np.linalg.norm(found, axis=1) <= _SLACK).all():  # nor is what holds no number
        raise NotPortable("an embedding is no unit vector")
    held = catalog.query_many("SELECT DISTINCT hash FROM passages WHERE hash IN ({keys})", hashes)
    if sum(1 for _ in held) < len(hashes):
        raise NotPortable("an embedding is there twice, or belongs to no passage")
    add_embeddings(catalog, vectors.encoder, hashes, found)
