"""``manifest.json`` beside a stored model: what it is, where it comes from, what it must hash to.

Manifests come from other machines in bundles, so nothing in one is believed before it is checked.
"""

import hashlib
import json
import os
import re
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

import msgspec

from veracite.models.errors import ModelError
from veracite.models.files import blocks, is_name, stays_inside

SCHEMA = "veracite.model/1"
MANIFEST = "manifest.json"

Kind = Literal["generator", "encoder", "cross-encoder"]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
Sha256 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]

_LARGEST = 2**20
"""Bytes of a manifest; ours have some two thousand."""
_BETWEEN = 64
"""Megabytes that are hashed from one event to the next."""

LARGEST_TEXT = 200_000
"""Bytes of a licence or notice; the longest licences have some forty thousand."""
_TEXTS = "licence/"
"""Where the texts that a model's makers publish beside it are kept, so that they travel with it."""
_TEXT = re.compile(r"(LICEN[SC]E|COPYING|NOTICE|USE_POLICY)(\.txt|\.md)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class StoredFile:
    """One file of a model."""

    path: str
    """Relative to the model's folder, with ``/`` between its parts."""
    size: Count
    """In bytes."""
    sha256: Sha256


@dataclass(frozen=True, slots=True)
class ModelManifest:
    """What is known of a stored model."""

    name: str
    """Lower-case letters, digits and ``.-_``; also the name of its folder."""
    kind: Kind
    licence: str | None
    """An SPDX expression, or a name where SPDX has none; None where it is unknown."""
    source: str
    """Where it comes from: a repository of the hub, or a file's name."""
    revision: str | None
    """The repository's commit."""
    context: Count | None
    """Tokens that it was trained for."""
    parameters: Count | None
    quantisation: str | None
    """As its makers call it: ``Q4_K_M``."""
    files: Annotated[tuple[StoredFile, ...], msgspec.Meta(min_length=1, max_length=1000)]
    """The first one holds the weights."""
    pinned: bool
    """Whether the hashes were known before; else they were recorded when it first came."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """What only an encoder or cross-encoder has: pooling, threshold, max_length, ..."""

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)

    @property
    def texts(self) -> tuple[StoredFile, ...]:
        """The licence and notices among the files, of which the first is never one."""
        others = self.files[1:]
        return tuple(f for f in others if f.path.startswith(_TEXTS) and f.size <= LARGEST_TEXT)

    @property
    def own_files(self) -> tuple[StoredFile, ...]:
        """The files without the texts: what a model is known by."""
        texts = self.texts
        return tuple(file for file in self.files if file not in texts)

    def as_mapping(self) -> dict[str, Any]:
        """What ``manifest.json`` holds."""
        return {"schema": SCHEMA, **asdict(self)}


def manifest_from(content: bytes) -> ModelManifest:
    """A manifest from its bytes, which may come from anybody.

    Raises:
        ModelError: It is no manifest, or something in it cannot be.
    """
    try:
        said = json.loads(content) if len(content) <= _LARGEST else None
        if not isinstance(said, dict) or said.get("schema") != SCHEMA:
            raise _wrong(f"it is not of the schema {SCHEMA}")
        manifest = msgspec.convert({**_UNSAID, **said}, ModelManifest)
    except (ValueError, RecursionError) as error:
        raise _wrong(str(error).rstrip(".")) from error
    if not is_name(manifest.name):
        raise _wrong("its name cannot be a model's")
    seen = {MANIFEST}
    for path in sorted(file.path for file in manifest.files):
        if not stays_inside(path):
            raise _wrong(f"no file of a model can be at {path[:100]!r}")
    for path in sorted(file.path.casefold() for file in manifest.files):
        if path in seen or any(str(above) in seen for above in PurePosixPath(path).parents):
            raise _wrong(f"the file {path[:100]!r} cannot be where another one is")
        seen.add(path)
    return manifest


_UNSAID = {"source": "unknown"} | dict.fromkeys(
    ("licence", "revision", "context", "parameters", "quantisation")
)


def read_manifest(folder: Path) -> ModelManifest:
    """The manifest of the model in a folder of the store.

    Raises:
        ModelError: It is missing, damaged, or of another model.
    """
    try:
        with open(folder / MANIFEST, "rb") as file:
            manifest = manifest_from(file.read(_LARGEST + 1))
        reason = "" if manifest.name == folder.name else f"it says that its name is {manifest.name}"
    except OSError as error:
        reason = error.strerror or str(error)
    except ModelError as error:
        reason = error.message
    if reason:
        raise ModelError(
            f"The model {folder.name} has no usable {MANIFEST} ({reason.rstrip('.')}).",
            f"Remove it with `veracite models remove {folder.name}`, and pull or import it again.",
            "damaged in the store",
        )
    return manifest


def _wrong(reason: str) -> ModelError:
    return ModelError(f"The manifest cannot be used: {reason}.", "Get the model again.")


def texts_among(names: Iterable[str]) -> tuple[str, ...]:
    """Those of a folder's or repository's own files that are licences or notices, in order."""
    found = {name.casefold(): name for name in names if _TEXT.fullmatch(name)}
    return tuple(found[name] for name in sorted(found))


def kept_as(name: str) -> str:
    """Where a text lies in the model's folder."""
    return _TEXTS + name


def state_terms(texts: Iterable[StoredFile]) -> bool:
    """Whether a licence is among the texts, rather than what is to be read beside it."""
    names = (file.path.removeprefix(_TEXTS).upper() for file in texts)
    return any(name.startswith(("LICEN", "COPYING")) for name in names)


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
    before = 0
    for file in manifest.files:
        problem = problem_of(folder / file.path, file)
        if problem is None:
            hashing = _hashed(folder / file.path, before, manifest.size)
            if (yield from hashing) != file.sha256:
                problem = "its SHA-256 is another one"
        before += file.size
        yield FileChecked(file.path, problem)
    for stray in sorted(stray_files(folder, manifest)):
        yield FileChecked(stray, "it does not belong to the model")


def _hashed(path: Path, before: int, total: int) -> Generator[Hashing, None, str]:
    sha256, done = hashlib.sha256(), before
    for number, block in enumerate(blocks(path), start=1):
        sha256.update(block)
        done += len(block)
        if number % _BETWEEN == 0:
            yield Hashing(done, total)
    yield Hashing(done, total)
    return sha256.hexdigest()


def describe(path: Path, name: str) -> StoredFile:
    """A file that is to be called ``name`` in a manifest.

    Raises:
        OSError: It cannot be read.
    """
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        return StoredFile(name, file.tell(), sha256)


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


def require_as_stored(path: Path, sha256: str) -> None:
    """Nothing, unless a file lies in a model's folder whose manifest says another SHA-256 of it.

    Raises:
        ModelError: It does.
    """
    real = path.resolve()
    try:
        manifest = read_manifest(real.parent)
    except ModelError:  # none, some other application's, or one that the store complains of
        return
    if any(file.path == real.name and file.sha256 != sha256 for file in manifest.files):
        raise ModelError(
            f"The model {manifest.name} was damaged or changed: the SHA-256 of {real.name} is not "
            "the one that it came with.",
            f"See `veracite models verify {manifest.name}`; then remove it with `veracite models "
            f"remove {manifest.name}`, and pull or import it again.",
            "damaged in the store",
        )
