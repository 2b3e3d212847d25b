"""The wording of claims, and rows of tables as claims: each cell under its column's name."""

import re
from collections.abc import Iterable, Sequence

from veracite.engine.facts.quantities import extract

_BORDER = "|"
_NAMES = re.compile(r"(?:\D|\b(?:1[5-9]|20)\d\d\b)*")
"""Of columns: words, or years."""
_LEAST_CELLS = 3
"""Of a row that says nothing without the names of its columns."""


def wording(text: str) -> list[str]:
    """A text's words and figures in order, whatever stands between them; numbers as digits."""
    for number in reversed(extract(text)):
        if number.kind == "number" and not any(map(str.isdigit, number.text)):
            text = f"{text[: number.start]}{number.value:.15g}{text[number.end :]}"
    return re.findall(r"\w+(?:[.,:/]\w+)*", text.casefold())


def says_row(said: Sequence[str], row: str, beside: Iterable[str]) -> bool:
    """Whether a claim is a table's row with names of its columns, and nothing else.

    "Berries; Food: blueberry; Calories: 150" is the row "Berries | blueberry | 150" under "Food |
    Calories". Both stand in the order of the columns, so that no name goes with another's cell.

    Args:
        said: The claim's wording.
        row: A sentence.
        beside: The sentences of its passage, the row that has the names among them.
    """
    if _BORDER not in row:
        return False
    cells = iter(wording(row))
    cell, names = next(cells, None), []
    for word in said:
        if word == cell:
            cell = next(cells, None)
        else:
            names.append(word)
    return cell is None and any(_holds(line, names) for line in beside if _BORDER in line)


def under_names(row: str, beside: Sequence[str]) -> str:
    """A table's row below the one that names its columns; anything else as it is.

    Args:
        row: A sentence.
        beside: The sentences of its passage in order, itself among them.
    """
    cells = row.count(_BORDER) + 1
    if cells < _LEAST_CELLS or row not in beside:
        return row
    names = row
    for line in reversed(beside[: beside.index(row)]):
        if line.count(_BORDER) + 1 != cells:
            break
        names = line
    return f"{names}\n{row}" if names != row and _NAMES.fullmatch(names) else row


def _holds(line: str, names: Sequence[str]) -> bool:
    """Whether words stand in a line in their order."""
    words = iter(wording(line))
    return all(name in words for name in names)
