"""The file of a text that is mended: as bytes, and written so that nothing else is lost."""

import codecs
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from veracite.engine.texts import Text, decode_text, read_text
from veracite.tui import console
from veracite.tui.console import OutputError, UsageError
from veracite.tui.export import replace_file

__all__ = ["Form", "Source", "is_plain", "read", "write"]

_STDIN = "-"
_FORMS = (
    (b"", "utf-8"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"", "utf-16-le"),
    (b"", "utf-16-be"),
    (b"", "cp1252"),
)
_SAMPLE = 262_144
"""Bytes from which an encoding is guessed."""


@dataclass(frozen=True, slots=True)
class Form:
    """How a text becomes the bytes of its file."""

    mark: bytes = b""
    encoding: str = "utf-8"

    @property
    def is_wide(self) -> bool:
        """Whether a line break takes more than a byte."""
        return self.encoding.startswith(("utf-16", "utf-32"))

    def encoded(self, text: str) -> bytes:
        """The bytes.

        Raises:
            UnicodeEncodeError: The encoding lacks a character.
        """
        return self.mark + text.encode(self.encoding)


@dataclass(frozen=True, slots=True)
class Source:
    """A text, and where it came from."""

    path: Path | None
    """None for standard input."""
    text: Text
    content: bytes
    """Of the file."""
    form: Form | None
    """None where the file does not hold the text as it is: a PDF, or broken characters."""

    @property
    def title(self) -> str:
        """What to call it."""
        return str(self.path) if self.path else "standard input"

    @property
    def refusal(self) -> str | None:
        """Why the mended text cannot be written over it; None if it can."""
        if self.path is None:
            return "standard input cannot be written over"
        if not self.text.markdown:
            return f"{self.path} is no text file"
        if self.form is None:
            return f"{self.path} is not in one encoding throughout"
        if not self.path.is_file():
            return f"{self.path} is no regular file"
        if not os.access(self.path, os.W_OK):
            return f"{self.path} is read-only"
        return None

    def encoded(self, text: str) -> bytes:
        """A text in the form of this one; in UTF-8 if this one has none.

        Raises:
            OutputError: The form lacks a character.
        """
        form = self.form or Form()
        try:
            return form.encoded(text)
        except UnicodeEncodeError as error:
            raise OutputError(
                f"{self.title} is written in {form.encoding}, which has no "
                f"{error.object[error.start]!r}.",
                "Save it as UTF-8 first, then mend it.",
            ) from error

    def write_over(self, text: str) -> None:
        """Write a text over this one.

        Raises:
            OutputError: It cannot be written, or another program has changed the file.
        """
        assert self.path is not None
        content = self.encoded(text)
        if self.path.read_bytes() != self.content:
            raise OutputError(
                f"{self.path} was changed by another program while it was mended, so it stays "
                "as it is.",
                "Mend it again.",
            )
        write(self.path, content)


def read(name: str) -> Source:
    """Read a text, or the text in a document.

    Args:
        name: Of a file, or ``-``.

    Raises:
        UsageError: There is no such file.
        InputError: It cannot be read, or holds no text.
    """
    if name == _STDIN:
        if console.is_terminal(sys.stdin):
            console.say("Reading the text from standard input; Ctrl-D ends it.")
        content = sys.stdin.buffer.read() if sys.stdin else b""
        text = decode_text(content, "Standard input")
        return Source(None, text, content, _form(text.text, content))
    path = Path(name).expanduser()
    if not path.exists():
        raise UsageError(f"There is no text {name!r}.", "Check the spelling.")
    text = read_text(path)
    content = path.read_bytes()
    return Source(path, text, content, _form(text.text, content) if text.markdown else None)


def is_plain(path: Path) -> bool:
    """Whether a file of this name is one of text, or of Markdown."""
    from veracite.index.readers import READERS

    return READERS.get(path.suffix.lower(), "plain") in ("plain", "markdown")


def write(path: Path, content: bytes) -> None:
    """Whole or not at all; a new file is readable by its owner only, an old one keeps its mode.

    Raises:
        OutputError: It cannot be written; what was there before still is.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)  # a device or a pipe
            return
        replace_file(path.resolve(), content)
    except OSError as error:
        raise OutputError(
            f"{path} cannot be written ({error.strerror or error}).",
            "Name a file in a folder of yours with room on its disk.",
        ) from error


def _form(text: str, content: bytes) -> Form | None:
    """The one that turns the text into exactly these bytes."""
    for form in _forms(content):
        with suppress(UnicodeEncodeError, LookupError):
            if form.encoded(text) == content:
                return form
    return None


def _forms(content: bytes) -> Iterator[Form]:
    yield from (Form(mark, encoding) for mark, encoding in _FORMS)
    from charset_normalizer import from_bytes

    if best := from_bytes(content[:_SAMPLE]).best():
        yield Form(b"", best.encoding)
