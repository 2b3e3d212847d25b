"""Dense search: nearest vectors by inner product, by hnswlib. The only door to hnswlib.

Up to ``EXACT_LIMIT`` vectors the search is exact (``BFIndex``), depends on nothing but the vectors
and is set up in memory; above, it is an HNSW graph on the disk: approximate, and dependent on the
order in which vectors came.

hnswlib cannot tell a damaged file from a good one, it crashes the process: ``load`` is for files
whose SHA-256 has just been checked.
"""

from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from veracite.index import embeddings
from veracite.index.catalog import Catalog
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


class Dense:
    """An index of unit vectors, known by their labels in the catalog."""

    def __init__(self, index: Any, kind: Kind, labels: set[int]) -> None:
        self._index = index
        self.kind: Kind = kind
        self.labels = labels
        """Of everything that it holds."""
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
            return cls(exact, "exact", set(labels.tolist()))
        graph = hnswlib.Index("ip", dimension)
        graph.init_index(
            max_elements=int(count * _SPARE),
            M=_LINKS,
            ef_construction=_EFFORT_BUILDING,
            random_seed=_SEED,
        )
        # One thread: the same vectors in the same order give the same graph.
        graph.add_items(vectors, labels, num_threads=1)
        return cls(graph, "hnsw", set(labels.tolist()))

    @classmethod
    def load(cls, path: Path, dimension: int) -> "Dense":
        """Open a graph that ``save`` wrote."""
        import hnswlib

        graph = hnswlib.Index("ip", dimension)
        graph.load_index(str(path))
        return cls(graph, "hnsw", set(graph.get_ids_list()))

    def add(self, labels: NDArray[np.int64], vectors: NDArray[np.float32]) -> None:
        """Put more vectors into a graph."""
        needed = len(self.labels) + len(labels)
        if needed > self._index.get_max_elements():
            self._index.resize_index(int(needed * _SPARE))
        self._index.add_items(vectors, labels, num_threads=1)
        self.labels |= set(labels.tolist())

    def hide(self, gone: set[int]) -> None:
        """Have searches in a graph leave out these labels, and no others."""
        for label in self._hidden - gone:
            self._index.unmark_deleted(label)
        for label in gone - self._hidden:
            self._index.mark_deleted(label)
        self._hidden = gone

    def save(self, path: Path) -> None:
        """Write a graph; nothing of it is hidden, since that may be wanted again.

        Raises:
            StorageError: The disk is full.
            OSError: The file cannot be written for another reason.
        """
        self.hide(set())
        make_private_file(path)
        try:
            self._index.save_index(str(path))
        except RuntimeError as error:
            raise OSError(str(error)) from error
        # hnswlib ignores failed writes.
        if path.stat().st_size != self._index.index_file_size():
            raise disk_full(path.parent)
        sync_file(path)
        sync_file(path.parent)

    def search(self, queries: NDArray[np.float32], k: int) -> list[list[int]]:
        """Labels of the k nearest vectors of each query, nearest first (or of all there are)."""
        k = min(k, len(self.labels) - len(self._hidden))
        if k < 1 or not len(queries):
            return [[] for _ in queries]
        if self.kind == "hnsw":
            self._index.set_ef(max(_EFFORT_SEARCHING, 4 * k))
        try:
            found, _ = self._index.knn_query(queries, k=k)
        except RuntimeError:
            # A graph with hidden vectors may not reach k of them: look at all it has.
            self._index.set_ef(len(self.labels))
            found, _ = self._index.knn_query(queries, k=k)
        return [[int(label) for label in row] for row in found]


class DenseMaker:
    """Makes a library's dense index for one encoder.

    Args:
        encoder: Whose embeddings it holds.
        exact_limit: Up to so many vectors the search is exact.
    """

    name = "dense"
    title = "embedding"
    depends_on = "encoder or version"

    def __init__(self, catalog: Catalog, folder: Path, encoder: str, exact_limit: int) -> None:
        self._catalog = catalog
        self._folder = folder
        self._encoder = encoder
        self._exact_limit = exact_limit

    def generation(self) -> int:
        return self._catalog.generation("passages", "embeddings")

    def on_disk(self) -> bool:
        return len(self._labels()) > self._exact_limit

    def made_with(self) -> str:
        made_of = f"{_SETTINGS} hnswlib/{version('hnswlib')}"
        return (
            f"{made_of} hnsw/{embeddings.dimension(self._catalog, self._encoder)} {self._encoder}"
        )

    def load(self, path: Path) -> Dense:
        graph = Dense.load(path, embeddings.dimension(self._catalog, self._encoder) or 0)
        graph.hide(graph.labels - set(self._labels().tolist()))
        return graph

    def follow(
        self, index: Dense | None, file: str | None, generation: int
    ) -> tuple[Dense | None, str | None]:
        if not self.on_disk():
            return self.in_memory(), None
        wanted = set(self._labels().tolist())
        new = f"{self.name}-{generation}.bin"
        # A graph takes additions and hides what is gone, until that is a fifth of it.
        if index is None or len(index.labels - wanted) * 5 > len(index.labels):
            index, file = self.in_memory(), new
            assert index is not None
            index.save(self._folder / file)
        elif missing := sorted(wanted - index.labels):
            index.add(np.array(missing), embeddings.vectors(self._catalog, missing))
            file = new
            index.save(self._folder / file)
        index.hide(index.labels - wanted)
        return index, file

    def in_memory(self) -> Dense | None:
        labels = self._labels()
        if not len(labels):
            return None
        found = embeddings.vectors(self._catalog, labels.tolist())
        return Dense.build(labels, found, exact_limit=self._exact_limit)

    def _labels(self) -> NDArray[np.int64]:
        return embeddings.labels(self._catalog, self._encoder)
