"""``manifest.json`` beside a stored model: what it is, where it comes from, what it must hash to.

Manifests come from other machines in bundles, so nothing in one is believed before it is checked.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Literal, get_args

from veracite.models.errors import ModelError
from veracite.models.store.names import is_name, stays_inside

__all__ = [
    "MANIFEST",
    "SCHEMA",
    "Kind",
    "ModelManifest",
    "StoredFile",
    "manifest_from",
    "read_manifest",
]

SCHEMA = "veracite.model/1"
MANIFEST = "manifest.json"

Kind = Literal["generator", "encoder", "cross-encoder"]

_SHA256 = re.compile(r"[0-9a-f]{64}")
_LARGEST = 2**20
"""Bytes of a manifest; ours have some two thousand."""
_MOST_FILES = 1000


@dataclass(frozen=True, slots=True)
class StoredFile:
    """One file of a model."""

    path: str
    """Relative to the model's folder, with ``/`` between its parts."""
    size: int
    """In bytes."""
    sha256: str


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
    context: int | None
    """Tokens that it was trained for."""
    parameters: int | None
    quantisation: str | None
    """As its makers call it: ``Q4_K_M``."""
    files: tuple[StoredFile, ...]
    """The first one holds the weights."""
    pinned: bool
    """Whether the hashes were known before; else they were recorded when it first came."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """What only an encoder or cross-encoder has: pooling, threshold, max_length, ..."""

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)

    def as_mapping(self) -> dict[str, Any]:
        """What ``manifest.json`` holds."""
        return {"schema": SCHEMA, **asdict(self)}


def read_manifest(folder: Path) -> ModelManifest:
    """The manifest of the model in a folder of the store.

    Raises:
        ModelError: It is missing, damaged, or of another model.
    """
    try:
        with open(folder / MANIFEST, "rb") as file:
            manifest = manifest_from(file.read(_LARGEST + 1))
    except OSError as error:
        raise _unusable(folder, error.strerror or str(error)) from error
    except ModelError as error:
        raise _unusable(folder, error.message) from error
    if manifest.name != folder.name:
        raise _unusable(folder, f"it says that its name is {manifest.name}")
    return manifest


def _unusable(folder: Path, reason: str) -> ModelError:
    return ModelError(
        f"The model {folder.name} has no usable {MANIFEST} ({reason.rstrip('.')}).",
        f"Remove it with `veracite models remove {folder.name}`, and pull or import it again.",
        "damaged in the store",
    )


def manifest_from(content: bytes) -> ModelManifest:
    """A manifest from its bytes, which may come from anybody.

    Raises:
        ModelError: It is no manifest, or something in it cannot be.
    """
    if len(content) > _LARGEST:
        raise _wrong("it is too long")
    try:
        said = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise _wrong("it is no JSON") from error
    if not isinstance(said, dict) or said.get("schema") != SCHEMA:
        raise _wrong(f"it is not of the schema {SCHEMA}")
    name, details = said.get("name"), said.get("details", {})
    if not isinstance(name, str) or not is_name(name):
        raise _wrong("its name cannot be a model's")
    if said.get("kind") not in get_args(Kind):
        raise _wrong("its kind is unknown")
    if not isinstance(said.get("pinned"), bool) or not isinstance(details, dict):
        raise _wrong("a value in it is of the wrong type")
    return ModelManifest(
        name=name,
        kind=said["kind"],
        licence=_text(said, "licence"),
        source=_text(said, "source") or "unknown",
        revision=_text(said, "revision"),
        context=_count(said, "context"),
        parameters=_count(said, "parameters"),
        quantisation=_text(said, "quantisation"),
        files=_files(said.get("files")),
        pinned=said["pinned"],
        details=details,
    )


def _files(said: Any) -> tuple[StoredFile, ...]:
    if not isinstance(said, list) or not 0 < len(said) <= _MOST_FILES:
        raise _wrong("its list of files is none, empty or too long")
    files = tuple(_file(entry) for entry in said)
    _require_distinct(file.path for file in files)
    return files


def _file(said: Any) -> StoredFile:
    if not isinstance(said, dict):
        raise _wrong("its list of files is none")
    path, size, sha256 = said.get("path"), _count(said, "size"), said.get("sha256")
    if not isinstance(path, str) or not stays_inside(path):
        raise _wrong(f"no file of a model can be at {str(path)[:100]!r}")
    if size is None or not isinstance(sha256, str) or not _SHA256.fullmatch(sha256):
        raise _wrong(f"the size or hash of {path[:100]!r} is missing or impossible")
    return StoredFile(path, size, sha256)


def _require_distinct(paths: Iterable[str]) -> None:
    """No path is there twice, is the manifest's own, or lies below another one."""
    seen = {MANIFEST}
    for path in sorted(path.casefold() for path in paths):
        if path in seen or any(str(above) in seen for above in PurePosixPath(path).parents):
            raise _wrong(f"the file {path[:100]!r} cannot be where another one is")
        seen.add(path)


def _text(said: Mapping[str, Any], key: str) -> str | None:
    value = said.get(key)
    if value is not None and not isinstance(value, str):
        raise _wrong(f"its {key} is of the wrong type")
    return value


def _count(said: Mapping[str, Any], key: str) -> int | None:
    value = said.get(key)
    if value is not None and (type(value) is not int or not 0 <= value < 2**63):
        raise _wrong(f"its {key} is no possible number")
    return value


def _wrong(reason: str) -> ModelError:
    return ModelError(f"The manifest cannot be used: {reason}.", "Get the model again.")
