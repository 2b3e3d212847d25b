"""Lines of text that fit a terminal, wide characters counted as the two cells they take."""

import textwrap
import unicodedata

__all__ = ["cells", "shorten", "wrap"]


def cells(text: str) -> int:
    """How many columns a harmless text takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(map(_cells, text))


def wrap(text: str, width: int, indent: str = "") -> list[str]:
    """Cut a text into lines of at most ``width`` columns, each beginning with ``indent``."""
    room = max(width - len(indent), 10)
    if cells(text) == len(text):
        lines = textwrap.wrap(text, room, break_on_hyphens=False)
    else:
        lines = _wrap_cells(text.split(), room)
    return [indent + line for line in lines]


def shorten(text: str, most: int, ellipsis: str) -> str:
    """The text, or as much of its beginning as ``most`` characters hold."""
    if len(text) <= most:
        return text
    return text[: most - len(ellipsis)].rstrip() + ellipsis


def _wrap_cells(words: list[str], room: int) -> list[str]:
    lines: list[str] = []
    line = ""
    for word in words:
        longer = f"{line} {word}" if line else word
        if cells(longer) <= room:
            line = longer
            continue
        if line:
            lines.append(line)
        # Chinese and Japanese have no spaces: their "words" may be whole paragraphs.
        *full, line = _slices(word, room)
        lines.extend(full)
    return [*lines, line] if line else lines


def _slices(word: str, room: int) -> list[str]:
    slices = [""]
    used = 0
    for character in word:
        if used + _cells(character) > room:
            slices.append("")
            used = 0
        slices[-1] += character
        used += _cells(character)
    return slices


def _cells(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
