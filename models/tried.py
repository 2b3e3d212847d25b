"""Which model files were loaded without harm before, in a small file of the user's."""

import hashlib
import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Any

from veracite.models.errors import Cancelled, ModelError
from veracite.models.gguf_file import open_file

__all__ = [
    "State",
    "is_tried",
    "remember",
    "sha256_of",
    "sha256_of_tried",
    "state_of",
    "was_loaded",
]

_FILE = "tried_models.json"
_BLOCK = 2**20
"""Bytes that are hashed at once."""

State = list[int]
"""Size, time of the last change and number of a file: the same as long as its content is."""


def is_tried(path: Path, verified: Path) -> bool:
    """Whether a file, as it is now, came through before and needs no second look.

    Raises:
        ModelError: the file cannot be read.
    """
    return sha256_of_tried(path, state_of(path), verified) is not None


def state_of(path: Path) -> State:
    """What tells whether the file was changed.

    Raises:
        ModelError: it cannot be read.
    """
    with open_file(path) as file:
        status = os.fstat(file.fileno())
    return [status.st_size, status.st_mtime_ns, status.st_ino]


def sha256_of(path: Path, state: State, stop: Event) -> str:
    """The hash of a file that stays as it is meanwhile.

    Raises:
        Cancelled: ``stop`` was set.
        ModelError: the file cannot be read, or was changed.
    """
    sha256 = hashlib.sha256()
    with open_file(path) as file:
        while block := file.read(_BLOCK):
            if stop.is_set():
                raise Cancelled
            sha256.update(block)
    if state_of(path) != state:
        raise ModelError(
            f"The model {path} changed while it was read.", "Try again when it is complete."
        )
    return sha256.hexdigest()


def sha256_of_tried(path: Path, state: State, verified: Path) -> str | None:
    """The hash of a file that came through and was not changed since; None of others."""
    known = _remembered(verified)
    sha256, *seen = known["files"].get(str(path.resolve()), [""])
    return sha256 if seen == state and sha256 in known["passed"] else None


def was_loaded(sha256: str, verified: Path) -> bool:
    """Whether a file with this content came through, whatever its name was."""
    return sha256 in _remembered(verified)["passed"]


def remember(path: Path, state: State, sha256: str, verified: Path) -> None:
    """Note that a file came through.

    Raises:
        ModelError: the folder cannot be written.
    """
    known = _remembered(verified)
    known["files"][str(path.resolve())] = [sha256, *state]
    known["passed"] = sorted({*known["passed"], sha256})
    try:
        for folder in reversed((verified, *verified.parents)):
            if not folder.exists():
                folder.mkdir(mode=0o700, exist_ok=True)
        _write(json.dumps(known, indent=1), verified / _FILE)
    except OSError as error:
        raise ModelError(
            f"{verified} cannot be written ({error.strerror or error}).",
            "Mend its permissions, or free some space.",
        ) from error


def _remembered(folder: Path) -> dict[str, Any]:
    """What came through; nothing if that is unreadable, since then it is only tried again."""
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        known = json.loads((folder / _FILE).read_bytes())
        files = {place: [str(sha), *state] for place, (sha, *state) in known["files"].items()}
        return {"files": files, "passed": [str(sha) for sha in known["passed"]]}
    return {"files": {}, "passed": []}


def _write(content: str, path: Path) -> None:
    """Made for its owner's eyes only, and put in its place when it is complete."""
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
        try:
            file.write(content)
            file.flush()
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise
