"""Keeps an index in step with the catalog that it is derived from.

An index on the disk is opened only if it is what the catalog says it is: present, made by this
version, and with the recorded SHA-256. One that is merely behind gets what it lacks. Another one is
written beside it and takes its place when the catalog says so. Without the right to write (another
process is at work, the disk is full) search goes on in memory.
"""

import hashlib
import shutil
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from veracite.index.catalog import Catalog, Derived
from veracite.index.storage import storage_errors

Index = TypeVar("Index")


class Maker(Protocol[Index]):
    """What makes one kind of index."""

    name: str
    """In the catalog; the names of files begin with it."""
    title: str
    """For notes, such as "keyword"."""
    depends_on: str
    """What ``made_with`` names, for notes."""

    def generation(self) -> int:
        """Of what it is derived from."""

    def on_disk(self) -> bool:
        """Whether, as the catalog stands, there is to be an index on the disk."""

    def made_with(self) -> str:
        """What the index's files depend on beside the catalog's content."""

    def load(self, path: Path) -> Index:
        """Open an index whose bytes were checked; raises OSError where it cannot be opened."""

    def follow(
        self, index: Index | None, file: str | None, generation: int
    ) -> tuple[Index | None, str | None]:
        """An index that stands where the catalog stands, and its file in the library's folder.

        Args:
            index: What was loaded from ``file``, to be changed in place where that pays.
            file: None, like the one returned, for an index in memory.
            generation: To be part of a new file's name.

        Raises:
            OSError, StorageError: It cannot be written.
        """

    def in_memory(self) -> Index | None:
        """An index that leaves the disk alone."""


class Kept(Generic[Index]):
    """An index of a library: opened if the catalog vouches for it, else made anew."""

    def __init__(self, catalog: Catalog, folder: Path, maker: Maker[Index]) -> None:
        self._catalog = catalog
        self._folder = folder
        self._maker = maker
        self.index: Index | None = None
        """As of the last refresh; None where there is nothing to search."""
        # What the catalog says of the index that is open; None for one in memory.
        self._record: Derived | None = None
        # The generation of the catalog that the open index reflects.
        self._seen = -1

    @property
    def current(self) -> bool:
        """Whether what is open stands where the catalog stands."""
        return self._seen == self._maker.generation()

    def behind(self) -> list[str]:
        """A sentence if what is on the disk lags: a run was interrupted before it came to this."""
        generation = self._maker.generation()
        record = self._catalog.derived(self._maker.name)
        if not generation or (record and record.generation == generation):
            return []
        if not self._maker.on_disk():
            return []
        return [
            f"The {self._maker.title} index lacked the newest changes and was brought up to date."
        ]

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
        generation = self._maker.generation()
        lacking = write and self._record is None and self._maker.on_disk()
        if self._seen == generation and not lacking:
            return []
        problem = ""
        try:
            record = self._catalog.derived(self._maker.name)
            if self.index is None or record != self._record:
                index, problem = self._open(record)
                if index is not None or write:
                    self.index, self._record = index, record if index is not None else None
                    self._seen = record.generation if record else -1
            if write:
                self._follow(generation)
                self._seen = generation
            elif self.index is None:
                self.index, self._record = self._maker.in_memory(), None
                self._seen = generation
        except BaseException:
            self.release()
            raise
        title = self._maker.title
        return [f"The {title} index {problem} and was built again."] if problem and write else []

    def _open(self, record: Derived | None) -> tuple[Index | None, str]:
        if record is None or not self._maker.on_disk():
            return None, ""
        if record.made_with != self._maker.made_with():
            return None, f"was made by another {self._maker.depends_on}"
        path = self._folder / record.file
        try:
            if digest(path) != record.sha256:
                return None, "was damaged or half-written"
            return self._maker.load(path), ""
        except FileNotFoundError:
            return None, "was missing"
        except OSError:
            return None, "could not be read"

    def _follow(self, generation: int) -> None:
        old = self._record
        if old is not None and old.generation == generation:
            return
        name = self._maker.name
        with storage_errors(self._folder):
            index, file = (self.index, old.file) if old is not None else (None, None)
            self.index, file = self._maker.follow(index, file, generation)
            self._record = None
            if file is not None:
                sha256 = digest(self._folder / file)
                self._record = Derived(generation, file, sha256, self._maker.made_with())
        if self._record or self._catalog.derived(name):
            self._catalog.set_derived(name, self._record)
        for other in self._folder.glob(f"{name}[-.]*"):
            if other.name != file:
                discard(other)


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


def discard(path: Path) -> None:
    """Remove a file, or a folder with its files, whatever state it is in."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
