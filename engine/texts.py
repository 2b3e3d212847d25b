"""Reads the text that is to be checked, whatever its format and encoding."""

from dataclasses import dataclass
from pathlib import Path

from veracite.engine.errors import InputError
from veracite.index.errors import ReadError

_PLAIN = "plain"
_MARKDOWN = "markdown"
_READ_AS_THEY_ARE = (_PLAIN, _MARKDOWN)


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
    from veracite.index.readers import READERS

    if path.is_dir():
        raise InputError(
            f"{path} is a folder, not a text.",
            f"Name a file; to check against what is in the folder, use --against {path}.",
        )
    if READERS.get(path.suffix.lower(), _PLAIN) in _READ_AS_THEY_ARE:
        try:
            content = path.read_bytes()
        except OSError as error:
            raise InputError(
                f"{path} cannot be read ({error.strerror or error}).",
                "Check its name and permissions.",
            ) from error
        return decode_text(content, str(path))
    return _extracted(path)


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


def _extracted(path: Path) -> Text:
    from veracite.index.reading import Reader

    try:
        with Reader() as reader:
            found = reader.read(path)
    except ReadError as error:
        raise InputError(f"{path} cannot be checked: {error.message}", error.advice) from error
    return Text(
        _not_blank(found.text, str(path)),
        markdown=False,
        note=f"Positions of claims refer to the text that {found.extractor} found in {path.name}.",
    )


def _not_blank(text: str, name: str) -> str:
    if not any(map(str.isalnum, text)):
        raise InputError(f"{name} holds no text.", "Give a text with at least one sentence.")
    return text
