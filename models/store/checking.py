"""Whether a model's files are still what its manifest says."""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from veracite.models.errors import ModelError
from veracite.models.gguf_file import open_file
from veracite.models.store.manifest import MANIFEST, ModelManifest, StoredFile, read_manifest

__all__ = [
    "FileChecked",
    "Hashing",
    "check",
    "describe",
    "problem_of",
    "require_as_stored",
    "stray_files",
]

_BLOCK = 2**20
_BETWEEN = 64 * _BLOCK
"""Bytes that are hashed from one event to the next."""


@dataclass(frozen=True, slots=True)
class Hashing:
    """So many bytes of all files were hashed."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class FileChecked:
    """One file was compared with what is known of it."""

    path: str
    """Relative to the model's folder."""
    problem: str | None
    """What is wrong with it, in a few words."""
    error: ModelError | None = None
    """Why no file could be looked at."""


def check(folder: Path, manifest: ModelManifest) -> Iterator[Hashing | FileChecked]:
    """Compare sizes and SHA-256 of all files; what is not in the manifest is a problem too.

    Raises:
        ModelError: A file is there and cannot be opened.
        OSError: It cannot be read.
    """
    done = 0
    for file in manifest.files:
        path = folder / file.path
        problem = problem_of(path, file)
        if problem is None:
            sha256 = hashlib.sha256()
            for size in _hashed(path, sha256):
                yield Hashing(done + size, manifest.size)
            if sha256.hexdigest() != file.sha256:
                problem = "its SHA-256 is another one"
        done += file.size
        yield FileChecked(file.path, problem)
    for stray in sorted(stray_files(folder, manifest)):
        yield FileChecked(stray, "it does not belong to the model")


def require_as_stored(path: Path, sha256: str) -> None:
    """Nothing, unless a file lies in a model's folder whose manifest says another SHA-256 of it.

    Raises:
        ModelError: It does.
    """
    real = path.resolve()
    folder, name = real.parent, real.name
    if not (folder / MANIFEST).is_file():
        return
    try:
        manifest = read_manifest(folder)
    except ModelError:  # some other application's, or one that the store itself complains of
        return
    if any(file.path == name and file.sha256 != sha256 for file in manifest.files):
        raise ModelError(
            f"The model {manifest.name} was damaged or changed: the SHA-256 of {name} is not "
            "the one that it came with.",
            f"See `veracite models verify {manifest.name}`; then remove it with `veracite models "
            f"remove {manifest.name}`, and pull or import it again.",
            "damaged in the store",
        )


def describe(path: Path, name: str) -> StoredFile:
    """A file that is to be called ``name`` in a manifest.

    Raises:
        ModelError: It cannot be opened.
        OSError: It cannot be read.
    """
    sha256, size = hashlib.sha256(), 0
    for size in _hashed(path, sha256):  # noqa: B007
        pass
    return StoredFile(name, size, sha256.hexdigest())


def problem_of(path: Path, file: StoredFile) -> str | None:
    """What is wrong with a file at first sight: no ordinary file, or of another size."""
    if path.is_symlink() or not path.is_file():
        return "it is a link or no file" if os.path.lexists(path) else "it is missing"
    size = path.stat().st_size
    return None if size == file.size else f"it has {size:,} bytes and should have {file.size:,}"


def stray_files(folder: Path, manifest: ModelManifest) -> set[str]:
    """What is in a model's folder and not in its manifest."""
    there = {
        Path(place, name).relative_to(folder).as_posix()
        for place, folders, files in os.walk(folder)
        for name in (*files, *(name for name in folders if Path(place, name).is_symlink()))
    }
    return there - {file.path for file in manifest.files} - {MANIFEST}


def _hashed(path: Path, sha256: "hashlib._Hash") -> Iterator[int]:
    """Hash a file; gives the bytes done now and then, and at the end."""
    done = 0
    with open_file(path) as file:
        while block := file.read(_BLOCK):
            sha256.update(block)
            done += len(block)
            if done % _BETWEEN == 0:
                yield done
    yield done
