"""Plain text: the encoding is found, paragraphs are what blank lines separate."""

import codecs
import re
from contextlib import suppress
from pathlib import Path

from veracite.index.documents import Extraction
from veracite.index.errors import ReadError
from veracite.index.readers import file_bytes, paragraphs

EXTRACTOR = "plain/2"

_BYTE_ORDER_MARKS = [
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
]
_SAMPLE = 65_536
# Bytes that cp1252 does not define, and the control characters that no text holds.
_NOT_CP1252 = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x7f]")
_MOST_CONTROLS = 0.002
"""Share of control characters above which a file is no text."""


def read(path: Path) -> Extraction:
    """Read a text file; raises ReadError where it is binary or its encoding is not known."""
    text = decoded(file_bytes(path))
    blocks = paragraphs(text)
    if not blocks:
        raise ReadError("The file holds no text, only blanks.", "Leave it out.")
    return Extraction(text, blocks, EXTRACTOR)


def decoded(content: bytes) -> str:
    """Bytes of unknown encoding to text, without byte order mark.

    Tried in turn: byte order mark, UTF-8 (once or twice), UTF-16 without mark, Windows-1252, then
    what charset-normalizer says. Raises ReadError for what is no text.
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return _checked(content[len(mark) :].decode(encoding, "replace"))
    if b"\0" in content:
        return _checked(_wide(content))
    with suppress(UnicodeDecodeError):
        return _checked(_decoded_again(content.decode("utf-8")))
    return _checked(_single_byte(content))


def _decoded_again(text: str) -> str:
    """A text that was encoded twice, of which all then is UTF-8 again ("Â£" for "£")."""
    for encoding in () if text.isascii() else ("latin-1", "cp1252"):
        with suppress(UnicodeError):
            return text.encode(encoding).decode("utf-8")
    return text


def _wide(content: bytes) -> str:
    """UTF-16 without a mark: in Latin text every other byte is zero."""
    sample = content[:_SAMPLE]
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    half = len(sample) / 2
    if len(content) % 2 == 0:
        with suppress(UnicodeDecodeError):
            if odd > 0.4 * half and even < 0.05 * half:
                return content.decode("utf-16-le")
            if even > 0.4 * half and odd < 0.05 * half:
                return content.decode("utf-16-be")
    raise _binary()


def _single_byte(content: bytes) -> str:
    high = sum(byte >= 0x80 for byte in content[:_SAMPLE])
    if not _NOT_CP1252.search(content) and high < 0.2 * min(len(content), _SAMPLE):
        return content.decode("cp1252")
    from charset_normalizer import from_bytes

    # A sample is enough, and a large file would take minutes.
    best = from_bytes(content[: 4 * _SAMPLE]).best()
    if best is None:
        raise _binary()
    return content.decode(best.encoding, "replace")


def _checked(text: str) -> str:
    many_controls = len(_CONTROL.findall(text)) > _MOST_CONTROLS * len(text) + 2
    if many_controls or text.count("\ufffd") > 0.05 * len(text) + 5:
        raise _binary()
    return text


def _binary() -> ReadError:
    return ReadError(
        "This is not a text file, or its encoding is not known.",
        "Save it as UTF-8 text, or give it the suffix of its real format.",
    )
