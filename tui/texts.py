"""The text that is checked, from a file to the editor and back to a file."""

import os
import re
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from itertools import chain, count, pairwise, product, starmap
from pathlib import Path

from veracite.engine.display import neutralise
from veracite.engine.errors import InputError, disk_errors
from veracite.engine.texts import decode_text, is_plain, read_text, unread
from veracite.models.files import write_whole

_SHORTEST = 40
"""Characters; a line that ends before is no full line, so its end was meant."""
_FENCE = re.compile(r"\s*(```|~~~)")
_APART = re.compile(r"\s*$|\s*([#>|]|[-*+]\s|\d+[.)]\s|```|~~~|={3,}|-{3,})|\t| {4}")
"""Lines that begin something of their own: blank lines and Markdown's blocks."""
_ENDS = re.compile(r"\s*[#|].*|.*(  |\\)", re.DOTALL)
"""Headings and tables, and lines whose end Markdown keeps."""


_FOLDED_AT = 5_000
"""Characters of a line that can be edited; each key costs what the line is long."""
_PIECE = re.compile(r"(?=.{5001})(?:(.{1,5000}) |(.{5000}))", re.DOTALL)
"""What is broken off a line that is longer."""


def folded(text: str) -> str:
    """The text with no line longer than can be edited: a line break for a space, or, where there is
    none, between two characters."""
    lines = text.split("\n")
    return "\n".join(
        _PIECE.sub("\\1\\2\n", line) if len(line) > _FOLDED_AT else line for line in lines
    )


def flow(text: str) -> str:
    """The text with a space for each line break inside a paragraph, except in one so long that it
    would take seconds to draw; no offset changes."""
    lines = text.split("\n")
    code = False
    length = 0
    joints = []
    for line, following in pairwise([*lines, ""]):
        if _FENCE.match(line):
            code = not code
        apart = _APART.match(following) or _ENDS.fullmatch(line)
        length += len(line)
        full = length + len(following) > _FOLDED_AT
        kept = code or len(line) < _SHORTEST or full or bool(apart)
        length = 0 if kept else length
        joints.append("\n" if kept else " ")
    return "".join(line + joint for line, joint in zip(lines, joints, strict=True))[:-1]


_OBEYED = re.compile("[^\t\u200c\u200d]+")
"""Everything but tabs and the joiners that Persian, Indic scripts and emoji are written with."""
_MOST = 2_000_000
"""Bytes of a file, characters of a document; an editor on a screen is no place for more."""
_ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "cp1252")


@dataclass(frozen=True, slots=True)
class Form:
    """How a text becomes the bytes of its file."""

    encoding: str = "utf-8"
    newline: str = "\n"
    """That of the file, for each line feed."""

    @classmethod
    def of(cls, text: str, content: bytes) -> "Form | None":
        """The one that turns a text into exactly these bytes."""
        for form in starmap(cls, product(_ENCODINGS, ("\n", "\r\n"))):
            with suppress(UnicodeEncodeError):
                if form.encoded(text) == content:
                    return form
        return None

    def encoded(self, text: str) -> bytes:
        """The bytes; raises UnicodeEncodeError where the encoding lacks a character."""
        return text.replace("\n", self.newline).encode(self.encoding)


@dataclass(frozen=True, slots=True)
class Draft:
    """A text as its file has it."""

    path: Path
    text: str
    """As the editor holds it: harmless, line ends as ``\\n``."""
    markdown: bool = True
    """False where the text was extracted from a format without Markdown markup."""
    note: str | None = None
    """What the report must say about where the text came from."""
    form: Form | None = Form()
    """None where the file cannot be written from what the editor holds."""
    refusal: str = ""
    """Why not."""
    content: bytes = b""
    """Of the file."""

    def encoded(self, text: str) -> bytes:
        """A text in the form of this one; in UTF-8 if this one has none.

        Raises:
            InputError: The form lacks a character.
        """
        form = self.form or Form()
        try:
            return form.encoded(text)
        except UnicodeEncodeError as error:
            raise InputError(
                f"{self.path.name} is written in {form.encoding}, which has no "
                f"{error.object[error.start]!r}.",
                "Save the text as UTF-8, under another name.",
            ) from error


def read_draft(path: Path) -> Draft:
    """Read a text, or the text in a document of a format that the library reads.

    Raises:
        InputError: It is missing, no file, unreadable, too large for the screen or no text.
    """
    with unread(path):
        if not path.exists():
            raise InputError(f"There is no file {path}.", "Check the spelling.")
        if not path.is_file():
            raise InputError(f"{path} is not a file.", "Name a text or a document.")
        if not is_plain(path):
            return _extracted(path)
        if path.stat().st_size > _MOST:
            raise _too_large(path)
        return _decoded(path, path.read_bytes())


def save_draft(draft: Draft, text: str) -> Draft:
    """Write an edited text over its own file; either all of it is written or nothing changes.

    Raises:
        InputError: The file cannot be written, or writing it would change or lose something else.
    """
    if draft.form is None:
        raise InputError(draft.refusal, "Save the text under another name.")
    content = draft.encoded(text)
    with _unwritten(draft.path):
        if draft.path.exists() and draft.path.read_bytes() != draft.content:
            raise InputError(
                f"{draft.path.name} was changed by another program.",
                "Save the text under another name.",
            )
    _write(draft.path, content)
    return replace(draft, text=text, content=content)


def save_draft_as(path: Path, text: str) -> Draft:
    """Write a text to a file of this name, as UTF-8, all of it or nothing.

    Raises:
        InputError: The file cannot be written, or its name promises another format than text.
    """
    if not is_plain(path):
        raise InputError(f"A {path.suffix} file cannot be written.", "End the name in .md or .txt.")
    content = Form().encoded(text)
    _write(path, content)
    return Draft(path, text, content=content)


def free_name(draft: Draft) -> Path:
    """A name beside a file that must stay as it is; nothing has it yet."""
    suffix = draft.path.suffix if is_plain(draft.path) else ".txt"
    stem = draft.path.stem
    names = chain([stem], (f"{stem} {number}" for number in count(2)))
    paths = (draft.path.with_name(f"{name}{suffix}") for name in names)
    return next(path for path in paths if not os.path.lexists(path))


def _decoded(path: Path, content: bytes) -> Draft:
    # An empty file is as good as any to begin a text in; the engine has nothing to check in it.
    source = decode_text(content, str(path)).text if content else ""
    text = folded(harmless(source))
    form = Form.of(text, content)
    refusal = f"{path.name} holds lines, characters or an encoding that saving would change."
    return Draft(path, text, form=form, refusal="" if form else refusal, content=content)


def _extracted(path: Path) -> Draft:
    found = read_text(path)
    if len(found.text) > _MOST:
        raise _too_large(path)
    return Draft(
        path,
        folded(harmless(found.text)),
        found.markdown,
        found.note,
        None,
        f"{path.name} is no text file, so it stays as it is.",
    )


def _write(path: Path, content: bytes) -> None:
    """Whole or not at all; a new file is readable by its owner only, an old one stays what it is.

    Raises:
        InputError: It cannot be written; what was there before still is.
    """
    with _unwritten(path):
        target = path.resolve()
        if target.exists():
            if not target.is_file():
                raise InputError(f"{path} is not a file.", "Name another one.")
            if not os.access(target, os.W_OK):
                raise InputError(f"{path} is read-only.", "Save the text under another name.")
        write_whole(target, content)


def _unwritten(path: Path) -> AbstractContextManager[None]:
    advice = "Your text is still here; save it in a folder with free space that you may write to."
    return disk_errors(f"{path} cannot be written", advice)


def _too_large(path: Path) -> InputError:
    return InputError(
        f"{path} is too large to show.", "Check it on the command line: veracite check."
    )


def harmless(text: str) -> str:
    """The text with nothing in it that a terminal would obey, line ends as ``\\n``."""
    return _OBEYED.sub(lambda match: neutralise(match[0], lines=True), text)
