"""From what somebody calls a model to the model."""

import difflib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from veracite.models.bundled import BUNDLED
from veracite.models.errors import ModelError
from veracite.models.manifest import read_manifest
from veracite.models.store.discovery import discover
from veracite.models.store.manifest import Kind
from veracite.models.store.registry import registry
from veracite.models.store.store import Store

__all__ = ["Named", "find", "find_generator", "require_stored"]


@dataclass(frozen=True, slots=True)
class Named:
    """A model on this machine."""

    kind: Kind
    path: Path
    """A generator's file, or the folder of any other; ``BUNDLED`` for what is part of Veracite."""
    stored: str | None
    """Its name in the store, if it is there."""


def find(store: Store, name: str, environ: Mapping[str, str] = os.environ) -> Named:
    """The model that a name means: one of the store, of Veracite itself or of another application,
    or a GGUF file.

    Raises:
        ModelError: There is none on this machine; the advice names the nearest, or how to get it.
    """
    if name in store.names():
        kind = store.get(name).kind
        path = store.weights(name) if kind == "generator" else store.path(name)
        return Named(kind, path, name)
    bundled = _bundled()
    if name in bundled:
        return Named(bundled[name], BUNDLED, None)
    found = {model.name: model for model in discover(environ)}
    if name in found:
        return Named(found[name].kind, found[name].path, None)
    file = Path(os.path.abspath(os.path.expanduser(name)))
    if file.is_file():
        return Named("generator", file, None)
    known = [entry.name for entry in registry()]
    if name in known:
        raise ModelError(
            f"The model {name} is not on this machine yet.",
            f"Fetch it with `veracite models pull {name}`.",
            "not here yet",
        )
    names = [*store.names(), *bundled, *found, *known]
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    meant = f"Did you mean {near[0]}? " if near else ""
    raise ModelError(
        f"There is no model or file {name!r}.",
        f"{meant}`veracite models list` shows all.",
        "no such model",
    )


def find_generator(store: Store, name: str, environ: Mapping[str, str] = os.environ) -> Path:
    """The GGUF file of the language model that a name means (see ``find``).

    Raises:
        ModelError: There is none, or what is called so is no language model.
    """
    named = find(store, name, environ)
    if named.kind != "generator":
        raise ModelError(
            f"The model {name} writes no text: it is of the kind {named.kind}.",
            "Name a language model; `veracite models list` shows all.",
            "no language model",
        )
    return named.path


def require_stored(store: Store, name: str, environ: Mapping[str, str] = os.environ) -> None:
    """Only what is in the store is Veracite's to compare or to delete.

    Raises:
        ModelError: The model is elsewhere, or nowhere.
    """
    if name in store.names():
        return
    named = find(store, name, environ)
    if named.path == BUNDLED:
        raise ModelError(
            f"The model {name} is part of Veracite and not in the store.",
            "`veracite doctor --self-test` tries it out.",
        )
    raise ModelError(
        f"The model {name} is not in the store: it is used where it is, {named.path}.",
        "`veracite models import` makes a copy in the store, with hashes; `veracite models use "
        "--none` stops using it.",
    )


def _bundled() -> dict[str, Kind]:
    """What is part of Veracite, by name.

    Raises:
        ModelError: It is damaged.
    """
    kinds: dict[str, Kind] = {"encoder": "encoder", "verifier": "cross-encoder"}
    return {
        read_manifest(BUNDLED / f"{what}.json", what).name: kind for what, kind in kinds.items()
    }
