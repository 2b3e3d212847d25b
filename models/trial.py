"""The first load of a model file, in a process of its own.

Some damaged files end the process that loads them, whatever their header says, and some chat
templates compute for ever. So a file whose SHA-256 is new is loaded and run once by a child, and
what came through is remembered in a small file of the user's.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from signal import SIGKILL, SIGXCPU
from threading import Event
from time import monotonic
from typing import IO, TYPE_CHECKING

import msgspec
import numpy as np

from veracite.models.errors import Cancelled, ModelError
from veracite.models.files import blocks, disk_errors, open_file, write_private
from veracite.models.gguf import Header, needed, read_header
from veracite.models.store import require_as_stored

if TYPE_CHECKING:
    from veracite.models.chat import Role

_TEXT = "The quick brown fox jumps over the lazy dog."
_ROLES: "tuple[tuple[Role, ...], ...]" = (
    ("user",),
    ("system", "user"),
    ("system", "user", "assistant", "user"),
)
"""The conversations that prompts are made of."""

_FAILED = 3
"""The child's exit status when it raised a ModelError, which it wrote to its standard output."""

_ENDS = {
    -SIGXCPU: "takes unreasonably long to load",
    -SIGKILL: "takes more memory to load than it should",
}
_REASON = re.compile(r"error loading model: (.+)|(GGML_ASSERT.+)|^(\w+Error: .+)", re.MULTILINE)
_MAX_LOG = 2**24
"""Bytes that the child may write."""
_SPARE_MEMORY = 2**30
"""Bytes that the child may take beyond twice what the model is reckoned to need."""
_LOOK = 0.05
"""Seconds after which a cancellation is noticed."""


_FILE = "tried_models.json"
"""Names the files that came through, with their hash and their state then."""

_State = tuple[int, int, int]
"""Size, time of the last change and number of a file: the same as long as its content is."""

_Tried = dict[str, tuple[str, int, int, int]]
"""By their paths, the hash and the state of the files that came through."""


def known_sha256(path: Path, verified: Path) -> str | None:
    """The SHA-256 of a file that came through before and needs no second look; None of others.

    Raises:
        ModelError: the file cannot be read.
    """
    return _known_sha256(path, _state_of(path), _remembered(verified))


def require_trial(path: Path, verified: Path, stop: Event) -> str:
    """The SHA-256 of a model file, which was loaded without harm now or before.

    Args:
        path: The file, whose header is in order.
        verified: A folder of the user's in which to remember the files that came through, and
            their hashes for as long as their size and times stay the same.
        stop: Set by another thread to end the work.

    Raises:
        Cancelled: ``stop`` was set.
        ModelError: the file cannot be read or loaded, or ends or hangs the process that does; or
            it is of the store, and not what its manifest says.
    """
    state, remembered = _state_of(path), _remembered(verified)
    known = _known_sha256(path, state, remembered)
    sha256 = known or _sha256_of(path, state, stop)
    require_as_stored(path, sha256)
    if known:
        return sha256
    if sha256 not in {passed for passed, *_ in remembered.values()}:
        _try(path, stop)
    _remember(path, state, sha256, verified)
    return sha256


def _state_of(path: Path) -> _State:
    with open_file(path) as file:
        status = os.fstat(file.fileno())
    return status.st_size, status.st_mtime_ns, status.st_ino


def _sha256_of(path: Path, state: _State, stop: Event) -> str:
    """The hash of a file that stays as it is meanwhile."""
    sha256 = hashlib.sha256()
    for block in blocks(path):
        if stop.is_set():
            raise Cancelled
        sha256.update(block)
    if _state_of(path) != state:
        raise ModelError(
            f"The model {path} changed while it was read.", "Try again when it is complete."
        )
    return sha256.hexdigest()


def _known_sha256(path: Path, state: _State, remembered: _Tried) -> str | None:
    """The hash of a file that came through and was not changed since; None of others."""
    sha256, *seen = remembered.get(_named(path), ("",))
    return sha256 if tuple(seen) == state else None


def _named(path: Path) -> str:
    """A file's path as JSON can hold it, whatever bytes it has."""
    return os.fsencode(path.resolve()).decode("utf-8", "backslashreplace")


def _remembered(folder: Path) -> _Tried:
    """What came through; nothing if that is unreadable, since then it is only tried again."""
    with suppress(OSError, ValueError, RecursionError):
        return msgspec.json.decode((folder / _FILE).read_bytes(), type=_Tried)
    return {}


def _remember(path: Path, state: _State, sha256: str, verified: Path) -> None:
    tried = _remembered(verified) | {_named(path): (sha256, *state)}
    with disk_errors(verified):
        write_private(verified / _FILE, json.dumps(tried))


def _try(path: Path, stop: Event) -> None:
    """Let a child load the model; its log goes to a file that only we read."""
    # A minute, and one more for each gigabyte, of one processor's time.
    seconds = 60 + 60 * path.stat().st_size // 10**9
    command = [sys.executable, "-P", "-m", "veracite.models.trial", str(path), str(seconds)]
    # On an assertion ggml would call a debugger, which takes long.
    environment = {**os.environ, "GGML_NO_BACKTRACE": "1"}
    with tempfile.TemporaryFile() as log, tempfile.TemporaryFile() as answer:
        try:
            child = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=answer, stderr=log, env=environment
            )
        except OSError as error:
            raise ModelError(
                f"No process can be started to try the model {path} ({error.strerror or error}).",
                "Close other programs and try again.",
            ) from error
        status = _ended(child, 10 * seconds, stop)
        reason = _reason(log)
        if status == _FAILED and not reason:
            answer.seek(0)
            raise ModelError(**json.load(answer))
        if status:
            raise ModelError(
                f"The model {path} {_ENDS.get(status, 'cannot be loaded')}{reason}.",
                "Download it again, or update llama-cpp-python if the model is newer than that.",
            )


def _ended(child: "subprocess.Popen[bytes]", seconds: int, stop: Event) -> int:
    """The child's exit status; it does not outlive this call, whatever happens."""
    deadline = monotonic() + seconds
    try:
        while monotonic() < deadline:
            with suppress(subprocess.TimeoutExpired):
                return child.wait(_LOOK)
            if stop.is_set():
                raise Cancelled
        return -SIGXCPU
    finally:
        child.kill()
        child.wait()


def _reason(log: IO[bytes]) -> str:
    """What the child's log gives as one, in brackets; it may quote the file."""
    log.seek(0)
    found = _REASON.findall(log.read(_MAX_LOG).decode("utf-8", "replace"))
    reason = "".join(c for c in "".join(found[-1]) if c.isprintable()) if found else ""
    return f" ({reason[:200]})" if reason else ""


def _load_and_run(header: Header) -> None:
    """Let the model read a sentence and its template conversations, and look at what they give.

    Raises:
        ModelError: the file cannot be loaded, its weights give no numbers, or its chat template
            cannot be used.
    """
    from veracite.models.chat import Chat, Message
    from veracite.models.llama import Model

    model = Model(header.path, context=256, chunk=64, threads=1, gpu_layers=0, verbose=True)
    tokens = model.tokenise(_TEXT)[:64]
    if not (tokens and np.isfinite(model.decode(tokens, 0, 1)).all()):
        raise ModelError(
            f"The model {header.path} is damaged: it cannot read a plain sentence.",
            "Download the model again.",
        )
    chat = Chat(header.chat_template or "", model)
    for roles in _ROLES:
        chat.segments([Message(role, (_TEXT,)) for role in roles])
    model.close()


def _limit(seconds: int, memory: int) -> None:
    """Keep what a damaged or hostile file can do to the computer small.

    Args:
        seconds: Of one processor's time.
        memory: Bytes of its own, beside the file's.
    """
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_MAX_LOG, _MAX_LOG))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # If the memory runs out, it is this process that the system ends.
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


def _child(path: str, seconds: str) -> int:
    try:
        header = read_header(Path(path))
        _limit(int(seconds), 2 * needed(header, 256).total + _SPARE_MEMORY)
        _load_and_run(header)
    except ModelError as error:
        json.dump({"message": error.message, "advice": error.advice}, sys.stdout)
        return _FAILED
    except MemoryError:
        os.kill(os.getpid(), SIGKILL)
    return 0


if __name__ == "__main__":
    sys.exit(_child(*sys.argv[1:]))
