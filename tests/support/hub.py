"""Plays the hub of models on loopback, a connection for each request, and misbehaves as told."""

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

from veracite.engine.offline import lifted


@dataclass
class PlayedHub:
    """What it holds, how it misbehaves, and what it was asked."""

    endpoint: str = ""
    repositories: dict[str, dict[str, bytes]] = field(default_factory=dict)
    """Repository to path to what the hub announces."""
    sent: dict[str, bytes] = field(default_factory=dict)
    """Path to what is sent in place of the announced."""
    sizes: dict[str, int] = field(default_factory=dict)
    """Path to a size that is announced in place of the true one."""
    break_after: list[int] = field(default_factory=list)
    """Of each of the next downloads, after how many bytes the connection breaks."""
    no_lengths: bool = False
    """Whether downloads come without their length, until the connection is closed."""
    status: int = 0
    """Answered to everything, if not 0."""
    stall_after: int | None = None
    """After how many bytes the next download stands still, until ``go_on`` is set."""
    stalled: threading.Event = field(default_factory=threading.Event)
    go_on: threading.Event = field(default_factory=threading.Event)
    asked: list[str] = field(default_factory=list)
    """Path, and range if there is one, of each request: ``/a/b bytes=5-``."""
    headers: list[dict[str, str]] = field(default_factory=list)
    """Of each request, by their names in small letters."""

    def put(self, repository: str, **files: bytes) -> None:
        """Keyword names with ``__`` for a dot: ``model__gguf``."""
        held = self.repositories.setdefault(repository, {})
        held |= {path.replace("__", "."): content for path, content in files.items()}

    def commit(self, repository: str) -> str:
        content = repr(sorted(self.repositories[repository].items())).encode()
        return hashlib.sha1(content).hexdigest()

    @property
    def downloads(self) -> list[str]:
        return [asked.rpartition("/")[2] for asked in self.asked if "/resolve/" in asked]


@contextmanager
def playing() -> Iterator[PlayedHub]:
    """A hub that answers as long as the context lasts."""
    hub = PlayedHub()

    class Handler(_Handler):
        played = hub

    with lifted():
        server = _Server(("127.0.0.1", 0), Handler)
    hub.endpoint = f"http://127.0.0.1:{server.server_port}"

    def serve() -> None:
        with lifted():
            server.serve_forever(poll_interval=0.01)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield hub
    finally:
        hub.go_on.set()
        server.shutdown()
        thread.join()
        server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = False

    def handle_error(self, *_: object) -> None:
        """Somebody hung up, which is nothing to write about."""


class _Handler(BaseHTTPRequestHandler):
    played: PlayedHub

    def do_GET(self) -> None:
        hub = self.played
        path = unquote(urlsplit(self.path).path)
        span = self.headers.get("Range")
        hub.asked.append(f"{path} {span}" if span else path)
        hub.headers.append({name.lower(): value for name, value in self.headers.items()})
        if hub.status:
            self._refuse(hub.status)
        elif path.startswith("/api/models/"):
            self._describe(path.removeprefix("/api/models/").partition("/revision/")[0])
        else:
            repository, _, rest = path.strip("/").partition("/resolve/")
            self._send(repository, rest.partition("/")[2], span)

    def _describe(self, repository: str) -> None:
        hub = self.played
        if repository not in hub.repositories:
            return self._refuse(404)
        body = json.dumps(
            {
                "id": repository,
                "sha": hub.commit(repository),
                "cardData": {"license": "apache-2.0"},
                "config": json.loads(hub.repositories[repository].get("config.json", b"{}")),
                "siblings": [
                    self._sibling(path, content)
                    for path, content in hub.repositories[repository].items()
                ],
            }
        ).encode()
        about = {"Content-Type": "application/json", "Content-Length": len(body)}
        self._answer(200, {**about, "X-HF-Warning": "news; said by the server"})
        self.wfile.write(body)

    def _sibling(self, path: str, content: bytes) -> dict[str, Any]:
        size = self.played.sizes.get(path, len(content))
        lfs = {"sha256": hashlib.sha256(content).hexdigest(), "size": size, "pointerSize": 1}
        large = path.endswith((".gguf", ".safetensors", ".bin", ".onnx"))
        return {"rfilename": path, "size": size, **({"lfs": lfs} if large else {})}

    def _send(self, repository: str, path: str, span: str | None) -> None:
        hub = self.played
        announced = hub.repositories.get(repository, {}).get(path)
        if announced is None:
            return self._refuse(404)
        content = hub.sent.get(path, announced)
        start = int(span.removeprefix("bytes=").partition("-")[0]) if span else 0
        about: dict[str, object] = {"Content-Length": len(content) - start}
        if span:
            about["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        if hub.no_lengths:
            del about["Content-Length"]
        self._answer(206 if span else 200, about)
        self._write(content[start:])

    def _write(self, content: bytes) -> None:
        hub = self.played
        stop = hub.break_after.pop(0) if hub.break_after else None
        pause, hub.stall_after = hub.stall_after, None
        with suppress(OSError):  # nobody listens any more
            if pause is not None:
                self.wfile.write(content[:pause])
                hub.stalled.set()
                hub.go_on.wait()
            self.wfile.write(content[pause:stop])

    def _refuse(self, status: int) -> None:
        self._answer(status, {"Content-Length": 0})

    def _answer(self, status: int, headers: dict[str, Any]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, str(value))
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass
