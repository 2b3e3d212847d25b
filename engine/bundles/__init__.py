"""Models and libraries in one file, for machines that no network leads to.

A bundle is a zip file in which nothing is compressed. So it cannot hold more than its own size, and
no bomb fits into it. Its first entry, ``bundle.json``, says what it holds; the checksums of the zip
file show that it arrived as it was written. Bundles come from anybody: what is in one and what it
says must agree, or none of it is used.
"""

import errno
import hashlib
import io
import json
import os
import shutil
import stat
import struct
import zipfile
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal

import msgspec

from veracite.engine.errors import InputError, disk_errors
from veracite.engine.version import __version__
from veracite.models.files import quoted, replacing, size_in_words
from veracite.models.store import Copied

LIST = "bundle.json"
Kind = Literal["models", "library"]

Add = Callable[[str, Iterable[bytes], str], Generator[Copied, None, str]]
"""Writes a file of a bundle: its name, its bytes, and what is said to be written; tells after each
block how far the bundle is, and returns the file's SHA-256."""

_SCHEMA = "veracite.bundle/2"
_BLOCK = 2**20
_MOST_AT_ONCE = 2**20
"""Bytes of ``bundle.json``, and of the zip file's own directory."""
_MOST_ENTRIES = 1000
_FILE_MODE = 0o100600
_DATE = (1980, 1, 1, 0, 0, 0)
"""So that the same content makes the same bundle."""
_HEADER_BYTES = 30
"""Of the zip file before the name of its first entry."""
_DAMAGE = (zipfile.BadZipFile, RuntimeError, EOFError, ValueError, OverflowError, struct.error)
"""What zipfile raises over files that are none, or damaged."""


@dataclass(frozen=True, slots=True)
class Exported:
    """A bundle is complete."""

    size: int
    """In bytes."""
    without_licence: tuple[str, ...] = ()
    """Models in it whose licence's text is not here, and so is not in it either."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """An open bundle; whether a file of it arrived as it was written shows when it is read."""

    path: Path
    about: dict[str, Any]
    """What only this kind of bundle says; nothing of it is checked."""
    sizes: Mapping[str, int]
    """In bytes, of all files by their names, which may be any, but of ``bundle.json``."""
    archive: zipfile.ZipFile

    def blocks(self, name: str) -> Iterator[bytes]:
        """A file, in pieces: only behind the last is it known to be right.

        Raises:
            InputError: It is damaged, or cannot be read.
        """
        with _damage_told(self.path), self.archive.open(name) as file:
            while block := file.read(_BLOCK):
                yield block

    def open(self, name: str) -> IO[bytes]:
        """A file that is known to be right: it is read once before. Raises as ``blocks``."""
        for _ in self.blocks(name):
            pass
        return self.archive.open(name)


def is_bundle(path: Path) -> bool:
    """Whether an ordinary file begins as a bundle does, damaged or not."""
    try:
        with _opened(path) as file:
            beginning = file.read(_HEADER_BYTES + len(LIST))
    except InputError:
        return False
    return beginning.startswith(b"PK\3\4") and beginning.endswith(LIST.encode())


@contextmanager
def open_bundle(path: Path, kind: Kind) -> Iterator[Bundle]:
    """A bundle of one kind.

    Raises:
        InputError: It cannot be read, is no bundle of this kind, or cannot be trusted.
    """
    with _opened(path) as file:
        with _damage_told(path):
            archive = zipfile.ZipFile(file)
        with archive:
            sizes = _sizes(archive, path, os.fstat(file.fileno()).st_size)
            with _damage_told(path):
                content = archive.read(LIST)
            yield Bundle(path, _about(content, kind, path), sizes, archive)


def require_free(path: Path) -> None:
    """Raise InputError where something else than a bundle would be written over."""
    if path.exists() and not is_bundle(path):
        raise InputError(
            f"{path} is there already and is no bundle.", "Name another file, or remove it first."
        )


@contextmanager
def new_bundle(path: Path, kind: Kind, about: Mapping[str, Any], total: int) -> Iterator[Add]:
    """A bundle that takes its place, and that of a bundle there, when the block ends well.

    Args:
        path: Where the bundle is to be.
        kind: What it holds.
        about: What only this kind of bundle says.
        total: Bytes that will be added, but for some small files.

    Yields:
        What adds a file; it raises OSError where the disk refuses.

    Raises:
        InputError: It cannot be written, or something else is there.
    """
    require_free(path)
    said = {"schema": _SCHEMA, "veracite": __version__, "kind": kind, "about": about}
    done = 0

    def add(name: str, blocks: Iterable[bytes], shown: str) -> Generator[Copied, None, str]:
        nonlocal done
        sha256 = hashlib.sha256()
        with archive.open(_entry(name), "w", force_zip64=True) as entry:
            for block in blocks:
                sha256.update(block)
                entry.write(block)
                done = min(done + len(block), total)
                yield Copied(shown, done, total)
        return sha256.hexdigest()

    with disk_errors(
        f"{path} cannot be written",
        "Name a file in a folder that you may write to, on a disk with free space. The file system "
        "FAT32 takes files of 4 GB at most: format it with exFAT, or export the models one by one.",
    ):
        if total > (free := shutil.disk_usage(path.resolve().parent).free):
            needed = f"{size_in_words(total)} are needed and {size_in_words(free)} are free"
            raise OSError(errno.ENOSPC, needed)
        with replacing(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            archive.writestr(_entry(LIST), json.dumps(said, indent=1) + "\n")
            yield add


def refused(bundle: Path, reason: str) -> InputError:
    """Says that a bundle is not what it should be."""
    return InputError(
        f"The bundle {bundle} cannot be used: {reason}.",
        "Nothing was imported. Copy the bundle again from where it comes, or have it made anew.",
    )


@dataclass(frozen=True, slots=True)
class _Said:
    """What ``bundle.json`` holds."""

    schema: str
    kind: Kind
    about: dict[str, Any]


def _about(content: bytes, kind: Kind, bundle: Path) -> dict[str, Any]:
    """What only this kind of bundle says, from the bytes of ``bundle.json``.

    Raises:
        InputError: It is none of a bundle, or one of another kind or version.
    """
    try:
        said = msgspec.json.decode(content, type=_Said)
    except (ValueError, RecursionError) as error:
        raise refused(bundle, f"its {LIST} does not say what it holds ({error})") from error
    if said.schema != _SCHEMA:
        raise InputError(
            f"The bundle {bundle} was made by another version of Veracite "
            f"({quoted(said.schema)} and not {_SCHEMA}).",
            "Install that version here, too, or have the bundle made anew by this one.",
        )
    if said.kind != kind:
        other = "library" if kind == "models" else "models"
        raise InputError(
            f"The bundle {bundle} does not hold {'models' if kind == 'models' else 'a library'}.",
            f"If it is one of the other kind, `veracite {other} import` takes it.",
        )
    return said.about


def _sizes(archive: zipfile.ZipFile, path: Path, size: int) -> dict[str, int]:
    """The size of each entry but the list; nothing is compressed, and there is a list.

    Raises:
        InputError: It is otherwise.
    """
    entries = archive.infolist()
    if len(entries) > _MOST_ENTRIES:
        raise refused(path, f"it has more than {_MOST_ENTRIES} entries")
    if sum(entry.file_size for entry in entries) > size:
        raise refused(path, "it claims to hold more than its size allows")
    for entry in entries:
        if entry.compress_type != zipfile.ZIP_STORED or entry.compress_size != entry.file_size:
            raise refused(path, f"{quoted(entry.orig_filename)} is compressed")
    sizes = {entry.orig_filename: entry.file_size for entry in entries}
    if len(sizes) < len(entries):
        raise refused(path, "two of its entries have the same name")
    if not 0 < sizes.pop(LIST, 0) <= _MOST_AT_ONCE:
        raise refused(path, f"it has no {LIST}, or one that is too long")
    return sizes


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
    with _damage_told(path):
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            return _Careful(io.FileIO(descriptor))
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is no ordinary file")


@contextmanager
def _damage_told(path: Path) -> Iterator[None]:
    """Say what is wrong with the file rather than with zipfile.

    Raises:
        InputError: In place of what zipfile and the operating system raise.
    """
    advice = "Check the path, the file's permissions and the disk."
    with disk_errors(f"The bundle {path} cannot be read", advice):
        try:
            yield
        except _DAMAGE as error:
            raise refused(path, "it is no bundle, or damaged") from error


def _entry(path: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(path, _DATE)
    entry.external_attr = _FILE_MODE << 16
    return entry
