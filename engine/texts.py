"""The text that is checked: read, whatever its format and encoding, and cut from."""

import re
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from veracite.engine.errors import InputError, disk_errors
from veracite.index.documents import Span
from veracite.index.errors import ReadError

_MARKERS = re.compile(r"[\s>|*+•_~-]*(?:\(?\d{1,3}[.)]\s)?(?:\[[ xX]\]\s)?[\s|*_~-]*")
"""What may stand before the only sentence of a line: of a list, a quotation, a table."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text to check."""

    text: str
    markdown: bool
    """False where the text was extracted from a format without Markdown markup."""
    note: str | None = None
    """What the offsets of its claims refer to, where that is not the file itself."""


def read_text(path: Path) -> Text:
    """Read a text file, or the text in a document of a format that the library reads.

    Raises:
        InputError: It is a folder, cannot be read, or holds no text.
    """
    from veracite.index.readers import whole

    if path.is_dir():
        raise InputError(
            f"{path} is a folder, not a text.",
            f"Name a file; to check against what is in the folder, use --against {path}.",
        )
    if is_plain(path):
        with unread(path):
            content = whole(path)
        return decode_text(content, str(path))
    return _extracted(path)


def is_plain(path: Path) -> bool:
    """Whether a file of this name is one of text, or of Markdown."""
    from veracite.index.readers import READERS

    return READERS.get(path.suffix.lower(), "plain") in ("plain", "markdown")


def unread(path: Path | str) -> AbstractContextManager[None]:
    """Say that a file cannot be read, where the operating system refuses.

    Raises:
        InputError: In place of ``OSError``.
    """
    return disk_errors(f"{path} cannot be read", "Check its name and permissions.")


def decode_text(content: bytes, name: str) -> Text:
    """Text from bytes of any common encoding.

    Args:
        name: What to call it in an error.

    Raises:
        InputError: It is empty or no text.
    """
    from veracite.index.readers.plain import decoded

    if not content:
        raise InputError(f"{name} is empty.", "Give a text with at least one sentence.")
    try:
        text = decoded(content)
    except ReadError as error:
        raise InputError(f"{name} cannot be checked: {error.message}", error.advice) from error
    return Text(_not_blank(text, name), markdown=True)


def removal(text: str, start: int, end: int) -> Span:
    """The span to cut so that ``text[start:end]`` is gone without a trace.

    Its lines, and one of the empty lines around them, if nothing else stands there; else the
    sentence and the blanks on one side of it.
    """
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end) + 1 or len(text)
    after = text[end:last]
    if _MARKERS.fullmatch(text[first:start]) and not any(map(str.isalnum, after)):
        empty = re.compile(r"[ \t]*\r?\n").match(text, last)
        if empty and (first == 0 or re.search(r"\n[ \t]*\r?\n\Z", text[:first])):
            last = empty.end()
        return Span(first, last)
    if blanks := len(after) - len(after.lstrip(" \t")):
        return Span(start, end + blanks)
    return Span(first + len(text[first:start].rstrip()), end)


def _extracted(path: Path) -> Text:
    from veracite.index.reading import Reader

    try:
        with Reader() as reader:
            parts = reader.read(path)
            own = next(parts)
            # Of an archive all texts, of a message its own.
            read = [own] if own.found and own.found.text else [*parts]
    except ReadError as error:
        raise InputError(f"{path} cannot be checked: {error.message}", error.advice) from error
    found = [part.found for part in read if part.found and part.found.text]
    lost = sum(part.found is None for part in read)
    readers = " and ".join(sorted({one.extractor for one in found}))
    return Text(
        _not_blank("\n\n".join(one.text for one in found), str(path)),
        markdown=False,
        note=f"Positions of claims refer to the text that {readers} found in {path.name}."
        + (f" Of the files in it {lost} could not be read." if lost else ""),
    )


def _not_blank(text: str, name: str) -> str:
    if not any(map(str.isalnum, text)):
        raise InputError(f"{name} holds no text.", "Give a text with at least one sentence.")
    return text
