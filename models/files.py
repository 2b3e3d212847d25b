"""The disk as models need it: safe names, files written whole, and failures told in words."""

import errno
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from veracite.models.errors import ModelError

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_BLOCK = 2**20


def is_name(name: str) -> bool:
    """Whether a model can be called so: safe on every system."""
    return _NAME.fullmatch(name) is not None and ".." not in name and not name.endswith(".")


def require_name(name: str) -> None:
    """Nothing, if a model can be called so.

    Raises:
        ModelError: It cannot.
    """
    if not is_name(name):
        raise ModelError(
            f"No model can be named {name[:100]!r}.",
            "Use up to 100 lower-case letters, digits and the signs . - _ between them.",
        )


def name_from(text: str) -> str:
    """The name that is nearest to any text, such as a file's name; ``model`` if nothing is left."""
    kept = re.sub(r"\.{2,}", ".", re.sub(r"[^a-z0-9._-]+", "-", text.lower()))
    return kept.lstrip("-._")[:100].rstrip("-._") or "model"


def stays_inside(path: str) -> bool:
    """Whether a path is plainly below its folder, on every system."""
    parts = path.split("/")
    plain = path.isprintable() and not set(path) & set('\\:*?"<>|') and len(path) <= 255
    return plain and PurePosixPath(path).parts == tuple(parts) and not {"..", "."} & set(parts)


def quoted(name: str) -> str:
    """A name from a file, which may hold anything, as one short line of ASCII."""
    return ascii(name[:64])


def open_file(path: Path) -> BufferedReader:
    """An ordinary file opened for reading; never waits, as opening a pipe would.

    Raises:
        ModelError: There is no such file, or it is of another kind or may not be read.
    """
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ModelError(
            f"The model {path} cannot be read ({reason}).",
            "Check the path and the file's permissions.",
        ) from error
    if stat.S_ISREG(os.fstat(file).st_mode):
        return open(file, "rb")
    os.close(file)
    raise ModelError(f"{path} is no file.", "Name the GGUF file of a language model.")


def blocks(path: Path) -> Iterator[bytes]:
    """The bytes of a file, a megabyte at a time.

    Raises:
        ModelError: As ``open_file``.
        OSError: It cannot be read.
    """
    with open_file(path) as file:
        while block := file.read(_BLOCK):
            yield block


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to be written that takes its place, whole, when the block ends well; else nothing.

    A new file can be read by its owner alone; one that is there keeps its owner and its mode, and a
    link stays one. The folder must exist.

    Raises:
        OSError: It cannot be written, or is there and read-only.
    """
    target = path.resolve()
    before = target.stat() if target.exists() else None
    if before is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "it is read-only")
    descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:64]}.")
    try:
        with open(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if before is not None:
            with suppress(PermissionError):  # only root gives files away
                os.chown(temporary, before.st_uid, before.st_gid)
            os.chmod(temporary, stat.S_IMODE(before.st_mode))
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all, text as UTF-8; see ``replacing``."""
    with replacing(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def private_folder(folder: Path) -> Path:
    """Create a folder, and what leads to it, that only its owner can enter; returns it.

    Raises:
        OSError: It cannot be created.
    """
    for missing in reversed([f for f in (folder, *folder.parents) if not f.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)
    return folder


def write_private(path: Path, content: str | bytes) -> None:
    """As ``write_whole``, into a folder that is made if need be, as ``private_folder`` does it."""
    private_folder(path.parent)
    write_whole(path, content)


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


@contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Turn what the operating system says into one sentence and advice.

    Raises:
        ModelError: In place of ``OSError``.
    """
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            message, advice = f"The disk of {folder} is full.", "Free some space and try again."
        else:
            reason = error.strerror or error
            message = f"The models in {folder} cannot be read or written ({reason})."
            advice = "Change the folder's permissions, or name another one with VERACITE_DATA_DIR."
        raise ModelError(message, advice) from error


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
