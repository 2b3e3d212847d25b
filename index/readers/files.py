"""What every reader does first: get the file's bytes, or say why not."""

import os
import stat
from pathlib import Path

from veracite.index.errors import ReadError

LARGEST_FILE = 200 * 1024 * 1024
"""Bytes; a larger file is refused."""


def file_bytes(path: Path) -> bytes:
    """The content of a regular file.

    Raises:
        ReadError: The file is gone, not allowed to be read, no regular file, empty or too large.
    """
    try:
        # Without O_NONBLOCK, opening a FIFO that nobody writes to would wait for ever.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            content = _content(descriptor)
        finally:
            os.close(descriptor)
    except FileNotFoundError as error:
        raise ReadError(
            "The file does not exist any more.",
            "Run the same command again when the folder no longer changes.",
        ) from error
    except PermissionError as error:
        raise ReadError(
            "You do not have the permission to read this file.", "Change its permissions."
        ) from error
    except OSError as error:
        raise ReadError(
            f"The file could not be read ({error.strerror or error}).",
            "Check the disk that it is on.",
        ) from error
    if not content:
        raise ReadError(
            "The file is empty.", "Restore it from a backup if it should hold something."
        )
    return content


def _content(descriptor: int) -> bytes:
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        raise ReadError("This is not a regular file.", "Name a document instead.")
    if status.st_size > LARGEST_FILE:
        raise ReadError(
            f"The file is larger than {LARGEST_FILE // 1024**2} MB.", "Split it into smaller files."
        )
    with open(descriptor, "rb", closefd=False) as file:
        return file.read(LARGEST_FILE)
