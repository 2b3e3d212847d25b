"""Encoders and rerankers of the store: ``encoder.json``, or ``reranker.json``, beside the weights
and the tokenizer that it names."""

from pathlib import Path
from typing import Any

from veracite.models.errors import ModelError
from veracite.models.manifest import read_manifest
from veracite.models.store import licences
from veracite.models.store.checking import describe
from veracite.models.store.manifest import Kind, ModelManifest, StoredFile
from veracite.models.store.names import name_from, stays_inside

__all__ = ["converted", "folder_of", "holds", "manifest", "parts", "prove", "require_whole"]

_FACTS: dict[str, Kind] = {"encoder.json": "encoder", "reranker.json": "cross-encoder"}
"""The file that describes a network of each kind."""
_DETAILS = ("pooling", "threshold", "max_length", "dimension", "separators")
_LARGEST_FACTS = 2**20


def holds(folder: Path) -> bool:
    """Whether a network lies in a folder in the form of the store."""
    return any((folder / facts).is_file() for facts in _FACTS)


def parts(folder: Path) -> tuple[str, str, str]:
    """Names of a network's files: the weights, the tokenizer, what describes them; all are there.

    Raises:
        ModelError: It names others, or one is missing.
    """
    described = [facts for facts in _FACTS if (folder / facts).is_file()]
    if len(described) != 1 or (folder / described[0]).stat().st_size > _LARGEST_FACTS:
        raise _unusable(folder)
    facts = read_manifest(folder / described[0], _FACTS[described[0]])
    names = (facts.file, facts.tokenizer, described[0])
    if len(set(names)) < 3 or not all(stays_inside(name) and "/" not in name for name in names):
        raise _unusable(folder)
    if missing := [name for name in names if not (folder / name).is_file()]:
        raise ModelError(
            f"The model in {folder} is not complete: there is no {missing[0]}.",
            "Import the folder that all its files came in.",
        )
    return names


def folder_of(model: Path) -> Path:
    """Where an ONNX file lies, if what belongs to it lies beside it.

    Raises:
        ModelError: It does not.
    """
    if not holds(model.parent):
        raise ModelError(
            f"{model} alone cannot be imported: it does not say how texts are cut into tokens.",
            "Put the tokenizer and the encoder.json or reranker.json that it came with beside it, "
            "or import the model's whole folder as it is published on Hugging Face.",
        )
    weights, _, facts = parts(model.parent)
    if weights != model.name:
        raise ModelError(
            f"The {facts} beside {model} is about another file.",
            "Import the folder that the two came in.",
        )
    return model.parent


def require_whole(path: Path) -> None:
    """Nothing, unless the weights of an encoder or reranker are named without what belongs to them.

    Raises:
        ModelError: They are.
    """
    if path.suffix.lower() in (".bin", ".safetensors") and (path.parent / "config.json").is_file():
        raise ModelError(
            f"{path} is only a part of a model: its weights.",
            f"Name the folder that the whole model lies in: {path.absolute().parent}",
        )


def manifest(folder: Path, name: str | None, files: tuple[StoredFile, ...]) -> ModelManifest:
    """Of a network in the form of the store.

    Args:
        name: What it is to be called, if not as its own description says.
        files: In the order of ``parts``.

    Raises:
        ModelError: That description is damaged.
    """
    described = files[-1].path
    kind = _FACTS[described]
    facts = read_manifest(folder / described, kind)
    details: dict[str, Any] = {key: facts.details.get(key) for key in _DETAILS}
    return ModelManifest(
        name=name or name_from(facts.name.rpartition("/")[2]),
        kind=kind,
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


def converted(
    folder: Path, out: Path, name: str | None, repository: str | None = None, *, licence: str
) -> ModelManifest:
    """Convert a network as it is published on Hugging Face, and describe what came of it.

    Args:
        out: An empty folder.
        name: What it is to be called, if not as its repository.
        repository: ``<owner>/<name>``; None where only the folder can tell.
        licence: An SPDX expression, or ``unknown``.

    Raises:
        ModelError: It cannot be converted.
        OSError: ``out`` cannot be written.
    """
    from veracite.models.conversion.convert import convert

    convert(folder, out, repository or _repository(folder), licence)
    return manifest(out, name, tuple(describe(out / part, part) for part in parts(out)))


def prove(folder: Path, manifest: ModelManifest) -> None:
    """Open a network and have it read a sentence.

    Raises:
        ModelError: It cannot, or it needs a file that its manifest does not list.
    """
    from veracite.models.bundled import stored_encoder
    from veracite.models.reranker import stored_reranker

    sentence = "The cat sleeps all day."
    try:
        names = parts(folder)
        if set(names) != {file.path for file in licences.own_files(manifest)}:
            raise ValueError(manifest.files)
        if _FACTS[names[-1]] != manifest.kind:
            raise ValueError(manifest.kind)
        if manifest.kind == "encoder":
            encoder = stored_encoder(folder)
            try:
                encoder.encode([sentence])
            finally:
                encoder.close()
        else:
            reranker = stored_reranker(folder)
            try:
                reranker.score([(sentence, sentence)])
            finally:
                reranker.close()
    except (ModelError, ValueError, KeyError, TypeError, IndexError) as error:
        raise _unusable(folder, manifest.name) from error


def _repository(folder: Path) -> str:
    """``<owner>/<name>`` of a model, as far as its folder tells.

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
        f"The model {name or folder} cannot be used: what describes its network and the files that "
        "this names do not fit together.",
        "Get the model again, or import its folder as it is published on Hugging Face.",
    )
