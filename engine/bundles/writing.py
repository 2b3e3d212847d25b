"""Bundles are written whole or not at all, and can be read by their owner only."""

import errno
import hashlib
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veracite.engine.bundles.contents import LIST, Contents, Kind
from veracite.engine.bundles.reading import is_bundle
from veracite.engine.errors import InputError
from veracite.models.files import size_in_words
from veracite.models.store.manifest import StoredFile

_FILE_MODE = 0o100600
_DATE = (1980, 1, 1, 0, 0, 0)
"""So that the same content makes the same bundle."""


@dataclass(frozen=True, slots=True)
class Written:
    """So many bytes of all are in the bundle."""

    path: str
    """What is being written."""
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Exported:
    """A bundle is complete."""

    path: Path
    size: int
    """In bytes."""
    without_licence: tuple[str, ...] = ()
    """Models in it whose licence's text is not here, and so is not in it either."""


class BundleWriter:
    """A bundle in the making. Its methods raise OSError where the disk refuses."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self.files: dict[str, StoredFile] = {}

    def add(self, path: str, blocks: Iterable[bytes]) -> Iterator[int]:
        """Write a file; gives the bytes of it that are written after each block."""
        sha256, size = hashlib.sha256(), 0
        with self._archive.open(_entry(path), "w", force_zip64=True) as file:
            for block in blocks:
                sha256.update(block)
                size += len(block)
                file.write(block)
                yield size
        self.files[path] = StoredFile(path, size, sha256.hexdigest())

    def finish(self, kind: Kind, about: Mapping[str, Any]) -> None:
        """Write the list of everything that was added."""
        self._archive.writestr(_entry(LIST), Contents(kind, self.files, about).as_json())


@contextmanager
def new_bundle(path: Path, size: int) -> Iterator[BundleWriter]:
    """A bundle that takes its place, and that of a bundle there, when the block ends well.

    Args:
        path: Where the bundle is to be.
        size: Bytes that will be added, as far as they are known.

    Raises:
        InputError: It cannot be written, or something else is there.
    """
    try:
        target = path.resolve()
        if target.exists():
            _require_bundle(path, target)
        _require_room(target.parent, size)
        descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with open(descriptor, "wb") as file:
                with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
                    yield BundleWriter(archive)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise _told(error, path) from error


def _require_bundle(path: Path, target: Path) -> None:
    """Nothing, if what is there may be written over.

    Raises:
        InputError: It may not.
        OSError: It is no ordinary file.
    """
    if not target.is_file():
        raise OSError(errno.EEXIST, "it is no ordinary file")
    if not is_bundle(target, whole=True):
        raise InputError(
            f"{path} is there already and is no bundle.", "Name another file, or remove it first."
        )


def _entry(path: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(path, _DATE)
    entry.external_attr = _FILE_MODE << 16
    return entry


def _require_room(folder: Path, size: int) -> None:
    free = shutil.disk_usage(folder).free
    if size > free:
        raise OSError(
            errno.ENOSPC, f"{size_in_words(size)} are needed and {size_in_words(free)} are free"
        )


def _told(error: OSError, path: Path) -> InputError:
    if error.errno == errno.EFBIG:
        return InputError(
            f"{path} cannot be written: the disk takes no files of that size.",
            "Sticks with the file system FAT32 take 4 GB at most: format it with exFAT, or export "
            "the models one by one.",
        )
    return InputError(
        f"{path} cannot be written ({error.strerror or error}).",
        "Name a file in a folder of yours with room on its disk.",
    )
