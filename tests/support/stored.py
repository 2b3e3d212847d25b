"""Puts small models into a store."""

from pathlib import Path
from typing import Any

from veracite.models.store import ModelManifest, Store, describe


def manifest_of(folder: Path, name: str, **others: Any) -> ModelManifest:
    """Of all files in a folder, in alphabetical order."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    facts: dict[str, Any] = {
        "kind": "generator",
        "licence": "Apache-2.0",
        "source": "made on the spot",
        "revision": None,
        "quantisation": "F32",
        "files": tuple(describe(path, path.relative_to(folder).as_posix()) for path in files),
        "pinned": False,
    }
    return ModelManifest(name=name, **(facts | others))


def put(store: Store, name: str, files: dict[str, bytes], **others: Any) -> Path:
    """Stage and adopt a model with these files; returns its folder."""
    with store.stage() as staged:
        for path, content in files.items():
            (staged / path).parent.mkdir(parents=True, exist_ok=True)
            (staged / path).write_bytes(content)
        return store.adopt(staged, manifest_of(staged, name, **others))
