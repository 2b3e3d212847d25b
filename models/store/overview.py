"""Every model that there is or could be: bundled, stored, of other applications, on the hub."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from veracite.models import manifest as bundled_manifest
from veracite.models.bundled import BUNDLED
from veracite.models.errors import ModelError
from veracite.models.gguf_header import Header, chat_template, read_header
from veracite.models.memory import available_memory, needed
from veracite.models.store.begun import begun
from veracite.models.store.choices import Choices
from veracite.models.store.discovery import Found, discover
from veracite.models.store.manifest import Kind
from veracite.models.store.registry import USUAL_CONTEXT, Entry, quantisation_in, registry
from veracite.models.store.store import Store

__all__ = ["Fit", "Listed", "State", "overview"]

State = Literal["bundled", "stored", "partial", "found", "known"]
"""It ships with Veracite; is in the store; is half downloaded; belongs to another application or
lies where its path says; can be pulled."""
Fit = Literal["fits", "tight", "does not fit"]

_TASKS: dict[Kind, str] = {
    "generator": "writing and judging",
    "encoder": "encoding",
    "cross-encoder": "reranking",
}
_COMFORT = 0.8
"""The part of the free memory above which it is tight: other programs grow, too."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A model in short. None is what is not known of it."""

    name: str
    kind: Kind
    state: State
    path: Path | None = None
    """A generator's file, or the folder of any other."""
    source: str | None = None
    size: int | None = None
    """Bytes of its files; of a partial one, those that are here."""
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
        if self.state == "bundled" and self.kind == "cross-encoder":
            return "verifying"
        return _TASKS[self.kind]

    def fit(self, free: int) -> Fit | None:
        """How it fits into so many bytes of free memory."""
        if self.memory is None:
            return None
        if self.memory > free:
            return "does not fit"
        return "fits" if self.memory <= _COMFORT * free else "tight"


def overview(
    store: Store, environ: Mapping[str, str] = os.environ
) -> tuple[tuple[Listed, ...], int]:
    """All models, in the order of ``State``, and the bytes of memory that are free now.

    A model that cannot be read is listed with its problem and hides no other.

    Raises:
        ModelError: The folder of the store cannot be read, or says not what is in use.
    """
    chosen = Choices(store)
    listed = [*_bundled(chosen), *_stored(store, chosen), *_partial(store)]
    listed += _found(chosen, environ)
    here = {model.name for model in listed}
    listed += [_known(entry) for entry in registry() if entry.name not in here]
    return tuple(listed), available_memory()


def _bundled(chosen: Choices) -> Iterator[Listed]:
    kinds: dict[str, Kind] = {"encoder": "encoder", "verifier": "cross-encoder"}
    for what, kind in kinds.items():
        manifest = bundled_manifest.read_manifest(BUNDLED / f"{what}.json", what)
        yield Listed(
            name=manifest.name,
            kind=kind,
            state="bundled",
            path=BUNDLED,
            source=manifest.origin,
            size=(BUNDLED / manifest.file).stat().st_size,
            licence=manifest.licence,
            context=manifest.max_length,
            # Rerankers are chosen beside the verifier, not in its place.
            in_use=what == "verifier" or chosen.name(kind) is None,
        )


def _stored(store: Store, chosen: Choices) -> Iterator[Listed]:
    for name in store.names():
        try:
            manifest = store.get(name)
            weights = store.weights(name)
            generates = manifest.kind == "generator"
            yield Listed(
                name=name,
                kind=manifest.kind,
                state="stored",
                path=weights if generates else store.path(name),
                source=manifest.source,
                size=manifest.size,
                licence=manifest.licence,
                context=manifest.context,
                parameters=manifest.parameters,
                quantisation=manifest.quantisation,
                memory=_memory(_usable(weights)) if generates else None,
                in_use=chosen.name(manifest.kind) == name,
            )
        except ModelError as error:
            yield Listed(name, "generator", "stored", store.folder / name, problem=error.message)


def _partial(store: Store) -> Iterator[Listed]:
    known = {entry.name: entry for entry in registry()}
    for name, size in store.partial().items():
        entry = known.get(name) or begun(store, name)
        if size:
            source = entry.address if entry else None
            yield Listed(name, entry.kind if entry else "generator", "partial", None, source, size)


def _found(chosen: Choices, environ: Mapping[str, str]) -> Iterator[Listed]:
    found = list(discover(environ))
    used = chosen.name("generator") or ""
    if os.path.isabs(used) and Path(used) not in {model.path for model in found}:
        found.append(Found(used, "generator", Path(used)))
    for model in found:
        yield _of_others(model, in_use=str(model.path) == used)


def _of_others(model: Found, *, in_use: bool) -> Listed:
    source = model.name.partition("/")[0] or None
    if model.kind != "generator":
        return Listed(model.name, model.kind, "found", model.path, source)
    try:
        header = _usable(model.path)
    except ModelError as error:
        return Listed(
            model.name,
            model.kind,
            "found",
            model.path,
            source,
            in_use=in_use,
            problem=error.message,
        )
    return Listed(
        name=model.name,
        kind=model.kind,
        state="found",
        path=model.path,
        source=source,
        size=model.path.stat().st_size,
        context=header.context_length,
        parameters=header.parameters,
        quantisation=quantisation_in(model.name.rpartition("/")[2]),
        memory=_memory(header),
        in_use=in_use,
    )


def _known(entry: Entry) -> Listed:
    return Listed(
        name=entry.name,
        kind=entry.kind,
        state="known",
        source=entry.repository,
        size=entry.size,
        licence=entry.licence,
        context=entry.context,
        parameters=entry.parameters,
        quantisation=entry.quantisation,
        memory=entry.memory,
    )


def _usable(weights: Path) -> Header:
    """The header of a model that can be asked something.

    Raises:
        ModelError: It cannot.
    """
    header = read_header(weights)
    chat_template(header)
    return header


def _memory(header: Header) -> int:
    return needed(header, min(USUAL_CONTEXT, header.context_length)).total
