"""A sheet of text over the screen: the outcome of a check, the keys."""

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from veracite.tui.widgets.fitted import Fitted

__all__ = ["SheetScreen"]


class SheetScreen(ModalScreen[None]):
    """Something to read that any of the usual keys closes.

    Args:
        title: Of the sheet.
        content: To be read; or what lays it out for so many cells.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,f1,f8,f9", "dismiss", "Close", key_display="esc")
    ]

    def __init__(self, title: str, content: Content | Callable[[int], Content]) -> None:
        super().__init__()
        self._title = title
        self._content = content

    def compose(self) -> ComposeResult:
        """A box with a title that scrolls."""
        with VerticalScroll(classes="box") as box:
            box.border_title = self._title
            box.border_subtitle = "Esc closes this"
            content = self._content
            yield Static(content) if isinstance(content, Content) else Fitted().fit(content)
