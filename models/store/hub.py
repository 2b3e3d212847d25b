"""The hub of models: what can be pulled, and how it comes into the store.

This is the one part of Veracite that uses the network. huggingface_hub finds repositories, builds
addresses and keeps the connections; the bytes are read here. Its own downloads begin anew in the
next process (since version 2), wait where Ctrl-C does not reach them, and go through native code
(hf_xet) whose sockets the guard of ``veracite.engine.offline`` cannot see.
"""

import json
import logging
import os
import shutil
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import msgspec

from veracite.models.errors import ModelError
from veracite.models.files import (
    disk_errors,
    quoted,
    require_name,
    require_room,
    stays_inside,
    write_whole,
)
from veracite.models.store import STAGING, Store
from veracite.models.store.bringing import converted, generator, take_texts
from veracite.models.store.manifest import (
    LARGEST_TEXT,
    Count,
    Entry,
    ModelManifest,
    Sha256,
    StoredFile,
    Wanted,
    describe,
    entry_of,
    kept_as,
    registry,
    texts_among,
)

Online = Callable[[], AbstractContextManager[None]]
"""Gives a context in which this thread, and no other, may open network connections."""

_AGENT = "veracite"
_SECONDS = 30.0
"""Without an answer or another byte, after which a connection counts as dropped."""

_WEIGHTS = ("model.safetensors", "pytorch_model.bin", "onnx/model.onnx")
_CONVERTED = ("bert", "mpnet", None)
"""Kinds of networks whose weights can be read; others come as ONNX, where they are published so."""
_BESIDE_WEIGHTS = (
    *("config.json", "tokenizer.json", "tokenizer_config.json", "vocab.txt", "modules.json"),
    *("sentence_bert_config.json", "1_Pooling/config.json"),
)
"""What a conversion may need; no repository holds all of it."""
_MOST_NAMED = 12
_NOTE = "pull.json"
"""Says beside the files what is being fetched, so that anybody can go on with it."""


class Dropped(ModelError):
    """The connection failed or broke; the same request may work now or later."""


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file of a repository, as the hub announces it."""

    path: str
    size: Count
    sha256: Sha256 | None
    """None for the small files that the hub keeps in git itself."""


@dataclass(frozen=True, slots=True)
class Remote:
    """A repository at one commit."""

    repository: str
    commit: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{40}$")]
    licence: str | None
    files: tuple[RemoteFile, ...]
    network: str | None
    """The kind of its network, such as bert, where the hub has looked into its config.json."""


class Hub:
    """A connection to the hub; as a context, it is closed at the end.

    Args:
        online: Lifts the guard against network connections, around each request.
        endpoint: Address of the hub or of a mirror; by default what ``HF_ENDPOINT`` says, or the
            hub's own.
    """

    def __init__(self, online: Online, endpoint: str | None = None) -> None:
        from huggingface_hub import constants
        from huggingface_hub.utils.logging import set_verbosity

        # The guard says when the network may be used; these would refuse or report it.
        constants.HF_HUB_OFFLINE = False
        constants.HF_HUB_DISABLE_TELEMETRY = True
        # It would repeat on the terminal whatever the server's headers say.
        set_verbosity(logging.CRITICAL)
        named = endpoint or os.environ.get("HF_ENDPOINT") or "https://huggingface.co"
        self.endpoint = named.rstrip("/")
        self._online = online

    def look_up(self, repository: str, revision: str | None = None) -> Remote:
        """A repository with its files' sizes, and the hashes of the large ones.

        Raises:
            ModelError: The hub cannot be reached, or has no such repository for everybody.
        """
        from huggingface_hub import HfApi

        api = HfApi(endpoint=self.endpoint, token=False, headers={"user-agent": _AGENT})
        with self._told(repository):
            try:
                with self._online():
                    info = api.model_info(
                        repository, revision=revision, files_metadata=True, timeout=_SECONDS
                    )
                remote = _remote(repository, info)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise ModelError(
                    f"{self.endpoint} does not answer as a hub of models does.",
                    "Check HF_ENDPOINT, and whether the network asks for a login in a browser.",
                ) from error
        if info.gated:
            raise _for_members(self.endpoint, repository)
        return remote

    def fetch(
        self, remote: Remote, file: RemoteFile, place: Path
    ) -> Generator[int, None, StoredFile]:
        """Complete a file, whatever is there of it; gives the bytes that are there now and then.

        A connection that breaks is opened again as long as each one brings some bytes more.

        Raises:
            Dropped: A connection brought nothing.
            ModelError: The hub refuses, or the file is not what was announced; it is deleted then.
            OSError: The disk refuses.
        """
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
        while (before := place.stat().st_size) < file.size:
            yield before
            try:
                yield from self._go_on(remote, file, place, before)
            except Dropped:
                if place.stat().st_size <= before:
                    raise
            if (there := place.stat().st_size) <= before:
                raise Dropped(
                    f"The server sent only {there:,} of the {file.size:,} bytes of {file.path}.",
                    "Try again later; what is here is kept.",
                )
        yield before
        found = describe(place, place.name)
        if found.size != file.size or file.sha256 not in (None, found.sha256):
            place.unlink()
            raise ModelError(
                f"What was downloaded as {file.path} is another file: its SHA-256 is "
                f"{found.sha256}, and {file.sha256} was expected.",
                "Try again; if it stays so, do not trust the server.",
            )
        return found

    def _go_on(self, remote: Remote, file: RemoteFile, place: Path, start: int) -> Iterator[int]:
        """Write the bytes from ``start`` on, or from 0 where the server gives no parts."""
        from huggingface_hub import get_session, hf_hub_url

        url = hf_hub_url(
            remote.repository, file.path, revision=remote.commit, endpoint=self.endpoint
        )
        headers = {"Accept-Encoding": "identity", "User-Agent": _AGENT}
        if start:
            headers["Range"] = f"bytes={start}-"
        with self._told(remote.repository):
            session = get_session()
            request = session.build_request("GET", url, headers=headers, timeout=_SECONDS)
            with self._online():
                response = session.send(request, stream=True)
            with closing(response), place.open("r+b") as out:
                response.raise_for_status()
                done = start if response.status_code == 206 else 0
                out.truncate(out.seek(done))
                for block in response.iter_raw():
                    done += len(block)
                    if done > file.size:
                        place.unlink()
                        raise ModelError(
                            f"The server sends more of {file.path} than the {file.size:,} bytes "
                            "that it has announced.",
                            "Try again later; if it stays so, do not trust the server.",
                        )
                    out.write(block)
                    yield done

    @contextmanager
    def _told(self, repository: str) -> Iterator[None]:
        """Turns what the client raises into one sentence and advice."""
        from httpx2 import HTTPError, HTTPStatusError
        from huggingface_hub.errors import HfHubHTTPError

        try:
            yield
        except (HfHubHTTPError, HTTPStatusError) as error:
            raise _refused(self.endpoint, repository, error.response.status_code) from error
        except HTTPError as error:
            reason = str(error) or type(error).__name__
            raise Dropped(
                f"The hub of models, {self.endpoint}, cannot be reached ({reason.rstrip('.')}).",
                "Check the network and run the same command again, or bring the model from "
                "another machine: `veracite models export` there, `veracite models import` here.",
                "unreachable",
            ) from error
        except ImportError as error:  # raised for a SOCKS proxy, which needs a package more
            raise ModelError(
                "The proxy that the environment names cannot be used.",
                "Name an HTTP proxy with HTTPS_PROXY, or unset ALL_PROXY.",
            ) from error

    def __enter__(self) -> "Hub":
        return self

    def __exit__(self, *_: object) -> None:
        from huggingface_hub import close_session

        close_session()


def _remote(repository: str, info: Any) -> Remote:
    """What the hub said (``huggingface_hub.ModelInfo``), checked.

    Raises:
        ValueError: It cannot be.
    """
    card = info.card_data or {}
    licence = card.get("license")
    if licence == "other":
        licence = card.get("license_name") or licence
    network = (info.config or {}).get("model_type")
    files = [
        (file.rfilename, file.size, file.lfs.sha256 if file.lfs else None)
        for file in info.siblings or ()
    ]
    said = {
        "repository": repository,
        "commit": info.sha,
        "licence": str(licence) if licence else None,
        "files": [dict(zip(("path", "size", "sha256"), file, strict=True)) for file in files],
        "network": network if isinstance(network, str) else None,
    }
    return msgspec.convert(said, Remote)


def _refused(endpoint: str, repository: str, status: int) -> ModelError:
    if status in (401, 403):
        return _for_members(endpoint, repository)
    if status == 404:
        return ModelError(
            f"{endpoint} has no repository {repository}, or not the file or revision wanted.",
            "Check the spelling; `veracite models list` names models that are known.",
            "not on the hub",
        )
    return ModelError(
        f"{endpoint} answered with the status {status} when asked for {repository}.",
        "Try again later.",
    )


def _for_members(endpoint: str, repository: str) -> ModelError:
    return ModelError(
        f"{endpoint} gives {repository} only to people with an account, or does not have it.",
        "Fetch the file with a browser and import it with `veracite models import FILE`.",
        "for members",
    )


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
            raise ModelError(
                f"The model {entry.name} is here already, from {store.get(entry.name).source}.",
                f"`veracite models verify {entry.name}` checks it. Remove it first to pull it "
                "anew, or give this one another name with --name NAME.",
                "here already",
            )
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
            it should be, or no model. What was downloaded so far stays for the next
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
    yield Pulled(manifest)


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
