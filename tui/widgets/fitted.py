"""A text that is laid out anew for every width."""

from collections.abc import Callable

from textual import events
from textual.content import Content
from textual.widgets import Static

__all__ = ["Fitted"]

_USUAL = 69
"""Cells, before they are known: those of a sheet where there is room."""


class Fitted(Static):
    """Knows how its text is laid out for so many cells."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 (Textual's own name)
        super().__init__(id=id)
        self._laid_out: Callable[[int], Content] | None = None

    def fit(self, laid_out: Callable[[int], Content]) -> "Fitted":
        """Show this text from now on."""
        self._laid_out = laid_out
        self.update(laid_out(self.size.width or _USUAL))
        return self

    def on_resize(self, event: events.Resize) -> None:
        """There is another width."""
        if self._laid_out is not None:
            self.update(self._laid_out(event.size.width))
