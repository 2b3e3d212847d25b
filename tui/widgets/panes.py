"""Two panes, and how much room each has."""

from textual.containers import Container
from textual.widget import Widget
from textual.widgets import Static

_WIDE = 100
"""Columns from which on two panes stand beside each other."""

BREAKPOINTS = [(0, "-narrow"), (_WIDE, "-wide")]
"""For a screen with panes: the class that it has from so many columns on."""

_LEAST, _MOST = 20, 80
"""Per cent."""


class Panes(Container):
    """Beside each other on a wide screen, one below the other on a narrow one.

    Args:
        first: To the left, or above.
        second: To the right, or below.
        shares: Per cent of the width, and of the height, that the second takes.
    """

    def __init__(self, first: Widget, second: Widget, shares: tuple[int, int]) -> None:
        super().__init__(first, Static(id="border"), second, id="panes")
        self._second = second
        self.shares = shares
        """Per cent of the width, and of the height, that the second takes."""

    def on_resize(self) -> None:
        """Another size may put them another way."""
        wide, (beside, below) = self._wide, self.shares
        self._second.styles.width = f"{beside}%" if wide else "100%"
        self._second.styles.height = "100%" if wide else f"{below}%"

    def grow(self, by: int) -> None:
        """Give the second so much more, in per cent."""
        place = 0 if self._wide else 1
        shares = list(self.shares)
        shares[place] = min(_MOST, max(_LEAST, shares[place] + by))
        self.shares = shares[0], shares[1]
        self.on_resize()

    @property
    def _wide(self) -> bool:
        # Not by the screen's class, which is renewed later while the screen is not the front one.
        return self.app.size.width >= _WIDE
