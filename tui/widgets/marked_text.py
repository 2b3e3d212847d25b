"""A text area that colours claims where they stand."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.document._document import Document
from textual.geometry import Region
from textual.message import Message
from textual.widgets import TextArea
from textual.widgets.text_area import Selection

from veracite.engine.types import Label
from veracite.tui.checking import Mark
from veracite.tui.themes import style_class


class MarkedText(TextArea):
    """Shared by the editor and the reader; offsets count the characters of the text itself."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(style_class(label) for label in (*Label, None)),
        "label--aside",
        "label--current",
    }

    LEAD: ClassVar[int] = 0
    """Characters that are shown before each claim and belong to it."""

    class Pointed(Message):
        """The mouse is over a character of the text, or over none of them any more."""

        def __init__(self, area: "MarkedText", offset: int | None) -> None:
            super().__init__()
            self.area = area
            self.offset = offset

        @property
        def control(self) -> "MarkedText":
            """The widget it came from."""
            return self.area

    def __init__(self, id: str) -> None:  # noqa: A002 (Textual's own name for it)
        super().__init__(id=id, highlight_cursor_line=False)
        self.match_cursor_bracket = False
        self._layout: tuple[tuple[Mark, ...], str] = ((), "")
        """The claims and what was shown when they were laid out."""
        self._current: int | None = None
        self._only: Label | None = None
        self._by_line: dict[int, list[tuple[int, int, Mark]]] = {}
        self._pointed: int | None = None

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The claims that are shown."""
        return self._layout[0]

    @property
    def current(self) -> int | None:
        """The claim that stands out."""
        return self._current

    @property
    def source_offset(self) -> int:
        """Where the cursor is."""
        return self.to_source(self.index_of(self.cursor_location))

    def move_to(self, offset: int) -> None:
        """Put the cursor on a character of the source."""
        index = min(self.from_source(offset), len(self.text))
        self.move_cursor(self.location_of(index))

    def reveal(self, mark: Mark) -> None:
        """Put the cursor on a claim and scroll until all of it is seen."""
        self.move_to(mark.start)
        last = self.location_of(self.from_source(mark.end - 1))
        top = self.wrapped_document.location_to_offset(self.cursor_location).y
        bottom = self.wrapped_document.location_to_offset(last).y
        for region in (Region(0, bottom, 1, 1), Region(0, top, 1, 1)):
            self.scroll_to_region(region, animate=False, force=True, immediate=True)

    def select_span(self, start: int, end: int) -> None:
        """Select these characters of the source and scroll there."""
        first = self.location_of(self.from_source(start))
        self.selection = Selection(first, self.location_of(self.from_source(end - 1) + 1))

    def mark(self, marks: Sequence[Mark], current: int | None, only: Label | None = None) -> None:
        """Show these claims, one of them standing out.

        Args:
            only: Claims with another label than this stand back.
        """
        layout = (tuple(marks), self.text)
        if (layout, current, only) == (self._layout, self._current, self._only):
            return
        self._only = only
        if layout != self._layout:
            self._layout = layout
            self._by_line = self._lay_out()
        self._current = current
        self.notify_style_update()  # forgets the rendered lines
        self.refresh()

    def to_source(self, index: int) -> int:
        """A place in what is shown, as an offset in the source."""
        return index

    def from_source(self, offset: int) -> int:
        """An offset in the source, as a place in what is shown."""
        return offset

    def index_of(self, location: tuple[int, int]) -> int:
        """A row and column of what is shown, as a character of it."""
        assert isinstance(self.document, Document)
        return self.document.get_index_from_location(location)

    def location_of(self, index: int) -> tuple[int, int]:
        """A character of what is shown, as its row and column."""
        assert isinstance(self.document, Document)
        return self.document.get_location_from_index(index)

    def get_line(self, line_index: int) -> Text:
        """One line, its claims in the colours of their labels."""
        line = super().get_line(line_index)
        for start, end, mark in self._by_line.get(line_index, ()):
            aside = self._only is not None and mark.label is not self._only
            names = ["label--aside" if aside else style_class(mark.label)]
            if mark.index == self._current:
                names.append("label--current")
            for name in names:
                line.stylize(self.get_component_rich_style(name, partial=True), max(0, start), end)
        return line

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Say which character the mouse is over."""
        below = event.y + self.scroll_offset.y - self.gutter.top >= self.wrapped_document.height
        location = self.get_target_document_location(event)
        self._point(None if below else self.to_source(self.index_of(location)))

    def on_leave(self) -> None:
        """The mouse is gone."""
        if not self.is_mouse_over:
            self._point(None)

    def _point(self, offset: int | None) -> None:
        if offset != self._pointed:
            self._pointed = offset
            self.post_message(self.Pointed(self, offset))

    def _lay_out(self) -> dict[int, list[tuple[int, int, Mark]]]:
        """For each line, the columns of its claims; negative for one that began further up."""
        by_line: defaultdict[int, list[tuple[int, int, Mark]]] = defaultdict(list)
        lines = (len(line) + 1 for line in self.document.lines)
        starts = list(accumulate(lines, initial=0))[:-1]
        for mark in self.marks:
            first = self.from_source(mark.start) - self.LEAD
            last = self.from_source(mark.end - 1) + 1
            row = bisect_right(starts, first) - 1
            while row < len(starts) and starts[row] < last:
                by_line[row].append((first - starts[row], last - starts[row], mark))
                row += 1
        return by_line
