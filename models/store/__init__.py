"""The folder of models: ``<models>/<name>/`` holds a manifest and the files that it lists.

A model appears there complete or not at all. What is being fetched lies in ``.staging``, on the
same disk, until it is moved into its place by one renaming.

A manifest says what a model is, where it comes from and what its files must hash to. Some come from
other machines in bundles, so nothing in one is believed before it is checked. ``registry.toml``
names small open models that can be pulled by name.
"""

import hashlib
import json
import os
import re
import shutil
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from importlib.resources import files
from pathlib import Path, PurePosixPath
from secrets import token_hex
from typing import Annotated, Any, Literal, get_args

import msgspec
from filelock import FileLock, Timeout

from veracite.models.errors import ModelError
from veracite.models.files import (
    blocks,
    disk_errors,
    is_name,
    name_from,
    require_name,
    require_room,
    stays_inside,
    sync,
    write_whole,
)
from veracite.models.gguf import USUAL_CONTEXT, read_header
from veracite.models.onnx import read_manifest as read_facts

# --- What is known of a model: manifests and the registry -------------------------------------

SCHEMA = "veracite.model/1"
MANIFEST = "manifest.json"

Kind = Literal["generator", "encoder", "cross-encoder", "verifier"]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
Sha256 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]

LARGEST_MANIFEST = 2**20
"""Bytes of a manifest; ours have some two thousand."""

_RUNTIME = 200_000_000
"""Bytes for one decoding and the runtime."""

_ANY_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+")
_ANY_GGUF = re.compile(r"([\w.-]+/[\w.-]+)/((?:[\w. -]+/)*[\w. -]+\.gguf)")


@dataclass(frozen=True, slots=True)
class StoredFile:
    """One file of a model."""

    path: str
    """Relative to the model's folder, with ``/`` between its parts."""
    size: Count
    """In bytes."""
    sha256: Sha256


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelManifest:
    """What is known of a stored model; None is what is not."""

    name: str
    """Lower-case letters, digits and ``.-_``; also the name of its folder."""
    kind: Kind
    licence: str | None = None
    """An SPDX expression, or a name where SPDX has none."""
    source: str = "unknown"
    """Where it comes from: a repository of the hub, or a file's name."""
    revision: str | None = None
    """The repository's commit."""
    quantisation: str | None = None
    """As its makers call it: ``Q4_K_M``."""
    files: Annotated[tuple[StoredFile, ...], msgspec.Meta(min_length=1, max_length=1000)]
    """The first one holds the weights."""
    pinned: bool = False
    """Whether the hashes were known before; else they were recorded when it first came."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """What only an encoder or cross-encoder has: pooling, threshold, max_length, ..."""

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)


def manifest_from(content: bytes) -> ModelManifest:
    """A manifest from its bytes, which may come from anybody.

    Raises:
        ModelError: It is no manifest, or something in it cannot be.
    """
    try:
        said = msgspec.json.decode(content[: LARGEST_MANIFEST + 1], type=dict[str, Any])
        if len(content) > LARGEST_MANIFEST or said.get("schema") != SCHEMA:
            raise ValueError(f"it is not of the schema {SCHEMA}")
        manifest = msgspec.convert(said, ModelManifest)
        if not is_name(manifest.name):
            raise ValueError("its name cannot be a model's")
        seen = {MANIFEST}
        for path in sorted(file.path.casefold() for file in manifest.files):
            above = {str(folder) for folder in PurePosixPath(path).parents}
            if not stays_inside(path) or path in seen or above & seen:
                raise ValueError(f"no file of a model can be at {path[:100]!r}")
            seen.add(path)
    except (ValueError, RecursionError) as error:
        raise ModelError(
            f"The manifest cannot be used: {str(error).rstrip('.')}.", "Get the model again."
        ) from error
    return manifest


def read_manifest(folder: Path) -> ModelManifest:
    """The manifest of the model in a folder of the store.

    Raises:
        ModelError: It is missing, damaged, or of another model.
    """
    try:
        with open(folder / MANIFEST, "rb") as file:
            manifest = manifest_from(file.read(LARGEST_MANIFEST + 1))
        if manifest.name == folder.name:
            return manifest
        reason = f"it says that its name is {manifest.name}"
    except (OSError, ModelError) as error:
        reason = getattr(error, "message", None) or getattr(error, "strerror", None) or str(error)
    reason = reason.rstrip(".")
    raise damaged(folder.name, f"The model {folder.name} has no usable {MANIFEST} ({reason}).")


def damaged(name: str, message: str) -> ModelError:
    """Says that a model of the store is not what it was."""
    return ModelError(
        message,
        f"Remove it with `veracite models remove {name}`, and pull or import it again.",
        "damaged in the store",
    )


@dataclass(frozen=True, slots=True)
class Copied:
    """So many bytes of a file were copied."""

    path: str
    done: int
    total: int


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
    sha256, done = hashlib.sha256(), 0
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with target.open("xb") as file:
        for block in content:
            sha256.update(block)
            done += file.write(block)
            yield Copied(name, done, total)
    return StoredFile(name, done, sha256.hexdigest())


def describe(path: Path, name: str) -> StoredFile:
    """A file that is to be called ``name`` in a manifest.

    Raises:
        OSError: It cannot be read.
    """
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        return StoredFile(name, file.tell(), sha256)


def problems_of(folder: Path, manifest: ModelManifest, *, hashed: bool = False) -> dict[str, str]:
    """What is wrong with what is in a model's folder, by its path there.

    Args:
        hashed: Compare the files' SHA-256 too, which takes seconds for a large one.

    Raises:
        OSError: A file cannot be read.
    """
    found = (path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    stray = {path.relative_to(folder).as_posix() for path in found} - {MANIFEST}
    stray -= {file.path for file in manifest.files}
    problems = dict.fromkeys(sorted(stray), "it does not belong to the model")
    for file in manifest.files:
        path = folder / file.path
        if path.is_symlink() or not path.is_file() or path.stat().st_size != file.size:
            problems[file.path] = f"it is missing, or no file of {file.size:,} bytes"
        elif hashed and describe(path, file.path) != file:
            problems[file.path] = "its SHA-256 is another one"
    return problems


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
        raise damaged(
            manifest.name,
            f"The model {manifest.name} was damaged or changed: the SHA-256 of {real.name} is not "
            "the one that it came with.",
        )


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file of the hub, and what it must be, as far as that is known."""

    path: str
    size: Count | None = None
    sha256: Sha256 | None = None
    """Of the small files that the hub keeps in git itself, it tells none."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A model of the hub."""

    name: str
    kind: Kind
    repository: str
    files: tuple[RemoteFile, ...] = ()
    """Of an encoder or cross-encoder mostly none: which it has, its repository tells."""
    licence: str | None = None
    """An SPDX expression, or the licence's own name."""
    context: int | None = None
    """Tokens that it was trained for."""
    parameters: int | None = None
    quantisation: str | None = None
    cache: int | None = None
    """Bytes of keys and values for each token of the context."""
    revision: str | None = None
    """A commit; None for the newest."""

    @property
    def size(self) -> int | None:
        """Bytes of all files, where that is known."""
        sizes = [file.size for file in self.files if file.size is not None]
        return sum(sizes) if self.files and len(sizes) == len(self.files) else None

    @property
    def memory(self) -> int | None:
        """Bytes that a generator takes with its usual context, estimated as the registry says."""
        if self.size is None or self.cache is None or self.context is None:
            return None
        return self.size + self.cache * min(self.context, USUAL_CONTEXT) + _RUNTIME


def registry() -> tuple[Entry, ...]:
    """All models that are known, in the file's order."""
    text = files("veracite.models.store").joinpath("registry.toml").read_bytes()
    return msgspec.toml.decode(text, type=dict[str, tuple[Entry, ...]])["model"]


def entry_of(name: str, called: str | None = None) -> Entry:
    """The entry of a name, of any GGUF file as ``OWNER/REPOSITORY/FILE.gguf``, or of any encoder
    as ``OWNER/REPOSITORY``; that a repository holds a reranker or a verifier, its conversion finds
    out.

    Args:
        called: What it is to be called, if not as by itself.

    Raises:
        ModelError: There is no such entry, or nothing can be called so.
    """
    if called is not None:
        require_name(called)
        return replace(entry_of(name), name=called)
    known = {entry.name: entry for entry in registry()}
    if name in known:
        return known[name]
    if found := _ANY_GGUF.fullmatch(name):
        called = name_from(found[2].rpartition("/")[2].removesuffix(".gguf"))
        return Entry(called, "generator", found[1], (RemoteFile(found[2]),))
    if _ANY_REPOSITORY.fullmatch(name):
        return Entry(name_from(name.rpartition("/")[2]), "encoder", name)
    raise ModelError(
        f"No model named {name!r} is known.",
        "`veracite models list` names those that are; name any other on the hub "
        "OWNER/REPOSITORY/FILE.gguf, or OWNER/REPOSITORY if it is an encoder, reranker or "
        "verifier.",
        "not known",
    )


# --- The folder -------------------------------------------------------------------------------

STAGING = ".staging"
"""The folder of a store in which models are put together."""
_FILES = "files"
_PRIVATE = ".tmp-"
"""No model's name begins so."""
_IN_USE = ".in-use.json"


@contextmanager
def staging(folder: Path, name: str | None = None) -> Iterator[Path]:
    """A folder to put something together in, kept by this process alone.

    Args:
        folder: What it is made in.
        name: Of what is put together. What was left in its folder by an earlier attempt is there,
            and stays. Without a name the folder is empty, and gone at the end.

    Raises:
        ModelError: Another process has it.
        OSError: The disk refuses.
    """
    place = folder / (name or f"{_PRIVATE}{token_hex(8)}")
    if name is None:
        for left in folder.glob(f"{_PRIVATE}*"):  # by processes that are no more
            with suppress(ModelError, OSError), _held(left):
                shutil.rmtree(left)
    with _held(place):
        files = place / _FILES
        files.mkdir(mode=0o700, exist_ok=True)
        try:
            yield files
        finally:
            if name is None:
                shutil.rmtree(place, ignore_errors=True)


@contextmanager
def _held(folder: Path) -> Iterator[Path]:
    """Create a folder and keep it for this process alone.

    Raises:
        ModelError: Another process has it.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with FileLock(folder / "lock", timeout=0):
            yield folder
    except Timeout:
        raise ModelError(
            f"Another process is already fetching {folder.name}.",
            "Wait until it has finished, then try again.",
        ) from None


@dataclass(frozen=True, slots=True)
class Verified:
    """All files of a model were compared with what is known of them."""

    name: str
    problems: Mapping[str, str]
    """By its path in the folder, what is wrong with a file; by "", why none could be looked at."""


@dataclass(frozen=True, slots=True)
class _InUse:
    """What ``.in-use.json`` holds."""

    in_use: dict[str, str]
    schema: Literal["veracite.in-use/1"] = "veracite.in-use/1"


class Store:
    """The models that were pulled or imported.

    Args:
        folder: Where they are (``Paths.models``); need not exist, and is created when something
            is put there.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def names(self) -> tuple[str, ...]:
        """Of all models, in alphabetical order, whether or not they can be used."""
        with disk_errors(self.folder):
            there = self.folder.iterdir() if self.folder.is_dir() else ()
            return tuple(sorted(f.name for f in there if is_name(f.name) and f.is_dir()))

    def get(self, name: str) -> ModelManifest:
        """What is known of a model.

        Raises:
            ModelError: There is none of this name, or its manifest is damaged.
        """
        return read_manifest(self.path(name))

    def path(self, name: str) -> Path:
        """The folder of a model.

        Raises:
            ModelError: There is none of this name.
        """
        if name not in self.names():
            raise ModelError(
                f"There is no model named {name!r} in the store.",
                "`veracite models list` shows all; what is part of Veracite, or of another "
                "application, is used where it is.",
                "no such model",
            )
        return self.folder / name

    def place(self, name: str) -> Path:
        """What is opened to use a model: a generator's file, the folder of any other.

        Raises:
            ModelError: There is no such model, its manifest is damaged, or the file of its weights
                is gone or of another size.
        """
        folder, manifest = self.path(name), self.get(name)
        first = manifest.files[0]
        file = folder / first.path
        if not file.is_file() or file.stat().st_size != first.size:
            raise damaged(
                name, f"The model {name} is damaged: {first.path} is missing or of the wrong size."
            )
        return file if manifest.kind == "generator" else folder

    def require_free(self, name: str) -> None:
        """Nothing, if no model is called so.

        Raises:
            ModelError: One is.
        """
        if (self.folder / name).exists():
            raise ModelError(
                f"There is a model named {name} already.",
                f"Remove it first with `veracite models remove {name}`, or import the new one "
                "under another name with --name.",
                "name taken",
            )

    @contextmanager
    def stage(self, name: str | None = None) -> Iterator[Path]:
        """A private folder on the store's disk, to put a model together and adopt it.

        Args:
            name: Of the model that is fetched. What an earlier, failed attempt at it put into the
                folder is still there, and stays if this one fails. Without a name, the folder is
                empty, and gone at the end.

        Raises:
            ModelError: Another process is fetching this model, or the disk refuses, now or within.
        """
        with disk_errors(self.folder), staging(self.folder / STAGING, name) as folder:
            yield folder

    def adopt(self, staged: Path, manifest: ModelManifest) -> Path:
        """Move a staged model to its place; returns its folder.

        Args:
            staged: The folder that ``stage`` gave, or one beside it, with the files that the
                manifest lists and nothing else. Their hashes are the caller's to check. What is
                beside it is deleted.

        Raises:
            ModelError: There is one of this name, the files are not those of the manifest, or the
                disk refuses. Nothing has changed then.
        """
        require_name(manifest.name)
        place = self.folder / manifest.name
        with disk_errors(self.folder):
            for wrong, problem in problems_of(staged, manifest).items():
                raise ModelError(
                    f"The model {manifest.name} is not complete: {wrong}: {problem}.",
                    "Get the model again.",
                )
            self.require_free(manifest.name)
            said = {"schema": SCHEMA, **asdict(manifest)}
            write_whole(staged / MANIFEST, json.dumps(said, indent=2, ensure_ascii=False) + "\n")
            for path in (*staged.rglob("*"), staged):
                sync(path)
            os.rename(staged, place)
            sync(self.folder)
            shutil.rmtree(staged.parent, ignore_errors=True)
        return place

    def remove(self, name: str) -> None:
        """Delete a model, and what an interrupted pull of it left.

        Raises:
            ModelError: There is neither, another process is fetching it, or the disk refuses.
        """
        if not self.was_begun(name):
            self.path(name)
        used = [kind for kind in get_args(Kind) if self.chosen(kind) == name]
        with disk_errors(self.folder), _held(self.folder / STAGING / name) as place:
            if (self.folder / name).exists():
                # Moved first, so that nobody ever sees half of it.
                os.rename(self.folder / name, place / "removed")
                sync(self.folder)
            shutil.rmtree(place)
        for kind in used:
            self.choose(kind, None)

    def verify(self, names: Iterable[str]) -> Iterator[Verified]:
        """Compare models with their manifests, one after the other; damage hides no other."""
        for name in names:
            try:
                with disk_errors(self.folder):
                    problems = problems_of(self.path(name), self.get(name), hashed=True)
            except ModelError as error:
                problems = {"": str(error)}
            yield Verified(name, problems)

    def was_begun(self, name: str) -> bool:
        """Whether a pull of a model was begun and not finished."""
        return is_name(name) and (self.folder / STAGING / name).exists()

    # --- The models, or files elsewhere, that are used where none is named ---------------------
    #
    # For each kind ``.in-use.json`` holds the name of a stored model, or the absolute path of a
    # file. All of these raise ModelError where it cannot be read or written.

    def choose(self, kind: Kind, model: str | Path | None) -> None:
        """Use a model from now on; of a damaged file nothing is kept.

        Args:
            model: The name of a model in the store, a file elsewhere, or None for Veracite's own
                way: its bundled models, and no generator.

        Raises:
            ModelError: There is no such model.
        """
        chosen: dict[str, str] = {}
        with suppress(ModelError):
            chosen = self._choices()
        chosen.pop(kind, None)
        if model is not None:
            chosen[kind] = (
                self.path(model).name if isinstance(model, str) else str(model.absolute())
            )
        with disk_errors(self.folder):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(self.folder / _IN_USE, msgspec.json.encode(_InUse(chosen)))

    def chosen(self, kind: Kind) -> str | None:
        """The name of the chosen model in the store, or the path of a file; it may be gone."""
        return self._choices().get(kind)

    def chosen_path(self, kind: Kind) -> Path | None:
        """The chosen model: a generator's file, the folder of any other; None if none is chosen.

        Raises:
            ModelError: It is gone or damaged.
        """
        chosen = self.chosen(kind)
        if chosen is None:
            return None
        if chosen in self.names():
            return self.place(chosen)
        if os.path.isabs(chosen) and os.path.exists(chosen):
            return Path(chosen)
        raise ModelError(
            f"The {kind} that was chosen, {chosen}, is gone.",
            "Choose another one with `veracite models use NAME`, or none with `veracite models "
            f"use --none {kind}`.",
            "choice gone",
        )

    def _choices(self) -> dict[str, str]:
        file = self.folder / _IN_USE
        try:
            with disk_errors(self.folder):
                said = file.read_bytes() if file.exists() else b'{"in_use": {}}'
            return msgspec.json.decode(said, type=_InUse).in_use
        except (ValueError, RecursionError) as error:
            raise ModelError(
                f"{file}, which says what models are used, is damaged.",
                "Choose again with `veracite models use NAME`, or none with `veracite models use "
                "--none`.",
                "choices damaged",
            ) from error


# --- From a stick or another folder into the store ---------------------------------------------

_DETAILS = ("pooling", "threshold", "max_length", "dimension", "separators", "labels")


@dataclass(frozen=True, slots=True)
class Brought:
    """A model is in the store."""

    manifest: ModelManifest
    before: bool = False
    """Whether it was there already, with the same files."""


BringEvent = Copied | Brought


def bring(store: Store, path: Path, name: str | None = None) -> Iterator[BringEvent]:
    """Copy a model from elsewhere into the store; nothing is left there if that fails.

    Args:
        path: A GGUF file; or the folder of an encoder, reranker or verifier as it is published on
            Hugging Face, which is converted.
        name: What it is to be called; by default after its path.

    Raises:
        ModelError: It is no model that can be used, there is one of the same name, or the disk
            refuses.
    """
    if name is not None:
        require_name(name)
        store.require_free(name)
    with store.stage() as staged:
        if path.is_dir():
            manifest = converted(path, staged, name, name or path.absolute().name)
        else:
            read_header(path)
            part, size = name_from(path.stem) + ".gguf", path.stat().st_size
            require_room(store.folder, size)
            file = yield from write(blocks(path), staged / part, part, size)
            name = name or name_from(path.stem)
            made = ModelManifest(name=name, kind="generator", source=path.name, files=(file,))
            manifest = recognised(made)
        store.adopt(staged, manifest)
    yield Brought(manifest)


def recognised(manifest: ModelManifest) -> ModelManifest:
    """The manifest with what the registry knows of exactly these files, where it does."""
    hashes = {file.sha256 for file in manifest.files}
    for entry in registry():
        if {file.sha256 for file in entry.files} == hashes:
            known = {n: getattr(entry, n) for n in ("licence", "revision", "quantisation")}
            return replace(manifest, source=entry.repository, pinned=True, **known)
    return replace(manifest, pinned=False)


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
    from veracite.models.bundled import stored_encoder, stored_verifier
    from veracite.models.reranker import stored_reranker
    from veracite.models.verifier import LABELS

    sentence = "The cat sleeps all day."
    described = manifest.files[0].path.replace(".onnx", ".json")
    try:
        facts = read_facts(folder / described, manifest.kind)
        # Earlier versions kept the texts of licences beside a model.
        own = {file.path for file in manifest.files if not file.path.startswith("licence/")}
        if {facts.file, facts.tokenizer, described} != own:
            raise ValueError(own)
        if manifest.kind == "encoder":
            with closing(stored_encoder(folder)) as encoder:
                encoder.encode([sentence])
            return
        labels = LABELS[: len(facts.details.get("labels", ()))]
        with closing(stored_verifier(folder, labels) if labels else stored_reranker(folder)) as it:
            it.score([(sentence, sentence)])
    except (ModelError, ValueError, KeyError, TypeError, IndexError) as error:
        raise ModelError(
            f"The model {manifest.name} cannot be used: what describes its network and the files "
            "that this names do not fit together.",
            "Get the model again, or import its folder as it is published on Hugging Face.",
        ) from error


def converted(
    folder: Path, out: Path, name: str | None, repository: str, licence: str | None = None
) -> ModelManifest:
    """Convert a network as it is published on Hugging Face, and describe what came of it.

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
    described = facts.file.replace(".onnx", ".json")
    kind = "cross-encoder" if facts.file == "reranker.onnx" else facts.file.removesuffix(".onnx")
    files = [describe(out / part, part) for part in (facts.file, facts.tokenizer, described)]
    return ModelManifest(
        name=name or name_from(repository.rpartition("/")[2]),
        kind=msgspec.convert(kind, Kind),
        licence=licence,
        source=facts.origin,
        files=tuple(files),
        details={key: facts.details[key] for key in _DETAILS if facts.details.get(key) is not None},
    )
