"""The hub of models: what can be pulled, and how it comes into the store.

This is the one part of Veracite that uses the network. huggingface_hub finds repositories, builds
addresses and keeps the connections; the bytes are read here. Its own downloads begin anew in the
next process (since version 2), wait where Ctrl-C does not reach them, and go through native code
(hf_xet) whose sockets the guard of ``veracite.engine.offline`` cannot see.
"""

import hashlib
import logging
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import msgspec

from veracite.models.errors import ModelError
from veracite.models.files import quoted, require_room, stays_inside
from veracite.models.gguf import read_header
from veracite.models.store import (
    Brought,
    Copied,
    Entry,
    ModelManifest,
    RemoteFile,
    Store,
    converted,
    describe,
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
    """

    def __init__(self, online: Online) -> None:
        from huggingface_hub import constants
        from huggingface_hub.utils.logging import set_verbosity

        # The guard says when the network may be used; these would refuse or report it.
        constants.HF_HUB_OFFLINE = False
        constants.HF_HUB_DISABLE_TELEMETRY = True
        # It would repeat on the terminal whatever the server's headers say.
        set_verbosity(logging.CRITICAL)
        self.endpoint = (os.environ.get("HF_ENDPOINT") or "https://huggingface.co").rstrip("/")
        """Address of the hub, or of the mirror that ``HF_ENDPOINT`` names."""
        self._online = online

    def look_up(self, repository: str, revision: str | None = None) -> Remote:
        """A repository with its files' sizes, and the hashes of the large ones.

        Raises:
            ModelError: The hub cannot be reached, or has no such public repository.
        """
        from huggingface_hub import HfApi

        api = HfApi(endpoint=self.endpoint, token=False, headers={"user-agent": _AGENT})
        with self._told(repository), self._online():
            info: Any = api.model_info(
                repository, revision=revision, files_metadata=True, timeout=_SECONDS
            )
            return msgspec.convert(_said(repository, info), Remote)

    def fetch(self, remote: Remote, file: RemoteFile, place: Path) -> Iterator[int]:
        """Complete a file, whatever is there of it; gives the bytes that are there now and then.

        A connection that breaks is opened again as long as each one brings some bytes more. Where
        the server gives no parts of files, each begins anew.

        Raises:
            ModelError: The hub refuses, or sends another number of bytes than was announced.
            OSError: The disk refuses.
        """
        from huggingface_hub import get_session, hf_hub_url

        url = hf_hub_url(
            remote.repository, file.path, revision=remote.commit, endpoint=self.endpoint
        )
        size, before = file.size or 0, -1
        dropped: Dropped | None = None
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
        while before < (there := place.stat().st_size) < size:
            yield (before := there)
            headers = {"Accept-Encoding": "identity", "User-Agent": _AGENT}
            if there:
                headers["Range"] = f"bytes={there}-"
            dropped = None
            try:
                with self._told(remote.repository):
                    session = get_session()
                    request = session.build_request("GET", url, headers=headers, timeout=_SECONDS)
                    with self._online():
                        response = session.send(request, stream=True)
                    with closing(response), place.open("r+b") as out:
                        response.raise_for_status()
                        done = out.seek(there if response.status_code == 206 else 0)
                        out.truncate()
                        for block in response.iter_raw():
                            done += out.write(block)
                            yield done
                            if done > size:
                                break
            except Dropped as error:
                dropped = error
        if there != size:
            if there > size:
                place.unlink()
            elif dropped:
                raise dropped
            raise ModelError(
                f"The server sent {there:,} bytes as {file.path}, where {size:,} were announced.",
                "Try again later; what may be a part of the file is kept.",
            )
        yield there

    @contextmanager
    def _told(self, repository: str) -> Iterator[None]:
        """Turns what the client raises into one sentence and advice."""
        from httpx2 import HTTPError, HTTPStatusError
        from huggingface_hub.errors import HfHubHTTPError

        try:
            yield
        except (HfHubHTTPError, HTTPStatusError) as error:
            raise ModelError(
                f"{self.endpoint} did not give what is wanted of {repository} (status "
                f"{error.response.status_code}).",
                "Check the spelling, or try again later; what needs an account is fetched with a "
                "browser and imported with `veracite models import FILE`.",
                "not on the hub",
            ) from error
        except (HTTPError, ImportError) as error:  # the latter for want of SOCKS
            reason = str(error) or type(error).__name__
            raise Dropped(
                f"The hub of models, {self.endpoint}, cannot be reached ({reason.rstrip('.')}).",
                "Check the network and run the same command again, or bring the model from "
                "another machine: `veracite models export` there, `veracite models import` here.",
                "unreachable",
            ) from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ModelError(
                f"{self.endpoint} does not answer as a hub of models does.",
                "Check HF_ENDPOINT, and whether the network asks for a login in a browser.",
            ) from error

    def __exit__(self, *_: object) -> None:
        from huggingface_hub import close_session

        close_session()


def _said(repository: str, info: Any) -> dict[str, Any]:
    """What the hub said (``huggingface_hub.ModelInfo``), by the names that ``Remote`` has."""
    card = info.card_data or {}
    licence = card.get("license_name") or card.get("license")
    return {
        "repository": repository,
        "commit": info.sha,
        "licence": str(licence) if licence else None,
        "network": (info.config or {}).get("model_type"),
        "files": [
            {"path": f.rfilename, "size": int(f.size), "sha256": f.lfs.sha256 if f.lfs else None}
            for f in info.siblings or ()
        ],
    }


@dataclass(frozen=True, slots=True)
class Plan:
    """What a pull will download."""

    entry: Entry
    remote: Remote
    files: Mapping[str, RemoteFile]
    """By the names that they have in the folder."""

    @classmethod
    def of(cls, entry: Entry, store: Store, hub: Hub) -> "Plan":
        """Look up an entry that is to come into a store.

        Raises:
            ModelError: It is there already, the hub cannot be reached, or its files are not those
                of the entry.
        """
        store.require_free(entry.name)
        remote = hub.look_up(entry.repository, entry.revision)
        offered = {file.path: file for file in remote.files}
        files = {}
        for wanted in entry.files or _to_be_converted(remote, offered):
            # What is still to be converted keeps the form of its folder.
            name = Path(wanted.path).name if entry.kind == "generator" else wanted.path
            files[name] = _expected(entry, wanted, offered)
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
    with store.stage(entry.name) as place:
        # What is there of another plan is of no use, and goes with the rest in the end.
        staged = place.parent / hashlib.sha256(repr(plan).encode()).hexdigest()
        staged.mkdir(mode=0o700, exist_ok=True)
        there = sum(f.stat().st_size for name in plan.files if (f := staged / name).is_file())
        require_room(store.folder, plan.size - there)
        before, came = 0, []
        for name, file in plan.files.items():
            for done in hub.fetch(plan.remote, file, staged / name):
                yield Copied(file.path, before + done, plan.size)
            came.append(describe(staged / name, name))
            if file.sha256 not in (None, came[-1].sha256):
                (staged / name).unlink()
                raise ModelError(
                    f"What the server sends as {file.path} is another file: its SHA-256 is "
                    f"{came[-1].sha256}, and {file.sha256} was expected.",
                    "Try again; if it stays so, do not trust the server.",
                )
            before += came[-1].size
        if entry.kind == "generator":
            read_header(staged / came[0].path)
            known = all(file.sha256 for file in entry.files)
            manifest = ModelManifest(
                name=entry.name, kind="generator", files=tuple(came), pinned=known
            )
        else:
            downloaded, staged = staged, place
            shutil.rmtree(staged)
            staged.mkdir(mode=0o700)
            manifest = converted(downloaded, staged, entry.name, entry.repository, plan.licence)
        manifest = replace(
            manifest,
            licence=plan.licence,
            source=entry.repository,
            revision=plan.remote.commit,
            quantisation=entry.quantisation,
        )
        store.adopt(staged, manifest)
    yield Brought(manifest)


def _to_be_converted(remote: Remote, offered: Mapping[str, RemoteFile]) -> tuple[RemoteFile, ...]:
    """The files that a conversion reads.

    Raises:
        ModelError: The repository holds a network of another kind.
    """
    formats = _WEIGHTS if remote.network in _CONVERTED else _PUBLISHED
    weights = next((path for path in formats if path in offered), None)
    if weights is None and set(_WEIGHTS) & set(offered):
        from veracite.models.conversion import unsupported

        raise unsupported(f"it is of the kind {quoted(str(remote.network))}")
    beside = (
        path for path in (*_BESIDE_WEIGHTS, f"{weights}_data", f"{weights}.data") if path in offered
    )
    return tuple(map(RemoteFile, (*beside, weights or _WEIGHTS[0])))


def _expected(entry: Entry, wanted: RemoteFile, offered: Mapping[str, RemoteFile]) -> RemoteFile:
    """The file that is wanted, if the one that is offered is the one that is known."""
    file = offered.get(wanted.path)
    if (
        file is None
        or not stays_inside(file.path)
        or wanted.size not in (None, file.size)
        or (wanted.sha256 and file.sha256 not in (None, wanted.sha256))
    ):
        there = [f"{entry.repository}/{p}" for p in offered if p.endswith(".gguf")]
        told = ", ".join(filter(stays_inside, there[:12])) or "no language model"
        raise ModelError(
            f"{entry.repository} holds no file {wanted.path}, or another one than is known; it "
            f"holds {told}.",
            "Name a file that it holds, or choose another model.",
        )
    return replace(file, sha256=wanted.sha256 or file.sha256)
