"""Two panes and the line between them, which can be moved."""

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.widget import Widget
from textual.widgets import Static

_WIDE = 100
"""Columns from which on two panes stand beside each other."""

BREAKPOINTS = [(0, "-narrow"), (_WIDE, "-wide")]
"""For a screen with panes: the class that it has from so many columns on."""

_LEAST, _MOST = 20, 80
"""Per cent."""


class _Border(Static):
    """Follows the mouse while its button is down."""

    def on_mouse_down(self, event: events.MouseDown) -> None:
        event.stop()
        self.capture_mouse()

    def on_mouse_up(self) -> None:
        self.release_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self.app.mouse_captured is self and isinstance(self.parent, Panes):
            self.parent.move_border(event.screen_x, event.screen_y)


class Panes(Container):
    """Beside each other on a wide screen, one below the other on a narrow one.

    Args:
        first: To the left, or above.
        second: To the right, or below.
        shares: Per cent of the width, and of the height, that the second takes.
        id: Of the widget.
    """

    def __init__(
        self,
        first: Widget,
        second: Widget,
        shares: tuple[int, int],
        id: str,  # noqa: A002 (Textual's own name for it)
    ) -> None:
        super().__init__(id=id)
        self._first = first
        self._second = second
        self.shares = shares
        """Per cent of the width, and of the height, that the second takes."""

    def compose(self) -> ComposeResult:
        """The border between the two."""
        yield self._first
        yield _Border(id="border")
        yield self._second

    def on_resize(self) -> None:
        """Another size may put them another way."""
        self._lay_out()

    def grow(self, by: int) -> None:
        """Give the second so much more, in per cent."""
        share = self.shares[0] if self._wide else self.shares[1]
        self._set(share + by)

    def move_border(self, x: int, y: int) -> None:
        """Put the border at this place of the screen."""
        area = self.region
        if self._wide:
            self._set(round(100 * (area.right - x - 1) / max(1, area.width)))
        else:
            self._set(round(100 * (area.bottom - y - 1) / max(1, area.height)))

    @property
    def _wide(self) -> bool:
        # Not by the screen's class, which is renewed later while the screen is not the front one.
        return self.app.size.width >= _WIDE

    def _set(self, share: int) -> None:
        share = min(_MOST, max(_LEAST, share))
        self.shares = (share, self.shares[1]) if self._wide else (self.shares[0], share)
        self._lay_out()

    def _lay_out(self) -> None:
        wide, (beside, below) = self._wide, self.shares
        self._second.styles.width = f"{beside}%" if wide else "100%"
        self._second.styles.height = "100%" if wide else f"{below}%"
