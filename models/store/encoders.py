"""Encoders of the store: ``encoder.json`` beside the weights and the tokenizer that it names."""

from pathlib import Path
from typing import Any

from veracite.models.errors import ModelError
from veracite.models.manifest import read_manifest
from veracite.models.store.checking import describe
from veracite.models.store.manifest import ModelManifest, StoredFile
from veracite.models.store.names import name_from, stays_inside

__all__ = ["FACTS", "converted", "folder_of", "manifest", "parts", "prove"]

FACTS = "encoder.json"
_DETAILS = ("pooling", "threshold", "max_length", "dimension")
_LARGEST_FACTS = 2**20


def parts(folder: Path) -> tuple[str, str, str]:
    """Names of an encoder's files, the weights first; all are there.

    Raises:
        ModelError: It names others, or one is missing.
    """
    file = folder / FACTS
    if not file.is_file() or file.stat().st_size > _LARGEST_FACTS:
        raise _unusable(folder)
    facts = read_manifest(file, "encoder")
    names = (facts.file, facts.tokenizer, FACTS)
    if len(set(names)) < 3 or not all(stays_inside(name) and "/" not in name for name in names):
        raise _unusable(folder)
    if missing := [name for name in names if not (folder / name).is_file()]:
        raise ModelError(
            f"The encoder in {folder} is not complete: there is no {missing[0]}.",
            "Import the folder that all its files came in.",
        )
    return names


def folder_of(model: Path) -> Path:
    """Where an ONNX file lies, if what belongs to it lies beside it.

    Raises:
        ModelError: It does not.
    """
    if not (model.parent / FACTS).is_file():
        raise ModelError(
            f"{model} alone cannot be imported: it does not say how texts are cut into tokens.",
            f"Put the tokenizer and the {FACTS} that it came with beside it, or import the "
            "encoder's whole folder as it is published on Hugging Face.",
        )
    if parts(model.parent)[0] != model.name:
        raise ModelError(
            f"The {FACTS} beside {model} is about another file.",
            "Import the folder that the two came in.",
        )
    return model.parent


def manifest(folder: Path, name: str | None, files: tuple[StoredFile, ...]) -> ModelManifest:
    """Of an encoder in the form of the store.

    Args:
        name: What it is to be called, if not as its own ``encoder.json`` says.

    Raises:
        ModelError: That file is damaged.
    """
    facts = read_manifest(folder / FACTS, "encoder")
    details: dict[str, Any] = {key: facts.details.get(key) for key in _DETAILS}
    return ModelManifest(
        name=name or name_from(facts.name.rpartition("/")[2]),
        kind="encoder",
        licence=None if facts.licence == "unknown" else facts.licence,
        source=facts.origin,
        revision=None,
        context=None,
        parameters=None,
        quantisation=None,
        files=files,
        pinned=False,
        details={key: value for key, value in details.items() if value is not None},
    )


def converted(folder: Path, out: Path, name: str | None) -> ModelManifest:
    """Convert an encoder as it is published on Hugging Face, and describe what came of it.

    Args:
        out: An empty folder.

    Raises:
        ModelError: It cannot be converted.
        OSError: ``out`` cannot be written.
    """
    from veracite.models.conversion.convert import convert

    convert(folder, out, _repository(folder), "unknown")
    files = tuple(describe(out / part, part) for part in parts(out))
    return manifest(out, name, files)


def prove(folder: Path, manifest: ModelManifest) -> None:
    """Open an encoder and have it encode a sentence.

    Raises:
        ModelError: It cannot, or it needs a file that its manifest does not list.
    """
    from veracite.models.bundled import stored_encoder

    try:
        if set(parts(folder)) != {file.path for file in manifest.files}:
            raise ValueError(manifest.files)
        encoder = stored_encoder(folder)
        try:
            encoder.encode(["The cat sleeps all day."])
        finally:
            encoder.close()
    except (ModelError, ValueError, KeyError, TypeError) as error:
        raise _unusable(folder, manifest.name) from error


def _repository(folder: Path) -> str:
    """``<owner>/<name>`` of an encoder, as far as its folder tells.

    In the cache of the Hugging Face libraries it lies in
    ``models--<owner>--<name>/snapshots/<commit>``.
    """
    folder = folder.absolute()
    for part in reversed(folder.parts):
        if part.startswith("models--"):
            return part.removeprefix("models--").replace("--", "/", 1)
    return folder.name


def _unusable(folder: Path, name: str | None = None) -> ModelError:
    return ModelError(
        f"The encoder {name or folder} cannot be used: {FACTS} and the files that it names do not "
        "fit together.",
        "Get the model again, or import its folder as it is published on Hugging Face.",
    )
