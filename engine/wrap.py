"""Lines of text that fit a terminal, wide characters counted as the two cells they take."""

import textwrap
import unicodedata

_FILL = "\ufffc"
"""Stands beside a wide character while lines are cut, so that it counts as two cells."""


def width_of(text: str) -> int:
    """How many columns a harmless text takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(map(_width, text))


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


def _width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
