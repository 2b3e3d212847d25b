"""Tables of a document: the rows around a place, under the names of their columns."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from veracite.engine.facts.quantities import extract
from veracite.index.cleaning import clean
from veracite.index.raw_sentences import markup_of

__all__ = ["Row", "Table", "table_around"]

_RULE = re.compile(r"[\s>|:-]*-[\s|:-]*")
"""The line below the names of a Markdown table's columns."""
_EDGES = " \t\r|>"
_MOST_ROWS = 500
"""Rows that are looked at above a place; twice as many in all."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table."""

    start: int
    """In characters of the document's extracted text."""
    end: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of one width."""

    names: tuple[str, ...]
    """Of the columns; empty where nothing names them."""
    rows: tuple[Row, ...]


def table_around(raw: str, position: int, extractor: str) -> Table | None:
    """The table that a place of a document's text stands in, if any.

    Args:
        raw: The document's extracted text.
        position: In characters of ``raw``.
        extractor: Name and version of the reader that made it.
    """
    line = raw.rfind("\n", 0, position) + 1
    markdown = markup_of(extractor) == "markdown"
    above = [start for start, _ in _above(raw, line, markdown)]
    return _table_from(raw, above[-1] if above else line, markdown)


@lru_cache(maxsize=16)
def _table_from(raw: str, first: int, markdown: bool) -> Table | None:
    lines = list(_below(raw, first, markdown))
    if len(lines) < 2:
        return None
    if markdown:
        return _of_markdown(raw, lines)
    rows = [_row(raw, *line) for line in lines]
    widths = Counter(len(row.cells) for row in rows)
    width = max(widths, key=lambda one: (widths[one], one))
    names = rows[0].cells
    if len(names) == width - 1:  # an empty corner is left out by the reader
        names = ("", *names)
    body = rows[1:] if len(names) == width and _are_names(names) else rows
    return _table(names if len(body) < len(rows) else (), body, width)


def _of_markdown(raw: str, lines: Sequence[tuple[int, int]]) -> Table | None:
    rule = next((i for i, (a, b) in enumerate(lines) if _RULE.fullmatch(raw, a, b)), 0)
    if not rule or any("\\|" in raw[a:b] for a, b in lines):
        return None
    names, *rows = (_row(raw, *line, markdown=True) for line in lines[rule - 1 :])
    return _table(names.cells, rows[1:], len(names.cells))


def _table(names: tuple[str, ...], rows: Sequence[Row], width: int) -> Table | None:
    kept = tuple(row for row in rows if len(row.cells) == width)
    return Table(names, kept) if width > 1 and kept else None


def _are_names(cells: Sequence[str]) -> bool:
    """Whether a row has no figures but years, so that it may name columns.

    Beside one year a row of two says what was in it: "Founded | 1887".
    """
    figures = [q for cell in cells for q in extract(re.sub(r"\([^)]*\)", "", cell))]
    are_years = all(q.kind == "date" and q.date[1] is None for q in figures)
    return are_years and (len(cells) > 2 or not figures)


def _above(raw: str, start: int, markdown: bool) -> Iterator[tuple[int, int]]:
    """The lines of a table above a place, the last one first; blank ones end it in Markdown."""
    for _ in range(_MOST_ROWS):
        if start == 0:
            return
        end, start = start - 1, raw.rfind("\n", 0, start - 1) + 1
        if "|" in raw[start:end]:
            yield start, end
        elif markdown or raw[start:end].strip():
            return


def _below(raw: str, start: int, markdown: bool) -> Iterator[tuple[int, int]]:
    for _ in range(2 * _MOST_ROWS):
        end = raw.find("\n", start)
        end = len(raw) if end < 0 else end
        if "|" in raw[start:end]:
            yield start, end
        elif markdown or raw[start:end].strip():
            return
        if end == len(raw):
            return
        start = end + 1


def _row(raw: str, start: int, end: int, *, markdown: bool = False) -> Row:
    line = raw[start:end]
    start += len(line) - len(line.lstrip(_EDGES))
    end = max(start, end - (len(line) - len(line.rstrip(_EDGES))))
    cells = line.strip(" \t\r>")
    if markdown:
        cells = cells.removeprefix("|").removesuffix("|")
    texts = (clean(cell, "markdown" if markdown else "none").text for cell in cells.split("|"))
    return Row(start, end, tuple(" ".join(text.split()) for text in texts))
