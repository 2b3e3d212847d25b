"""The text, in one of two views: the editor, or the reader with its symbols."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import ClassVar

from rich.text import Text
from textual.document._document import Document
from textual.widgets import ContentSwitcher, TextArea
from textual.widgets.text_area import Edit, EditResult, Selection

from veracite.engine.report.phrases import SYMBOLS
from veracite.engine.types import Label
from veracite.tui.checking import Findings, Mark
from veracite.tui.keys import bindings
from veracite.tui.texts import flow, folded, harmless
from veracite.tui.themes import PENDING, style_class


class MarkedText(TextArea):
    """Shared by the editor and the reader; offsets count the characters of the text itself."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(style_class(label) for label in (*Label, None)),
        "label--aside",
        "label--current",
    }

    LEAD: ClassVar[int] = 0
    """Characters that are shown before each claim and belong to it."""

    def __init__(self, id: str) -> None:  # noqa: A002 (Textual's own name for it)
        super().__init__(id=id, highlight_cursor_line=False)
        self.match_cursor_bracket = False
        self.marks: tuple[Mark, ...] = ()
        """The claims that are shown."""
        self.current: int | None = None
        """The claim that stands out."""
        self._only: Label | None = None
        self._laid_out: object = None
        """The claims and what was shown when they were laid out."""
        self._by_line: dict[int, list[tuple[int, int, Mark]]] = {}
        self._starts: list[int] = []
        """Where the claims start in the source, if anything is shown before them."""
        self._symbols: list[int] = []
        """Where that stands in what is shown."""

    @property
    def source_offset(self) -> int:
        """Where the cursor is."""
        return self.to_source(self.index_of(self.cursor_location))

    def move_to(self, offset: int) -> None:
        """Put the cursor on a character of the source; for a claim's first one, on its symbol."""
        index = self.from_source(offset) - (self.LEAD if offset in self._starts else 0)
        self.move_cursor(self.location_of(min(index, len(self.text))))

    def select_span(self, start: int, end: int) -> None:
        """Select these characters of the source and scroll there."""
        first = self.location_of(self.from_source(start))
        self.selection = Selection(first, self.location_of(self.from_source(end - 1) + 1))

    def mark(self, marks: tuple[Mark, ...], current: int | None, only: Label | None = None) -> None:
        """Show these claims, one of them standing out.

        Args:
            only: Claims with another label than this stand back.
        """
        layout = (marks, self.text)
        if layout != self._laid_out:
            self.marks, self._laid_out = marks, layout
            self._by_line = self._lay_out()
        elif (current, only) == (self.current, self._only):
            return
        self.current, self._only = current, only
        self.notify_style_update()  # forgets the rendered lines
        self.refresh()

    def to_source(self, index: int) -> int:
        """A place in what is shown, as an offset in the source; a symbol is its claim's start."""
        number = bisect_left(self._symbols, index)
        if number and index - self._symbols[number - 1] < self.LEAD:
            return self._starts[number - 1]
        return index - self.LEAD * number

    def from_source(self, offset: int) -> int:
        """An offset in the source, as a place in what is shown; behind the symbols before it."""
        return offset + self.LEAD * bisect_left(self._starts, offset + 1)

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
            if mark.index == self.current:
                names.append("label--current")
            for name in names:
                line.stylize(self.get_component_rich_style(name, partial=True), max(0, start), end)
        return line

    def on_resize(self) -> None:
        """Draw the lines anew: Textual wraps them, and draws only if their number has changed."""
        self.refresh()

    def _lay_out(self) -> dict[int, list[tuple[int, int, Mark]]]:
        """For each line, the columns of its claims; negative for one that began further up."""
        by_line: defaultdict[int, list[tuple[int, int, Mark]]] = defaultdict(list)
        lines = (len(line) + 1 for line in self.document.lines)
        starts = list(accumulate(lines, initial=0))[:-1]
        for mark in self.marks:
            first = self.from_source(mark.start) - self.LEAD
            last = self.from_source(mark.end - 1) + 1
            for row in range(bisect_right(starts, first) - 1, bisect_left(starts, last)):
                by_line[row].append((first - starts[row], last - starts[row], mark))
        return by_line


class Editor(MarkedText):
    """Holds the text that is checked; claims that are untouched keep their colours."""

    def __init__(self, id: str) -> None:  # noqa: A002
        super().__init__(id)
        self.placeholder = (
            "Paste or type the text that you want checked, or open a file with Ctrl+O. "
            "F5 checks it."
        )

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        """Whether the key writes something here; Textual forgets that Enter does."""
        return key == "enter" or super().check_consume_key(key, character)

    def edit(self, edit: Edit) -> EditResult:
        """Take an edit, whatever it holds made harmless; told where a line must be broken."""
        text = harmless(edit.text)
        fit = folded(text)
        if fit != text:
            self.notify("A line is broken into several: no longer one can be edited here.")
        return super().edit(replace(edit, text=fit))

    def change(self, text: str) -> None:
        """Make the text read like this, in one edit."""
        self.history.checkpoint()
        self.replace(text, (0, 0), self.document.end)
        self.history.checkpoint()

    def load_text(self, text: str) -> None:
        """Begin anew with this text, made harmless, its lines broken where they must be."""
        super().load_text(folded(harmless(text)))


_PLACE = f"{PENDING}\u2800"
"""What stands before each claim, until it is drawn with its symbol and a space: no space here, so
that no line ends between the two."""


class Reader(MarkedText):
    """Read only. The symbols are part of what is shown and not of the source."""

    LEAD = len(_PLACE)

    BINDINGS = bindings("reader")

    def __init__(self, id: str) -> None:  # noqa: A002
        super().__init__(id)
        self.set_reactive(TextArea.read_only, True)
        self._source = ""

    def show(
        self, source: str, marks: tuple[Mark, ...], current: int | None, only: Label | None = None
    ) -> None:
        """Show a text and its claims; where neither moved, only the symbols and colours change."""
        starts = [mark.start for mark in marks]
        if source != self._source or starts != self._starts:
            offset = self.source_offset
            self._source, self._starts = source, starts
            self._symbols = [start + self.LEAD * number for number, start in enumerate(starts)]
            text = flow(source)
            pieces = (text[begin:end] for begin, end in pairwise([0, *starts, len(text)]))
            with self.prevent(TextArea.SelectionChanged):
                self.load_text(_PLACE.join(pieces))
                self.move_to(min(offset, len(source)))
        self.mark(marks, current, only)

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
                characters[start + 1] = mark.sign
                line.stylize("bold", start, start + 1)
        line.plain = "".join(characters)
        return line


class TextPane(ContentSwitcher):
    """Begins with the editor, which always holds the text."""

    def __init__(self) -> None:
        self.editor = Editor(id="editor")
        self.reader = Reader(id="reader")
        super().__init__(self.editor, self.reader, id="text", initial="editor")
        self.pointed = False
        """Whether the cursor was put on a claim; until then the reader shows no claim."""

    @property
    def reading(self) -> bool:
        """Whether the reader is shown."""
        return self.current == "reader"

    @property
    def view(self) -> MarkedText:
        """The one that is shown."""
        return self.reader if self.reading else self.editor

    @property
    def place(self) -> int:
        """The character at the cursor; before the first one while no claim is pointed at."""
        return self.view.source_offset if self.pointed or not self.reading else -1

    def edit(self, offset: int) -> None:
        """Show the editor, its cursor at this character."""
        self._show("editor", offset)

    def read(self, findings: Findings, offset: int) -> None:
        """Show the reader, its cursor at this character."""
        self.reader.show(findings.text, findings.marks(), None)
        self._show("reader", offset)

    def point(self, mark: Mark) -> None:
        """Put the cursor on a claim and scroll there."""
        self.pointed = True
        self.view.move_to(mark.start)
        self.view.scroll_cursor_visible(center=True)

    def select(self, start: int, end: int) -> None:
        """Select these characters of the text."""
        self.pointed = True
        self.view.select_span(start, end)

    def mark(self, findings: Findings | None, shown: Mark | None, only: Label | None) -> None:
        """Show the claims as they stand, one of them standing out; with ``only``, those of
        another label stand back."""
        current = shown.index if shown else None
        if not self.reading:
            self.editor.mark(findings.marks() if findings else (), current, only)
        elif findings:
            self.reader.show(findings.text, findings.marks(), current, only)

    def _show(self, name: str, offset: int) -> None:
        self.current = name
        with self.prevent(TextArea.SelectionChanged):
            self.view.move_to(offset)
        self.call_after_refresh(self.view.scroll_cursor_visible)
        self.view.focus()
