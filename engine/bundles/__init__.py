"""Models and libraries in one file, for machines that no network leads to.

A bundle is a zip file in which nothing is compressed. So it cannot hold more than its own size, and
no bomb fits into it. ``bundle.json`` lists everything else in it with size and SHA-256. Bundles
come from anybody: what is in one and what its list says must agree, or none of it is used.
"""

import errno
import hashlib
import io
import json
import os
import re
import shutil
import stat
import struct
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Literal

import msgspec

from veracite.engine.errors import InputError, disk_errors
from veracite.engine.version import __version__
from veracite.models.files import quoted, replacing, size_in_words, stays_inside
from veracite.models.store import Copied, StoredFile

LIST = "bundle.json"
Kind = Literal["models", "library"]

_SCHEMA = "veracite.bundle/1"
_ANY_SCHEMA = re.compile(r"veracite\.bundle/\d+")
_BLOCK = 2**20
_MOST_AT_ONCE = 2**20
"""Bytes of the list, of which every file takes some 150, and of the zip file's own directory."""
_MOST_ENTRIES = 1000
_FILE_MODE = 0o100600
_DATE = (1980, 1, 1, 0, 0, 0)
"""So that the same content makes the same bundle."""
_DAMAGE = (zipfile.BadZipFile, RuntimeError, EOFError, ValueError, OverflowError, struct.error)
"""What zipfile raises over files that are none, or damaged."""


@dataclass(frozen=True, slots=True)
class Exported:
    """A bundle is complete."""

    size: int
    """In bytes."""
    without_licence: tuple[str, ...] = ()
    """Models in it whose licence's text is not here, and so is not in it either."""


class BundleWriter:
    """A bundle in the making. Its methods raise OSError where the disk refuses."""

    def __init__(self, archive: zipfile.ZipFile, total: int) -> None:
        self._archive = archive
        self._total = total
        self._done = 0
        self.files: dict[str, StoredFile] = {}

    def add(self, path: str, blocks: Iterable[bytes], name: str = "") -> Iterator[Copied]:
        """Write a file; tells after each block how far the bundle is.

        Args:
            name: What is said to be written.
        """
        sha256, size = hashlib.sha256(), 0
        with self._archive.open(_entry(path), "w", force_zip64=True) as file:
            for block in blocks:
                sha256.update(block)
                size += len(block)
                file.write(block)
                self._done = min(self._done + len(block), self._total)
                yield Copied(name, self._done, self._total)
        self.files[path] = StoredFile(path, size, sha256.hexdigest())


class Bundle:
    """An open bundle whose list and directory agree; the files' hashes show when they are read.

    Attributes:
        about: What only this kind of bundle says; nothing of it is checked.
        files: By path, all but the list itself.
    """

    def __init__(self, path: Path, archive: zipfile.ZipFile, said: "_List") -> None:
        self.path = path
        self.about: Any = said.about
        self.files = {file.path: file for file in said.files}
        self._archive = archive

    def blocks(self, name: str) -> Iterator[bytes]:
        """A file of the list, in pieces: only behind the last is it known to be right.

        Raises:
            InputError: It is not what the list says, or cannot be read.
        """
        sha256 = hashlib.sha256()
        with _damage_told(self.path), self._archive.open(name) as file:
            while block := file.read(_BLOCK):
                sha256.update(block)
                yield block
        if sha256.hexdigest() != self.files[name].sha256:
            raise refused(self.path, f"{quoted(name)} has another SHA-256 than its list says")

    def open(self, name: str) -> IO[bytes]:
        """A file that is known to be right: it is read once before. Raises as ``blocks``."""
        for _ in self.blocks(name):
            pass
        return self._archive.open(name)


def is_bundle(path: Path, *, if_damaged: bool = True) -> bool:
    """Whether an ordinary file is a bundle; ``if_damaged`` of a zip file too damaged to tell."""
    try:
        with _opened(path) as file:
            if file.read(4) != b"PK\3\4":
                return False
            with zipfile.ZipFile(file) as archive:
                return LIST in archive.namelist()
    except _DAMAGE:
        return if_damaged
    except (InputError, OSError):
        return False


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
            bundle = Bundle(path, archive, _list_from(content, kind, path))
            if sizes != {name: file.size for name, file in bundle.files.items()}:
                raise refused(path, f"what is in it is not what its {LIST} says")
            yield bundle


@contextmanager
def new_bundle(
    path: Path, kind: Kind, about: Mapping[str, Any], size: int
) -> Iterator[BundleWriter]:
    """A bundle that takes its place, and that of a bundle there, when the block ends well.

    Args:
        path: Where the bundle is to be.
        kind: What it holds.
        about: What only this kind of bundle says.
        size: Bytes that will be added, but for some small files.

    Raises:
        InputError: It cannot be written, or something else is there.
    """
    if path.exists() and not is_bundle(path, if_damaged=False):
        raise InputError(
            f"{path} is there already and is no bundle.", "Name another file, or remove it first."
        )
    with disk_errors(
        f"{path} cannot be written",
        "Name a file in a folder that you may write to, on a disk with free space. The file system "
        "FAT32 takes files of 4 GB at most: format it with exFAT, or export the models one by one.",
    ):
        free = shutil.disk_usage(path.resolve().parent).free
        if size > free:
            needed = f"{size_in_words(size)} are needed and {size_in_words(free)} are free"
            raise OSError(errno.ENOSPC, needed)
        with replacing(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            bundle = BundleWriter(archive, size)
            yield bundle
            said = {
                "schema": _SCHEMA,
                "veracite": __version__,
                "kind": kind,
                "about": about,
                "files": [asdict(file) for file in bundle.files.values()],
            }
            archive.writestr(_entry(LIST), json.dumps(said, indent=1) + "\n")


def refused(bundle: Path, reason: str) -> InputError:
    """Says that a bundle is not what it should be."""
    return InputError(
        f"The bundle {bundle} cannot be used: {reason}.",
        "Nothing was imported. Copy the bundle again from where it comes, or have it made anew.",
    )


@dataclass(frozen=True, slots=True)
class _List:
    """What ``bundle.json`` holds, besides its schema and kind."""

    about: dict[str, Any]
    files: tuple[StoredFile, ...]


def _list_from(content: bytes, kind: Kind, bundle: Path) -> _List:
    """The list from its bytes, which may come from anybody.

    Raises:
        InputError: It is none, or of another kind of bundle.
    """
    try:
        said = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise refused(bundle, f"its {LIST} is no JSON") from error
    schema = said.get("schema") if isinstance(said, dict) else None
    if schema != _SCHEMA and isinstance(schema, str) and _ANY_SCHEMA.fullmatch(schema):
        raise InputError(
            f"The bundle {bundle} was made by a newer version of Veracite.",
            "Install that version or a later one here, too.",
        )
    if schema != _SCHEMA:
        raise refused(bundle, f"its {LIST} is not of the schema {_SCHEMA}")
    if said.get("kind") != kind:
        other = "library" if kind == "models" else "models"
        raise InputError(
            f"The bundle {bundle} does not hold {'models' if kind == 'models' else 'a library'}.",
            f"If it is one of the other kind, `veracite {other} import` takes it.",
        )
    try:
        listed = msgspec.convert(said, _List)
    except ValueError as error:
        raise refused(bundle, f"a value in its {LIST} is impossible ({error})") from error
    for file in listed.files:
        if not stays_inside(file.path) or file.path == LIST:
            raise refused(bundle, f"{quoted(file.path)} is no name that a file in it can have")
    if len({file.path.casefold() for file in listed.files}) < len(listed.files):
        raise refused(bundle, f"its {LIST} names a file twice")
    return listed


def _sizes(archive: zipfile.ZipFile, path: Path, size: int) -> dict[str, int]:
    """The size of each entry but the list; nothing is compressed, and there is a list.

    Raises:
        InputError: It is otherwise.
    """
    entries = archive.infolist()
    if len(entries) > _MOST_ENTRIES:
        raise refused(path, f"it has more than {_MOST_ENTRIES} entries")
    if sum(entry.file_size for entry in entries) > size:
        raise refused(path, "it claims to hold more than it is long")
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
