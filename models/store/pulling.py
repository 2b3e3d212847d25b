"""From the hub into the store: looked up, downloaded, checked, adopted."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from veracite.models.errors import ModelError
from veracite.models.gguf_header import read_header
from veracite.models.store import licences, networks
from veracite.models.store.begun import go_on_with
from veracite.models.store.disk import disk_errors, require_room
from veracite.models.store.downloading import Fetched, download
from veracite.models.store.hub import Hub
from veracite.models.store.manifest import ModelManifest, StoredFile
from veracite.models.store.planning import Plan
from veracite.models.store.recorded import changed, record, recorded
from veracite.models.store.registry import Entry
from veracite.models.store.remote import RemoteFile
from veracite.models.store.store import Store

__all__ = ["PullEvent", "Pulled", "pull"]


@dataclass(frozen=True, slots=True)
class Pulled:
    """The model is in the store."""

    manifest: ModelManifest
    changed: tuple[str, ...] = ()
    """Addresses of the files that are others than when they were pulled before."""


PullEvent = Fetched | Pulled


def pull(store: Store, plan: Plan, hub: Hub) -> Iterator[PullEvent]:
    """Download a model and put it into the store; what an earlier attempt got is not got again.

    Raises:
        ModelError: Another process pulls it, the connection or the disk fails, a file is not what
            it should be or was before, or no model. What was downloaded so far stays for the next
            attempt, but for what is wrong.
    """
    name = plan.entry.name
    with store.stage(name) as staged, disk_errors(store.folder):
        go_on_with(staged, plan.entry, plan.remote.commit)
        places = {staged / _place(plan.entry, file): file for file in plan.files}
        places |= {staged / licences.kept_as(text.path): text for text in plan.texts}
        require_room(store.folder, plan.size - sum(map(_there, places)))
        files = yield from download(hub, plan.remote, places)
        others = _compared(store, plan, staged, files)
        if plan.entry.kind == "generator":
            manifest = _generator(plan, staged, files)
        else:
            staged, manifest = _converted(plan, staged)
        store.adopt(staged, manifest)
    yield Pulled(manifest, others)


def _compared(
    store: Store, plan: Plan, staged: Path, files: tuple[StoredFile, ...]
) -> tuple[str, ...]:
    """Record what came; returns what is another file than before.

    Raises:
        ModelError: A file of the same commit is; nothing is kept then.
    """
    commit, repository = plan.remote.commit, plan.remote.repository
    pairs = zip(plan.files, files, strict=False)  # texts come last, and may change
    hashes = {f"{repository}/{file.path}": came.sha256 for file, came in pairs}
    before = recorded(store.folder)
    try:
        others = changed(before, commit, hashes)
    except ModelError:
        shutil.rmtree(staged)
        raise
    record(store.folder, before, commit, hashes)
    return others


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
        files=(*files[: len(plan.files)], *_texts(plan, files)),
        pinned=all(file.sha256 for file in entry.files),
    )


def _texts(plan: Plan, files: tuple[StoredFile, ...]) -> tuple[StoredFile, ...]:
    """Those that were downloaded after the model itself, by their places."""
    texts = files[len(plan.files) :]
    return tuple(replace(text, path=licences.kept_as(text.path)) for text in texts)


def _converted(plan: Plan, downloaded: Path) -> tuple[Path, ModelManifest]:
    """The folder of what was made of an encoder or reranker, and which of them it is."""
    entry, folder = plan.entry, downloaded.parent / "converted"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    licence = plan.licence or "unknown"
    made = networks.converted(downloaded, folder, entry.name, entry.repository, licence=licence)
    return folder, replace(
        made,
        files=(*made.files, *licences.take(downloaded, folder)),
        licence=plan.licence,
        source=entry.repository,
        revision=plan.remote.commit,
        context=entry.context,
        parameters=entry.parameters,
    )
