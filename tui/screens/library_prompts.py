"""What the Library room asks: the name of a library, a path to add, whether something may go."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from veracite.engine.display import neutralise
from veracite.engine.errors import USER_ERRORS, InputError
from veracite.tui.screens.path_prompt import PathPrompt
from veracite.tui.worker import apart

__all__ = ["Confirmation", "NamePrompt", "for_path"]


def for_path(name: str, add: Callable[[str, Path], None]) -> PathPrompt[str]:
    """Which file or folder a library is to follow; ends with the library's name.

    Args:
        name: Of the library.
        add: Called beside the screen; may raise an error for the user.
    """

    async def entered(value: str) -> str:
        if not value:
            raise InputError("Nothing is named.", "Type the path of a folder or a file.")
        path = Path(os.path.abspath(os.path.expanduser(value)))
        if not path.exists():
            raise InputError(f"There is no file or folder {path}.", "Check the spelling.")
        await apart(partial(add, name, path))
        return name

    return PathPrompt(
        f"Add to the library {name}",
        "A folder or a file, which stays where it is. Tab completes, Enter adds, Esc cancels.",
        entered,
    )


class NamePrompt(ModalScreen[str | None]):
    """Ends with a name, or None if the user thought better of it.

    Args:
        require: Raises an error for the user unless this can be the name.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Cancel")]

    def __init__(self, require: Callable[[str], None]) -> None:
        super().__init__()
        self._require = require
        self._said = Static(id="said", classes="-error")
        self._said.display = False

    def compose(self) -> ComposeResult:
        """A small box."""
        with Vertical(classes="box") as box:
            box.border_title = "New library"
            yield Input(placeholder="its name")
            yield self._said
            yield Static(
                "Letters, digits, dots, hyphens and underscores. Enter goes on to its documents, "
                "Esc cancels.",
                markup=False,
                classes="hint",
            )

    @on(Input.Submitted)
    def _enter(self, event: Input.Submitted) -> None:
        name = event.value.strip()
        try:
            self._require(name)
        except USER_ERRORS as error:
            self._said.update(Content(neutralise(f"{error.message} {error.advice}")))
            self._said.display = True
        else:
            self.dismiss(name)


class Confirmation(ModalScreen[bool]):
    """Ends with True for a yes.

    Args:
        title: What is about to happen.
        question: What becomes of what.
        yes: The button's words.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,n", "dismiss(False)", "Cancel"),
        Binding("y", "dismiss(True)", "Yes"),
        Binding("left", "app.focus_previous", show=False),
        Binding("right", "app.focus_next", show=False),
    ]

    def __init__(self, title: str, question: str, yes: str) -> None:
        super().__init__()
        self._title = title
        self._question = question
        self._yes = yes

    def compose(self) -> ComposeResult:
        """A small box with two buttons; the harmless one is first."""
        with Vertical(classes="box") as box:
            box.border_title = self._title
            yield Static(Content(neutralise(self._question)))
            with Horizontal(classes="answers"):
                yield Button("Cancel", id="cancel", compact=True)
                yield Button(self._yes, id="yes", variant="error", compact=True)
            hint = f"y: {self._yes.lower()}, Esc cancels."
            yield Static(hint, markup=False, classes="hint")

    @on(Button.Pressed)
    def _answer(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")
