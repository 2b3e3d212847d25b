"""From the hub into the store: looked up, downloaded, checked, adopted."""

import json
import shutil
from collections.abc import Generator, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from veracite.models.errors import ModelError
from veracite.models.files import (
    disk_errors,
    quoted,
    read_noted,
    require_name,
    require_room,
    stays_inside,
    write_noted,
    write_whole,
)
from veracite.models.store.bringing import converted, generator, take_texts
from veracite.models.store.hub import Hub, Remote, RemoteFile
from veracite.models.store.manifest import (
    LARGEST_TEXT,
    ModelManifest,
    StoredFile,
    kept_as,
    texts_among,
)
from veracite.models.store.registry import Entry, Wanted, entry_of, registry
from veracite.models.store.store import STAGING, Store

_WEIGHTS = ("model.safetensors", "pytorch_model.bin", "onnx/model.onnx")
_CONVERTED = ("bert", "mpnet", None)
"""Kinds of networks whose weights can be read; others come as ONNX, where they are published so."""
_BESIDE_WEIGHTS = (
    "config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "vocab.txt",
    "modules.json",
    "sentence_bert_config.json",
    "1_Pooling/config.json",
)
"""What a conversion may need; no repository holds all of it."""
_MOST_NAMED = 12

_NOTE = "pull.json"
"""Says beside the files what is being fetched, so that anybody can go on with it."""
_PULLED = ".pulled.json"
"""Keeps the hashes of everything that was ever pulled, by address on the hub and by commit. They
stay when a model is removed: the same place cannot hold something else without anybody noticing."""
_SCHEMA = "veracite.pulled/1"
_Hashes = dict[str, dict[str, str]]


@dataclass(frozen=True, slots=True)
class Fetched:
    """So many bytes of all files are here."""

    path: str
    """The file that is being downloaded."""
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Pulled:
    """The model is in the store."""

    manifest: ModelManifest
    changed: tuple[str, ...] = ()
    """Addresses of the files that are others than when they were pulled before."""


PullEvent = Fetched | Pulled


@dataclass(frozen=True, slots=True)
class Plan:
    """What a pull will download."""

    entry: Entry
    remote: Remote
    files: tuple[RemoteFile, ...]
    texts: tuple[RemoteFile, ...] = ()
    """The licence and what belongs to it, as far as the repository holds it."""

    @classmethod
    def of(cls, entry: Entry, store: Store, hub: Hub) -> "Plan":
        """Look up an entry that is to come into a store.

        Raises:
            ModelError: It is there already, the hub cannot be reached, or its files are not those
                of the entry.
        """
        if entry.name in store.names():
            raise _taken(entry, store)
        remote = hub.look_up(entry.repository, entry.revision)
        offered = {file.path: file for file in remote.files}
        wanted = entry.files or _to_be_converted(entry, remote, offered)
        texts = tuple(offered[name] for name in texts_among(offered))
        return cls(
            entry,
            remote,
            tuple(_expected(entry, file, offered) for file in wanted),
            tuple(file for file in texts if file.size <= LARGEST_TEXT),
        )

    @property
    def licence(self) -> str | None:
        """As it is known, or as the hub states it."""
        return self.entry.licence or self.remote.licence

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in (*self.files, *self.texts))

    @property
    def is_large(self) -> bool:
        """Whether somebody should be asked first: more than 1 GB."""
        return self.size > 1_000_000_000


def begun(store: Store, name: str) -> Entry | None:
    """What was being pulled under a name; None if nothing was, or nobody can tell."""
    try:
        said = json.loads((store.folder / STAGING / name / _NOTE).read_bytes())
        return msgspec.convert(said["entry"], Entry)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def begun_or_known(store: Store, name: str, called: str | None = None) -> Entry:
    """What to pull for a name of the registry, of a pull that was begun, or any that
    ``entry_of`` takes.

    Args:
        called: What it is to be called, if not as by itself.

    Raises:
        ModelError: It is none of them, or nothing can be called so.
    """
    known = name in {entry.name for entry in registry()}
    there = begun(store, name) if not known and name in store.partial() else None
    entry = there or entry_of(name)
    if called is None:
        return entry
    require_name(called)
    return replace(entry, name=called)


def pull(store: Store, plan: Plan, hub: Hub) -> Iterator[PullEvent]:
    """Download a model and put it into the store; what an earlier attempt got is not got again.

    Raises:
        ModelError: Another process pulls it, the connection or the disk fails, a file is not what
            it should be or was before, or no model. What was downloaded so far stays for the next
            attempt, but for what is wrong.
    """
    generates = plan.entry.kind == "generator"
    with store.stage(plan.entry.name) as staged, disk_errors(store.folder):
        _go_on_with(staged, plan)
        # What is still to be converted keeps the form of its folder.
        names = [Path(file.path).name if generates else file.path for file in plan.files]
        names += [kept_as(text.path) for text in plan.texts]
        files = dict(zip(names, (*plan.files, *plan.texts), strict=True))
        there = sum(path.stat().st_size for name in names if (path := staged / name).is_file())
        require_room(store.folder, plan.size - there)
        came = yield from _downloaded(hub, plan, staged, files)
        others = _compared(store, plan, staged, came[: len(plan.files)])
        if generates:
            pinned = all(file.sha256 for file in plan.entry.files)
            manifest = generator(
                staged,
                plan.entry.name,
                plan.entry.repository,
                came,
                quantisation=plan.entry.quantisation,
                pinned=pinned,
                **_known(plan),
            )
        else:
            staged, manifest = _converted(plan, staged)
        store.adopt(staged, manifest)
    yield Pulled(manifest, others)


def _taken(entry: Entry, store: Store) -> ModelError:
    """Says that a model of this name is in the store, and whether it is another one."""
    there = store.get(entry.name)
    if there.source == entry.repository:
        return ModelError(
            f"The model {entry.name} is here already.",
            f"`veracite models verify {entry.name}` checks it; remove it first to pull it anew.",
            "here already",
        )
    return ModelError(
        f"Another model named {entry.name} is here already, from {there.source}.",
        "Pull this one under another name with `veracite models pull ... --name NAME`, or remove "
        f"the other first with `veracite models remove {entry.name}`.",
        "name taken",
    )


def _to_be_converted(
    entry: Entry, remote: Remote, offered: Mapping[str, RemoteFile]
) -> tuple[Wanted, ...]:
    """The files that a conversion reads; of the weights, the safest format that it knows.

    Raises:
        ModelError: The repository is one of language models.
    """
    if not set(_WEIGHTS) & set(offered) and (there := _ggufs(entry, offered)):
        raise ModelError(
            f"{entry.repository} holds language models, of which one has to be named.",
            f"Name one of its files: {there}.",
        )
    formats = _WEIGHTS if remote.network in _CONVERTED else _WEIGHTS[-1:]
    weights = next((path for path in formats if path in offered), formats[0])
    if weights not in offered and remote.network not in _CONVERTED:
        from veracite.models.conversion.network import unsupported

        raise unsupported(f"it is of the kind {quoted(str(remote.network))}")
    return tuple(map(Wanted, (*(path for path in _BESIDE_WEIGHTS if path in offered), weights)))


def _ggufs(entry: Entry, offered: Mapping[str, RemoteFile]) -> str:
    """The addresses of the repository's GGUF files, or of the first of many."""
    there = [
        f"{entry.repository}/{path}"
        for path in offered
        if path.endswith(".gguf") and stays_inside(path)
    ]
    return ", ".join(there[:_MOST_NAMED]) + (", ..." if len(there) > _MOST_NAMED else "")


def _expected(entry: Entry, wanted: Wanted, offered: Mapping[str, RemoteFile]) -> RemoteFile:
    """The file that is wanted, if the one that is offered is the one that is known."""
    file = offered.get(wanted.path)
    if file is None or not stays_inside(file.path):
        message = f"The repository {entry.repository} holds no file {wanted.path}."
        if there := _ggufs(entry, offered):
            raise ModelError(message, f"It holds {there}; name one of them.")
        raise ModelError(
            message,
            "Choose another model with `veracite models list`; this one was moved or renamed.",
            "changed on the hub",
        )
    if wanted.size not in (None, file.size) or (
        wanted.sha256 and file.sha256 and wanted.sha256 != file.sha256
    ):
        raise ModelError(
            f"The hub offers another {wanted.path} than the one that is known.",
            "Choose another model with `veracite models list`; this one was changed.",
            "changed on the hub",
        )
    return RemoteFile(file.path, file.size, wanted.sha256 or file.sha256)


def _go_on_with(staged: Path, plan: Plan) -> None:
    """Note what is fetched to a staged folder, and delete what is there of another one."""
    note = staged.parent / _NOTE
    said = json.dumps({"commit": plan.remote.commit, "entry": asdict(plan.entry)})
    if not note.is_file() or note.read_text(encoding="utf-8", errors="replace") != said:
        shutil.rmtree(staged)
        staged.mkdir(mode=0o700)
        write_whole(note, said)


def _downloaded(
    hub: Hub, plan: Plan, staged: Path, files: Mapping[str, RemoteFile]
) -> Generator[Fetched, None, tuple[StoredFile, ...]]:
    """Complete files, by the names that they have in the folder; errors as ``Hub.fetch``."""
    before, complete = 0, []
    for name, file in files.items():
        fetching = hub.fetch(plan.remote, file, staged / name)
        while True:
            try:
                done = next(fetching)
            except StopIteration as ended:
                complete.append(replace(ended.value, path=name))
                break
            yield Fetched(file.path, before + done, plan.size)
        before += file.size
    return tuple(complete)


def _compared(
    store: Store, plan: Plan, staged: Path, files: tuple[StoredFile, ...]
) -> tuple[str, ...]:
    """Record the hashes of what came; returns the addresses that held another file before.

    Raises:
        ModelError: A file of the same commit is another one, which git does not allow; nothing is
            kept then. Or what was recorded cannot be read.
    """
    commit, changed = plan.remote.commit, []
    hashes = _recorded(store.folder)
    for file, came in zip(plan.files, files, strict=True):
        address = f"{plan.remote.repository}/{file.path}"
        before = hashes.get(address, {})
        if (known := before.get(commit, came.sha256)) != came.sha256:
            shutil.rmtree(staged)
            raise ModelError(
                f"What the hub holds as {address} is not what it was when it was first pulled: its "
                f"SHA-256 is {came.sha256}, and {known} was recorded for the same commit.",
                "Do not trust the server; compare the hash with what the model's makers say.",
            )
        if before and came.sha256 not in before.values():
            changed.append(address)
        hashes[address] = {**before, commit: came.sha256}
    write_noted(store.folder / _PULLED, _SCHEMA, "sha256", hashes)
    return tuple(changed)


def _recorded(folder: Path) -> _Hashes:
    try:
        return read_noted(folder / _PULLED, _SCHEMA, "sha256", _Hashes) or {}
    except ValueError as error:
        raise ModelError(
            f"{folder / _PULLED}, which holds the hashes of what was pulled, is damaged.",
            "Delete that file; the hashes are recorded anew from then on.",
        ) from error


def _converted(plan: Plan, downloaded: Path) -> tuple[Path, ModelManifest]:
    """The folder of what was made of an encoder or reranker, and which of them it is."""
    entry, folder = plan.entry, downloaded.parent / "converted"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    licence = plan.licence or "unknown"
    made = converted(downloaded, folder, entry.name, entry.repository, licence=licence)
    return folder, replace(
        made,
        files=(*made.files, *take_texts(downloaded, folder)),
        source=entry.repository,
        **_known(plan),
    )


def _known(plan: Plan) -> dict[str, Any]:
    """What is known of a model beside its files."""
    entry = plan.entry
    said = {"licence": plan.licence, "revision": plan.remote.commit}
    return {**said, "context": entry.context, "parameters": entry.parameters}
