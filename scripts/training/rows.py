"""Claims beside rows of tables as they are read alone: each cell behind its column's name.

"Ticket: Adult | Price: £7 | Valid for: one day", one row or some, sometimes with the heading and
without the names. Numbers of the claims are written in words now and then.
"""

import random
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.training.changes import NUMBERS, capital
from scripts.training.pairs import CONTRADICTED, JOINT, NEUTRAL, SUPPORTED, Pair, headed


@dataclass(frozen=True)
class Column:
    """A column: its name, its values, how they are written and what is said of them."""

    name: str
    values: Sequence[str | int]
    cell: str
    says: Sequence[str]
    more: str = ""
    most: str = ""
    """Of numbers: how the greater one of two, and the greatest of some, is spoken of."""


@dataclass(frozen=True)
class Kind:
    """A kind of table: its headings, the column of what its rows are of, and the others."""

    headings: Sequence[str]
    of: str
    subjects: Sequence[str]
    said: str
    columns: Sequence[Column]

    def spoken(self, subject: str) -> str:
        """What a subject is called in a sentence."""
        return self.said.format(subject.lower() if self.said.startswith("the ") else subject)


def _column(given: dict[str, Any]) -> Column:
    return Column(**{"values": range(*given.pop("numbers", (0,)))} | given)


_GIVEN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
KINDS = [
    Kind(**kind | {"columns": [_column(column) for column in kind["columns"]]})
    for kind in _GIVEN["kinds"]
]

Table = dict[str, dict[str, str | int]]
"""The cells of each row by the names of their columns."""


def rows(count: int, rng: random.Random) -> Iterator[Pair]:
    """Yield so many pairs."""
    for _ in range(count):
        kind = rng.choice(KINDS)
        stranger, *subjects = rng.sample(kind.subjects, rng.choice((2, 3, 3, 4)))
        columns = rng.sample(kind.columns, rng.randint(2, len(kind.columns)))
        table = {s: {c.name: rng.choice(c.values) for c in columns} for s in subjects}
        claim, label = _claim(kind, columns, table, stranger, rng)
        heading = rng.choice(kind.headings) if rng.random() < 0.5 else ""
        yield Pair("rows", headed(heading, _premise(kind, columns, table, rng)), claim, label)


def _premise(kind: Kind, columns: list[Column], table: Table, rng: random.Random) -> str:
    named = rng.random() < 0.75
    lines = [] if named else [" | ".join([kind.of, *(column.name for column in columns)])]
    for subject, cells in table.items():
        values = [(column.name, column.cell.format(cells[column.name])) for column in columns]
        shown = [(kind.of, subject), *values]
        lines.append(" | ".join(f"{name}: {v}" if named else v for name, v in shown))
    return JOINT.join(lines)


def _claim(
    kind: Kind, columns: list[Column], table: Table, stranger: str, rng: random.Random
) -> tuple[str, int]:
    column, subject, way = rng.choice(columns), rng.choice(list(table)), rng.random()
    values = {own: cells[column.name] for own, cells in table.items()}
    value = values[subject]
    if column.more and way < 0.3 and len(set(values.values())) == len(values) > 1:
        order = sorted(values, key=lambda own: values[own])
        true, (a, b) = rng.random() < 0.5, sorted(rng.sample(range(len(order)), 2), reverse=True)
        a, b = (a, b) if true else (b, a)
        more = column.more.format(a=kind.spoken(order[a]), b=kind.spoken(order[b]))
        most = column.most.format(s=kind.spoken(order[-1 if true else 0]))
        return capital(rng.choice((more, most))), SUPPORTED if true else CONTRADICTED
    label = SUPPORTED
    if 0.55 <= way < 0.8:
        near = values.values() if rng.random() < 0.6 else column.values
        others = [v for v in near if v != value] or [v for v in column.values if v != value]
        value, label = rng.choice(others), CONTRADICTED
    elif way >= 0.8:
        missing = [c for c in kind.columns if c not in columns]
        if missing and rng.random() < 0.4:
            column = rng.choice(missing)
            value = rng.choice(column.values)
        else:
            subject = stranger
        label = NEUTRAL
    words = value
    if isinstance(value, int) and 2 <= value <= 20 and rng.random() < 0.5:
        words = NUMBERS[value - 2]
    said = rng.choice(column.says).format(s=kind.spoken(subject), v=value, n=words)
    return capital(said), label
