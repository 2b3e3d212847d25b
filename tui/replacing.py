"""A file written whole or not at all."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

__all__ = ["replace_file"]


def replace_file(target: Path, content: bytes) -> None:
    """Put a file in the place of what is there, with its owner and mode; a new one is its owner's.

    Args:
        target: Resolved, so that a link stays one.

    Raises:
        OSError: It cannot be written; what was there before still is.
    """
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(13, "it is read-only")
    descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=".veracite-")
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        _keep_owner_and_mode(target, temporary)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def _keep_owner_and_mode(target: Path, temporary: str) -> None:
    if not target.exists():
        return
    before = target.stat()
    with suppress(PermissionError):  # only root gives files away
        os.chown(temporary, before.st_uid, before.st_gid)
    os.chmod(temporary, before.st_mode & 0o7777)
