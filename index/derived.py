"""Keeps the keyword index of a library in step with the catalog that it is derived from.

The index on the disk is opened only if it is what the catalog says it is: present, made by this
version, and with the recorded SHA-256. One that is merely behind gets what it lacks. Another one is
written beside it and takes its place when the catalog says so. Without the right to write (another
process is at work, the disk is full) search goes on in memory.

It holds each distinct passage once, so that copies of a file change no score.
"""

import hashlib
import shutil
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path

from veracite.index.catalog import Catalog, Derived
from veracite.index.lexical import Lexical, Words
from veracite.index.storage import storage_errors

REBUILD_LIMIT = 50_000
"""Up to so many passages a deletion rebuilds the index (some 3 s at the limit on two cores)."""
_SETTINGS = "lexical/1"
_NAME = "lexical"
"""In the catalog; the names of files begin with it."""


class Kept:
    """The keyword index of a library: opened if the catalog vouches for it, else made anew."""

    def __init__(self, catalog: Catalog, folder: Path) -> None:
        self._catalog = catalog
        self._folder = folder
        self.index: Lexical | None = None
        """As of the last refresh."""
        # What the catalog says of the index that is open; None for one in memory.
        self._record: Derived | None = None
        # The generation of the catalog that the open index reflects.
        self._seen = -1

    @property
    def current(self) -> bool:
        """Whether what is open stands where the catalog stands."""
        return self._seen == self._catalog.generation("passages")

    def behind(self) -> list[str]:
        """A sentence if what is on the disk lags: a run was interrupted before it came to this."""
        generation = self._catalog.generation("passages")
        record = self._catalog.derived(_NAME)
        if not generation or (record and record.generation == generation):
            return []
        return ["The keyword index lacked the newest changes and was brought up to date."]

    def release(self) -> None:
        """Let go of memory and open files; the next refresh opens the index again."""
        self.index, self._record, self._seen = None, None, -1

    def refresh(self, *, write: bool) -> list[str]:
        """Bring the index up to date; what was out of the ordinary.

        Args:
            write: This process holds the library's lock and may change files. Otherwise an index
                that is behind is used as it is, and one that is unfit is replaced in memory.

        Raises:
            StorageError: It cannot be written.
        """
        generation = self._catalog.generation("passages")
        if self._seen == generation and (self._record or not write):
            return []
        problem = ""
        try:
            record = self._catalog.derived(_NAME)
            if self.index is None or record != self._record:
                index, problem = self._open(record)
                if index is not None or write:
                    self.index, self._record = index, record if index is not None else None
                    self._seen = record.generation if record else -1
            if write:
                self._follow(generation)
                self._seen = generation
            elif self.index is None:
                self.index, self._record, self._seen = Lexical(None), None, generation
                self.index.update(self._words(self._catalog.distinct_passages()))
        except BaseException:
            self.release()
            raise
        return [f"The keyword index {problem} and was built again."] if problem and write else []

    def _open(self, record: Derived | None) -> tuple[Lexical | None, str]:
        if record is None:
            return None, ""
        if record.made_with != _made_with():
            return None, "was made by another version"
        path = self._folder / record.file
        try:
            if digest(path) != record.sha256:
                return None, "was damaged or half-written"
            return Lexical(path), ""
        except FileNotFoundError:
            return None, "was missing"
        except OSError:
            return None, "could not be read"

    def _follow(self, generation: int) -> None:
        old = self._record
        if old is not None and old.generation == generation:
            return
        with storage_errors(self._folder):
            wanted = self._catalog.distinct_passages()
            index, file = (self.index, old.file) if old is not None else (None, "")
            held = index.ids() if index is not None else set()
            if index is not None and (held <= wanted or len(wanted) > REBUILD_LIMIT):
                if held != wanted:
                    index.update(self._words(wanted - held), held - wanted)
            else:
                file = f"{_NAME}-{generation}"
                _discard(self._folder / file)
                self.index = Lexical(self._folder / file)
                self.index.update(self._words(wanted))
            sha256 = digest(self._folder / file)
        self._record = Derived(generation, file, sha256, _made_with())
        self._catalog.set_derived(_NAME, self._record)
        # Versions before this one kept an index of vectors, too.
        for other in (*self._folder.glob(f"{_NAME}-*"), *self._folder.glob("dense-*")):
            if other.name != file:
                _discard(other)

    def _words(self, ids: Iterable[int]) -> Iterator[Words]:
        return self._catalog.passage_words(sorted(ids))


def _made_with() -> str:
    return f"{_SETTINGS} tantivy/{version('tantivy')}"


def digest(path: Path) -> str:
    """SHA-256 of a file, or over the names and bytes of a folder's files.

    Raises:
        OSError: Something cannot be read.
    """
    if not path.is_dir():
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    whole = hashlib.sha256()
    for part in sorted(path.iterdir()):
        if not part.name.endswith(".lock"):
            whole.update(f"{part.name}\n{digest(part)}\n".encode())
    return whole.hexdigest()


def _discard(path: Path) -> None:
    """Remove a file, or a folder with its files, whatever state it is in."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
