"""Dense search: nearest vectors by inner product, by hnswlib. The only door to hnswlib.

Every vector is compared (``BFIndex``): what is found depends on nothing but the vectors. The index
is set up in memory, in a fraction of a second for 100,000 of them.
"""

import numpy as np
from numpy.typing import NDArray

from veracite.index import embeddings
from veracite.index.catalog import Catalog


class Dense:
    """An index of unit vectors, known by their labels in the catalog.

    Args:
        labels: At least one.
        vectors: Shape (len(labels), dimension).
    """

    def __init__(self, labels: NDArray[np.int64], vectors: NDArray[np.float32]) -> None:
        import hnswlib

        self._count, dimension = vectors.shape
        self._index = hnswlib.BFIndex("ip", dimension)
        self._index.init_index(max_elements=self._count)
        self._index.add_items(vectors, labels)

    @classmethod
    def of(cls, catalog: Catalog, encoder: str) -> "Dense | None":
        """An index of the embeddings of an encoder that a passage uses; None if there are none."""
        labels, vectors = embeddings.labelled(catalog, encoder)
        return cls(labels, vectors) if len(labels) else None

    def search(self, query: NDArray[np.float32], k: int) -> list[int]:
        """Labels of the k nearest vectors, nearest first (or of all there are)."""
        found, _ = self._index.knn_query(query[np.newaxis], k=min(k, self._count))
        return [int(label) for label in found[0]]
