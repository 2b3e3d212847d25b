"""The bytes of a repository's files onto the disk, over as many connections as it takes."""

import hashlib
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from veracite.models.errors import ModelError
from veracite.models.store.hub import Dropped, Hub
from veracite.models.store.manifest import StoredFile
from veracite.models.store.remote import Remote, RemoteFile

__all__ = ["Fetched", "download"]

_BLOCK = 2**20


@dataclass(frozen=True, slots=True)
class Fetched:
    """So many bytes of all files are here."""

    path: str
    """The file that is being downloaded."""
    done: int
    total: int


def download(
    hub: Hub, remote: Remote, files: Mapping[Path, RemoteFile]
) -> Generator[Fetched, None, tuple[StoredFile, ...]]:
    """Complete files, whatever is there of them already; returns them by their last names.

    A connection that breaks is opened again as long as each one brings some bytes more.

    Args:
        files: By the places where they are or will be.

    Raises:
        Dropped: A connection brought nothing.
        ModelError: The hub refuses, or a file is not what it should be; that one is deleted.
        OSError: The disk refuses.
    """
    total = sum(file.size for file in files.values())
    before, complete = 0, []
    for path, file in files.items():
        part = _Part(path, file)
        for done in part.read():
            yield Fetched(file.path, before + done, total)
        while part.done < file.size:
            for done in part.go_on(hub, remote):
                yield Fetched(file.path, before + done, total)
        complete.append(part.completed())
        before += file.size
    return tuple(complete)


class _Part:
    """A file that is partly there, with the hash of what is there.

    Args:
        path: Where it is or will be.
        file: What it is to become.
    """

    def __init__(self, path: Path, file: RemoteFile) -> None:
        self._path = path
        self._file = file
        self._sha256 = hashlib.sha256()
        self.done = 0

    def read(self) -> Iterator[int]:
        """Hash what is there, an empty file at least; gives the number of bytes now and then.

        Raises:
            ModelError: It is more than the file should have.
            OSError: The disk refuses.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("ab+") as there:
            there.seek(0)
            while block := there.read(_BLOCK):
                self._take(block)
                yield self.done
        yield self.done

    def go_on(self, hub: Hub, remote: Remote) -> Iterator[int]:
        """Download over one connection; gives the number of bytes that are there.

        Raises:
            Dropped: The connection brought nothing.
            ModelError: The hub refuses, or sends more than it has announced.
            OSError: The disk refuses.
        """
        before = self.done
        try:
            with (
                hub.read(remote, self._file, before) as (start, blocks),
                self._path.open("r+b") as out,
            ):
                if start != before:
                    self._sha256, self.done = hashlib.sha256(), 0
                out.truncate(out.seek(start))
                for block in blocks:
                    self._take(block)
                    out.write(block)
                    yield self.done
        except Dropped:
            if self.done <= before:
                raise
        if self.done <= before:
            raise Dropped(
                f"The server ends {self._file.path} after {self.done:,} of "
                f"{self._file.size:,} bytes.",
                "Try again later; what is here is kept.",
            )

    def completed(self) -> StoredFile:
        """The file, if it is the one that was announced; else it is deleted.

        Raises:
            ModelError: Its SHA-256 is another one.
        """
        found = self._sha256.hexdigest()
        if self._file.sha256 not in (None, found):
            self._path.unlink()
            raise ModelError(
                f"What was downloaded as {self._file.path} is another file: its SHA-256 is "
                f"{found}, and {self._file.sha256} was expected.",
                "Try again; if it stays so, do not trust the server.",
            )
        return StoredFile(self._path.name, self.done, found)

    def _take(self, block: bytes) -> None:
        self._sha256.update(block)
        self.done += len(block)
        if self.done > self._file.size:
            self._path.unlink()
            raise ModelError(
                f"The server sends more of {self._file.path} than the {self._file.size:,} bytes "
                "that it has announced.",
                "Try again later; if it stays so, do not trust the server.",
            )
