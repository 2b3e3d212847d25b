"""From the hub into the store: looked up, downloaded, checked, adopted."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from veracite.models.gguf_header import read_header
from veracite.models.store import networks
from veracite.models.store.disk import disk_errors, require_room
from veracite.models.store.downloading import Fetched, download
from veracite.models.store.hub import Hub
from veracite.models.store.manifest import ModelManifest, StoredFile
from veracite.models.store.planning import Plan
from veracite.models.store.registry import Entry
from veracite.models.store.remote import RemoteFile
from veracite.models.store.store import Store

__all__ = ["PullEvent", "Pulled", "pull"]


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
        require_room(store.folder, plan.size - sum(map(_there, places)))
        files = yield from download(hub, plan.remote, places)
        if plan.entry.kind == "generator":
            manifest = _generator(plan, staged, files)
        else:
            staged, manifest = _converted(plan, staged)
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
    """Where a file is put: what is still to be converted keeps the form of its folder."""
    return file.path.rpartition("/")[2] if entry.kind == "generator" else file.path


def _there(part: Path) -> int:
    return part.stat().st_size if part.is_file() else 0


def _generator(plan: Plan, staged: Path, files: tuple[StoredFile, ...]) -> ModelManifest:
    entry, header = plan.entry, read_header(staged / files[0].path)
    return ModelManifest(
        name=entry.name,
        kind="generator",
        licence=plan.licence,
        source=entry.repository,
        revision=plan.remote.commit,
        context=header.context_length,
        parameters=header.parameters,
        quantisation=entry.quantisation,
        files=files,
        pinned=all(file.sha256 for file in entry.files),
    )


def _converted(plan: Plan, downloaded: Path) -> tuple[Path, ModelManifest]:
    """The folder of what was made of an encoder or reranker, and which of them it is."""
    entry, folder = plan.entry, downloaded.parent / "converted"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    licence = plan.licence or "unknown"
    made = networks.converted(downloaded, folder, entry.name, entry.repository, licence=licence)
    return folder, replace(
        made,
        licence=plan.licence,
        source=entry.repository,
        revision=plan.remote.commit,
        context=entry.context,
        parameters=entry.parameters,
    )
