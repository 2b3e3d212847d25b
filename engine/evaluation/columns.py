"""Text in columns for a terminal: tables that are cut into blocks, and lines that are wrapped.

Widths are in cells: a wide character takes two. Everything that is shown is neutralised first.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from veracite.engine import wrap
from veracite.engine.display import neutralise

__all__ = ["Line", "Role", "Row", "shorten", "table", "wrapped"]

_LONGEST_NAME = 28
_GAP = "  "

Role = Literal["title", "heading", "columns", "row", "trivial", "note", "text"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line, and what it is, for whoever adds colours."""

    text: str
    role: Role


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of one row, as many as the table has columns."""

    cells: tuple[str, ...]
    role: Role = "row"


def table(heading: str, rows: list[Row], width: int, right: Iterable[int] = ()) -> Iterator[Line]:
    """A table under its heading; nothing if it has no rows but the columns' names.

    Where it is wider than the terminal it is printed in blocks of columns, each with the first.

    Args:
        heading: A line of its own; empty for none.
        rows: The first holds the names of the columns.
        width: Of the terminal.
        right: Columns that are flush right.
    """
    if len(rows) < 2:
        return
    yield Line("", "text")
    if heading:
        yield from wrapped(heading, width, "heading")
    widths, blocks = _laid_out(rows, width)
    for position, block in enumerate(blocks):
        if position:
            yield Line("", "text")
        for row in rows:
            yield from _row(row, block, widths, set(right))


def wrapped(text: str, width: int, role: Role = "text") -> Iterator[Line]:
    """A text in lines of at most ``width`` cells, all but the first indented."""
    for line in wrap.wrap(neutralise(text), width, hanging="  "):
        yield Line(line, role)


def shorten(text: str, most: int = _LONGEST_NAME) -> str:
    """A name, neutralised, or as much of its beginning as ``most`` columns hold."""
    return wrap.shorten(neutralise(text), most)


def _laid_out(rows: Sequence[Row], width: int) -> tuple[list[int], list[list[int]]]:
    """The columns' widths and blocks; names take two lines, or three if that saves a block."""
    columns = [[row.cells[n] for row in rows] for n in range(len(rows[0].cells))]
    tried = [[_column_width(cells, lines) for cells in columns] for lines in (2, 3)]
    laid_out = [(widths, list(_blocks(widths, width))) for widths in tried]
    return min(laid_out, key=lambda one: len(one[1]))


def _blocks(widths: Sequence[int], width: int) -> Iterator[list[int]]:
    """The columns of each block: the first, and as many others as fit."""
    block, used = [0], widths[0]
    for column in range(1, len(widths)):
        if len(block) > 1 and used + len(_GAP) + widths[column] > width:
            yield block
            block, used = [0], widths[0]
        block.append(column)
        used += len(_GAP) + widths[column]
    yield block


def _row(row: Row, block: list[int], widths: Sequence[int], right: set[int]) -> Iterator[Line]:
    """A row of the table; the names of columns may take several lines and stand at the bottom."""
    stacks = [wrap.wrap(neutralise(row.cells[column]), widths[column]) for column in block]
    height = max(map(len, stacks))
    for level in range(height):
        cells = []
        for column, stack in zip(block, stacks, strict=True):
            text = stack[level - height + len(stack)] if level >= height - len(stack) else ""
            padding = " " * (widths[column] - wrap.width_of(text))
            cells.append(padding + text if column in right else text + padding)
        yield Line(_GAP.join(cells).rstrip(), row.role)


def _column_width(cells: Sequence[str], lines: int) -> int:
    """As wide as the widest value; its name takes so many lines, or more if its words are long."""
    words = [min(wrap.width_of(word), _LONGEST_NAME) for word in neutralise(cells[0]).split()] or [
        0
    ]
    values = max(map(wrap.width_of, cells[1:]), default=0)
    most = max(*words, min(_LONGEST_NAME, sum(words) + len(words) - 1))
    named = next(w for w in range(max(words), most + 1) if _lines(words, w) <= lines)
    return max(named, values)


def _lines(words: Sequence[int], width: int) -> int:
    """How many lines words of such lengths take."""
    lines, used = 1, -1
    for word in words:
        if used + 1 + word > width:
            lines, used = lines + 1, word
        else:
            used += 1 + word
    return lines
