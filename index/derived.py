"""Keeps the derived indexes in step with the catalog, and builds them again when they are not.

An index on the disk is opened only if it is what the catalog says it is: present, made by this
version, and with the recorded SHA-256. One that is merely behind gets what it lacks. Without the
right to write (another process is at work, the disk is full) search goes on in memory.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from veracite.index import dense as dense_module
from veracite.index import embeddings
from veracite.index import lexical as lexical_module
from veracite.index.catalog import Catalog, Derived
from veracite.index.dense import Dense, Kind
from veracite.index.errors import StorageError
from veracite.index.lexical import Lexical, LexicalError, Words
from veracite.index.storage import storage_errors

__all__ = ["Indexes"]

_DENSE_FILE = "dense.bin"
_KINDS: tuple[Kind, ...] = ("exact", "hnsw")


class Indexes:
    """The lexical and the dense index of one library.

    Args:
        encoder: Whose embeddings the dense index holds; None for lexical search alone.
        exact_limit: Up to so many vectors dense search is exact.
    """

    def __init__(
        self, catalog: Catalog, folder: Path, encoder: str | None, *, exact_limit: int
    ) -> None:
        self._catalog = catalog
        self._folder = folder
        self._encoder = encoder
        self._exact_limit = exact_limit
        self._lexical: Lexical | None = None
        self._dense: Dense | None = None
        self._in_memory: set[str] = set()
        self._seen = {"lexical": -1, "dense": -1}

    @property
    def lexical(self) -> Lexical | None:
        """As of the last refresh."""
        return self._lexical

    @property
    def dense(self) -> Dense | None:
        """As of the last refresh; None where there is no embedding."""
        return self._dense

    @property
    def current(self) -> bool:
        """Whether both stand where the catalog stands."""
        return self._seen == {
            "lexical": self._catalog.generation("passages"),
            "dense": self._catalog.generation("passages", "embeddings"),
        }

    def behind(self) -> list[str]:
        """One sentence for each index on the disk that lags: an interrupted run, or one without
        the encoder."""
        notes = []
        record = self._catalog.derived("lexical")
        generation = self._catalog.generation("passages")
        if generation and (record is None or record.generation != generation):
            notes.append("The keyword index was behind the catalog and has caught up.")
        record = self._catalog.derived("dense")
        generation = self._catalog.generation("passages", "embeddings")
        if len(self._labels()) and (record is None or record.generation != generation):
            notes.append("The embedding index was behind the catalog and has caught up.")
        return notes

    def refresh_lexical(self, *, write: bool) -> list[str]:
        """Bring the lexical index up to date; what was out of the ordinary.

        Args:
            write: This process holds the library's lock and may change files.

        Raises:
            StorageError: It cannot be written.
        """
        generation = self._catalog.generation("passages")
        if self._seen["lexical"] == generation and not (write and "lexical" in self._in_memory):
            return []
        record = self._catalog.derived("lexical")
        notes: list[str] = []
        if self._lexical is None or "lexical" in self._in_memory:
            self._lexical, problem = self._open_lexical(record)
            self._in_memory.discard("lexical")
            if problem:
                notes.append(f"The keyword index {problem} and was built again.")
        if not write:
            if self._lexical is None:
                self._lexical = Lexical(None)
                self._lexical.update(self._words(self._catalog.distinct_passages()))
                self._in_memory.add("lexical")
        elif self._lexical is None:
            self._build_lexical(generation)
        elif record is None or record.generation != generation:
            self._follow_lexical(record, generation)
        self._seen["lexical"] = generation
        return notes if write else []

    def _open_lexical(self, record: Derived | None) -> tuple[Lexical | None, str]:
        if record is None:
            return None, ""
        if record.made_with != lexical_module.made_with():
            return None, "was made by another version"
        folder = self._folder / record.file
        try:
            if lexical_module.digest(folder) != record.sha256:
                return None, "was damaged or half-written"
            return Lexical(folder), ""
        except FileNotFoundError:
            return None, "was missing"
        except (OSError, LexicalError):
            return None, "could not be read"

    def _follow_lexical(self, record: Derived | None, generation: int) -> None:
        assert self._lexical is not None
        wanted = self._catalog.distinct_passages()
        held = self._lexical.ids()
        removed = held - wanted
        if record is None or (removed and len(wanted) <= lexical_module.REBUILD_LIMIT):
            return self._build_lexical(generation)
        if wanted != held:
            with _lexical_errors(self._folder):
                self._lexical.update(self._words(wanted - held), removed)
        self._record_lexical(record.file, generation)

    def _build_lexical(self, generation: int) -> None:
        name = f"lexical-{generation}"
        self._lexical = None
        lexical_module.discard(self._folder / name)
        with _lexical_errors(self._folder):
            index = Lexical(self._folder / name)
            index.update(self._words(self._catalog.distinct_passages()))
        self._lexical = index
        self._record_lexical(name, generation)
        for other in self._folder.glob("lexical-*"):
            if other.name != name:
                lexical_module.discard(other)

    def _record_lexical(self, name: str, generation: int) -> None:
        with storage_errors(self._folder):
            sha256 = lexical_module.digest(self._folder / name)
        self._catalog.set_derived(
            "lexical", Derived(generation, name, sha256, lexical_module.made_with())
        )

    def _words(self, ids: set[int]) -> Iterator[Words]:
        return self._catalog.passage_words(sorted(ids))

    def refresh_dense(self, *, write: bool) -> list[str]:
        """Bring the dense index up to date; arguments and result as for ``refresh_lexical``."""
        generation = self._catalog.generation("passages", "embeddings")
        if self._seen["dense"] == generation and not (write and "dense" in self._in_memory):
            return []
        notes: list[str] = []
        if self._dense is None or "dense" in self._in_memory:
            self._dense, problem = self._open_dense(self._catalog.derived("dense"))
            self._in_memory.discard("dense")
            if problem:
                notes.append(f"The embedding index {problem} and was built again.")
        if write:
            self._follow_dense(generation)
        elif self._dense is None:
            self._dense = self._build_dense(self._labels())
            self._in_memory.add("dense")
        self._seen["dense"] = generation
        return notes if write else []

    def _open_dense(self, record: Derived | None) -> tuple[Dense | None, str]:
        if record is None or self._encoder is None:
            return None, ""
        dimension = embeddings.dimension(self._catalog, self._encoder)
        for kind in _KINDS if dimension else ():
            assert dimension is not None
            if record.made_with == dense_module.made_with(self._encoder, kind, dimension):
                path = self._folder / record.file
                try:
                    if dense_module.digest(path) != record.sha256:
                        return None, "was damaged or half-written"
                    return Dense.load(path, kind, dimension), ""
                except FileNotFoundError:
                    return None, "was missing"
                except OSError:
                    return None, "could not be read"
        return None, ""

    def _follow_dense(self, generation: int) -> None:
        wanted = self._labels()
        record = self._catalog.derived("dense")
        if not len(wanted):
            self._dense = None
            return
        assert self._encoder is not None
        held = set(wanted.tolist())
        if self._dense is None or self._dense.must_rebuild(held, exact_limit=self._exact_limit):
            self._dense = self._build_dense(wanted)
        elif record is not None and record.generation == generation:
            return
        else:
            added = self._dense.missing(held)
            self._dense.extend(held, added, embeddings.vectors(self._catalog, added.tolist()))
        assert self._dense is not None
        with storage_errors(self._folder):
            sha256 = self._dense.save(self._folder / _DENSE_FILE)
        made_with = dense_module.made_with(self._encoder, self._dense.kind, self._dense.dimension)
        self._catalog.set_derived("dense", Derived(generation, _DENSE_FILE, sha256, made_with))

    def _labels(self) -> "np.typing.NDArray[np.int64]":
        if self._encoder is None:
            return np.empty(0, dtype=np.int64)
        return embeddings.labels(self._catalog, self._encoder)

    def _build_dense(self, wanted: "np.typing.NDArray[np.int64]") -> Dense | None:
        if not len(wanted):
            return None
        found = embeddings.vectors(self._catalog, wanted.tolist())
        return Dense.build(wanted, found, exact_limit=self._exact_limit)


@contextmanager
def _lexical_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except LexicalError as error:
        raise StorageError(
            f"The keyword index in {folder} could not be written ({error}).",
            "Check the disk, then run the same command again.",
        ) from error
