"""Dense search: which embeddings are nearest to a query. The only door to hnswlib and simsimd.

Every vector is compared, so that what is found depends on nothing but the vectors. Up to ``EXACT``
of them are compared as they are, in memory. Of more than that those nearest by whole numbers of
eight bits are compared as they are, all that rounding could have kept from the k nearest among
them: integers add up to the same on every processor, and their files are opened at once.

The integers lie in files beside the catalog, each of a *segment*: the embeddings of one encoder
from one id to another. They are derived: a file that is missing, cut short or has another checksum
is made again, and until then its rows come from the catalog. What is added is written behind the
rows that the catalog tells of, so that a reader may go on meanwhile; a segment of which embeddings
were deleted is written anew, under another name.
"""

import os
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veracite.index import embeddings
from veracite.index.catalog import Catalog
from veracite.index.embeddings import ENCODER
from veracite.index.storage import make_private_file, storage_errors, sync_file

EXACT = 20_000
"""Up to so many embeddings no integers are made: reading them all takes 0.2 seconds."""
SEGMENT = 100_000
"""Embeddings in a file."""

_PREFIX = "dense-int8-"
"""Of the files' names; another form of the integers needs another one."""
_CANDIDATES = 200
"""At least so many are compared as they are, or four for each that is asked for; ten times as many
where that many are near."""
_ROUNDED = 0.01
"""What rounding changes a cosine by at most: ten standard deviations at 384 numbers."""
_SPREAD = 6.0
"""Standard deviations of a unit vector's numbers that fit into eight bits."""

Rows = NDArray[np.void]
"""Embeddings as ``id`` and ``codes``, the integers, of shape (dimension,)."""


@dataclass(frozen=True, slots=True)
class Segment:
    """What the catalog says of a file."""

    file: str
    """Name within the library's folder."""
    first: int
    last: int
    """Ids of the embeddings; all of the encoder's between them are in the file."""
    size: int
    """In rows; what follows in the file was never finished."""
    checksum: int
    """CRC-32 of the rows."""
    stale: int
    """1 if embeddings were deleted since it was written."""


class Dense:
    """The embeddings of one encoder in a catalog, and which of them are nearest.

    Args:
        folder: Where the files are.
    """

    def __init__(self, catalog: Catalog, folder: Path, encoder: str) -> None:
        self._catalog = catalog
        self._folder = folder
        self._encoder = encoder
        self._most, self._segment = EXACT, SEGMENT
        self._broken: set[str] = set()
        self.release()

    def release(self) -> None:
        """Let go of memory and files; the next refresh opens them again."""
        self._seen = -1
        self._few: tuple[Any, list[bytes]] | None = None
        self._many: list[Rows] = []
        self._open: dict[Segment, Rows] = {}

    @property
    def current(self) -> bool:
        """Whether what is open stands where the catalog stands."""
        return self._seen == self._catalog.generation("passages", "embeddings")

    @property
    def ready(self) -> bool:
        """Whether there is something to search; there is nothing before all is encoded."""
        return bool(self._few or self._many)

    def refresh(self, *, write: bool) -> list[str]:
        """Have everything at hand that ``nearest`` needs; what was out of the ordinary.

        Args:
            write: This process holds the library's lock and may change files.

        Raises:
            StorageError: They cannot be written.
        """
        if self.current:
            return []
        generation = self._catalog.generation("passages", "embeddings")
        write = write and embeddings.is_complete(self._catalog, self._encoder)
        notes = self.update() if write else []
        self._load()
        if write and self._broken:
            notes += self.update()
            self._load()
        self._seen = generation
        return notes

    def update(self) -> list[str]:
        """Bring the files up to date, which takes the library's lock; as ``refresh``."""
        with storage_errors(self._folder):
            if self._is_small() and self._segments():
                self._note(f"DELETE FROM segments WHERE encoder = {ENCODER}", self._encoder)
            lost = [one.file for one in self._segments() if not self._is_there(one)]
            for one in self._segments():
                if one.stale or one.file in lost:
                    self._replace(one)
            if not self._is_small():
                self._append()
            self._discard()
            self._broken.clear()
        if not lost:
            return []
        return ["The index of embeddings was damaged or missing and was built again."]

    def damaged(self) -> list[str]:
        """The files that do not hold what the catalog says."""
        return [one.file for one in self._segments() if self._mapped(one) is None]

    def forget(self, file: str) -> None:
        """Have a file made again with the next update."""
        self._note("UPDATE segments SET stale = 1 WHERE file = ?", file)

    def nearest(self, query: NDArray[np.float32], k: int) -> dict[bytes, float]:
        """Passage hashes and cosines of the k nearest, nearest first (or of all there are)."""
        if self._few is not None:
            index, hashes = self._few
            found, _ = index.knn_query(query[np.newaxis], k=min(k, len(hashes)))
            return self.cosines(query, [hashes[row] for row in found[0]])
        ids = self._candidates(query, k, max(_CANDIDATES, 4 * k))
        rows = self._catalog.query_many(
            "SELECT hash, vector FROM embeddings AS e WHERE id IN ({keys})"
            " AND EXISTS (SELECT 1 FROM passages AS p WHERE p.hash = e.hash)",
            ids.tolist(),
        )
        found = {key: np.frombuffer(vector, np.float16) for key, vector in rows}
        cosines = _cosines(query, found)
        best = sorted(cosines, key=lambda key: (-cosines[key], key))[:k]
        return {key: cosines[key] for key in best}

    def cosines(self, query: NDArray[np.float32], hashes: Iterable[bytes]) -> dict[bytes, float]:
        """Of these passages in this order, those without an embedding left out."""
        wanted = list(hashes)
        found = embeddings.vectors(self._catalog, self._encoder, wanted)
        return _cosines(query, {key: found[key] for key in wanted if key in found})

    def _candidates(self, query: NDArray[np.float32], k: int, count: int) -> NDArray[np.int64]:
        """Ids of the so many best by integers, and of all that may be as good as the k-th."""
        import simsimd

        rounded = np.float32(_ROUNDED * _scale(len(query)) ** 2)

        wanted, least = _integers(query[np.newaxis]), np.float32(-np.inf)
        ids, scores = np.empty(0, np.int64), np.empty(0, np.float32)
        for rows in self._many:
            # No sum is too large for these floats to hold it to the last digit.
            products = simsimd.cdist(wanted, rows["codes"], "dot", out_dtype="float32")
            found = np.asarray(products)[0]
            good = found >= least
            ids = np.concatenate([ids, rows["id"][good]])
            scores = np.concatenate([scores, found[good]])
            if len(scores) > count:
                most = min(10 * count, len(scores))
                places = [-k, -count, -most]
                kth, some, last = np.partition(scores, places)[places]
                least = max(min(kth - rounded, some), last)
                ids, scores = ids[scores >= least], scores[scores >= least]
        return ids

    # What is open

    def _load(self) -> None:
        kept = self._open
        self.release()
        if not embeddings.is_complete(self._catalog, self._encoder):
            return
        if self._is_small():
            self._few = self._in_memory()
            return
        segments = self._segments()
        for one in segments:
            rows = kept.get(one)
            if rows is None and (rows := self._mapped(one)) is None:
                self._broken.add(one.file)
                rows = self._packed(one.first, one.last)
            self._open[one] = rows
        self._many = list(self._open.values())
        last = segments[-1].last if segments else 0
        while len(rows := self._packed(last + 1)):
            self._many.append(rows)
            last = int(rows["id"][-1])

    def _in_memory(self) -> tuple[Any, list[bytes]] | None:
        import hnswlib

        rows = self._catalog.query(
            f"SELECT hash, vector FROM embeddings WHERE encoder = {ENCODER}"
            " AND hash IN (SELECT hash FROM passages) ORDER BY id",
            (self._encoder,),
        ).fetchall()
        if not rows:
            return None
        vectors = np.frombuffer(b"".join(vector for _, vector in rows), np.float16)
        vectors = vectors.reshape(len(rows), -1).astype(np.float32)
        index = hnswlib.BFIndex("ip", vectors.shape[1])
        index.init_index(max_elements=len(rows))
        index.add_items(vectors, np.arange(len(rows)))
        return index, [digest for digest, _ in rows]

    def _mapped(self, segment: Segment) -> Rows | None:
        """The rows in a file; None if they are not what the catalog says."""
        kind = self._kind()
        try:
            raw = np.memmap(
                self._folder / segment.file, np.uint8, "r", shape=(segment.size * kind.itemsize,)
            )
        except (OSError, ValueError):  # missing, or shorter
            return None
        return raw.view(kind) if zlib.crc32(raw.data) == segment.checksum else None

    # In the catalog

    def _is_small(self) -> bool:
        held = f"SELECT 1 FROM embeddings WHERE encoder = {ENCODER} LIMIT {self._most + 1}"
        counted = self._catalog.number(f"SELECT count(*) FROM ({held})", (self._encoder,))
        return counted <= self._most

    def _segments(self) -> list[Segment]:
        rows = self._catalog.query(
            "SELECT file, first, last, size, checksum, stale FROM segments"
            f" WHERE encoder = {ENCODER} ORDER BY first",
            (self._encoder,),
        )
        return [Segment(*row) for row in rows]

    def _kind(self) -> np.dtype[np.void]:
        dimension = embeddings.dimension(self._catalog, self._encoder) or 0
        return np.dtype([("id", "<i8"), ("codes", "i1", (dimension,))])

    def _packed(self, first: int, last: int = 2**62, most: int | None = None) -> Rows:
        """Embeddings between two ids, from the catalog."""
        kind = self._kind()
        found = self._catalog.query(
            "SELECT id, vector FROM embeddings WHERE id BETWEEN ? AND ?"
            f" AND +encoder = {ENCODER} AND length(vector) = ? ORDER BY id LIMIT ?",
            (first, last, self._encoder, 2 * kind["codes"].shape[0], most or self._segment),
        ).fetchall()
        rows = np.empty(len(found), kind)
        if found:
            vectors = np.frombuffer(b"".join(vector for _, vector in found), np.float16)
            rows["id"] = [number for number, _ in found]
            rows["codes"] = _integers(vectors.reshape(len(found), -1).astype(np.float32))
        return rows

    def _note(self, statement: str, *values: object) -> None:
        with self._catalog.transaction() as connection:
            connection.execute(statement, values)

    # In files

    def _is_there(self, segment: Segment) -> bool:
        path, size = self._folder / segment.file, segment.size * self._kind().itemsize
        right = segment.file.startswith(_PREFIX) and segment.file not in self._broken
        return right and path.exists() and path.stat().st_size >= size

    def _replace(self, old: Segment) -> None:
        rows = self._packed(old.first, old.last)
        if not len(rows):
            self._note("DELETE FROM segments WHERE file = ?", old.file)
            return
        file = self._new(old.first)
        checksum = self._put(file, 0, rows)
        self._note(
            "UPDATE segments SET file = ?, size = ?, checksum = ?, stale = 0 WHERE file = ?",
            *(file, len(rows), checksum, old.file),
        )

    def _append(self) -> None:
        """Add what is in no segment yet, to the last one until that is full."""
        file, first, end, size, checksum = "", 0, 0, self._segment, 0
        for one in self._segments()[-1:]:
            file, first, end = one.file, one.first, one.last
            size, checksum = one.size, one.checksum
        while True:
            room = max(self._segment - size, 0)
            rows = self._packed(end + 1, most=room or self._segment)
            if not len(rows):
                return
            if not room:
                first, size, checksum = int(rows["id"][0]), 0, 0
                file = self._new(first)
            checksum = self._put(file, size, rows, checksum)
            end, size = int(rows["id"][-1]), size + len(rows)
            self._note(
                "INSERT OR REPLACE INTO segments (encoder, file, first, last, size, checksum)"
                f" VALUES ({ENCODER}, ?, ?, ?, ?, ?)",
                *(self._encoder, file, first, end, size, checksum),
            )

    def _new(self, first: int) -> str:
        """A name that no file has."""
        number = 0
        while (self._folder / (file := f"{_PREFIX}{first}-{number}")).exists():
            number += 1
        return file

    def _put(self, file: str, at: int, rows: Rows, checksum: int = 0) -> int:
        """Write rows behind the first so many of a file, to the disk; the checksum of them all."""
        path = self._folder / file
        make_private_file(path)
        raw = rows.view(np.uint8).data
        with path.open("r+b") as written:
            written.truncate(at * rows.itemsize)
            written.seek(0, os.SEEK_END)
            written.write(raw)
            written.flush()
            os.fsync(written.fileno())
        sync_file(self._folder)
        return zlib.crc32(raw, checksum)

    def _discard(self) -> None:
        """Remove files that the catalog does not know, such as those of an earlier version."""
        kept = {file for (file,) in self._catalog.query("SELECT file FROM segments")}
        for path in self._folder.glob("dense-*"):
            if path.name not in kept:
                path.unlink(missing_ok=True)


def _integers(vectors: NDArray[np.float32]) -> NDArray[np.int8]:
    """Unit vectors, shape (n, dimension), as integers of eight bits; what is beyond is cut off."""
    whole: NDArray[np.float32] = np.rint(vectors * np.float32(_scale(vectors.shape[1])))
    return whole.clip(-127, 127).astype(np.int8)


def _scale(dimension: int) -> float:
    """What a unit vector's numbers are multiplied by."""
    return float(127 * np.sqrt(dimension) / _SPREAD)


def _cosines(
    query: NDArray[np.float32], vectors: Mapping[bytes, NDArray[np.float16]]
) -> dict[bytes, float]:
    wide = query.astype(np.float64)
    # One vector at a time, so that a cosine has the same bits whatever it stands beside.
    return {key: float(np.dot(vector.astype(np.float64), wide)) for key, vector in vectors.items()}
