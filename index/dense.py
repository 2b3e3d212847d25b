"""Dense search: nearest vectors by inner product, by hnswlib. The only door to hnswlib.

Up to ``EXACT_LIMIT`` vectors the search is exact (``BFIndex``) and depends on nothing but the
vectors; above, it is an HNSW graph: approximate, and dependent on the order in which vectors came.

hnswlib cannot tell a damaged file from a good one, it crashes the process: ``load`` is for files
whose SHA-256 has just been checked.
"""

import hashlib
import os
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from veracite.index.storage import disk_full, make_private_file, sync_file

EXACT_LIMIT = 100_000
"""Up to so many vectors the search is exact."""

Kind = Literal["exact", "hnsw"]

_SETTINGS = "dense/1"
_LINKS = 16
_EFFORT_BUILDING = 200
_EFFORT_SEARCHING = 256
_SPARE = 1.2
_SEED = 100
_BF_HEADER_BYTES = 24


class Dense:
    """An index of unit vectors, known by their labels in the catalog."""

    def __init__(self, index: Any, kind: Kind, dimension: int, labels: set[int]) -> None:
        self._index = index
        self.kind: Kind = kind
        self.dimension = dimension
        self._stored = labels
        self._hidden: set[int] = set()

    @classmethod
    def build(
        cls, labels: NDArray[np.int64], vectors: NDArray[np.float32], *, exact_limit: int
    ) -> "Dense":
        """An index of these vectors, shape (len(labels), dimension), at least one."""
        import hnswlib

        count, dimension = vectors.shape
        if count <= exact_limit:
            exact = hnswlib.BFIndex("ip", dimension)
            exact.init_index(max_elements=count)
            exact.add_items(vectors, labels)
            return cls(exact, "exact", dimension, set(labels.tolist()))
        graph = hnswlib.Index("ip", dimension)
        graph.init_index(
            max_elements=int(count * _SPARE),
            M=_LINKS,
            ef_construction=_EFFORT_BUILDING,
            random_seed=_SEED,
        )
        # One thread: the same vectors in the same order give the same graph.
        graph.add_items(vectors, labels, num_threads=1)
        return cls(graph, "hnsw", dimension, set(labels.tolist()))

    @classmethod
    def load(cls, path: Path, kind: Kind, dimension: int) -> "Dense":
        """Open a file that ``save`` wrote and whose digest is the one it returned."""
        import hnswlib

        make = hnswlib.BFIndex if kind == "exact" else hnswlib.Index
        index = make("ip", dimension)
        index.load_index(str(path))
        if kind == "exact":
            return cls(index, kind, dimension, _exact_labels(path, dimension))
        return cls(index, kind, dimension, set(index.get_ids_list()))

    @property
    def labels(self) -> set[int]:
        """The labels that a search can return."""
        return self._stored - self._hidden

    def __len__(self) -> int:
        return len(self._stored) - len(self._hidden)

    def must_rebuild(self, wanted: set[int], *, exact_limit: int) -> bool:
        """Whether holding ``wanted`` takes a new index.

        A graph takes additions and hides what is gone until a fifth of it is hidden; an exact index
        is cheap to build.
        """
        kind = "exact" if len(wanted) <= exact_limit else "hnsw"
        if kind != self.kind:
            return True
        gone = self._stored - wanted
        return self._stored != wanted if kind == "exact" else len(gone) * 5 > len(self._stored)

    def missing(self, wanted: set[int]) -> NDArray[np.int64]:
        """The labels whose vectors ``extend`` needs, ascending."""
        return np.array(sorted(wanted - self._stored), dtype=np.int64)

    def extend(
        self, wanted: set[int], labels: NDArray[np.int64], added: NDArray[np.float32]
    ) -> None:
        """Add the vectors of ``missing(wanted)`` and hide what is not wanted (graphs only)."""
        if len(labels):
            needed = len(self._stored) + len(labels)
            if needed > self._index.get_max_elements():
                self._index.resize_index(int(needed * _SPARE))
            self._index.add_items(added, labels, num_threads=1)
            self._stored |= set(labels.tolist())
        self._hide(self._stored - wanted)

    def _hide(self, gone: set[int]) -> None:
        for label in self._hidden - gone:
            self._index.unmark_deleted(label)
        for label in gone - self._hidden:
            self._index.mark_deleted(label)
        self._hidden = gone

    def save(self, path: Path) -> str:
        """Write the index so that a crash leaves the old file or the new one; its SHA-256.

        Raises:
            StorageError: The disk is full.
            OSError: The file cannot be written for another reason.
        """
        temporary = path.with_name(f"{path.name}.new")
        try:
            make_private_file(temporary)
            self._write(temporary)
            # hnswlib ignores failed writes.
            if temporary.stat().st_size != self._file_size():
                raise disk_full(path.parent)
            sync_file(temporary)
            sha256 = digest(temporary)
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
        sync_file(path.parent)
        return sha256

    def _write(self, path: Path) -> None:
        # What is hidden may be wanted again: the file holds everything.
        hidden = self._hidden
        self._hide(set())
        try:
            self._index.save_index(str(path))
        except RuntimeError as error:
            raise OSError(str(error)) from error
        finally:
            self._hide(hidden)

    def _file_size(self) -> int:
        if self.kind == "hnsw":
            return int(self._index.index_file_size())
        row = self.dimension * 4 + 8
        return _BF_HEADER_BYTES + int(self._index.get_max_elements()) * row

    def search(self, queries: NDArray[np.float32], k: int) -> list[list[int]]:
        """Labels of the k nearest vectors of each query, nearest first (or of all there are)."""
        k = min(k, len(self))
        if k < 1 or not len(queries):
            return [[] for _ in queries]
        if self.kind == "hnsw":
            self._index.set_ef(max(_EFFORT_SEARCHING, 4 * k))
        try:
            found, _ = self._index.knn_query(queries, k=k)
        except RuntimeError:
            # A graph with hidden vectors may not reach k of them: look at all it has.
            self._index.set_ef(len(self._stored))
            found, _ = self._index.knn_query(queries, k=k)
        return [[int(label) for label in row] for row in found]


def digest(path: Path) -> str:
    """SHA-256 of a file.

    Raises:
        OSError: It cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def made_with(encoder: str, kind: Kind, dimension: int) -> str:
    """What the index's file depends on beside the vectors."""
    return f"{_SETTINGS} hnswlib/{version('hnswlib')} {kind}/{dimension} {encoder}"


def _exact_labels(path: Path, dimension: int) -> set[int]:
    # hnswlib has no way to ask: a row is the vector followed by its label.
    row = np.dtype([("vector", "<f4", (dimension,)), ("label", "<u8")])
    rows = np.memmap(path, dtype=row, mode="r", offset=_BF_HEADER_BYTES)
    return set(rows["label"].tolist())
