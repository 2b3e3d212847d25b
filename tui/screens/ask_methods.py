"""Asks which method is to answer."""

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static

from veracite.tui.conversation import Choice
from veracite.tui.conversation_methods import Offer
from veracite.tui.widgets.ask_offers import Offers

__all__ = ["Chosen", "MethodPicker"]

Chosen = tuple[Choice, ...]
"""One method, or none where none is an answer too."""
_FOLDED = "Enter chooses, → shows its presets, typing filters. Esc leaves."
_UNFOLDED = "Enter chooses, ← folds the presets, typing filters. Esc leaves."
_PLAIN = "Enter chooses, typing filters. Esc leaves."
_NOTHING = "No method or preset has these words. Esc leaves."


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
        self._filter = _Filter(placeholder="Type to filter", compact=True)
        self._offers = Offers(offers, current, without)
        self._hint = Static(markup=False, classes="hint")

    def compose(self) -> ComposeResult:
        """A list in a box."""
        with Vertical(classes="box wide") as box:
            box.border_title = self._title
            yield self._filter
            yield self._offers
            yield self._hint

    @property
    def said(self) -> str:
        """What stands below the list."""
        return str(self._hint.content)

    def action_move(self, action: str) -> None:
        """Move in the list, which never has the focus."""
        getattr(self._offers, f"action_{action}")()

    def action_unfold(self, unfolded: bool) -> None:
        """Show the presets of the method that one is at, or no longer."""
        self._offers.unfold(unfolded)
        self._say_what_next()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._offers.look_for(event.value)
        self._say_what_next()

    @on(OptionList.OptionHighlighted)
    def _say_what_next(self) -> None:
        if self._offers.highlighted is None:
            self._hint.update(_NOTHING)
        elif self._offers.folded:
            self._hint.update(_FOLDED)
        else:
            self._hint.update(_UNFOLDED if self._offers.unfolded else _PLAIN)

    @on(OptionList.OptionSelected)
    def _clicked(self) -> None:
        """The mouse has no other way to the presets: the first click shows them."""
        if self._offers.folded:
            self.action_unfold(True)
        else:
            self._choose()

    @on(Input.Submitted)
    def _choose(self) -> None:
        if self._offers.highlighted is None:
            return
        offer = self._offers.current
        if offer is None:
            self.dismiss(())
        elif offer.hindrance:
            self._hint.update(f"{offer.choice.title} cannot be chosen: it {offer.hindrance}.")
        else:
            self.dismiss((offer.choice,))


class _Filter(Input):
    """One line; the keys that mean nothing in it go to the list."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "screen.move('cursor_up')", "Up", show=False),
        Binding("down", "screen.move('cursor_down')", "Down", show=False),
        Binding("pageup", "screen.move('page_up')", "Page up", show=False),
        Binding("pagedown", "screen.move('page_down')", "Page down", show=False),
        Binding("right", "screen.unfold(True)", "Presets", show=False),
        Binding("left", "screen.unfold(False)", "Fold", show=False),
    ]
