"""The hub of models, spoken to by HTTP: the one part of Veracite that uses the network.

huggingface_hub finds repositories, builds addresses and keeps the connections; the bytes are read
here. Its own downloads begin anew in the next process (since version 2), wait where Ctrl-C does not
reach them, and go through native code (hf_xet) whose sockets the guard of
``veracite.engine.offline`` cannot see.
"""

import logging
import os
import re
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from veracite.models.errors import ModelError
from veracite.models.store.manifest import Count, Sha256, StoredFile, describe

if TYPE_CHECKING:
    from httpx2 import Response

Online = Callable[[], AbstractContextManager[None]]
"""Gives a context in which this thread, and no other, may open network connections."""

_AGENT = "veracite"
_SECONDS = 30.0
"""Without an answer or another byte, after which a connection counts as dropped."""


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
                    f"The server ends {file.path} after {there:,} of {file.size:,} bytes.",
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
                done = _begin(response, file, start)
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


def _begin(response: "Response", file: RemoteFile, start: int) -> int:
    """Where the response begins in the file.

    Raises:
        HTTPStatusError: The status is an error.
        ModelError: What it offers is another file or part.
    """
    response.raise_for_status()
    length = response.headers.get("Content-Length", "")
    begins, total = 0, int(length) if length.isdecimal() else file.size
    if response.status_code == 206:
        span = re.fullmatch(r"bytes (\d+)-\d+/(\d+)", response.headers.get("Content-Range", ""))
        begins, total = (int(span[1]), int(span[2])) if span else (-1, file.size)
    if begins not in (0, start) or total != file.size:
        raise ModelError(
            f"The server offers {file.path} in another size than the hub has announced.",
            "Try again later; if it stays so, do not trust the server.",
        )
    return begins


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
