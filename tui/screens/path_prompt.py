"""Asks for one path."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from veracite.tui.widgets.path_input import PathInput

__all__ = ["PathPrompt"]


class PathPrompt(ModalScreen[str | None]):
    """Ends with what was entered, or None if the user thought better of it.

    Args:
        title: What is asked for.
        hint: What may be entered.
        value: What stands in the input at first.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Cancel")]

    def __init__(
        self, title: str, hint: str, *, value: str = "", placeholder: str = "", folders_only: bool
    ) -> None:
        super().__init__()
        self._title = title
        self._hint = hint
        self._input = PathInput(value, placeholder, folders_only)

    def compose(self) -> ComposeResult:
        """A small box."""
        with Vertical(classes="box") as box:
            box.border_title = self._title
            yield self._input
            yield Static(self._hint, markup=False, classes="hint")

    @on(PathInput.Chosen)
    def _choose(self, event: PathInput.Chosen) -> None:
        self.dismiss(event.value)
