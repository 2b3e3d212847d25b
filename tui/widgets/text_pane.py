"""The text, in one of two views: the editor, or the reader with its symbols."""

from textual.app import ComposeResult
from textual.widgets import ContentSwitcher, TextArea

from veracite.engine.words import Label
from veracite.tui.findings import Findings, Mark
from veracite.tui.widgets.editor import Editor
from veracite.tui.widgets.marked_text import MarkedText
from veracite.tui.widgets.reader import Reader

__all__ = ["TextPane"]


class TextPane(ContentSwitcher):
    """Begins with the editor, which always holds the text."""

    def __init__(self, id: str) -> None:  # noqa: A002 (Textual's own name for it)
        super().__init__(id=id, initial="editor")
        self.editor = Editor(id="editor")
        self.reader = Reader(id="reader")
        self.pointed = False
        """Whether the cursor was put on a claim; until then the reader shows no claim."""
        self.under_mouse: int | None = None
        """The character of the text that the mouse is over."""

    def compose(self) -> ComposeResult:
        """Both views, one of them hidden."""
        yield self.editor
        yield self.reader

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

    def load(self, text: str) -> None:
        """Begin anew with this text."""
        self.editor.load_text(text)
        self.edit(0)

    def change(self, text: str) -> None:
        """The text is to read like this, by an edit that can be undone at once."""
        self.editor.change(text)

    def edit(self, offset: int | None) -> None:
        """Show the editor, its cursor at this character, or where it was."""
        self._show("editor", offset)

    def read(self, findings: Findings, offset: int) -> None:
        """Show the reader, its cursor at this character."""
        self.reader.show(findings.text, findings.marks(), None)
        self._show("reader", offset)

    def point(self, mark: Mark) -> None:
        """Put the cursor on a claim."""
        self.pointed = True
        self.under_mouse = None
        self.view.reveal(mark)

    def shown(self, findings: Findings) -> Mark | None:
        """The claim under the mouse, or else the one under the cursor."""
        if self.under_mouse is not None and (mark := findings.at(self.under_mouse)):
            return mark
        return findings.at(self.place)

    def select(self, start: int, end: int) -> None:
        """Select these characters of the text."""
        self.pointed = True
        self.under_mouse = None
        self.view.select_span(start, end)

    def mark(
        self, findings: Findings | None, shown: Mark | None, only: Label | None = None
    ) -> None:
        """Show the claims as they stand, one of them standing out; with ``only``, those of
        another label stand back."""
        current = shown.index if shown else None
        if not self.reading:
            self.editor.mark(findings.marks() if findings else (), current, only)
        elif findings:
            self.reader.show(findings.text, findings.marks(), current, only)

    def _show(self, name: str, offset: int | None) -> None:
        self.current = name
        self.under_mouse = None
        if offset is not None:
            with self.prevent(TextArea.SelectionChanged):
                self.view.move_to(offset)
        self.call_after_refresh(self.view.scroll_cursor_visible)
        self.view.focus()
