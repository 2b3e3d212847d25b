"""A quote below an answer: one line, and its passage when it is opened."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Static

from veracite.engine.words import Citation
from veracite.tui import conversation_quotes as quotes
from veracite.tui.claim_sheet import quotation
from veracite.tui.screens.ask_keys import SOURCE_KEYS
from veracite.tui.widgets.quote import Quote

__all__ = ["Source"]


class Source(Vertical, can_focus=True):
    """Posts ``Opened`` when its document is to be opened.

    Args:
        citation: The quote.
        number: In the answer, from 1; None for what is only near.
        words: What was asked and answered.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*SOURCE_KEYS]

    class Opened(Message):
        """The document is wanted."""

        def __init__(self, citation: Citation) -> None:
            super().__init__()
            self.citation = citation

    def __init__(self, citation: Citation, number: int | None, words: str) -> None:
        super().__init__()
        self.citation = citation
        self._words = words
        self._number = number
        self._line = Static(quotes.source(citation, number), classes="line")

    def compose(self) -> ComposeResult:
        """The line alone; an unfolded passage has what else stands above it there too."""
        yield self._line

    @property
    def unfolded(self) -> bool:
        """Whether the passage is shown."""
        return bool(self.query(Quote))

    def action_unfold(self) -> None:
        """Show the passage, or hide it again."""
        if self.unfolded:
            self.query(Quote).remove()
            self._line.update(quotes.source(self.citation, self._number))
        else:
            quote = Quote(quotation(self.citation, self._words))
            self._line.update(quotes.unfolded(quote.quotation.head, self._number))
            self.mount(quote)
            self.call_after_refresh(self.scroll_visible)

    def action_open(self) -> None:
        """Open the document in the system's viewer."""
        self.post_message(self.Opened(self.citation))

    def on_click(self) -> None:
        """The same as Enter."""
        self.focus()
        self.action_unfold()
