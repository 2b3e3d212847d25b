"""Asks which method is to answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual import on
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from veracite.engine.settings import Config
from veracite.tui.keys import bindings
from veracite.tui.screens.prompts import Box


@dataclass(frozen=True, slots=True)
class Offer:
    """What can be chosen."""

    method: str
    """Empty for no method."""
    about: str
    hindrance: str = ""
    """Why not, where it cannot."""


def offered_methods(config: Config) -> list[Offer]:
    """Every method, the one first that answers where none is chosen.

    Args:
        config: With the language model in use.
    """
    from veracite.engine.methods.catalogue import METHODS, default_method

    usual = default_method(config)
    skills = config.ask.skills or ("prompted" if config.check.model else "extractive")
    offers = []
    for method in sorted(METHODS, key=lambda method: method.name != usual):
        # Without a language model nothing is known that a closed book could hold.
        usable = skills == "prompted" or method.name != "closed-book"
        hindrance = "" if usable else "needs a language model; F6 has them"
        about = f"{method.about} (the default)" if method.name == usual else method.about
        offers.append(Offer(method.name, about, hindrance))
    return offers


class MethodPicker(Box[str]):
    """Ends with the name of a method, or an empty one for none; None if the user thought better.

    Args:
        title: What is asked for.
        offers: To choose from.
        current: Where to begin.
    """

    BINDINGS = bindings("prompt")

    def __init__(self, title: str, offers: Sequence[Offer], current: str = "") -> None:
        self.list = OptionList(*map(_option, offers), id="offers")
        super().__init__(title, "Enter chooses, Esc leaves.", self.list, wide=True)
        self._offers = offers
        self._current = current

    def on_mount(self) -> None:
        """Begin at the one that answers now."""
        methods = [offer.method for offer in self._offers]
        self.list.highlighted = methods.index(self._current) if self._current in methods else 0

    @on(OptionList.OptionSelected)
    def _choose(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._offers[event.option_index].method)


def _option(offer: Offer) -> Option:
    quiet = "$muted" if offer.hindrance else ""
    content = Content.assemble(
        (offer.method, quiet or "bold"),
        "\n  " if offer.method else "",
        (offer.about, quiet),
        (f" ({offer.hindrance})" if offer.hindrance else "", "$text-warning"),
    )
    return Option(content, id=f"method-{offer.method}", disabled=bool(offer.hindrance))
