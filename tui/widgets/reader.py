"""Where the verdicts are read: the text, with a symbol before each claim."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar

from rich.text import Text
from textual.binding import BindingType
from textual.widgets import TextArea

from veracite.engine.report.phrases import SYMBOLS
from veracite.engine.words import Label
from veracite.tui.findings import Mark
from veracite.tui.flow import broken, flow
from veracite.tui.labels import OVERRIDDEN, PENDING
from veracite.tui.screens.check_keys import READER_KEYS
from veracite.tui.widgets.marked_text import MarkedText

__all__ = ["Reader"]

_PLACE = f"{PENDING}\u2800"
"""What stands before each claim, until it is drawn with its symbol and a space: no space here, so
that no line ends between the two."""


class Reader(MarkedText):
    """Read only. The symbols are part of what is shown and not of the source."""

    LEAD = len(_PLACE)

    BINDINGS: ClassVar[list[BindingType]] = [*READER_KEYS]

    def __init__(self, id: str) -> None:  # noqa: A002
        super().__init__(id)
        self.set_reactive(TextArea.read_only, True)
        self._source = ""
        self._starts: list[int] = []
        """Where the claims start in the source."""
        self._symbols: list[int] = []
        """Where their symbols stand in what is shown."""

    def show(
        self,
        source: str,
        marks: Sequence[Mark],
        current: int | None,
        only: Label | None = None,
    ) -> None:
        """Show a text and its claims; where neither moved, only the symbols and colours change."""
        starts = [mark.start for mark in marks]
        if source != self._source or starts != self._starts:
            offset = self.source_offset
            self._source, self._starts = source, starts
            self._symbols = [start + self.LEAD * number for number, start in enumerate(starts)]
            with self.prevent(TextArea.SelectionChanged):
                self.load_text(_with_symbols(broken(flow(source), starts), starts))
                self.move_to(min(offset, len(source)))
        self.mark(marks, current, only)

    def move_to(self, offset: int) -> None:
        """Put the cursor on a character of the source; for a claim's first one, on its symbol."""
        index = self.from_source(offset) - (self.LEAD if offset in self._starts else 0)
        self.move_cursor(self.location_of(min(index, len(self.text))))

    def to_source(self, index: int) -> int:
        """A place in what is shown, as an offset in the source; a symbol is its claim's start."""
        number = bisect_left(self._symbols, index)
        if number and index - self._symbols[number - 1] < self.LEAD:
            return self._starts[number - 1]
        return index - self.LEAD * number

    def from_source(self, offset: int) -> int:
        """An offset in the source, as a place in what is shown; behind the symbols before it."""
        return offset + self.LEAD * bisect_left(self._starts, offset + 1)

    def on_paste(self) -> None:
        """A pasted text has no place here, but the user need not wonder why."""
        self.notify("Ctrl+N begins a new text, e edits this one.")

    @property
    def selected_text(self) -> str:
        """What is selected, without the symbols."""
        start, end = sorted(self.selection)
        first, last = self.to_source(self.index_of(start)), self.to_source(self.index_of(end))
        return self._source[first:last]

    def get_line(self, line_index: int) -> Text:
        """One line, each claim with its symbol."""
        line = super().get_line(line_index)
        characters = list(line.plain)
        for start, _end, mark in self._by_line.get(line_index, ()):
            if start >= 0:
                characters[start] = SYMBOLS[mark.label] if mark.label else PENDING
                characters[start + 1] = OVERRIDDEN if mark.overridden else " "
                line.stylize("bold", start, start + 1)
        line.plain = "".join(characters)
        return line


def _with_symbols(source: str, starts: Sequence[int]) -> str:
    """The source with room for a symbol before each claim."""
    cuts = [0, *starts, len(source)]
    return _PLACE.join(source[begin:end] for begin, end in pairwise(cuts))
