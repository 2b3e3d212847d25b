"""Every model that there is or could be, what a name means, and what is done with the model.

Bundled, in the store, of another application, or on the hub. llama.cpp, LM Studio,
Ollama, GPT4All and the Hugging Face libraries each have a usual folder, and most an environment
variable that names another one. A language model that is found there is used where it is: nothing
is opened but Ollama's manifests, and nothing is written.
"""

import difflib
import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

from platformdirs import user_cache_path, user_data_path

from veracite.models.bundled import BUNDLED
from veracite.models.errors import ModelError
from veracite.models.gguf import (
    available_memory,
    chat_template,
    needed,
    read_header,
)
from veracite.models.onnx import read_manifest
from veracite.models.store import (
    USUAL_CONTEXT,
    Entry,
    Kind,
    ModelManifest,
    Store,
    prove,
    quantisation_in,
    registry,
)

State = Literal["bundled", "stored", "found", "known"]
"""It ships with Veracite; is in the store; belongs to another application or
lies where its path says; can be pulled."""
Fit = Literal["fits", "tight", "does not fit"]

_BUNDLED: tuple[Kind, ...] = ("encoder", "verifier")
_TASKS: dict[Kind, str] = {
    "generator": "writing and judging",
    "encoder": "encoding",
    "verifier": "verifying",
    "cross-encoder": "reranking",
}
_COMFORT = 0.8
"""The part of the free memory above which it is tight: other programs grow, too."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A model in short. None is what is not known of it."""

    name: str
    """Of another application's: the application, a slash, and the shortest name that no other of
    its models has."""
    kind: Kind
    state: State
    path: Path | None = None
    """A generator's file, or the folder of any other."""
    source: str | None = None
    size: int | None = None
    """Bytes of its files."""
    licence: str | None = None
    context: int | None = None
    parameters: int | None = None
    quantisation: str | None = None
    memory: int | None = None
    """Bytes of main memory that a generator takes with its usual context."""
    in_use: bool = False
    problem: str | None = None
    """Why it cannot be used."""

    @property
    def task(self) -> str:
        """What it is used for."""
        return _TASKS[self.kind]

    def fit(self, free: int) -> Fit | None:
        """How it fits into so many bytes of free memory."""
        if self.memory is None:
            return None
        if self.memory > free:
            return "does not fit"
        return "fits" if self.memory <= _COMFORT * free else "tight"


def overview(store: Store) -> tuple[tuple[Listed, ...], int]:
    """All models, in the order of ``State``, and the bytes of memory that are free now.

    A model that cannot be read is listed with its problem and hides no other.

    Raises:
        ModelError: The folder of the store cannot be read, or says not what is in use.
    """
    used = {kind: store.chosen(kind) for kind in get_args(Kind)}
    here = list(_here(store))
    file = used["generator"] or ""
    if os.path.isabs(file) and file not in {str(model.path) for model in here}:
        here.append(Listed(file, "generator", "found", Path(file)))
    listed = [replace(_looked_into(model), in_use=_in_use(model, used)) for model in here]
    names = {model.name for model in listed}
    for entry in registry():
        if entry.name not in names:
            said = _said_by(entry) | {"source": entry.repository, "memory": entry.memory}
            listed.append(Listed(**said, state="known"))
    order = get_args(State).index
    return tuple(sorted(listed, key=lambda model: order(model.state))), available_memory()


def _here(store: Store) -> Iterator[Listed]:
    """The models on this machine, as far as that is told without a look into their files."""
    for kind in _BUNDLED:
        manifest = read_manifest(BUNDLED / f"{kind}.json", kind)
        yield Listed(
            name=manifest.name,
            kind=kind,
            state="bundled",
            path=BUNDLED,
            source=manifest.origin,
            size=(BUNDLED / manifest.file).stat().st_size,
            licence=manifest.licence,
            context=manifest.max_length,
        )
    for name in store.names():
        try:
            yield Listed(**_said_by(store.get(name)), state="stored", path=store.place(name))
        except ModelError as error:
            yield Listed(name, "generator", "stored", store.folder / name, problem=error.message)
    yield from discover()


def _in_use(model: Listed, used: Mapping[Kind, str | None]) -> bool:
    if model.state == "bundled":
        return used[model.kind] is None
    return used[model.kind] == (model.name if model.state == "stored" else str(model.path))


def _looked_into(model: Listed) -> Listed:
    """A language model with what its file says of it; any other as it is."""
    if model.kind != "generator" or model.problem or model.path is None:
        return model
    try:
        header = read_header(model.path)
        chat_template(header)
        size = model.path.stat().st_size
    except (ModelError, OSError) as error:
        return replace(model, problem=str(getattr(error, "message", error)))
    quantisation = model.quantisation or quantisation_in(model.name.rpartition("/")[2])
    return replace(
        model,
        size=model.size or size,
        quantisation=quantisation,
        context=header.context_length,
        parameters=header.parameters,
        memory=needed(header, min(USUAL_CONTEXT, header.context_length)).total,
    )


def _said_by(model: ModelManifest | Entry) -> dict[str, Any]:
    """What both a manifest and the registry say of a model."""
    names = ("name", "kind", "source", "size", "licence", "context", "parameters", "quantisation")
    return {name: getattr(model, name, None) for name in names}


def find(store: Store, name: str) -> Listed:
    """The model that a name means: one of the store, of Veracite itself or of another application,
    or a GGUF file.

    Raises:
        ModelError: There is none on this machine; the advice names the nearest, or how to get it.
    """
    if name in store.names():
        store.place(name)
    here = {model.name: model for model in _here(store)}
    if name in here:
        return here[name]
    file = Path(os.path.abspath(os.path.expanduser(name)))
    if file.is_file():
        return Listed(name, "generator", "found", file)
    known = [entry.name for entry in registry()]
    if name in known:
        raise ModelError(
            f"The model {name} is not on this machine yet.",
            f"Fetch it with `veracite models pull {name}`.",
            "not here yet",
        )
    near = difflib.get_close_matches(name, [*here, *known], n=1, cutoff=0.5)
    meant = f"Did you mean {near[0]}? " if near else ""
    raise ModelError(
        f"There is no model or file {name!r}.",
        f"{meant}`veracite models list` shows all.",
        "no such model",
    )


def find_generator(store: Store, name: str) -> Path:
    """The GGUF file of the language model that a name means (see ``find``).

    Raises:
        ModelError: There is none, or what is called so is no language model.
    """
    model = find(store, name)
    if model.kind != "generator" or model.path is None:
        raise ModelError(
            f"The model {name} writes no text: it is of the kind {model.kind}.",
            "Name a language model; `veracite models list` shows all.",
            "no language model",
        )
    return model.path


def require_stored(store: Store, name: str) -> None:
    """Only what is in the store is Veracite's to compare, to export or to delete.

    Raises:
        ModelError: The model is elsewhere, or nowhere.
    """
    if name in store.names():
        return
    model = find(store, name)
    if model.state == "bundled":
        raise ModelError(
            f"The model {name} is part of Veracite and not in the store.",
            "`veracite doctor --self-test` tries it out.",
        )
    raise ModelError(
        f"The model {name} is not in the store: it is used where it is, {model.path}.",
        "`veracite models import` makes a copy in the store, with hashes; `veracite models use "
        "--none` stops using it.",
    )


def use(store: Store, model: Listed) -> None:
    """Use a model of this machine from now on, in the place of the one of its kind in use.

    Raises:
        ModelError: It is none that can be used as it is.
    """
    if model.state == "bundled":
        return use_none(store, model.kind)
    assert model.path is not None, "it is not on this machine"
    if model.kind == "verifier":
        raise ModelError(
            f"{model.name} is to judge claims, and takes an exam before it does.",
            f"Put it to use with `veracite models use {model.name} --as judge`.",
            "takes an exam",
        )
    if model.kind == "generator":
        chat_template(read_header(model.path))
    else:
        prove(model.path, store.get(model.name))
    stored = model.state == "stored"
    return store.choose(model.kind, model.name if stored else model.path)


def use_no_longer(store: Store, name: str) -> Kind:
    """Go back to Veracite's own way in place of one model, which may be gone; returns its kind.

    Args:
        name: Of the model, or of its kind.

    Raises:
        ModelError: It was not chosen, or what was chosen cannot be read or written.
    """
    chosen: dict[Kind, str | None] = {kind: store.chosen(kind) for kind in get_args(Kind)}
    names = {name}
    if name not in chosen and name not in chosen.values():
        names = {str(find(store, name).path)}
    for kind, used in chosen.items():
        if used and names & {kind, used}:
            use_none(store, kind)
            return kind
    raise ModelError(f"{name} was not chosen.", "`veracite models list` shows what is in use.")


def use_none(store: Store, *kinds: Kind) -> None:
    """Go back to what is part of Veracite; of all kinds if none is named.

    Raises:
        ModelError: What was chosen cannot be read or written.
    """
    for kind in kinds or get_args(Kind):
        store.choose(kind, None)


_DEEPEST = 6
_LARGEST_MANIFEST = 2**20
_OLLAMA_MODEL = "application/vnd.ollama.image.model"
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_SHARED_OLLAMA = Path("/usr/share/ollama/.ollama/models")

_Candidate = tuple[str, str, Path]
"""A short name, a long one and the file."""


def discover() -> tuple[Listed, ...]:
    """All language models in the usual folders, each once, in the order of their names.

    What cannot be read is left out: these folders belong to others.
    """
    seen: set[Path] = set()
    found: list[Listed] = []
    for application, candidates in _applications().items():
        new: list[_Candidate] = []
        for candidate in candidates:
            if (real := candidate[2].resolve()) not in seen:
                seen.add(real)
                new.append(candidate)
        shorts = Counter(short for short, *_ in new)
        for short, long, path in new:
            name = f"{application}/{short if shorts[short] == 1 else long}"
            found.append(Listed(name, "generator", "found", path, application))
    return tuple(sorted(found, key=lambda model: model.name))


def _applications() -> dict[str, Iterator[_Candidate]]:
    """What lies in the usual folders of this environment."""

    def named(variable: str, default: Path) -> Path:
        return Path(os.path.expanduser(os.environ.get(variable) or default))

    home = Path.home()
    cache = named("XDG_CACHE_HOME", home / ".cache")
    hub = named("HF_HUB_CACHE", named("HF_HOME", cache / "huggingface") / "hub")
    return {
        "llama.cpp": _below(named("LLAMA_CACHE", user_cache_path("llama.cpp"))),
        "lm-studio": _below(home / ".lmstudio" / "models", cache / "lm-studio" / "models"),
        "ollama": _ollama(named("OLLAMA_MODELS", home / ".ollama" / "models"), _SHARED_OLLAMA),
        "gpt4all": _below(user_data_path("nomic.ai") / "GPT4All", cache / "gpt4all"),
        "huggingface": _hugging_face(hub),
    }


def _below(*folders: Path) -> Iterator[_Candidate]:
    """GGUF files in folders and what is below them."""
    for folder in folders:
        for path in _files(folder):
            if path.suffix.lower() == ".gguf":
                yield path.stem, path.relative_to(folder).with_suffix("").as_posix(), path


def _hugging_face(hub: Path) -> Iterator[_Candidate]:
    """GGUF files in the cache, of the newest snapshot of each repository."""
    with suppress(OSError):
        for folder in sorted(hub.glob("models--*--*")):
            repository = folder.name.removeprefix("models--").replace("--", "/", 1)
            for newest in sorted(folder.glob("snapshots/*"), key=os.path.getmtime)[-1:]:
                for short, long, path in _below(newest):
                    yield short, f"{repository}/{long}", path


def _files(folder: Path) -> Iterator[Path]:
    """Paths of the files below a folder, but not far below it: links may lead in circles."""
    for place, folders, names in os.walk(folder, followlinks=True):
        yield from (Path(place, name) for name in sorted(names))
        if len(Path(place).relative_to(folder).parts) >= _DEEPEST:
            folders.clear()
        folders.sort()


def _ollama(*folders: Path) -> Iterator[_Candidate]:
    """The models that Ollama's manifests name, each a file of the name of its hash."""
    for manifests in (folder / "manifests" for folder in folders):
        for path in _files(manifests):
            with suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
                *owner, model, tag = path.relative_to(manifests).parts
                with path.open("rb") as file:
                    layers = json.loads(file.read(_LARGEST_MANIFEST))["layers"]
                for layer in layers:
                    digest = layer["digest"]
                    blob = manifests.parent / "blobs" / str(digest).replace(":", "-")
                    ours = layer["mediaType"] == _OLLAMA_MODEL and _DIGEST.fullmatch(digest)
                    if ours and blob.is_file():
                        short = f"{model}:{tag}"
                        yield short, "/".join((*owner, short)), blob
