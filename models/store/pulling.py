"""From the hub into the store: looked up, downloaded, checked, adopted."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veracite.models.gguf_header import read_header
from veracite.models.store.checking import describe
from veracite.models.store.disk import disk_errors, require_room
from veracite.models.store.downloading import Fetched, download
from veracite.models.store.hub import Hub
from veracite.models.store.manifest import ModelManifest, StoredFile
from veracite.models.store.planning import Plan
from veracite.models.store.registry import Entry
from veracite.models.store.remote import RemoteFile
from veracite.models.store.store import Store

__all__ = ["PullEvent", "Pulled", "pull"]

_FACTS = ("pooling", "threshold", "max_length", "dimension")
_ENCODER = "encoder.json"


@dataclass(frozen=True, slots=True)
class Pulled:
    """The model is in the store."""

    manifest: ModelManifest


PullEvent = Fetched | Pulled


def pull(store: Store, plan: Plan, hub: Hub) -> Iterator[PullEvent]:
    """Download a model and put it into the store; what an earlier attempt got is not got again.

    Raises:
        ModelError: Another process pulls it, the connection or the disk fails, a file is not what
            it should be, or no model. What was downloaded so far stays for the next attempt, but
            for a file that is wrong.
    """
    name = plan.entry.name
    with store.stage(name) as staged, disk_errors(store.folder):
        _forget_others(staged, plan.remote.commit)
        places = {staged / _place(plan.entry, file): file for file in plan.files}
        require_room(staged, plan.size - sum(map(_there, places)))
        files = yield from download(hub, plan.remote, places)
        if plan.entry.kind == "encoder":
            staged, files = _converted(staged, plan)
        manifest = _manifest(plan, staged, files)
        store.adopt(staged, manifest)
    yield Pulled(manifest)


def _forget_others(staged: Path, commit: str) -> None:
    """Delete what was downloaded of another commit."""
    noted = staged.parent / "commit"
    if noted.is_file() and noted.read_text(encoding="ascii", errors="replace") == commit:
        return
    shutil.rmtree(staged)
    staged.mkdir(mode=0o700)
    noted.write_text(commit, encoding="ascii")


def _place(entry: Entry, file: RemoteFile) -> str:
    """Where a file is put: an encoder's folder keeps its form, as it is still to be converted."""
    return file.path if entry.kind == "encoder" else file.path.rpartition("/")[2]


def _there(part: Path) -> int:
    return part.stat().st_size if part.is_file() else 0


def _converted(downloaded: Path, plan: Plan) -> tuple[Path, tuple[StoredFile, ...]]:
    """The folder of the encoder that was made of what was downloaded, and its files."""
    from veracite.models.conversion.convert import convert

    folder = downloaded.parent / "converted"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    convert(downloaded, folder, plan.entry.repository, plan.licence or "unknown")
    made = sorted(folder.iterdir(), key=lambda path: path.stat().st_size, reverse=True)
    return folder, tuple(describe(path, path.name) for path in made)


def _manifest(plan: Plan, staged: Path, files: tuple[StoredFile, ...]) -> ModelManifest:
    entry = plan.entry
    context, parameters = entry.context, entry.parameters
    details: dict[str, Any] = {}
    if entry.kind == "generator":
        header = read_header(staged / files[0].path)
        context, parameters = header.context_length, header.parameters
    if entry.kind == "encoder":
        facts = json.loads((staged / _ENCODER).read_bytes())
        details = {name: facts[name] for name in _FACTS if name in facts}
    return ModelManifest(
        name=entry.name,
        kind=entry.kind,
        licence=plan.licence,
        source=entry.repository,
        revision=plan.remote.commit,
        context=context,
        parameters=parameters,
        quantisation=entry.quantisation,
        files=files,
        pinned=bool(entry.files) and all(file.sha256 for file in entry.files),
        details=details,
    )
