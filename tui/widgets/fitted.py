"""Text that is laid out for the cells that there are."""

from collections.abc import Callable

from textual.content import Content
from textual.widgets import Static

_LEAST = 12
"""Cells that the text has however narrow the screen is."""


def hung(name: Content, text: Content, column: int, width: int) -> Content:
    """The name, and the text beside it; below it where the name is too long.

    Args:
        column: The cell in which the text begins.
        width: Of both, in cells.
    """
    indent = Content(" " * column)
    lines = [indent + line for line in text.wrap(max(_LEAST, width - column))]
    if name.cell_length < column:
        beside = name + lines[0][name.cell_length :]
        return Content("\n").join([beside, *lines[1:]])
    return Content("\n").join([name, *lines])


_USUAL = 69
"""Cells, before they are known: those of a box where there is room."""


class Fitted(Static):
    """Knows how its text is laid out for so many cells."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 (Textual's own name)
        super().__init__(id=id)
        self._laid_out: Callable[[int], Content] | None = None
        self._width = 0
        """Cells that the text was laid out for."""

    def fit(self, laid_out: Callable[[int], Content]) -> "Fitted":
        """Show this text from now on."""
        self._laid_out = laid_out
        self._width = self.size.width or _USUAL
        self.update(laid_out(self._width))
        return self

    def on_resize(self) -> None:
        """There may be another width."""
        if self._laid_out is not None and self._width != self.size.width:
            self.fit(self._laid_out)
