"""The first load of a model file, in a process of its own.

Some damaged files end the process that loads them, whatever their header says. So a file whose
SHA-256 is new is loaded and run once by a child, and what came through is remembered.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from contextlib import suppress
from hashlib import file_digest
from pathlib import Path
from signal import SIGKILL, SIGXCPU
from typing import IO, Any

from veracite.models.errors import ModelError
from veracite.models.gguf_file import open_file

__all__ = ["require_trial"]

_MEMORY = "tried_models.json"
_TEXT = "The quick brown fox jumps over the lazy dog."

_FAILED = 3
"""The child's exit status when it raised a ModelError, which it wrote to its standard output."""

_ENDS = {
    -SIGXCPU: "takes unreasonably long to load",
    -SIGKILL: "takes more memory to load than there is",
}
_REASON = re.compile(r"error loading model: (.+)|(GGML_ASSERT.+)|^(\w+Error: .+)", re.MULTILINE)
_MAX_LOG = 2**24
"""Bytes that the child may write."""


def require_trial(path: Path, verified: Path) -> str:
    """The SHA-256 of a model file, which was loaded without harm now or before.

    Args:
        path: The file, whose header is in order.
        verified: A folder of the user's in which to remember the files that came through, and
            their hashes for as long as their size and times stay the same.

    Raises:
        ModelError: the file cannot be read or loaded, or ends or hangs the process that does.
    """
    place, state = str(path.resolve()), _state(path)
    known = _remembered(verified)
    sha256, *seen = known["files"].get(place, [""])
    if seen == state and sha256 in known["passed"]:
        return str(sha256)
    sha256 = _hash(path, state)
    if sha256 not in known["passed"]:
        _try(path)
    # Another process may have remembered something meanwhile.
    known = _remembered(verified)
    known["files"][place] = [sha256, *state]
    known["passed"] = sorted({*known["passed"], sha256})
    _remember(verified, known)
    return sha256


def _state(path: Path) -> list[int]:
    with open_file(path) as file:
        status = os.fstat(file.fileno())
    return [status.st_size, status.st_mtime_ns, status.st_ino]


def _hash(path: Path, state: list[int]) -> str:
    with open_file(path) as file:
        sha256 = file_digest(file, "sha256").hexdigest()
    if _state(path) != state:
        raise ModelError(
            f"The model {path} changed while it was read.", "Try again when it is complete."
        )
    return sha256


def _remembered(folder: Path) -> dict[str, Any]:
    """What came through; nothing if that is unreadable, since then it is only tried again."""
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        known = json.loads((folder / _MEMORY).read_bytes())
        files = {place: [str(sha), *state] for place, (sha, *state) in known["files"].items()}
        return {"files": files, "passed": [str(sha) for sha in known["passed"]]}
    return {"files": {}, "passed": []}


def _remember(folder: Path, known: dict[str, Any]) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Made for its owner's eyes only, and put in its place when it is complete.
        with tempfile.NamedTemporaryFile("w", dir=folder, delete=False) as file:
            json.dump(known, file, indent=1)
        os.replace(file.name, folder / _MEMORY)
    except OSError as error:
        raise ModelError(
            f"{folder} cannot be written ({error.strerror or error}).",
            "Mend its permissions, or free some space.",
        ) from error


def _try(path: Path) -> None:
    """Let a child load the model; its log goes to a file that only we read."""
    # A minute, and one more for each gigabyte, of one processor's time.
    seconds = 60 + 60 * path.stat().st_size // 10**9
    command = [sys.executable, "-P", "-m", "veracite.models.trial", str(path), str(seconds)]
    # On an assertion ggml would call a debugger, which takes long.
    environment = {**os.environ, "GGML_NO_BACKTRACE": "1"}
    with tempfile.TemporaryFile() as log, tempfile.TemporaryFile() as answer:
        try:
            status = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=answer,
                stderr=log,
                env=environment,
                timeout=10 * seconds,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            status = -SIGXCPU
        except OSError as error:
            raise ModelError(
                f"No process can be started to try the model {path} ({error.strerror or error}).",
                "Close other programs and try again.",
            ) from error
        reason = _reason(log)
        if status == _FAILED and not reason:
            answer.seek(0)
            raise ModelError(**json.load(answer))
        if status:
            what = _ENDS.get(status, "cannot be loaded")
            raise ModelError(
                f"The model {path} {what}{reason}.",
                "Download it again, or update llama-cpp-python if the model is newer than that.",
            )


def _reason(log: IO[bytes]) -> str:
    """What the child's log gives as one, in brackets; it may quote the file."""
    log.seek(0)
    found = _REASON.findall(log.read(_MAX_LOG).decode("utf-8", "replace"))
    reason = "".join(c for c in "".join(found[-1]) if c.isprintable()) if found else ""
    return f" ({reason[:200]})" if reason else ""


def _load_and_run(path: Path) -> None:
    """Let the model read a sentence, and look at what it makes of it.

    Raises:
        ModelError: the file cannot be loaded, or its weights give no numbers.
    """
    import numpy as np

    from veracite.models.gguf import Model

    model = Model(path, context=256, chunk=64, threads=1, gpu_layers=0, verbose=True)
    tokens = model.tokenise(_TEXT)[:64]
    if not (tokens and np.isfinite(model.decode(tokens, 0, 1)).all()):
        raise ModelError(
            f"The model {path} is damaged: it makes nothing of a plain sentence.",
            "Download the model again.",
        )
    model.close()


def _limit(seconds: int) -> None:
    """Keep what a damaged file can do to the computer small."""
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_MAX_LOG, _MAX_LOG))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # If the memory runs out, it is this process that the system ends.
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


def _child(path: str, seconds: str) -> int:
    _limit(int(seconds))
    try:
        _load_and_run(Path(path))
    except ModelError as error:
        json.dump({"message": error.message, "advice": error.advice}, sys.stdout)
        return _FAILED
    return 0


if __name__ == "__main__":
    sys.exit(_child(*sys.argv[1:]))
