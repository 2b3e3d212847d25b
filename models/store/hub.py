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
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import msgspec

from veracite.models.errors import ModelError
from veracite.models.files import quoted, require_room, stays_inside, write_whole
from veracite.models.store import (
    LARGEST_TEXT,
    TEXTS,
    Brought,
    Copied,
    Entry,
    RemoteFile,
    Store,
    StoredFile,
    converted,
    describe,
    generator,
    texts_among,
)

Online = Callable[[], AbstractContextManager[None]]
"""Gives a context in which this thread, and no other, may open network connections."""

_AGENT = "veracite"
_SECONDS = 30.0
"""Without an answer or another byte, after which a connection counts as dropped."""

_PUBLISHED = ("onnx/model.onnx", "model.onnx")
_WEIGHTS = ("model.safetensors", "pytorch_model.bin", *_PUBLISHED)
"""The files that a network's weights are published in, the safest format first."""
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
class Remote:
    """A repository at one commit."""

    repository: str
    commit: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{40}$")]
    licence: str | None
    network: Any
    """The kind of its network, such as bert, where the hub has looked into its config.json."""
    files: tuple[RemoteFile, ...]


class Hub(AbstractContextManager["Hub"]):
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
            ModelError: The hub cannot be reached, or has no such public repository.
        """
        from huggingface_hub import HfApi

        api = HfApi(endpoint=self.endpoint, token=False, headers={"user-agent": _AGENT})
        with self._told(repository):
            try:
                with self._online():
                    info: Any = api.model_info(
                        repository, revision=revision, files_metadata=True, timeout=_SECONDS
                    )
                remote = _remote(repository, info)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise ModelError(
                    f"{self.endpoint} does not answer as a hub of models does.",
                    "Check HF_ENDPOINT, and whether the network asks for a login in a browser.",
                ) from error
        if info.gated:
            raise self._refused(repository, 403)
        return remote

    def fetch(self, remote: Remote, file: RemoteFile, place: Path) -> Iterator[int]:
        """Complete a file, whatever is there of it; gives the bytes that are there now and then.

        A connection that breaks is opened again as long as each one brings some bytes more.

        Raises:
            Dropped: A connection brought nothing.
            ModelError: The hub refuses, or sends more than was announced.
            OSError: The disk refuses.
        """
        size = file.size or 0
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
        before = -1
        while before < (there := place.stat().st_size) < size:
            yield (before := there)
            with suppress(Dropped):
                yield from self._go_on(remote, file, place, there)
        if there > size:
            place.unlink()
            raise _other_bytes(file, f"more than the {size:,} bytes that were announced")
        if there < size:
            raise Dropped(
                f"The server sent only {there:,} of the {size:,} bytes of {file.path}.",
                "Try again later; what is here is kept.",
            )
        yield there

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
                    out.write(block)
                    yield (done := done + len(block))
                    if done > (file.size or 0):
                        return

    @contextmanager
    def _told(self, repository: str) -> Iterator[None]:
        """Turns what the client raises into one sentence and advice."""
        from httpx2 import HTTPError, HTTPStatusError
        from huggingface_hub.errors import HfHubHTTPError

        try:
            yield
        except (HfHubHTTPError, HTTPStatusError) as error:
            raise self._refused(repository, error.response.status_code) from error
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

    def _refused(self, repository: str, status: int) -> ModelError:
        if status in (401, 403, 404):
            return ModelError(
                f"{self.endpoint} has no public repository {repository}, or lacks the file or "
                "revision that is wanted.",
                "Check the spelling; what needs an account is fetched with a browser and imported "
                "with `veracite models import FILE`.",
                "not on the hub",
            )
        return ModelError(
            f"{self.endpoint} answered with the status {status} when asked for {repository}.",
            "Try again later.",
        )

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
    said = {
        "repository": repository,
        "commit": info.sha,
        "licence": str(licence) if licence else None,
        "network": (info.config or {}).get("model_type"),
        "files": [
            {"path": f.rfilename, "size": int(f.size), "sha256": f.lfs.sha256 if f.lfs else None}
            for f in info.siblings or ()
        ],
    }
    return msgspec.convert(said, Remote)


def _other_bytes(file: RemoteFile, told: str) -> ModelError:
    return ModelError(
        f"What the server sends as {file.path} is another file: {told}.",
        "Try again; if it stays so, do not trust the server.",
    )


@dataclass(frozen=True, slots=True)
class Plan:
    """What a pull will download."""

    entry: Entry
    remote: Remote
    files: Mapping[str, RemoteFile]
    """By the names that they have in the folder: the model's own, then its licence and notices."""

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
        # What is still to be converted keeps the form of its folder.
        flat = entry.kind == "generator"
        files = {
            Path(f.path).name if flat else f.path: _expected(entry, f, offered) for f in wanted
        }
        texts = {f"{TEXTS}{name}": offered[name] for name in texts_among(offered)}
        files |= {name: text for name, text in texts.items() if (text.size or 0) <= LARGEST_TEXT}
        return cls(entry, remote, files)

    @property
    def licence(self) -> str | None:
        """As it is known, or as the hub states it."""
        return self.entry.licence or self.remote.licence

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size or 0 for file in self.files.values())

    @property
    def is_large(self) -> bool:
        """Whether somebody should be asked first: more than 1 GB."""
        return self.size > 1_000_000_000


def pull(store: Store, plan: Plan, hub: Hub) -> Iterator[Copied | Brought]:
    """Download a model and put it into the store; what an earlier attempt got is not got again.

    Raises:
        ModelError: Another process pulls it, the connection or the disk fails, a file is not what
            it should be, or no model. What was downloaded so far stays for the next
            attempt, but for what is wrong.
    """
    entry = plan.entry
    known: dict[str, Any] = {"licence": plan.licence, "revision": plan.remote.commit}
    with store.stage(entry.name) as staged:
        _go_on_with(staged, plan)
        there = sum(f.stat().st_size for name in plan.files if (f := staged / name).is_file())
        require_room(store.folder, plan.size - there)
        before, came = 0, []
        for name, file in plan.files.items():
            for done in hub.fetch(plan.remote, file, staged / name):
                yield Copied(file.path, before + done, plan.size)
            came.append(_as_announced(staged, name, file))
            before += came[-1].size
        if entry.kind == "generator":
            known |= {"quantisation": entry.quantisation}
            known |= {"pinned": all(file.sha256 for file in entry.files)}
            manifest = generator(staged, entry.name, entry.repository, tuple(came), **known)
        else:
            downloaded, staged = staged, staged.parent / "converted"
            shutil.rmtree(staged, ignore_errors=True)
            staged.mkdir(mode=0o700)
            made = converted(downloaded, staged, entry.name, entry.repository, plan.licence)
            known |= {"context": entry.context, "parameters": entry.parameters}
            manifest = replace(made, source=entry.repository, **known)
        store.adopt(staged, manifest)
    yield Brought(manifest)


def _to_be_converted(
    entry: Entry, remote: Remote, offered: Mapping[str, RemoteFile]
) -> tuple[RemoteFile, ...]:
    """The files that a conversion reads.

    Raises:
        ModelError: The repository is one of language models, or of networks of another kind.
    """
    if not set(_WEIGHTS) & set(offered) and (there := _ggufs(entry, offered)):
        raise ModelError(
            f"{entry.repository} holds language models, of which one has to be named.",
            f"Name one of its files: {there}.",
        )
    formats = _WEIGHTS if remote.network in _CONVERTED else _PUBLISHED
    weights = next((path for path in formats if path in offered), None)
    if weights is None and formats != _WEIGHTS:
        from veracite.models.conversion import unsupported

        raise unsupported(f"it is of the kind {quoted(str(remote.network))}")
    beside = (path for path in _BESIDE_WEIGHTS if path in offered)
    return tuple(map(RemoteFile, (*beside, weights or _WEIGHTS[0])))


def _ggufs(entry: Entry, offered: Mapping[str, RemoteFile]) -> str:
    """The addresses of the repository's GGUF files, or of the first of many."""
    there = [f"{entry.repository}/{p}" for p in offered if p.endswith(".gguf") and stays_inside(p)]
    return ", ".join(there[:_MOST_NAMED]) + (", ..." if len(there) > _MOST_NAMED else "")


def _expected(entry: Entry, wanted: RemoteFile, offered: Mapping[str, RemoteFile]) -> RemoteFile:
    """The file that is wanted, if the one that is offered is the one that is known."""
    file = offered.get(wanted.path)
    if file is None or not stays_inside(file.path):
        message = f"The repository {entry.repository} holds no file {wanted.path}."
        if there := _ggufs(entry, offered):
            raise ModelError(message, f"It holds {there}; name one of them.")
    elif wanted.size in (None, file.size) and (
        not (wanted.sha256 and file.sha256) or wanted.sha256 == file.sha256
    ):
        return replace(file, sha256=wanted.sha256 or file.sha256)
    else:
        message = f"The hub offers another {wanted.path} than the one that is known."
    raise ModelError(
        message,
        "Choose another model with `veracite models list`; this one was changed or moved.",
        "changed on the hub",
    )


def _go_on_with(staged: Path, plan: Plan) -> None:
    """Note what is fetched to a staged folder, and delete what is there of another one."""
    note = staged.parent / _NOTE
    said = json.dumps({"commit": plan.remote.commit, "entry": asdict(plan.entry)})
    if not note.is_file() or note.read_text(encoding="utf-8", errors="replace") != said:
        shutil.rmtree(staged)
        staged.mkdir(mode=0o700)
        write_whole(note, said)


def _as_announced(staged: Path, name: str, file: RemoteFile) -> StoredFile:
    """A file that is complete, as a manifest lists it.

    Raises:
        ModelError: It is not what was announced; it is deleted then.
    """
    found = describe(staged / name, name)
    if file.sha256 not in (None, found.sha256):
        (staged / name).unlink()
        told = f"its SHA-256 is {found.sha256}, and {file.sha256} was expected"
        raise _other_bytes(file, told)
    return found
