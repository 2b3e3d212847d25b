"""Every model that there is or could be, what a name means, and what is done with the model.

Bundled, in the store, of another application, or on the hub. llama.cpp, LM Studio, GPT4All and the
Hugging Face libraries each have a usual folder. A language model that is found there is used where
it is: nothing is written there.
"""

import difflib
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

from veracite.models.bundled import BUNDLED
from veracite.models.errors import ModelError
from veracite.models.gguf import USUAL_CONTEXT, available_memory, chat_template, needed, read_header
from veracite.models.onnx import read_manifest
from veracite.models.store import Entry, Kind, ModelManifest, Store, prove, registry

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
    """Of another application's: the application, a slash, and its path in that one's folder."""
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
    return tuple(listed), available_memory()


def _here(store: Store) -> Iterator[Listed]:
    """The models on this machine, as far as that is told without a look into their files."""
    for kind in _BUNDLED:
        manifest = read_manifest(BUNDLED / f"{kind}.json", kind)
        size = (BUNDLED / manifest.file).stat().st_size
        yield Listed(
            manifest.name, kind, "bundled", BUNDLED, manifest.origin, size, manifest.licence
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
    except (ModelError, OSError) as error:
        return replace(model, problem=str(getattr(error, "message", error)))
    return replace(
        model,
        size=model.path.stat().st_size,
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
    advice, kind = "`veracite models list` shows all.", "no such model"
    if name in known:
        advice, kind = f"Fetch it with `veracite models pull {name}`.", "not here yet"
    elif near := difflib.get_close_matches(name, [*here, *known], n=1, cutoff=0.5):
        advice = f"Did you mean {near[0]}? {advice}"
    raise ModelError(f"There is no model or file {name!r} on this machine.", advice, kind)


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
    return store.choose(model.kind, model.name if model.state == "stored" else model.path)


def use_no_longer(store: Store, name: str) -> Kind:
    """Go back to Veracite's own way in place of one model, which may be gone; returns its kind.

    Args:
        name: Of the model in the store, the path of a file, or the model's kind.

    Raises:
        ModelError: It was not chosen, or what was chosen cannot be read or written.
    """
    kinds: tuple[Kind, ...] = get_args(Kind)
    for kind in kinds:
        if (chosen := store.chosen(kind)) and name in (kind, chosen):
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


_ELSEWHERE = {
    "llama.cpp": "~/.cache/llama.cpp",
    "lm-studio": "~/.lmstudio/models",
    "gpt4all": "~/.local/share/nomic.ai/GPT4All",
    "huggingface": "~/.cache/huggingface/hub",
}
"""The folders in which other applications keep their models."""


def discover() -> tuple[Listed, ...]:
    """All language models in the usual folders, each once, in the order of their names.

    What cannot be read is left out: these folders belong to others.
    """
    found: dict[Path, Listed] = {}
    for application, folder in _ELSEWHERE.items():
        root = Path(os.path.expanduser(folder))
        with suppress(OSError):
            for path in sorted(root.rglob("*.[gG][gG][uU][fF]")):
                name = f"{application}/{path.relative_to(root).with_suffix('').as_posix()}"
                model = Listed(name, "generator", "found", path, application)
                found.setdefault(path.resolve(), model)
    return tuple(found.values())
