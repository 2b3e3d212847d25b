"""Keeps the lexical index in step with the catalog, and builds it again where it is not fit."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from veracite.index.catalog import Catalog
from veracite.index.errors import StorageError
from veracite.index.lexical import (
    REBUILD_LIMIT,
    Lexical,
    LexicalError,
    Words,
    digest,
    discard,
    made_with,
)
from veracite.index.records import Derived
from veracite.index.storage import storage_errors

_NAME = "lexical"


class KeptLexical:
    """The lexical index of a library: opened if the catalog vouches for it, else made anew.

    It holds each distinct passage once, so that copies of a file change no score.
    """

    def __init__(self, catalog: Catalog, folder: Path) -> None:
        self._catalog = catalog
        self._folder = folder
        self._index: Lexical | None = None
        # What the catalog says of the index that is open; None for one in memory.
        self._record: Derived | None = None
        # The generation of the catalog that the open index reflects.
        self._seen = -1

    @property
    def index(self) -> Lexical | None:
        """As of the last refresh."""
        return self._index

    @property
    def current(self) -> bool:
        """Whether what is open stands where the catalog stands."""
        return self._seen == self._catalog.generation("passages")

    @property
    def behind(self) -> bool:
        """Whether what is on the disk lags: a run was interrupted before it came to this."""
        generation = self._catalog.generation("passages")
        record = self._catalog.derived(_NAME)
        return generation > 0 and (record is None or record.generation != generation)

    def release(self) -> None:
        """Let go of memory and open files; the next refresh opens the index again."""
        self._index, self._record, self._seen = None, None, -1

    def refresh(self, *, write: bool) -> list[str]:
        """Bring the index up to date; what was out of the ordinary.

        Args:
            write: This process holds the library's lock and may change files. Otherwise an index
                that is behind is used as it is, and one that is unfit is replaced in memory.

        Raises:
            StorageError: It cannot be written.
        """
        generation = self._catalog.generation("passages")
        if self._seen == generation and (self._record is not None or not write):
            return []
        problem = ""
        try:
            record = self._catalog.derived(_NAME)
            if self._index is None or record != self._record:
                index, problem = self._open(record)
                if index is not None or write:
                    self._index, self._record = index, record
                    self._seen = record.generation if record else -1
            if write:
                self._follow(generation)
                self._seen = generation
            elif self._index is None:
                self._index, self._record = Lexical(None), None
                self._index.update(self._words(self._catalog.distinct_passages()))
                self._seen = generation
        except BaseException:
            self.release()
            raise
        return [f"The keyword index {problem} and was built again."] if problem and write else []

    def _open(self, record: Derived | None) -> tuple[Lexical | None, str]:
        if record is None:
            return None, ""
        if record.made_with != made_with():
            return None, "was made by another version"
        folder = self._folder / record.file
        try:
            if digest(folder) != record.sha256:
                return None, "was damaged or half-written"
            return Lexical(folder), ""
        except FileNotFoundError:
            return None, "was missing"
        except (OSError, LexicalError):
            return None, "could not be read"

    def _follow(self, generation: int) -> None:
        record = self._record
        if self._index is None or record is None:
            return self._build(generation)
        if record.generation == generation:
            return None
        wanted = self._catalog.distinct_passages()
        held = self._index.ids()
        removed = held - wanted
        if removed and len(wanted) <= REBUILD_LIMIT:
            return self._build(generation)
        if wanted != held:
            with _errors(self._folder):
                self._index.update(self._words(wanted - held), removed)
        return self._vouch(record.file, generation)

    def _build(self, generation: int) -> None:
        name = f"{_NAME}-{generation}"
        discard(self._folder / name)
        with _errors(self._folder):
            self._index = Lexical(self._folder / name)
            self._index.update(self._words(self._catalog.distinct_passages()))
        self._vouch(name, generation)
        for other in self._folder.glob(f"{_NAME}-*"):
            if other.name != name:
                discard(other)

    def _vouch(self, name: str, generation: int) -> None:
        with storage_errors(self._folder):
            sha256 = digest(self._folder / name)
        self._record = Derived(generation, name, sha256, made_with())
        self._catalog.set_derived(_NAME, self._record)

    def _words(self, ids: Iterable[int]) -> Iterator[Words]:
        return self._catalog.passage_words(sorted(ids))


@contextmanager
def _errors(folder: Path) -> Iterator[None]:
    with storage_errors(folder):
        try:
            yield
        except LexicalError as error:
            raise StorageError(
                f"The keyword index in {folder} could not be written ({error}).",
                "Check the disk, then run the same command again.",
            ) from error
