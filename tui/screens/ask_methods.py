"""Asks which method is to answer."""

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static

from veracite.tui.conversation import Choice
from veracite.tui.conversation_methods import Offer

__all__ = ["Chosen", "MethodPicker"]

Chosen = tuple[Choice, ...]
"""One method, or none where none is an answer too."""
_HINT = "Enter chooses, Esc leaves everything as it is."


class MethodPicker(ModalScreen[Chosen | None]):
    """Ends with what was chosen, or None if the user thought better of it.

    Args:
        title: What is asked for.
        offers: To choose from.
        current: Where to begin.
        without: What choosing no method is called; None where one must be chosen.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Cancel")]

    def __init__(
        self, title: str, offers: Sequence[Offer], current: Choice | None, without: str | None
    ) -> None:
        super().__init__()
        self._title = title
        self._choices: list[Chosen] = [()] if without else []
        self._lines = [Content.styled(without, "bold")] if without else []
        self._choices += [(offer.choice,) for offer in offers]
        self._lines += map(_line, offers)
        self._start = self._choices.index((current,)) if current else 0

    def compose(self) -> ComposeResult:
        """A list in a box."""
        with Vertical(classes="box") as box:
            box.border_title = self._title
            options = OptionList(*self._lines)
            options.highlighted = self._start
            yield options
            yield Static(_HINT, markup=False, classes="hint")

    @on(OptionList.OptionSelected)
    def _choose(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._choices[event.option_index])


def _line(offer: Offer) -> Content:
    choice = offer.choice
    if choice.preset:
        return Content.assemble(f"    {choice.preset}  ", (offer.about, "$muted"))
    return Content.assemble((f"{choice.method}  ", "bold"), (offer.about, "$muted"))
