"""Keeps the dense index in step with the catalog, and builds it again where it is not fit."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veracite.index import embeddings
from veracite.index.catalog import Catalog
from veracite.index.dense import Dense, Kind, digest, made_with
from veracite.index.records import Derived
from veracite.index.storage import storage_errors

_NAME = "dense"
_FILE = "dense.bin"
_KINDS: tuple[Kind, ...] = ("exact", "hnsw")


class KeptDense:
    """The dense index of a library, for one encoder.

    Args:
        encoder: Whose embeddings it holds; None for a library without dense search.
        exact_limit: Up to so many vectors the search is exact.
    """

    def __init__(
        self, catalog: Catalog, folder: Path, encoder: str | None, *, exact_limit: int
    ) -> None:
        self._catalog = catalog
        self._folder = folder
        self._encoder = encoder
        self._exact_limit = exact_limit
        self._index: Dense | None = None
        # What the catalog says of the index that is open; None for one in memory.
        self._record: Derived | None = None
        # The generation of the catalog that the open index reflects.
        self._seen = -1

    @property
    def index(self) -> Dense | None:
        """As of the last refresh; None where no passage has an embedding."""
        return self._index

    @property
    def current(self) -> bool:
        """Whether what is open stands where the catalog stands."""
        return self._encoder is None or self._seen == self._generation()

    @property
    def behind(self) -> bool:
        """Whether what is on the disk lags behind the embeddings that there are."""
        record = self._catalog.derived(_NAME)
        lagging = record is None or record.generation != self._generation()
        return lagging and len(self._labels()) > 0

    @property
    def kind(self) -> Kind | None:
        """How a search with all embeddings that there are is done; None where there are none."""
        count = len(self._labels())
        if not count:
            return None
        return "exact" if count <= self._exact_limit else "hnsw"

    def release(self) -> None:
        """Let go of memory and open files; the next refresh opens the index again."""
        self._index, self._record, self._seen = None, None, -1

    def refresh(self, *, write: bool) -> list[str]:
        """Bring the index up to date; as ``KeptLexical.refresh``."""
        if self._encoder is None:
            return []
        generation = self._generation()
        if self._seen == generation and (self._record is not None or not write):
            return []
        problem = ""
        try:
            record = self._catalog.derived(_NAME)
            if self._index is None or record != self._record:
                index, problem = self._open(record, self._encoder)
                if index is not None or write:
                    self._index, self._record = index, record
                    self._seen = record.generation if record else -1
            if write:
                self._follow(self._encoder, generation)
                self._seen = generation
            elif self._index is None:
                self._index, self._record = self._build(self._labels()), None
                self._seen = generation
        except BaseException:
            self.release()
            raise
        return [f"The embedding index {problem} and was built again."] if problem and write else []

    def _generation(self) -> int:
        return self._catalog.generation("passages", "embeddings")

    def _open(self, record: Derived | None, encoder: str) -> tuple[Dense | None, str]:
        dimension = embeddings.dimension(self._catalog, encoder)
        if record is None or dimension is None:
            return None, ""
        for kind in _KINDS:
            if record.made_with == made_with(encoder, kind, dimension):
                return self._load(record, kind, dimension)
        return None, "was made by another encoder or version"

    def _load(self, record: Derived, kind: Kind, dimension: int) -> tuple[Dense | None, str]:
        path = self._folder / record.file
        try:
            if digest(path) != record.sha256:
                return None, "was damaged or half-written"
            return Dense.load(path, kind, dimension), ""
        except FileNotFoundError:
            return None, "was missing"
        except OSError:
            return None, "could not be read"

    def _follow(self, encoder: str, generation: int) -> None:
        labels = self._labels()
        wanted = set(labels.tolist())
        record = self._record
        if not wanted:
            return self._drop()
        if self._index is None or self._index.must_rebuild(wanted, exact_limit=self._exact_limit):
            self._index = self._build(labels)
            assert self._index is not None
            changed = True
        else:
            missing = self._index.missing(wanted)
            self._index.extend(wanted, missing, embeddings.vectors(self._catalog, missing.tolist()))
            changed = len(missing) > 0
        if changed or record is None:
            with storage_errors(self._folder):
                sha256 = self._index.save(self._folder / _FILE)
        elif record.generation == generation:
            return None
        else:
            sha256 = record.sha256
        settings = made_with(encoder, self._index.kind, self._index.dimension)
        self._record = Derived(generation, _FILE, sha256, settings)
        return self._catalog.set_derived(_NAME, self._record)

    def _drop(self) -> None:
        self._index = self._record = None
        if self._catalog.derived(_NAME) is not None:
            self._catalog.drop_derived(_NAME)
        with storage_errors(self._folder):
            (self._folder / _FILE).unlink(missing_ok=True)

    def _labels(self) -> NDArray[np.int64]:
        if self._encoder is None:
            return np.empty(0, dtype=np.int64)
        return embeddings.labels(self._catalog, self._encoder)

    def _build(self, labels: NDArray[np.int64]) -> Dense | None:
        if not len(labels):
            return None
        found = embeddings.vectors(self._catalog, labels.tolist())
        return Dense.build(labels, found, exact_limit=self._exact_limit)
