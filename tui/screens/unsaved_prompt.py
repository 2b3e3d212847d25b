"""Asks what to do with edits that are not saved."""

from typing import ClassVar, Literal

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Static

__all__ = ["Answer", "UnsavedPrompt"]

Answer = Literal["save", "discard"]


class UnsavedPrompt(ModalScreen[Answer | None]):
    """Ends with the answer; None: neither, the user stays.

    Args:
        name: Of the text.
        key: That led here; pressed again it discards.
        display: The key as a person writes it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,c", "dismiss(None)", "Cancel"),
        Binding("s", "dismiss('save')", "Save"),
        Binding("d", "dismiss('discard')", "Discard"),
        Binding("left", "app.focus_previous", show=False),
        Binding("right", "app.focus_next", show=False),
    ]

    def __init__(self, name: str, key: str, display: str) -> None:
        super().__init__()
        self._title = name
        self.key = key
        self._display = display

    def compose(self) -> ComposeResult:
        """A small box with three buttons."""
        with Vertical(classes="box") as box:
            box.border_title = "Unsaved edits"
            yield Static(f"What you changed in {self._title} is not saved.", markup=False)
            with Horizontal(classes="answers"):
                yield Button("Save", id="save", variant="primary", compact=True)
                yield Button("Discard", id="discard", compact=True)
                yield Button("Cancel", id="cancel", compact=True)
            hint = "s saves, d discards, Esc cancels."
            again = f" {self._display} again discards." if self._display else ""
            yield Static(hint + again, markup=False, classes="hint")

    def on_key(self, event: events.Key) -> None:
        """The key that led here, pressed again."""
        if event.key == self.key:
            event.stop()
            self.dismiss("discard")

    @on(Button.Pressed)
    def _answer(self, event: Button.Pressed) -> None:
        answers: dict[str | None, Answer] = {"save": "save", "discard": "discard"}
        self.dismiss(answers.get(event.button.id))
