"""From a stick or another folder into the store: a GGUF file, or a network in its folder."""

import re
import shutil
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from veracite.models.errors import ModelError
from veracite.models.files import (
    blocks,
    name_from,
    require_name,
    require_room,
    stays_inside,
)
from veracite.models.gguf import read_header
from veracite.models.onnx import read_manifest
from veracite.models.store import (
    LARGEST_TEXT,
    TEXTS,
    Copied,
    Entry,
    Kind,
    ModelManifest,
    Store,
    StoredFile,
    describe,
    quantisation_in,
    recorded,
    registry,
    texts_among,
)

_FACTS: dict[Kind, str] = {"encoder": "encoder.json", "cross-encoder": "reranker.json"}
"""The file that describes a network of each kind."""
_DETAILS = ("pooling", "threshold", "max_length", "dimension", "separators")
_STATED = re.compile(r"---\n(?:(?!---).*\n)*?license:[ \t]*[\"']?([\w.+-]{1,100})[\"']?[ \t]*\n")


@dataclass(frozen=True, slots=True)
class Converting:
    """A network is being converted, which takes some seconds."""

    path: str


@dataclass(frozen=True, slots=True)
class Brought:
    """A model is in the store."""

    manifest: ModelManifest
    before: bool = False
    """Whether it was there already, with the same files."""


BringEvent = Copied | Converting | Brought


def bring(store: Store, path: Path, name: str | None = None) -> Iterator[BringEvent]:
    """Copy a model from elsewhere into the store; nothing is left there if that fails.

    Args:
        path: A GGUF file; or the folder of an encoder or reranker as it is published on Hugging
            Face, which is converted.
        name: What it is to be called; by default after the registry, if that knows the file, or
            after its path.

    Raises:
        ModelError: It is no model that can be used, there is one of the same name, or the disk
            refuses.
    """
    if name is not None:
        require_name(name)
        store.require_free(name)
    with store.stage() as staged:
        if not path.is_dir():
            manifest = yield from _generator(store, path, staged, name)
        elif (path / "config.json").is_file():
            yield Converting(path.name)
            manifest = converted(path, staged, name, _repository(path), licence_named_in(path))
        else:
            raise ModelError(
                f"There is no model in the folder {path} that can be imported.",
                "Name a GGUF file, or an encoder's or reranker's folder with a config.json in it.",
            )
        store.adopt(staged, manifest)
    yield Brought(manifest)


def write(
    content: Iterable[bytes], target: Path, name: str, total: int
) -> Generator[Copied, None, StoredFile]:
    """Write a file of a model; returns it as a manifest lists it.

    Args:
        target: Of the file; its folder is made.
        name: Of the file in the manifest.
        total: Bytes that are expected.

    Raises:
        OSError: The disk refuses.
    """

    def written() -> Iterator[bytes]:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with target.open("xb") as file:
            for block in content:
                file.write(block)
                yield block

    return (yield from recorded(written(), name, total))


def recognised(manifest: ModelManifest) -> ModelManifest:
    """The manifest with what the registry knows of exactly these files, where it does."""
    entry = _entry_of(manifest.own_files)
    if entry is None:
        return replace(manifest, pinned=False)
    return replace(
        manifest,
        licence=entry.licence,
        source=entry.repository,
        revision=entry.revision,
        quantisation=entry.quantisation,
        pinned=True,
    )


def _entry_of(files: Iterable[StoredFile]) -> Entry | None:
    """The model of the registry that consists of exactly these files."""
    hashes = {file.sha256 for file in files}
    return next((e for e in registry() if {file.sha256 for file in e.files} == hashes), None)


def prove(folder: Path, manifest: ModelManifest) -> None:
    """Look into a model's files, in their place or on the way there.

    A network is opened and reads a sentence.

    Raises:
        ModelError: They hold no model of the manifest's kind that can be used, or it needs a file
            that the manifest does not list.
    """
    if manifest.kind == "generator":
        read_header(folder / manifest.files[0].path)
        return
    from veracite.models.bundled import stored_encoder
    from veracite.models.reranker import stored_reranker

    sentence, described = "The cat sleeps all day.", _FACTS[manifest.kind]
    try:
        facts = read_manifest(folder / described, manifest.kind)
        if {facts.file, facts.tokenizer, described} != {f.path for f in manifest.own_files}:
            raise ValueError(manifest.files)
        if manifest.kind == "encoder":
            with closing(stored_encoder(folder)) as encoder:
                encoder.encode([sentence])
        else:
            with closing(stored_reranker(folder)) as reranker:
                reranker.score([(sentence, sentence)])
    except (ModelError, ValueError, KeyError, TypeError, IndexError) as error:
        raise ModelError(
            f"The model {manifest.name} cannot be used: what describes its network and the files "
            "that this names do not fit together.",
            "Get the model again, or import its folder as it is published on Hugging Face.",
        ) from error


def converted(
    folder: Path, out: Path, name: str | None, repository: str, licence: str | None
) -> ModelManifest:
    """Convert a network as it is published on Hugging Face, and describe what came of it.

    The licences and notices in its folder, or those that were kept in it, come along.

    Args:
        out: An empty folder.
        name: What it is to be called, if not as its repository.
        repository: ``<owner>/<name>``.
        licence: An SPDX expression, if one is known.

    Raises:
        ModelError: It cannot be converted.
        OSError: ``out`` cannot be written.
    """
    from veracite.models.conversion import convert

    facts = convert(folder, out, repository, licence or "unknown")
    kind: Kind = "encoder" if facts.file == "encoder.onnx" else "cross-encoder"
    files = [describe(out / part, part) for part in (facts.file, facts.tokenizer, _FACTS[kind])]
    for place in (folder, folder / TEXTS):
        for text in texts_among(path.name for path in place.glob("*")):
            source, target = place / text, out / f"{TEXTS}{text}"
            small = source.is_file() and source.stat().st_size <= LARGEST_TEXT
            if small and stays_inside(text) and not target.exists():
                target.parent.mkdir(mode=0o700, exist_ok=True)
                shutil.copyfile(source, target)
                files.append(describe(target, f"{TEXTS}{text}"))
    return ModelManifest(
        name=name or name_from(repository.rpartition("/")[2]),
        kind=kind,
        licence=licence,
        source=facts.origin,
        files=tuple(files),
        pinned=False,
        details={key: facts.details[key] for key in _DETAILS if facts.details.get(key) is not None},
    )


def licence_named_in(folder: Path) -> str | None:
    """The licence that the head of a folder's README.md names, as repositories of the hub do."""
    try:
        with (folder / "README.md").open(encoding="utf-8", errors="replace") as file:
            stated = _STATED.match(file.read(LARGEST_TEXT))
    except OSError:
        return None
    return stated[1] if stated and stated[1] != "other" else None


def _generator(
    store: Store, path: Path, staged: Path, name: str | None
) -> Generator[BringEvent, None, ModelManifest]:
    read_header(path)
    part, size = name_from(path.stem) + ".gguf", path.stat().st_size
    require_room(store.folder, size)
    file = yield from write(blocks(path), staged / part, part, size)
    entry = _entry_of([file])
    named = name or (entry.name if entry else name_from(path.stem))
    quantisation = quantisation_in(path.stem)
    return recognised(generator(staged, named, path.name, (file,), quantisation=quantisation))


def generator(
    folder: Path, name: str, source: str, files: tuple[StoredFile, ...], **said: Any
) -> ModelManifest:
    """The manifest of a language model, of which the header of its first file tells the most.

    Args:
        said: What else is known of it.

    Raises:
        ModelError: As ``read_header``.
    """
    header = read_header(folder / files[0].path)
    known = {"context": header.context_length, "parameters": header.parameters, **said}
    known.setdefault("pinned", False)
    return ModelManifest(name=name, kind="generator", source=source, files=files, **known)


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
