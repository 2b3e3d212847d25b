"""One module a file format: each reads a file into an ``Extraction`` or raises ``ReadError``.

Here stands what they share. A module has ``read`` and ``EXTRACTOR``, its name and version.
"""

import errno
import fnmatch
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from io import BufferedReader
from pathlib import Path
from types import ModuleType

from veracite.index.documents import Block, BlockKind, Extraction, Row
from veracite.index.errors import ReadError
from veracite.index.readers.tables import Cells, lines

_OF_MODULE = {
    "containers": "zip tar tgz tbz txz gz bz2 xz",
    "converted": "rtf rst tex srt vtt",
    "data": "json jsonl ndjson xml fb2 nxml",
    "docx": "docx",
    "epub": "epub",
    "html": "html htm xhtml",
    "mail": "eml msg mbox mhtml mht",
    "markdown": "md markdown",
    "old_office": "doc xls ppt",
    "opendocument": "odt odp ods",
    "notebook": "ipynb",
    "outline": "org",
    "pdf": "pdf",
    "plain": "txt text log adoc asciidoc typ py js ts java c h cpp hpp cs go rs rb php pl r sh sql"
    " css toml yaml yml ini cfg",
    "slides": "pptx",
    "spreadsheet": "xlsx xlsm csv tsv",
}  # fmt: skip
READERS: Mapping[str, str] = {
    f".{suffix}": module for module, suffixes in _OF_MODULE.items() for suffix in suffixes.split()
} | {"": "plain"}
"""Suffix, in lower case, to the module here that reads it; a file without one may be a text."""

_MARKS = (
    (re.compile(rb"\s*%PDF-"), "pdf"),
    (re.compile(rb"\s*\{\\rtf"), "converted"),
    (re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)\b", re.IGNORECASE), "html"),
)
_ENTRIES = {
    "word/document.xml": "docx",
    "xl/workbook.xml": "spreadsheet",
    "ppt/presentation.xml": "slides",
    "META-INF/container.xml": "epub",
    "content.xml": "opendocument",
}
"""What only archives of that format have."""
_HEAD = 1024
_OWN = re.compile(
    rb"""\A(?:\s*\{\s*"schema":\s*"veracite\.report/
    |<\?xml[^>]*>\s*<testsuites\ name="Veracite"
    |<!doctype\ html>(?s:.){,800}?<meta\ name="generator"\ content="Veracite">)""",
    re.VERBOSE,
)
"""How Veracite's reports begin, which say what the texts say that they were made of."""
_FACTS = re.compile(rb"\n- Text, SHA-256: [0-9a-f]{64}\n- Models: ")
"""What those in Markdown have at their end."""
_PARAGRAPH = re.compile(r"\S[^\n\r]*(?:(?:\r\n?|\n)[^\S\r\n]*\S[^\n\r]*)*")

_LEFT_OUT = (
    *(".*", "node_modules", "__pycache__", "__MACOSX", "venv"),
    *("~$*", "#*#", "*~", "*.tmp", "*.part", "*.crdownload"),
)
"""Names of what is never looked at in a folder: what is hidden, caches and other programs' code,
files of office programs and editors that are open, downloads that are not complete."""
_IS_LEFT_OUT = re.compile("|".join(map(fnmatch.translate, _LEFT_OUT))).match
IF_SCANNED = "If its pages are images, add their text with an OCR program."
"""Advice for a document without text."""
NOT_KNOWN = "Files of this kind are not read."
NOT_REGULAR = "This is not a regular file.", "Name a document instead."
_UNREADABLE: Mapping[type[OSError], tuple[str, str]] = {
    IsADirectoryError: NOT_REGULAR,
    FileNotFoundError: (
        "The file does not exist any more.",
        "Run the same command again when the folder no longer changes.",
    ),
    PermissionError: (
        "You do not have the permission to read this file.", "Change its permissions."
    ),
}  # fmt: skip
LARGEST_FILE = 200 * 1024 * 1024
"""Bytes; a larger file is refused."""


def is_left_out(name: str) -> bool:
    """Whether a file or folder of this name is passed over, in folders and in archives."""
    return _IS_LEFT_OUT(name) is not None


def known(path: Path) -> bool:
    """Whether the file's name says that it is of a format that can be read."""
    return path.suffix.lower() in READERS


def module_of(path: Path) -> ModuleType:
    """The module that reads the file's format: what its content says, else what its name says.

    Its ``read`` takes the path and gives an ``Extraction``.

    Raises:
        KeyError: Neither is known.
    """
    return import_module(f"{__name__}.{_by_content(path) or READERS[path.suffix.lower()]}")


def _by_content(path: Path) -> str | None:
    """The module that a file's first bytes or an archive's entries ask for, if they tell."""
    try:
        with open_file(path) as file:
            head = file.read(_HEAD)
            if not head.startswith(b"PK\x03\x04"):
                return next((name for mark, name in _MARKS if mark.match(head)), None)
            with zipfile.ZipFile(file) as archive:
                names = archive.namelist()
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError):
        return None  # whoever reads it will say what is wrong
    return next((name for entry, name in _ENTRIES.items() if entry in names), None)


def reader_version(path: str) -> str:
    """Name and version of the reader that would read this file; "" for an unknown format.

    Of what holds or becomes files of other formats, it changes with those of their readers.
    """
    module = READERS.get(Path(path).suffix.lower())
    if module is None:
        return ""
    version = str(import_module(f"{__name__}.{module}").EXTRACTOR)
    others = holds_files(path) or module == "old_office"
    return f"{version} {_all_versions():x}" if others else version


def holds_files(path: str) -> bool:
    """Whether a file of this name holds documents of its own."""
    return READERS.get(Path(path).suffix.lower()) in ("containers", "mail")


@cache
def _all_versions() -> int:
    versions = (str(import_module(f"{__name__}.{module}").EXTRACTOR) for module in _OF_MODULE)
    return zlib.crc32(" ".join(versions).encode())


def open_file(path: Path) -> BufferedReader:
    """Open whatever lies at a path; raises OSError."""
    # Without O_NONBLOCK, opening a FIFO that nobody writes to would wait for ever.
    return open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK))


def whole(path: Path) -> bytes:
    """The content of a file, or of a pipe, which is empty where nobody writes to it.

    Raises:
        OSError: It cannot be read, or holds more than ``LARGEST_FILE`` bytes, as a device may.
    """
    with open_file(path) as file:
        os.set_blocking(file.fileno(), True)
        content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise OSError(errno.EFBIG, f"it holds more than {LARGEST_FILE // 1024**2} MB")
    return content


def file_bytes(path: Path) -> bytes:
    """The content of a regular file.

    Raises:
        ReadError: The file is gone, not allowed to be read, no regular file, empty, too large or
            one of Veracite's own reports.
    """
    try:
        with open_file(path) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise IsADirectoryError
            if status.st_size > LARGEST_FILE:
                raise ReadError(
                    f"The file is larger than {LARGEST_FILE // 1024**2} MB.",
                    "Split it into smaller files.",
                )
            content = file.read(status.st_size)
    except OSError as error:
        unknown = (
            f"The file could not be read ({error.strerror or error}).",
            "Check the disk that it is on.",
        )
        raise ReadError(*_UNREADABLE.get(type(error), unknown)) from error
    if not content:
        raise ReadError(
            "The file is empty.", "Restore it from a backup if it should hold something."
        )
    if len(content) < _HEAD and _is_stub(content, path.suffix):
        raise ReadError(
            "The file holds only the name of another, as git leaves it where a link or large file"
            " should be.",
            "Fetch that file (`git lfs pull` for large ones), or leave this one out.",
        )
    if _OWN.match(content) or _FACTS.search(content):
        raise ReadError(
            "This is a report of Veracite's, which is no evidence for what it was made of.",
            "Keep reports elsewhere, or leave it out.",
        )
    return content


def _is_stub(content: bytes, suffix: str) -> bool:
    """Whether a file is what git keeps of a link, or of a file that it keeps elsewhere."""
    name = content.strip().lower()
    is_link = re.fullmatch(rb"[^\s\0]+", name) and name.endswith(os.fsencode(suffix.lower()))
    return bool(suffix and is_link) or name.startswith(b"version https://git-lfs")


@contextmanager
def damage_told(reason: str, advice: str) -> Iterator[None]:
    """Raises ReadError for this reason where a library stumbles over a file within it.

    Some have errors of their own, others let through whatever happens.
    """
    try:
        yield
    except (MemoryError, ReadError):
        raise
    except Exception as error:
        raise ReadError(reason, advice) from error


def paragraphs(text: str, start: int = 0) -> tuple[Block, ...]:
    """What blank lines separate, from the start position on."""
    return tuple(
        Block("paragraph", match.start(), match.start() + len(match.group().rstrip()))
        for match in _PARAGRAPH.finditer(text, start)
    )


class Assembly:
    """Builds the raw text of formats that have none of their own, block after block.

    A blank line stands between any two.
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._blocks: list[Block] = []
        self._pages: list[int] = []
        self._rows: list[Row] = []
        self._length = 0

    @property
    def next_start(self) -> int:
        """Where the next block will start."""
        return self._length + 2 if self._parts else 0

    def start_page(self) -> None:
        """From here on it is the next page: a slide, a sheet."""
        self._pages.append(self.next_start)

    def add(self, kind: BlockKind, text: str, level: int = 0) -> None:
        """Append a block; blank text is left out."""
        if text := text.strip():
            start = self.next_start
            self._parts.append(text)
            self._length = start + len(text)
            self._blocks.append(Block(kind, start, self._length, level))

    def add_paragraphs(self, text: str) -> None:
        """Append what blank lines separate."""
        for block in paragraphs(text):
            self.add("paragraph", text[block.start : block.end])

    def add_table(self, rows: Iterable[Cells], headers: int = 0) -> None:
        """Append a line for each row of a table, as ``tables.lines`` tells them."""
        for line in lines(rows, headers):
            self.add("table", line)

    def add_row(self, text: str, number: int, left: int, cells: Sequence[str]) -> None:
        """Append a line that stands for a row of a sheet.

        Args:
            number: Of the row, from 1.
            left: The column of the first cell, from 0.
            cells: Of the row; those that are not empty are in the text.
        """
        columns = sum(1 << place for place, cell in enumerate(cells, left) if cell.strip())
        self._rows.append(Row(self.next_start, number, columns))
        self.add("table", text)

    def extraction(self, extractor: str, title: str | None) -> Extraction:
        """Everything that was added, which may be nothing."""
        title = " ".join(title.split()) if title else None
        text, pages, rows = "\n\n".join(self._parts), tuple(self._pages), tuple(self._rows)
        return Extraction(text, tuple(self._blocks), extractor, title or None, pages, rows)

    def whole(self, extractor: str, title: str | None = None, *why: str) -> Extraction:
        """Everything that was added.

        Args:
            why: What to say where it is nothing, and what to do.

        Raises:
            ReadError: It is nothing.
        """
        if not self._blocks:
            raise ReadError(*(why or ("The file holds no text.", "Leave it out.")))
        return self.extraction(extractor, title)
