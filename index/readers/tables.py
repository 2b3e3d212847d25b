"""Rows of tables as lines that can be read alone: each cell behind the name of its column."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest

from veracite.index.documents import BAR

_MOST_HEADER_ROWS = 3
_FEW_COLUMNS = 2
"""Names beside values may look like such a table."""

_UNITS = (
    "% ‰ m km cm mm mi ft in yd m2 m² km2 km² ha m3 m³ l ml kg g mg t lb oz s min h MW kW GW W"
    " kWh MWh GWh TWh V J kJ MJ K °C °F km/h m/s mph Pa hPa bar ppm USD EUR GBP"
)
_UNIT = re.compile(
    rf"(.+?),? [(\[](?:in )?([$€£¥]?) ?((?:{'|'.join(map(re.escape, _UNITS.split()))})?"
    r" ?(?:thousand|million|billion)?)s?[)\]]"
)
"""The name of a column that says in what its figures are: "Length (m)", "Costs ($ million)"."""
_PLAIN_FIGURE = re.compile(r"[-−+]?\d[\d.,]*")
_DATED = re.compile(r"\b(?:1[89]|20)\d\d\b")

Cells = Sequence[str | None]
"""Of a row; an empty cell is an empty string, and None where the one above reaches down into it."""
ACROSS = "\0"
"""Stands in a row where the cell to the left reaches over."""


def filled(rows: Iterable[Cells]) -> Iterator[list[str]]:
    """The rows, with what reaches down into a row in it again."""
    above: list[str] = []
    for row in rows:
        pairs = zip_longest(row, above[: len(row)], fillvalue="")
        above = [old if cell is None else cell for cell, old in pairs]
        yield above


def lines(rows: Iterable[Cells], headers: int = 0) -> list[str]:
    """The rows of a table, "Year: 2019 | Visitors: 4,100".

    The first rows name the columns if they have no figures and a column below them has nothing
    else, or if no cell of the first is empty (that above a column of names aside) and there are
    three columns and more. A further one names what the one above leaves open. The names of several
    are put together, a name that spans columns standing before each. Where nothing names the
    columns the cells stand alone.

    Args:
        rows: Of a table.
        headers: How many of the first rows are known to name the columns; 0 where nobody knows.
    """
    spread = _told(rows)
    told = [["" if cell == ACROSS else cell for cell in row] for row in spread]
    caption = 0 if headers else _captions(told)
    body = told[caption:]
    count = headers if headers < len(told) else 0
    count = count or _header_rows(body)
    names = _names(spread[caption : caption + count])
    found = [BAR.join(filter(None, row)) for row in told[: caption + count]]
    for row in body[count:]:
        cells = (
            _named(names[place], cell) if place < len(names) and names[place] else cell
            for place, cell in enumerate(row)
            if cell
        )
        found.append(BAR.join(cells))
    return found


def _named(name: str, cell: str) -> str:
    """A cell behind the name of its column, a figure with the unit that the name gives."""
    if (said := _UNIT.fullmatch(name)) and _PLAIN_FIGURE.fullmatch(cell):
        column, sign, unit = said.groups()
        return f"{column}: {sign}{cell} {unit}".rstrip()
    return f"{name}: {cell}"


def side_by_side(rows: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    """The tables that empty columns part, as their first column and the one behind the last.

    One table may have such columns, too: of several each has names above figures.
    """
    width = max(map(len, rows), default=0)
    used = {place for row in rows for place, cell in enumerate(row) if cell.strip()}
    runs = [[*run] for filled, run in groupby(range(width), used.__contains__) if filled]
    parts = [(run[0], run[-1] + 1) for run in runs]
    for left, right in parts:
        told = _told(row[left:right] for row in rows)
        if right - left < _FEW_COLUMNS or not _header_rows(told[_captions(told) :]):
            return [(0, width)]
    return parts


def _told(rows: Iterable[Cells]) -> list[list[str]]:
    told = [[" ".join(cell.split()) for cell in row] for row in filled(rows)]
    return [row for row in told if any(row)]


def _captions(rows: Sequence[Sequence[str]]) -> int:
    """How many rows at the top are the table's title."""
    count = 0
    while count < len(rows) - 2 and sum(map(bool, rows[count])) == 1:
        count += 1
    return count


def _header_rows(rows: Sequence[Sequence[str]]) -> int:
    """How many rows at the top name the columns."""
    width = max((len(row) for row in rows), default=0)
    count = 0
    while count < min(_MOST_HEADER_ROWS, len(rows) - 1) and _is_header(rows[count], width):
        if count and not _names_more(rows[count - 1 :], width):
            break
        count += 1
    while count and not _has_columns_of_figures(rows[count:], width):
        count -= 1
    if not count and len(rows) > 1 and width > _FEW_COLUMNS and _is_header(rows[0], width):
        # All is words: the first row alone, where no cell of it is empty, or the one above names.
        named = bool(rows[0][0]) or all(row[0] for row in rows[1:])
        return int(all(rows[0][1:]) and named and len(rows[0]) == width)
    return count


def _names_more(rows: Sequence[Sequence[str]], width: int) -> bool:
    """Whether the second of some rows names columns, too: what the first leaves open, units, what
    stands above figures alone; and not the first thing that the table tells of.

    Years name columns of other figures; above years they are figures themselves.
    """
    above, row, *below = rows
    named = len({cell for cell in above if cell})
    if years := [place for place, cell in enumerate(row) if _is_year(cell)]:
        figures = (r[n] for r in below for n in years if n < len(r) and _is_figure(r[n]))
        return (named < width or not row[0]) and not all(map(_DATED.search, figures))
    if named + (not above[0]) < width or not row[0]:
        return True
    if all(cell[0] in "([" for cell in row[1:] if cell):
        return any(row[1:])
    return not above[0] and all(_is_figure(cell) for r in below for cell in r[1:] if cell)


def _has_columns_of_figures(rows: Sequence[Sequence[str]], width: int) -> bool:
    """Whether a column has figures alone.

    Of two columns both, or the second plain numbers: the first may name what the second tells.
    """
    columns = [
        [row[place] for row in rows if place < len(row) and row[place]] for place in range(width)
    ]
    figures = [bool(column) and all(map(_is_figure, column)) for column in columns]
    if width > _FEW_COLUMNS:
        return any(figures)
    last = columns[-1]
    plain = len(last) > 1 and not any(map(str.isalpha, "".join(last)))
    return all(figures) or (figures[-1] and plain)


def _is_header(row: Sequence[str], width: int) -> bool:
    names = [cell for cell in row if cell]
    plain = not any(_is_figure(cell) and not _is_year(cell) for cell in names)
    return plain and len(names) >= min(width, _FEW_COLUMNS)


def _names(rows: Sequence[Sequence[str]]) -> list[str]:
    """The names of the columns, of several rows put together."""
    width = max((len(row) for row in rows), default=0)
    names = [""] * width
    for depth, row in enumerate(rows):
        last, spans = "", depth < len(rows) - 1
        for place in range(width):
            own = row[place] if place < len(row) else ""
            last = last if own == ACROSS else own or (last if spans else "")
            if last and last not in names[place]:
                names[place] = f"{names[place]}, {last}" if names[place] else last
    return [name.rstrip(": ") for name in names]


def _is_figure(cell: str) -> bool:
    return next((sign.isdigit() for sign in cell if sign.isalnum()), False)


def _is_year(cell: str) -> bool:
    """Whether it is a year, or begins with one as the name of a column may ("2024 sales")."""
    year, _, rest = cell.partition(" ")
    named = not rest or rest.lstrip("(")[:1].isalpha()
    return len(year) == 4 and year.isdigit() and year[:2] in ("18", "19", "20") and named
