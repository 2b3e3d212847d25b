"""The manifest beside a model's weights: what they are, and how they are to be used."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veracite.models.errors import ModelError


@dataclass(frozen=True, slots=True)
class Manifest:
    """What ``encoder.json`` and ``verifier.json`` say."""

    name: str
    version: str
    file: str
    """Name of the ONNX file in the manifest's folder."""
    sha256: str
    """Of the ONNX file's bytes."""
    tokenizer: str
    """Name of its tokenizer.json; empty where it has none of its own."""
    tokenizer_sha256: str
    licence: str
    """An SPDX expression."""
    origin: str
    """Where the weights come from, for people."""
    max_length: int
    """Tokens that the model reads at most, special tokens included."""
    details: Mapping[str, Any]
    """The whole manifest; it holds what only one kind of model has."""

    @classmethod
    def unsaved(cls, max_length: int, details: Mapping[str, Any]) -> "Manifest":
        """Of a network that is tried out before it has files of its own."""
        return cls("unsaved", "1", "", "", "", "", "", "", max_length, details)

    @property
    def id(self) -> str:
        """Name and the start of the weights' SHA-256: other weights have another id.

        So have other vectors of the same weights: an encoder's pooling belongs to it unless it is
        "mean".
        """
        pooling = "-cls" if self.details.get("pooling") == "cls" else ""
        return f"{self.name}@{self.sha256[:12]}{pooling}"


def read_manifest(path: Path, kind: str) -> Manifest:
    """Read a manifest of a model called ``kind`` in messages.

    Raises:
        ModelError: the file is missing or is no manifest.
    """
    try:
        details = json.loads(path.read_bytes())
        return Manifest(
            name=str(details["name"]),
            version=str(details["version"]),
            file=str(details["file"]),
            sha256=str(details["sha256"]),
            tokenizer=str(details.get("tokenizer", "")),
            tokenizer_sha256=str(details.get("tokenizer_sha256", "")),
            licence=str(details["licence"]),
            origin=str(details["origin"]),
            max_length=int(details["max_length"]),
            details=details,
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _unusable(kind) from error


def read_network(folder: Path, kind: str) -> tuple[bytes, bytes, Manifest]:
    """A network's ONNX file, its tokenizer.json and its manifest, ``<kind>.json`` in a folder.

    A manifest that names no tokenizer means the encoder's.

    Raises:
        ModelError: a file is missing or its SHA-256 is not the manifest's.
    """
    manifest = read_manifest(folder / f"{kind}.json", kind)
    reads = manifest if manifest.tokenizer else read_manifest(folder / "encoder.json", kind)
    model = read_verified(folder / manifest.file, manifest.sha256, kind)
    return model, read_verified(folder / reads.tokenizer, reads.tokenizer_sha256, kind), manifest


def read_verified(path: Path, sha256: str, kind: str) -> bytes:
    """The bytes of a file whose SHA-256 is known.

    Raises:
        ModelError: the file is missing, unreadable or not the one that was expected.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise _unusable(kind) from error
    if hashlib.sha256(content).hexdigest() != sha256:
        raise _unusable(kind)
    return content


def _unusable(kind: str) -> ModelError:
    return ModelError(
        f"The bundled {kind} is missing or damaged.",
        "Install Veracite anew: `make demo` in its clone, or `sh install.sh` in its kit.",
    )
