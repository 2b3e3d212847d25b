"""From a stick or another folder into the store: a GGUF file, or a network in its folder."""

import hashlib
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from veracite.models.errors import ModelError
from veracite.models.gguf_file import open_file
from veracite.models.gguf_header import read_header
from veracite.models.store import licences, networks
from veracite.models.store.disk import disk_errors, require_room
from veracite.models.store.manifest import ModelManifest, StoredFile
from veracite.models.store.names import name_from, require_name
from veracite.models.store.registry import Entry, quantisation_in, registry
from veracite.models.store.store import Store

__all__ = ["BringEvent", "Brought", "Converting", "Copied", "bring", "prove", "recognised", "write"]

_BLOCK = 2**20


@dataclass(frozen=True, slots=True)
class Copied:
    """So many bytes of a file are in the store."""

    path: str
    done: int
    total: int


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
        path: A GGUF file; an encoder or reranker that was converted, as its folder or its ONNX
            file; or the folder of one as it is published on Hugging Face, which is converted.
        name: What it is to be called; by default after the registry, if that knows the file, or
            after its path.

    Raises:
        ModelError: It is no model that can be used, there is one of the same name, or the disk
            refuses.
    """
    if name is not None:
        require_name(name)
        store.require_free(name)
    if path.suffix.lower() == ".onnx" and path.is_file():
        path = networks.folder_of(path)
    with store.stage() as staged, disk_errors(store.folder):
        if not path.is_dir():
            networks.require_whole(path)
            manifest = yield from _generator(store, path, staged, name)
        elif networks.holds(path):
            manifest = yield from _network(store, path, staged, name)
        elif (path / "config.json").is_file():
            yield Converting(path.name)
            manifest = _published(path, staged, name)
        else:
            raise ModelError(
                f"There is no model in the folder {path} that can be imported.",
                "Name a GGUF file, or an encoder's or reranker's folder with a config.json in it.",
            )
        store.adopt(staged, manifest)
    yield Brought(manifest)


def write(
    blocks: Iterable[bytes], target: Path, name: str, total: int
) -> Generator[Copied, None, StoredFile]:
    """Write a file of a model; returns it as a manifest lists it.

    Args:
        target: Of the file; its folder is made.
        name: Of the file in the manifest.
        total: Bytes that are expected.

    Raises:
        OSError: The disk refuses.
    """
    sha256, done = hashlib.sha256(), 0
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with target.open("xb") as file:
        for block in blocks:
            sha256.update(block)
            file.write(block)
            done += len(block)
            yield Copied(name, done, total)
    return StoredFile(name, done, sha256.hexdigest())


def recognised(manifest: ModelManifest) -> ModelManifest:
    """The manifest with what the registry knows of exactly these files, where it does."""
    entry = _entry_with({file.sha256 for file in licences.own_files(manifest)})
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


def prove(folder: Path, manifest: ModelManifest) -> None:
    """Look into a model's files, in their place or on the way there.

    Raises:
        ModelError: They hold no model of the manifest's kind that can be used.
    """
    if manifest.kind == "generator":
        read_header(folder / manifest.files[0].path)
    else:
        networks.prove(folder, manifest)


def _entry_with(hashes: set[str]) -> Entry | None:
    """What the registry knows under these SHA-256, all of them."""
    for entry in registry():
        if {file.sha256 for file in entry.files} == hashes:
            return entry
    return None


def _generator(
    store: Store, path: Path, staged: Path, name: str | None
) -> Generator[BringEvent, None, ModelManifest]:
    header = read_header(path)
    part, size = name_from(path.stem) + ".gguf", path.stat().st_size
    require_room(store.folder, size)
    file = yield from write(_blocks(path), staged / part, part, size)
    entry = _entry_with({file.sha256})
    manifest = ModelManifest(
        name=name or (entry.name if entry else name_from(path.stem)),
        kind="generator",
        licence=None,
        source=path.name,
        revision=None,
        context=header.context_length,
        parameters=header.parameters,
        quantisation=quantisation_in(path.stem),
        files=(file,),
        pinned=False,
    )
    return recognised(manifest)


def _published(path: Path, staged: Path, name: str | None) -> ModelManifest:
    """An encoder or reranker as Hugging Face has it, with what its folder says of its licence."""
    licence = licences.named_in(path)
    made = networks.converted(path, staged, name, licence=licence or "unknown")
    return replace(made, files=(*made.files, *licences.take(path, staged)))


def _network(
    store: Store, path: Path, staged: Path, name: str | None
) -> Generator[BringEvent, None, ModelManifest]:
    """An encoder or reranker in the form of the store."""
    files = []
    for part in networks.parts(path):
        size = (path / part).stat().st_size
        require_room(store.folder, size)
        files.append((yield from write(_blocks(path / part), staged / part, part, size)))
    made = networks.manifest(staged, name, tuple(files))
    manifest = replace(made, files=(*made.files, *licences.take(path, staged)))
    prove(staged, manifest)
    return manifest


def _blocks(path: Path) -> Iterator[bytes]:
    with open_file(path) as file:
        while block := file.read(_BLOCK):
            yield block
