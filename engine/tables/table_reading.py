"""A claim beside a table: the row and the column that it names, and the cell where they meet.

Nothing of the claim may be left over: what neither the table's names nor what stands around it tell
may make it another claim.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from veracite.engine.facts.measures import Measure, measures
from veracite.engine.facts.units import is_unit, of_one_dimension
from veracite.engine.tables.cell_figures import agrees, figure_of, without_unit
from veracite.engine.tables.labels import Said, longest
from veracite.engine.tables.rendered import Row, Table
from veracite.engine.wording.overlap import words

__all__ = ["Found", "TableReading"]

_YES = frozenset("yes y ✓ ✔ true".split())
_NO = frozenset("no n ✗ ✘ × false".split())
_ASIDE = re.compile(r"\s*\([^()]*\)$")
_Places = frozenset[int]


@dataclass(frozen=True, slots=True)
class Found:
    """A cell that a claim speaks of."""

    agrees: bool
    row: Row
    key: int
    """The column whose entry names the row."""
    column: int
    said: str


@dataclass(frozen=True)
class TableReading:
    """A claim beside a table."""

    said: Said
    table: Table
    around: str

    def found(self) -> list[Found]:
        """The cells that the claim speaks of; none if they tell both for and against it.

        What the first column names is what a row is about, whatever else the claim names.
        """
        rows = {key: self._named_rows(key) for key in self._keys()}
        named: list[tuple[tuple[int, ...], Row, _Places]]
        named = [((key,), *ones[0]) for key, ones in rows.items() if len(ones) == 1]
        if len(rows[0]) == 1:
            named = named[:1]
        if not named and any(rows.values()):
            named = list(self._jointly_named())
        found = [one for keys, row, used in named if (one := self._value(keys, row, used))]
        return found if len({one.agrees for one in found}) == 1 else []

    def names(self, row: Row) -> bool:
        """Whether the claim has an entry of words of a row that no other row has."""
        return any([one for one, _ in self._named_rows(key)] == [row] for key in self._keys())

    def label_of(self, row: Row) -> _Places:
        """The places of the words by which the claim names a row."""
        named = (own for key in self._keys() for one, own in self._named_rows(key) if one == row)
        return next(named, frozenset())

    def has_figures(self, row: Row) -> bool:
        """Whether each column of figures that the claim names has one of the claim's there.

        And each of its figures that the row has stands in a column that it names, if only in part.
        """
        columns = range(len(row.cells))
        figures = self.said.figures
        cells = {c: cell for c in columns if (cell := self._figure(row, c)) is not None}
        named = [cells[c] for c, _ in self._named_columns(columns) if c in cells]
        if not all(any(agrees(one, cell) for one in figures) for cell in named):
            return False
        for one in figures if len(columns) > 2 else ():
            places = [c for c, cell in cells.items() if agrees(one, cell)]
            known = [agrees(one, cell) for cell in cells.values()]
            if not places and False in known:
                return False
            if places and not any(self.said.partly(self._name(c)) for c in places):
                return False
        return True

    def _keys(self) -> Iterator[int]:
        """The columns by whose cells a row may be named: the first one, and those of words."""
        for column in range(len(self.table.rows[0].cells)):
            cells = [row.cells[column] for row in self.table.rows]
            told = sum(figure_of(cell, None) is None for cell in cells)
            if column == 0 or (2 * told > len(cells) and not self._is_yes_or_no(column)):
                yield column

    def _named_rows(self, key: int) -> list[tuple[Row, _Places]]:
        cells = [row.cells[key] for row in self.table.rows]
        bare = [_ASIDE.sub("", cell) or cell for cell in cells]
        for labels, exactly in ((cells, True), (cells, False), (bare, True)):
            places = [self._label(key, label, exactly) for label in labels]
            named = zip(self.table.rows, places, strict=True)
            if found := longest([(row, own) for row, own in named if own]):
                return found
        return []

    def _label(self, key: int, label: str, exactly: bool) -> _Places | None:
        """The places of a row's label; a bare number needs its column's name in front."""
        figure = figure_of(label, None)
        if figure is None or figure.quantity.kind != "number":
            places = self.said.places(label, exactly=exactly)
            is_name = key == 0 or (places and self.said.is_proper(places))
            return places if is_name else None
        name = self._name(key)
        places = self.said.places(f"{name} {label}") if name else None
        return places if places and max(places) - min(places) < len(places) else None

    def _jointly_named(self) -> Iterator[tuple[tuple[int, ...], Row, _Places]]:
        """Rows that two columns tell together: "North" in "2020"."""
        several = {c: self._named_rows(c) for c in range(len(self.table.rows[0].cells))}
        for one, other in combinations(several, 2):
            both = [
                (row, mine | theirs)
                for row, mine in several[one]
                for another, theirs in several[other]
                if row is another
            ]
            if len(both) == 1:
                yield (one, other), *both[0]

    def _value(self, keys: tuple[int, ...], row: Row, used: _Places) -> Found | None:
        """What the claim says of a row, beside the cell that it says it of."""
        for key in keys:
            used |= self.said.partly(self._name(key)) | self.said.partly(row.cells[key])
        if (unit := self._unit_of(row)) is not None:
            used |= self.said.partly(unit)
        columns = [c for c in range(len(row.cells)) if c not in keys]
        named = self._named_columns(columns)
        headed = frozenset[int]().union(*(places for _, places in named))
        figures = [f for f in self.said.figures if not self.said.of_figure(f) <= used | headed]
        around = measures(self.around)
        free = [f for f in figures if not any(agrees(f, other) for other in around)] or figures[:1]
        for figure in figures:
            used |= self.said.of_figure(figure) | self.said.limit_of(figure)
        if not figures:
            return self._entry(keys[0], row, columns, named, used)
        astray = any(self.said.is_led_astray(figure, headed) for figure in free)
        if astray or self.said.is_denied:
            return None
        read = [
            (figure, self._column(figure, row, columns, [c for c, _ in named])) for figure in free
        ]
        told = [(f, c, agrees(f, cell)) for f, place in read if place for c, cell in [place]]
        if len(told) < len(read) or any(outcome is None for *_, outcome in told):
            return None
        for _, column, _ in told:
            used |= self.said.partly(self._name(column))
        wrong = [one for one in told if not one[2]]
        if len(wrong) > 1 or len({column for _, column, _ in told}) < len(told):
            return None
        if self._says_more(used):
            return None
        figure, column, outcome = (wrong or told)[0]
        return Found(bool(outcome), row, keys[0], column, self.said.measure(figure))

    def _named_columns(self, columns: Sequence[int]) -> list[tuple[int, _Places]]:
        found = [(c, places) for c in columns if (places := self.said.places(self._name(c)))]
        return longest(found)

    def _column(
        self, figure: Measure, row: Row, columns: Sequence[int], named: Sequence[int]
    ) -> tuple[int, Measure] | None:
        """The column that a figure is said of, with the row's figure there."""
        cells = [(c, cell) for c in columns if (cell := self._figure(row, c)) is not None]
        fitting = [(c, cell) for c, cell in cells if agrees(figure, cell) is not None]
        if own := [one for one in fitting if one[0] in named]:
            return own[0] if len(own) == 1 else None
        if named and any(c in named for c, _ in cells):
            return None
        if len(columns) == 1 or (self._unit_of(row) is not None and len(cells) == 1):
            return fitting[0] if fitting else None
        telling = [one for one in fitting if _is_telling(figure, one[1])]
        return telling[0] if len(telling) == 1 else None

    def _figure(self, row: Row, column: int) -> Measure | None:
        unit = (
            without_unit(self._name(column))[1]
            or without_unit(row.cells[0])[1]
            or self._unit_of(row)
        )
        return figure_of(row.cells[column], unit)

    def _unit_of(self, row: Row) -> str | None:
        """What stands in a column of units."""
        for column, name in enumerate(self.table.names):
            if name.strip().casefold() in ("unit", "units"):
                return row.cells[column].strip() or None
        return None

    def _entry(
        self,
        key: int,
        row: Row,
        columns: Sequence[int],
        named: Sequence[tuple[int, _Places]],
        used: _Places,
    ) -> Found | None:
        """A cell of words, or of yes and no, that the claim says or says another instead of."""
        for column in columns:
            entries = [] if self._is_yes_or_no(column) else self._entries(column, used)
            if len(entries) != 1:
                continue
            entry, places = entries[0]
            own = self.said.places(row.cells[column])
            same = own is not None and own >= places
            head = self.said.partly(self._name(column)) - places
            if self.said.is_denied or self._says_more(used | places | head):
                continue
            if same or figure_of(row.cells[column], None) is None:
                return Found(same, row, key, column, entry)
        for column, places in named:
            answer = row.cells[column].casefold().strip()
            across = self._is_yes_or_no(column) or _are_yes_or_no(row.cells[1:])
            if not across or answer not in _YES | _NO:
                continue
            if not self._says_more(used | places):
                told = places if self._is_yes_or_no(column) else used
                said = " ".join(self.said.words[place].text for place in sorted(told))
                said = f"not {said}" if self.said.is_denied else said
                same = (answer in _YES) != self.said.is_denied
                return Found(same, row, key, column, said)
        return None

    def _entries(self, column: int, used: _Places) -> list[tuple[str, _Places]]:
        """The entries of a column that the claim has, longest first."""
        cells = list(dict.fromkeys(row.cells[column] for row in self.table.rows))
        found = [
            (number, places)
            for number, cell in enumerate(cells)
            if (places := self.said.places(cell)) and not places & used
        ]
        return [(cells[number], places) for number, places in longest(found)]

    def _is_yes_or_no(self, column: int) -> bool:
        return _are_yes_or_no([row.cells[column] for row in self.table.rows])

    def _says_more(self, used: _Places) -> bool:
        return self.said.says_more(used, {word.stem for word in words(self.around)})

    def _name(self, column: int) -> str:
        return self.table.names[column] if self.table.names else ""


def _are_yes_or_no(cells: Sequence[str]) -> bool:
    """Whether most of the cells say yes or no."""
    return 2 * sum(cell.casefold().strip() in _YES | _NO for cell in cells) > len(cells)


def _is_telling(figure: Measure, cell: Measure) -> bool:
    """Whether a figure's kind or unit alone tells its column."""
    one, other = figure.quantity, cell.quantity
    if one.kind in ("money", "percent"):
        return one.kind == other.kind
    return is_unit(one.unit) and of_one_dimension(one, other)
