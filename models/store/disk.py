"""What the store asks of the disk: written whole, synced, and honest when it fails."""

import errno
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from veracite.models.errors import ModelError

__all__ = ["disk_errors", "require_room", "size_in_words", "sync", "write_json"]

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


@contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Turn what the operating system says into one sentence and advice.

    Raises:
        ModelError: In place of ``OSError``.
    """
    try:
        yield
    except OSError as error:
        raise _told(error, folder) from error


def _told(error: OSError, folder: Path) -> ModelError:
    if error.errno in _FULL:
        return ModelError(f"The disk of {folder} is full.", "Free some space and try again.")
    return ModelError(
        f"The models in {folder} cannot be read or written ({error.strerror or error}).",
        "Mend the folder's permissions, or name another one with VERACITE_DATA_DIR.",
    )


def require_room(folder: Path, size: int) -> None:
    """Nothing, if ``size`` more bytes fit on the disk that ``folder`` is or will be on.

    Raises:
        ModelError: They do not.
    """
    place = next(parent for parent in (folder, *folder.parents) if parent.is_dir())
    with disk_errors(folder):
        free = shutil.disk_usage(place).free
    if size > free:
        raise ModelError(
            f"{size_in_words(size)} are needed on the disk of {folder}, and "
            f"{size_in_words(free)} are free.",
            "Free some space, or name a folder on another disk with VERACITE_DATA_DIR.",
        )


def size_in_words(size: int) -> str:
    """``1.2 GB``, ``34 MB`` or ``5 kB``."""
    if size >= 1e9:
        return f"{size / 1e9:.1f} GB"
    return f"{size / 1e6:.0f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"


def sync(path: Path) -> None:
    """Have a file's bytes, or a folder's entries, on the disk before returning.

    Raises:
        OSError: It cannot be opened or written.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write a file whole or not at all; its folder must exist.

    Raises:
        OSError: It cannot be written.
    """
    text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
