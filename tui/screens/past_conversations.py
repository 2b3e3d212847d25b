"""The conversations that are kept: one to go on with, or to delete."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static

from veracite.engine.conversations import Conversations, Kept
from veracite.engine.display import neutralise
from veracite.engine.errors import InputError
from veracite.tui.keys import bindings

_HINT = "Enter opens, d deletes, Esc leaves."
_EMPTY = "No conversation is kept yet: each is, from its first answer on. Esc leaves."


class PastConversations(ModalScreen[Path | None]):
    """Ends with the file of the conversation to open, or None.

    Args:
        conversations: Where they are kept.
        kept: What there is.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("past")

    def __init__(self, conversations: Conversations, kept: Sequence[Kept]) -> None:
        super().__init__()
        self._conversations = conversations
        self._kept = list(kept)
        self._asked: int | None = None
        """Which one is deleted if the user says so again."""
        self._hint = Static(markup=False, classes="hint")

    def compose(self) -> ComposeResult:
        """A list in a box, the newest first."""
        with Vertical(classes="box") as box:
            box.border_title = "Past conversations"
            yield OptionList(*map(_line, self._kept))
            yield self._hint

    def on_mount(self) -> None:
        """Say what can be done."""
        self._say(_HINT if self._kept else _EMPTY)

    @property
    def said(self) -> str:
        """What stands below the list."""
        return str(self._hint.content)

    def action_leave(self) -> None:
        """Leave; a question that is open is answered by no."""
        if self._asked is None:
            self.dismiss(None)
        else:
            self._ask(None)

    def action_delete(self) -> None:
        """Delete the conversation that is highlighted, once that was confirmed."""
        place = self.query_one(OptionList).highlighted
        if place is None:
            return
        if place != self._asked:
            self._ask(place)
            return
        try:
            self._conversations.delete(self._kept[place].path)
        except InputError as error:
            self._say(f"{error.message} {error.advice}")
            return
        self._kept.pop(place)
        self.query_one(OptionList).remove_option_at_index(place)
        self._ask(None)

    @on(OptionList.OptionHighlighted)
    def _moved(self, event: OptionList.OptionHighlighted) -> None:
        if self._asked not in (None, event.option_index):
            self._ask(None)

    @on(OptionList.OptionSelected)
    def _open(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._kept[event.option_index].path)

    def _ask(self, place: int | None) -> None:
        self._asked = place
        if place is not None:
            self._say("Delete this conversation for good? d again deletes it, Esc keeps it.")
        else:
            self._say(_HINT if self._kept else _EMPTY)

    def _say(self, message: str) -> None:
        self._hint.update(Content(neutralise(message)))


def _line(kept: Kept) -> Content:
    if kept.first is None:
        return Content.styled(f"{neutralise(kept.path.name)} cannot be read", "$text-error")
    return Content.assemble(
        (f"{_when(kept.first.when)}  ", "$muted"), neutralise(kept.first.question)
    )


def _when(iso: str) -> str:
    """In the time of this place, as ``2026-01-31 17:45``."""
    try:
        return f"{datetime.fromisoformat(iso).astimezone():%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError):
        return neutralise(iso)
