"""One format's pass over its files: labels become true or false, what is left out is counted."""

import re
import shlex
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from veracite.engine.errors import InputError
from veracite.engine.evaluation.formats.fields import Fault, Fields
from veracite.engine.evaluation.formats.files import Broken, Row, rows
from veracite.engine.evaluation.formats.parts import Part
from veracite.engine.evaluation.items import Item, Source, Statement

__all__ = ["Format", "LoadOptions", "Reading", "by_row"]

_SPLIT_FIELDS = ("split", "cut")
_NAMED = 3
"""Places that a note names for each reason."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How a set is read."""

    label_map: Mapping[str, bool] = field(default_factory=dict)
    """Upstream labels to true or false, instead of the format's own map."""
    limit: int | None = None
    """Items at most, from the start; a corpus is never cut."""
    split: str | None = None
    """The part of the set, where rows or file names say which they belong to: ``test``."""
    documents: int | None = None
    """Documents at most that come with a question, in the file's order (ALCE uses 5)."""


@dataclass(frozen=True, slots=True)
class Format:
    """A way in which a set is published."""

    name: str
    about: str
    """One line for the command's help."""
    recognise: Callable[[Fields], bool]
    """Whether a first row is one of this format."""
    read: Callable[["Reading"], Iterator[Item]]
    labels: Mapping[str, bool] = field(default_factory=dict)
    """Labels in normal form (:func:`normal`) to true or false."""
    beside: Callable[[Fields], bool] | None = None
    """Whether a first row is one of the second file that this format can use."""
    notes: tuple[str, ...] = ()


class Reading:
    """What a format reads from, and what it found on the way.

    Attributes:
        corpus: Documents that belong to the set as a whole, for the format to fill.
        label_map: The labels that were met, as the set writes them.
        split_found: Whether anything said which split it belongs to.
    """

    def __init__(
        self, form: Format, mains: tuple[Part, ...], besides: tuple[Part, ...], options: LoadOptions
    ) -> None:
        self.form = form
        self.mains = mains
        self.besides = besides
        self.options = options
        self.corpus: list[Source] = []
        self.label_map: dict[str, bool] = {}
        self.split_found = False
        self._notes: dict[str, None] = {}
        self._left_out: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        own = {normal(name): truth for name, truth in options.label_map.items()}
        self._truths = {**form.labels, **own}

    def rows(self) -> Iterator[Row]:
        """The rows of the format's own files that belong to the split asked for."""
        several = len(self.mains) > 1
        for row in self._read(self.mains):
            if self._in_split(row):
                yield replace(row, place=f"{row.part.stem}:{row.number}") if several else row

    def beside(
        self, read: Callable[[Row], _T], parts: Iterable[Part] | None = None
    ) -> Iterator[_T]:
        """What ``read`` makes of the rows of the second file; :class:`Fault` leaves one out."""
        for row in self._read(self.besides if parts is None else parts):
            try:
                yield read(row)
            except Fault as fault:
                self.leave_out(row, str(fault))

    def each(self, read: Callable[[Row], Iterable[Item]]) -> Iterator[Item]:
        """The items of all rows; a row of which ``read`` says :class:`Fault` is left out."""
        several = len(self.mains) > 1
        for row in self.rows():
            try:
                found = list(read(row))
            except Fault as fault:
                self.leave_out(row, str(fault))
                continue
            for item in found:
                if several and isinstance(item, Statement) and not item.part:
                    item = replace(item, part=row.part.stem)
                yield item

    def note(self, remark: str) -> None:
        """Say something, once, that a reader of the result must know."""
        self._notes[remark] = None

    def leave_out(self, row: Row, reason: str) -> None:
        """Count a row, or something in it, that is not among the items."""
        self._left_out[reason].append((row.part.name, row.where))

    def truth(self, label: str) -> bool:
        """True or false for a label.

        Raises:
            Fault: The label map does not know it.
        """
        found = self._truths.get(normal(label))
        if found is None:
            option = shlex.quote(f"{label}=true")
            raise Fault(
                f"the label {label!r} stands for neither true nor false; say what it means with "
                f"--label {option} (or =false)"
            )
        self.label_map[label] = found
        return found

    def remarks(self) -> tuple[str, ...]:
        """Everything a reader of the result must know."""
        found = [*self.form.notes, *self._notes]
        found += self.left_out()
        unmet = self.unmet_labels()
        if unmet:
            found.append(f"No row has the label {', '.join(map(repr, unmet))}.")
        return tuple(found)

    def left_out(self) -> tuple[str, ...]:
        """How many rows are not among the items, for each reason."""
        return tuple(
            f"{len(places):,} left out, {reason} ({_first(places)})."
            for reason, places in self._left_out.items()
        )

    def unmet_labels(self) -> tuple[str, ...]:
        """Labels that the options name and no row has."""
        met = {normal(name) for name in self.label_map}
        return tuple(sorted(n for n in self.options.label_map if normal(n) not in met))

    def _read(self, parts: Iterable[Part]) -> Iterator[Row]:
        for part in parts:
            for row in rows(part):
                if isinstance(row, Broken):
                    self._left_out[row.reason].append((part.name, row.where))
                else:
                    yield row

    def _in_split(self, row: Row) -> bool:
        named = next((row.fields[name] for name in _SPLIT_FIELDS if name in row.fields), None)
        if self.options.split is None or not isinstance(named, str):
            return True
        self.split_found = True
        return named == self.options.split

    def check_split(self) -> None:
        """Raises InputError where a split was asked for and nothing says what belongs to it."""
        if self.options.split is not None and not self.split_found:
            raise InputError(
                f"Nothing in the data says what belongs to the split {self.options.split!r}.",
                "Leave the split out.",
            )


def _first(places: Sequence[tuple[str, str]]) -> str:
    """The first places in words: ``a.jsonl line 2, line 7, ...``."""
    distinct = list(dict.fromkeys(places))
    said: list[str] = []
    for place, (name, where) in enumerate(distinct[:_NAMED]):
        same = place > 0 and distinct[place - 1][0] == name
        said.append(where if same else f"{name} {where}")
    return ", ".join([*said, "..."] if len(distinct) > _NAMED else said)


def by_row(read: Callable[[Row, Reading], Iterable[Item]]) -> Callable[[Reading], Iterator[Item]]:
    """A format whose rows do not depend on each other."""
    return lambda reading: reading.each(lambda row: read(row, reading))


def normal(label: str) -> str:
    """A label as maps have it: lower case, words apart by one space."""
    return re.sub(r"[\W_]+", " ", label.casefold()).strip()
