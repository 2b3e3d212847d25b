"""Bundles are read with suspicion: they come on sticks, from anybody.

A bundle is a zip file in which nothing is compressed. So it cannot hold more than its own size, and
no bomb fits into it. Every file in it must be in its list, with size and SHA-256, and no other.
"""

import hashlib
import io
import os
import stat
import struct
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from veracite.engine.bundles.contents import (
    LARGEST_LIST,
    LIST,
    Contents,
    Kind,
    contents_from,
    refused,
)
from veracite.engine.errors import InputError
from veracite.models.files import quoted, stays_inside

_BLOCK = 2**20
_MOST_AT_ONCE = 2**20
"""Bytes of the zip file's own directory, which zipfile reads whole."""
_MOST_ENTRIES = 1000
_ENCRYPTED = 0x2041
"""Flags: encrypted, strongly encrypted, with an encrypted directory."""

_DAMAGE = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    NotImplementedError,
    RuntimeError,
    EOFError,
    ValueError,
    OverflowError,
    struct.error,
)
"""What zipfile raises over files that are none, or damaged."""


class Bundle:
    """An open bundle whose list and directory agree; the files' hashes show when they are read."""

    def __init__(self, path: Path, archive: zipfile.ZipFile, contents: Contents) -> None:
        self.path = path
        self.about = contents.about
        self.files = contents.files
        self._archive = archive

    def blocks(self, name: str) -> Iterator[bytes]:
        """A file of the list in pieces. Only after the last one is it known to be right.

        Raises:
            InputError: It is not what the list says, or cannot be read.
        """
        sha256 = hashlib.sha256()
        with _told(self.path), self._archive.open(name) as file:
            while block := file.read(_BLOCK):
                sha256.update(block)
                yield block
        if sha256.hexdigest() != self.files[name].sha256:
            raise refused(self.path, f"{quoted(name)} has another SHA-256 than its list says")

    def content(self, name: str, most: int) -> bytes:
        """A file of the list as a whole.

        Raises:
            InputError: It has more than ``most`` bytes, or as ``blocks``.
        """
        if self.files[name].size > most:
            raise refused(self.path, f"{quoted(name)} is too long")
        return b"".join(self.blocks(name))


def is_bundle(path: Path, *, whole: bool = False) -> bool:
    """Whether an ordinary file is a bundle, by what it begins with and holds.

    Args:
        whole: Whether a damaged one, or what is left of one, is to be taken for something else.
    """
    try:
        with _opened(path) as file:
            if file.read(4) != b"PK\3\4":
                return False
            with zipfile.ZipFile(file) as archive:
                return LIST in archive.namelist()
    except _DAMAGE:
        return not whole
    except (InputError, OSError):
        return False


@contextmanager
def open_bundle(path: Path, kind: Kind) -> Iterator[Bundle]:
    """A bundle of one kind.

    Raises:
        InputError: It cannot be read, is no bundle of this kind, or cannot be trusted.
    """
    with _opened(path) as file:
        with _told(path):
            archive = zipfile.ZipFile(file)
        with archive:
            sizes = _plain_entries(archive, path, os.fstat(file.fileno()).st_size)
            with _told(path):
                contents = contents_from(archive.read(LIST), kind, path)
            if sizes != {name: file.size for name, file in contents.files.items()}:
                raise refused(path, f"what is in it is not what its {LIST} says")
            yield Bundle(path, archive, contents)


def _plain_entries(archive: zipfile.ZipFile, path: Path, size: int) -> dict[str, int]:
    """The size of each entry but the list; all are ordinary, and there is a list.

    Raises:
        InputError: One is something else.
    """
    entries = archive.infolist()
    if len(entries) > _MOST_ENTRIES:
        raise refused(path, f"it has more than {_MOST_ENTRIES} entries")
    if sum(entry.file_size for entry in entries) > size:
        raise refused(path, "it claims to hold more than it is long")
    for entry in entries:
        if problem := _problem(entry):
            raise refused(path, f"{quoted(entry.orig_filename)} {problem}")
    sizes = {entry.orig_filename: entry.file_size for entry in entries}
    if len({name.casefold() for name in sizes}) < len(entries):
        raise refused(path, "two of its entries have the same name")
    if not 0 < sizes.pop(LIST, 0) <= LARGEST_LIST:
        raise refused(path, f"it has no {LIST}, or one that is too long")
    return sizes


def _problem(entry: zipfile.ZipInfo) -> str | None:
    if not stays_inside(entry.orig_filename):
        return "is no name that a file in a bundle can have"
    if entry.is_dir() or stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG):
        return "is no ordinary file"
    if entry.flag_bits & _ENCRYPTED:
        return "is encrypted"
    if entry.compress_type != zipfile.ZIP_STORED or entry.compress_size != entry.file_size:
        return "is compressed"
    return None


class _Careful(io.BufferedReader):
    """A file of which nobody gets more than a little at once, whatever its directory says."""

    def read(self, size: int | None = -1, /) -> bytes:
        most = _MOST_AT_ONCE + 1
        content = super().read(most if size is None or size < 0 else min(size, most))
        if len(content) == most:
            raise zipfile.BadZipFile("its directory is too long")
        return content


def _opened(path: Path) -> _Careful:
    """An ordinary file; never waits, as opening a pipe would."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise _unreadable(path, getattr(error, "strerror", None) or str(error)) from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _unreadable(path, "it is no ordinary file")
    return _Careful(io.FileIO(descriptor))


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Say what is wrong with the file rather than with zipfile.

    Raises:
        InputError: In place of what zipfile and the operating system raise.
    """
    try:
        yield
    except _DAMAGE as error:
        raise refused(path, "it is no bundle, or damaged") from error
    except OSError as error:
        raise _unreadable(path, error.strerror or str(error)) from error


def _unreadable(path: Path, reason: str) -> InputError:
    return InputError(
        f"The bundle {path} cannot be read ({reason}).",
        "Check the path, the file's permissions and the disk.",
    )
