"""Programs that read what no library does, where the user has them: LibreOffice, Tesseract."""

import resource
import shutil
import subprocess
from collections.abc import Sequence
from functools import partial

from veracite.index.errors import ReadError

_MEMORY = 4 * 1024**3
"""Bytes of address space: such a program needs more than a reader may have."""


def found(names: str) -> str | None:
    """The path of the first of these programs, their names parted by blanks, that is installed."""
    return next(filter(None, map(shutil.which, names.split())), None)


def run(command: Sequence[str], given: bytes = b"") -> bytes:
    """What a program prints. It ends with the reader that runs it, whose time is limited.

    Args:
        given: On its standard input.

    Raises:
        ReadError: It failed.
    """
    try:
        done = subprocess.run(
            command,
            input=given,
            capture_output=True,
            check=True,
            preexec_fn=partial(limit_memory, _MEMORY),
        )
    except (OSError, subprocess.SubprocessError) as error:
        name = command[0].rpartition("/")[2]
        raise ReadError(
            f"{name} could not read this file.", "Save it in another format, or leave it out."
        ) from error
    return done.stdout


def limit_memory(memory: int) -> None:
    """Let this process have so many bytes of address space, as far as it may have them."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
