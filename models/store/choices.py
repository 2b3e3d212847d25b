"""Which models somebody chose to be used: ``.in-use.json`` in the folder of models."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from veracite.models.errors import ModelError
from veracite.models.store.disk import disk_errors, write_json
from veracite.models.store.manifest import Kind

if TYPE_CHECKING:
    from veracite.models.store.store import Store

__all__ = ["Choices", "forget"]

_FILE = ".in-use.json"
"""No model's name begins with a dot."""
_SCHEMA = "veracite.in-use/1"


class Choices:
    """The models of a store, or files elsewhere, that are used where none is named.

    Every method raises ModelError where the file cannot be read or written.
    """

    def __init__(self, store: "Store") -> None:
        self._store = store

    def choose(self, kind: Kind, model: str | Path | None) -> None:
        """Use a model from now on; of a damaged file nothing is kept.

        Args:
            model: The name of a model in the store, a file elsewhere, or None for Veracite's own
                way: its bundled models, and no generator.

        Raises:
            ModelError: There is no such model.
        """
        with disk_errors(self._store.folder):
            try:
                chosen = _read(self._store.folder)
            except ModelError:
                chosen = {}
            chosen.pop(kind, None)
            if isinstance(model, Path):
                chosen[kind] = str(model.absolute())
            elif model is not None:
                chosen[kind] = self._store.path(model).name
            _write(self._store.folder, chosen)

    def name(self, kind: Kind) -> str | None:
        """The name of the chosen model in the store, or the path of a file; it may be gone."""
        with disk_errors(self._store.folder):
            return _read(self._store.folder).get(kind)

    def path(self, kind: Kind) -> Path | None:
        """The chosen model: a generator's file, the folder of any other; None if none is chosen.

        Raises:
            ModelError: It is gone or damaged.
        """
        chosen = self.name(kind)
        if chosen is None:
            return None
        if os.path.isabs(chosen):
            if os.path.exists(chosen):
                return Path(chosen)
        elif chosen in self._store.names():
            weights = kind == "generator"
            return self._store.weights(chosen) if weights else self._store.path(chosen)
        raise ModelError(
            f"The {kind} that was chosen, {chosen}, is gone.",
            "Choose another one with `veracite models use NAME`, or none with `veracite models "
            f"use --none {kind}`.",
            "choice gone",
        )


def forget(folder: Path, name: str) -> None:
    """Take back a choice of a model that is removed.

    Raises:
        ModelError: What was chosen cannot be read.
        OSError: The folder cannot be read or written.
    """
    chosen = _read(folder)
    if name in chosen.values():
        _write(folder, {kind: used for kind, used in chosen.items() if used != name})


def _read(folder: Path) -> dict[str, str]:
    """For each kind of model, the name of a stored one or the absolute path of a file."""
    try:
        said = json.loads((folder / _FILE).read_bytes())
        if said["schema"] == _SCHEMA:
            return {str(kind): str(chosen) for kind, chosen in said["in_use"].items()}
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    raise ModelError(
        f"{folder / _FILE}, which says what models are used, is damaged.",
        "Choose again with `veracite models use NAME`, or none with `veracite models use --none`.",
        "choices damaged",
    )


def _write(folder: Path, chosen: dict[str, str]) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_json(folder / _FILE, {"schema": _SCHEMA, "in_use": chosen})
