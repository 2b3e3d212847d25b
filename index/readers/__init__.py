"""One module a file format: each reads a file into an ``Extraction`` or raises ``ReadError``.

Here stands what they share. A module has ``read`` and ``EXTRACTOR``, its name and version.
"""

import os
import stat
from collections.abc import Callable, Mapping
from importlib import import_module
from io import BufferedReader
from pathlib import Path

from veracite.index.documents import Block, BlockKind, Extraction
from veracite.index.errors import ReadError

READERS: Mapping[str, str] = {
    ".txt": "plain",
    ".text": "plain",
    ".md": "markdown",
    ".markdown": "markdown",
    ".pdf": "pdf",
    ".docx": "docx",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
}
"""Suffix, in lower case, to the module here that reads it."""

LARGEST_FILE = 200 * 1024 * 1024
"""Bytes; a larger file is refused."""


def known(path: Path) -> bool:
    """Whether the file's name says that it is of a format that can be read."""
    return path.suffix.lower() in READERS


def reader_of(path: Path) -> Callable[[Path], Extraction]:
    """The function that reads the file's format; raises KeyError where it is not known."""
    module = import_module(f"{__name__}.{READERS[path.suffix.lower()]}")
    read: Callable[[Path], Extraction] = module.read
    return read


def reader_version(path: str) -> str:
    """Name and version of the reader that would read this file; "" for an unknown format."""
    module = READERS.get(Path(path).suffix.lower())
    return str(import_module(f"{__name__}.{module}").EXTRACTOR) if module else ""


def open_file(path: Path) -> BufferedReader:
    """Open whatever lies at a path; raises OSError."""
    # Without O_NONBLOCK, opening a FIFO that nobody writes to would wait for ever.
    return open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK))


def file_bytes(path: Path) -> bytes:
    """The content of a regular file.

    Raises:
        ReadError: The file is gone, not allowed to be read, no regular file, empty or too large.
    """
    try:
        with open_file(path) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise _not_regular()
            if status.st_size > LARGEST_FILE:
                raise ReadError(
                    f"The file is larger than {LARGEST_FILE // 1024**2} MB.",
                    "Split it into smaller files.",
                )
            content = file.read(status.st_size)
    except IsADirectoryError as error:
        raise _not_regular() from error
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


def _not_regular() -> ReadError:
    return ReadError("This is not a regular file.", "Name a document instead.")


class Assembly:
    """Builds the raw text of formats that have none of their own, block after block.

    A blank line stands between any two.
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._blocks: list[Block] = []
        self._length = 0

    @property
    def next_start(self) -> int:
        """Where the next block will start."""
        return self._length + 2 if self._parts else 0

    def add(self, kind: BlockKind, text: str, level: int = 0) -> None:
        """Append a block; blank text is left out."""
        if text := text.strip():
            start = self.next_start
            self._parts.append(text)
            self._length = start + len(text)
            self._blocks.append(Block(kind, start, self._length, level))

    def extraction(self, extractor: str, title: str | None) -> Extraction:
        """Everything that was added, as an extraction without pages."""
        title = " ".join(title.split()) if title else None
        return Extraction("\n\n".join(self._parts), tuple(self._blocks), extractor, title or None)
