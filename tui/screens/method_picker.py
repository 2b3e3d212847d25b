"""Asks which method is to answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from veracite.engine.settings import Config
from veracite.tui.keys import bindings
from veracite.tui.screens.info import hung
from veracite.tui.screens.prompts import Box


@dataclass(frozen=True, slots=True)
class Offer:
    """What can be chosen."""

    method: str
    """Empty for no method."""
    about: str
    hindrance: str = ""
    """Why not, where it cannot."""


def offered_methods(config: Config, taken: str | None = None) -> list[Offer]:
    """Every method, the one first that answers where none is chosen.

    Args:
        config: With the language model in use.
        taken: What cannot be chosen, because it answers already.
    """
    from veracite.engine.methods.catalogue import METHODS, default_method

    usual = default_method(config)
    written = (config.ask.skills or ("prompted" if config.check.model else "extractive")) == (
        "prompted"
    )
    offers = []
    for method in sorted(METHODS, key=lambda method: method.name != usual):
        # Without a language model nothing is known that a closed book could hold.
        usable = written or method.name != "closed-book"
        hindrance = "" if usable else "needs a language model; F7 chooses one"
        if method.name == taken:
            hindrance = "answers already"
        about = f"{method.about} (the default)" if method.name == usual else method.about
        offers.append(Offer(method.name, about, hindrance))
    return offers


class Offers(OptionList):
    """Methods and what they do; filled anew for every width.

    Args:
        offers: The methods.
        current: Where to begin.
    """

    def __init__(self, offers: Sequence[Offer], current: str) -> None:
        super().__init__()
        self._offers = offers
        self._column = 2 + max(len(offer.method) for offer in offers)
        self._current = current

    def on_resize(self) -> None:
        """Other lines, where there is another width."""
        names = [offer.method for offer in self._offers]
        start = names.index(self._current) if self._current in names else 0
        place = start if self.highlighted is None else self.highlighted
        self.set_options(
            Option(self._line(offer), id=f"method-{offer.method}", disabled=bool(offer.hindrance))
            for offer in self._offers
        )
        self.highlighted = place

    def _line(self, offer: Offer) -> Content:
        quiet = "$muted" if offer.hindrance else ""
        said = Content.assemble(
            (offer.about, quiet),
            (f" ({offer.hindrance})" if offer.hindrance else "", "$text-warning"),
        )
        name = Content.styled(offer.method, quiet or "bold")
        return hung(name, said, self._column, self.scrollable_content_region.width)


class MethodPicker(Box[str]):
    """Ends with the name of a method, or an empty one for none; None if the user thought better.

    Args:
        title: What is asked for.
        offers: To choose from.
        current: Where to begin.
    """

    BINDINGS = bindings("prompt")

    def __init__(self, title: str, offers: Sequence[Offer], current: str = "") -> None:
        super().__init__(title, "Enter chooses, Esc leaves.", wide=True)
        self.offers = offers
        self._current = current

    def body(self) -> ComposeResult:
        """A list."""
        yield Offers(self.offers, self._current)

    @on(OptionList.OptionSelected)
    def _choose(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self.offers[event.option_index].method)
