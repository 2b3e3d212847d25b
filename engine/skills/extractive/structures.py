"""Rows of tables and lists, written as an answer would quote them: so that they read alone."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from veracite.engine.claims.checkability import is_fragment
from veracite.index.cleaning import clean
from veracite.index.documents import Sentence

_BORDER = " | "
"""What stands between the cells of a row in cleaned text."""
_MARKDOWN_BORDER = re.compile(r"(?<!\\)\|")
_DELIMITER = re.compile(r"[\s>|:-]*-[\s>|:-]*")
"""The line under the header of a Markdown table."""
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_BULLET = re.compile(r"(?:[-*+•‣▪●◦–]|\(?\d{1,3}[.)])\s+")
_FAR = 20_000
"""Characters above a row in which its header is looked for."""
_LONGEST_NAME = 6
"""Words of a column's name, at most, where nothing but its place marks it."""
_LONGEST_ROW = 60
_LONGEST_LIST = 60
"""Words that are quoted of one, at most."""
_LONGEST_CAPTION = 20


@dataclass(frozen=True, slots=True)
class Written:
    """What was no sentence, as an answer quotes it."""

    text: str
    told: str
    """The same with what introduces it, which tells what it is about."""


def row(sentences: Sequence[Sentence], number: int, raw: str, *, markdown: bool) -> Written | None:
    """A row of a table with the names of its columns: "Years: 1989 to 2016; Director: Prewett".

    None for the row of the names itself, for one with a single cell, and for one too long to read.
    Where the names are not known, the cells stand alone: "Kingdom: Animalia".

    Args:
        sentences: Of the row's passage.
        number: Of the row among them.
        raw: The document's whole text, or nothing.
        markdown: Whether that is Markdown, which marks the names. Where it is not, the first row
            may hold them.
    """
    own = sentences[number]
    above = _rows_above(raw, own.start, markdown)
    if markdown:
        line_end = raw.find("\n", own.end)
        cells = _cells(raw[_line_start(raw, own.start) : line_end if line_end > 0 else len(raw)])
        cells = cells or own.text.split(_BORDER)
        names = _marked_names(above)
        is_header = _DELIMITER.fullmatch(_line_after(raw, own.end)) is not None
    else:
        cells = own.text.split(_BORDER)
        below = sentences[number + 1].text if number + 1 < len(sentences) else ""
        names = _likely_names([own.text, *above]) if above else []
        names = ["", *names] if len(cells) == len(names) + 1 else names  # an empty corner
        is_header = not above and bool(_likely_names([below, own.text]))
    filled = [cell for cell in cells if cell.strip(" |")]
    if is_header or len(filled) < 2 or len(own.text.split()) > _LONGEST_ROW:
        return None
    is_known = len(cells) == len(names) or (markdown and len(cells) < len(names))
    text = _with_names(cells, names) if is_known and any(names[1:]) else _without_names(filled)
    return Written(text, f"{_caption(sentences, number)} {' '.join(names)} {text}".strip())


def list_after(sentences: Sequence[Sentence], number: int) -> Written | None:
    """What a sentence introduces, behind it: "We lend: torches; maps"; None if it is no list.

    Args:
        sentences: Of the passage.
        number: Of the sentence that ends in a colon.
    """
    lead = sentences[number].text
    if ":" in lead[:-1]:
        return None  # fields of a form, run together
    listed = list(takewhile(_is_item, (sentence.text for sentence in sentences[number + 1 :])))
    items = [_BULLET.sub("", text, count=1).rstrip(" ;,") for text in listed]
    while items and len(f"{lead} {' '.join(items)}".split()) > _LONGEST_LIST:
        items.pop()
    is_cut = len(items) < len(listed)
    if len(items) < 2:
        return None
    text = f"{lead} {'; '.join(items)}{'; …' if is_cut else ''}"
    return Written(text, text)


def _is_item(text: str) -> bool:
    """Whether a text may be an item of a list, and is no sentence that can be quoted alone."""
    has_words = any(map(str.isalpha, text)) and _BORDER not in text
    return has_words and not text.endswith((".", "!", "?", ":", "…"))


def _with_names(cells: Sequence[str], names: Sequence[str]) -> str:
    return "; ".join(
        f"{name.rstrip(' :')}: {cell}" if name else cell
        for name, cell in zip(names, cells, strict=False)
        if cell
    )


def _without_names(cells: Sequence[str]) -> str:
    if len(cells) == 2:
        return f"{cells[0].rstrip(' :')}: {cells[1]}"
    return "; ".join(cells)


def _marked_names(above: Sequence[str]) -> list[str]:
    """The cells over the delimiter of a Markdown table, whose lines come from below."""
    place = next((i for i, line in enumerate(above) if _DELIMITER.fullmatch(line)), len(above))
    return _cells(above[place + 1]) if place + 1 < len(above) else []


def _likely_names(rows: Sequence[str]) -> list[str]:
    """The cells of a table's first row if they may name columns, else none.

    Several short ones without a figure. Of two cells the first is as likely to name the second,
    unless the next row has one more.

    Args:
        rows: Some of one table, the first one last.
    """
    cells, following = rows[-1].split(_BORDER), rows[-2].split(_BORDER)
    is_wide = len(cells) > 2 or (len(cells) == 2 and len(following) == 3)
    is_named = all(
        len(cell.split()) <= _LONGEST_NAME
        and (_YEAR.fullmatch(cell) or not any(map(str.isdigit, cell)))
        for cell in cells
    )
    return cells if is_wide and len(following) > 1 and is_named else []


def _cells(line: str) -> list[str]:
    """The cells of a line of a Markdown table, empty ones too, cleaned."""
    line = line.strip(" \t\r\n>")
    line = line.removeprefix("|")
    line = line[:-1] if line.endswith("|") and not line.endswith("\\|") else line
    return [clean(cell.strip(), "markdown").text for cell in _MARKDOWN_BORDER.split(line)]


def _rows_above(raw: str, start: int, markdown: bool) -> list[str]:
    """The rows of the same table before a position, the nearest first."""
    above = raw[max(0, start - _FAR) : _line_start(raw, start)]
    found = []
    for line in reversed(above.rstrip().split("\n" if markdown else "\n\n")):
        if "|" not in line:
            break
        found.append(line.strip())
    return found


def _line_start(raw: str, position: int) -> int:
    return raw.rfind("\n", 0, position) + 1


def _line_after(raw: str, position: int) -> str:
    """The whole line below the one in which a position is."""
    start = raw.find("\n", position)
    if start < 0:
        return ""
    end = raw.find("\n", start + 1)
    return raw[start + 1 : end if end > 0 else len(raw)]


def _caption(sentences: Sequence[Sentence], number: int) -> str:
    """What stands over the table in the same passage, if it is short."""
    first = number
    while first > 0 and _BORDER in sentences[first].text:
        first -= 1
    text = sentences[first].text
    is_short = len(text.split()) <= _LONGEST_CAPTION
    over = _BORDER not in text and is_short and (text.endswith(":") or is_fragment(text))
    return text if over else ""
