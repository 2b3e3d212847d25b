"""Text made harmless before anyone sees it, and cut into lines that fit a terminal.

Whoever writes a document or names a file can put terminal escapes, bidirectional overrides and
invisible characters into it. Every output but JSON, which escapes them itself, shows text through
``neutralise``.
"""

import textwrap
import unicodedata
from collections.abc import Iterator, Sequence

_BIDIRECTIONAL = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)

_VISIBLE_FORMAT = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
"""Characters of category Cf that have a shape: Arabic, Syriac and Kaithi number signs."""

_BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""Letters and marks, by their category, that show nothing."""

_LINE_BREAKS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")

_FILL = "\ufffc"
"""Stands beside a wide character while lines are cut, so that it counts as two cells."""

_GAP = "  "
"""Between columns."""


def neutralise(text: str, *, lines: bool = False) -> str:
    """The text with nothing in it that a terminal or browser would obey.

    Control characters, bidirectional controls and lone surrogates appear as escapes such as
    ``\\x1b``; other invisible characters are left out. Tabs become spaces. Line breaks become
    spaces too, or stay, as plain ``\\n``, with ``lines``.
    """
    if text.isprintable() and _BLANK_LETTERS.isdisjoint(text):
        return text
    return "".join(_shown(character, lines) for character in text.replace("\r\n", "\n"))


def is_harmless(character: str) -> bool:
    """Whether a character may stand in JSON as it is, rather than as an escape."""
    category = unicodedata.category(character)
    return not (category in ("Cc", "Cs", "Zl", "Zp") or _is_hidden(character, category))


def width_of(text: str) -> int:
    """How many columns a harmless text takes on a terminal."""
    return len(text) if text.isascii() else sum(map(_width, text))


def wrap(text: str, width: int, indent: str = "", hanging: str = "") -> list[str]:
    """Cut a harmless text into lines of at most ``width`` columns.

    Args:
        indent: Before every line.
        hanging: Before every line but the first, besides.
    """
    if text and width_of(indent + text) <= width:
        return [indent + text]
    doubled = "".join(c + _FILL if _width(c) == 2 else c for c in text)
    # A cut may part a wide character from what stands beside it.
    room = width - (doubled != text)
    cut = textwrap.wrap(
        doubled,
        max(room, len(indent + hanging) + 2),
        initial_indent=indent,
        subsequent_indent=indent + hanging,
        break_on_hyphens=False,
    )
    return [line.replace(_FILL, "") for line in cut]


def shorten(text: str, most: int, ellipsis: str = "...") -> str:
    """The text, or as much of its beginning as ``most`` columns hold; nothing if they hold none."""
    if width_of(text) <= most:
        return text
    if most < len(ellipsis):
        return ellipsis[: max(0, most)]
    room = most - len(ellipsis)
    kept = text[:room]
    while width_of(kept) > room:
        kept = kept[:-1]
    return kept.rstrip() + ellipsis


def table(rows: Sequence[Sequence[str]], width: int) -> Iterator[list[str]]:
    """Rows of harmless cells as lines of aligned columns; where these are wider than ``width``
    together, in blocks of columns, each with the first."""
    widths = [max(map(width_of, column)) for column in zip(*rows, strict=True)]
    blocks = [[0]]
    for n in range(1, len(widths)):
        used = sum(widths[each] + len(_GAP) for each in blocks[-1])
        if len(blocks[-1]) > 1 and used + widths[n] > width:
            blocks.append([0])
        blocks[-1].append(n)
    for block in blocks:
        cells = ([row[n] + " " * (widths[n] - width_of(row[n])) for n in block] for row in rows)
        yield [_GAP.join(line).rstrip() for line in cells]


def _shown(character: str, lines: bool) -> str:
    if character in _LINE_BREAKS:
        return "\n" if lines else " "
    if character == "\t":
        return " "
    category = unicodedata.category(character)
    if category in ("Cc", "Cs") or character in _BIDIRECTIONAL:
        code = ord(character)
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    return "" if _is_hidden(character, category) else character


def _is_hidden(character: str, category: str) -> bool:
    return character not in _VISIBLE_FORMAT if category == "Cf" else character in _BLANK_LETTERS


def _width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
