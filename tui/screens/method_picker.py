"""Asks which method is to answer."""

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static

from veracite.engine.events import Event
from veracite.engine.paths import Paths
from veracite.engine.settings import load
from veracite.tui.conversation import Choice
from veracite.tui.keys import bindings
from veracite.tui.local_engine import LocalEngine
from veracite.tui.screens.info import hung
from veracite.tui.service import Against

if TYPE_CHECKING:
    from veracite.engine.methods.base import Method


@dataclass(frozen=True, slots=True)
class Offer:
    """What can be chosen."""

    choice: Choice
    about: str
    hindrance: str = ""
    """Why not, where it cannot."""
    presets: "tuple[Offer, ...]" = ()
    is_usual: bool = False
    """Whether it answers where nothing else is chosen."""


def offered_methods(paths: Paths, model: str | None) -> tuple[Offer, ...]:
    """Every method with its presets, the one first that answers where nothing else is chosen.

    Args:
        model: The language model in use.

    Raises:
        SettingsError: A setting of the environment or the config file is wrong.
    """
    from veracite.engine.methods.catalogue import METHODS, default_method

    config = load(paths, {"model": model})
    usual = default_method(config)
    written = (config.ask.skills or ("prompted" if model else "extractive")) == "prompted"
    offered = [_offer(method, written, method.name == usual) for method in METHODS]
    return tuple(sorted(offered, key=lambda offer: not offer.is_usual))


def with_hindrance(offered: Iterable[Offer], choice: Choice, hindrance: str) -> tuple[Offer, ...]:
    """The same where one of them cannot be chosen."""
    return tuple(
        replace(
            offer,
            hindrance=hindrance if offer.choice == choice else offer.hindrance,
            presets=with_hindrance(offer.presets, choice, hindrance),
        )
        for offer in offered
    )


def best_method(paths: Paths, model: str | None) -> Choice:
    """The method that is set, else the best one measured.

    Args:
        model: The language model in use.

    Raises:
        SettingsError: A setting of the environment or the config file is wrong.
    """
    from veracite.engine.methods.catalogue import default_method

    return Choice(default_method(load(paths, {"model": model})))


def ask_method(
    engine: LocalEngine, question: str, against: Against, choice: Choice, paths: Paths
) -> Generator[Event, None, None]:
    """What happens while a method answers, with the settings that the config file has for it.

    Raises:
        SettingsError: One of them is wrong.
        EngineError, LibraryError, ModelError: As the engine's.
    """
    from veracite.engine.methods.catalogue import configured

    presets = (choice.preset,) if choice.preset else ()
    (one,) = configured((choice.method,), load(paths), presets)
    yield from engine.ask(question, against, choice.method, one.settings)


def _offer(method: "Method", written: bool, is_usual: bool) -> Offer:
    """A method; without a language model nothing is known that a closed book could hold."""
    usable = written or method.name != "closed-book"
    hindrance = "" if usable else "needs a language model; F7 chooses one"
    presets = tuple(
        Offer(Choice(method.name, name), _values(values), hindrance)
        for name, values in method.presets.items()
    )
    return Offer(Choice(method.name), method.about, hindrance, presets, is_usual)


def _values(preset: Mapping[str, object]) -> str:
    return ", ".join(_value(name, value) for name, value in preset.items())


def _value(name: str, value: object) -> str:
    if isinstance(value, bool):
        return name if value else f"no {name}"
    return f"{name} {value}"


class Offers(OptionList, can_focus=False):
    """Methods, each with its presets below; filled anew for every width and whatever is looked for.

    Args:
        offers: The methods.
        current: Where to begin.
        without: What choosing no method is called; None where one must be chosen.
    """

    def __init__(
        self, offers: Sequence[Offer], current: Choice | None, without: str | None
    ) -> None:
        super().__init__()
        self._offers = [row for offer in offers for row in (offer, *offer.presets)]
        self._without = without
        self._words: list[str] = []
        self._rows: list[Offer | None] = []
        """None is the line for no method."""
        self._start = current

    @property
    def current(self) -> Offer | None:
        """Where one is; None where that is no method."""
        return None if self.highlighted is None else self._rows[self.highlighted]

    def on_mount(self) -> None:
        """Begin at the method that answers now."""
        self._fill(self._start)

    def on_resize(self) -> None:
        """Other lines, where there is another width."""
        self._fill(self.current.choice if self.current else None)

    def look_for(self, text: str) -> None:
        """Show the methods and presets that have these words."""
        self._words = text.casefold().split()
        self.on_resize()

    def _fill(self, choice: Choice | None) -> None:
        """Show everything anew, with this one highlighted where it is among it."""
        rows = [*([None] if self._without else []), *self._offers]
        self._rows = [row for row in rows if self._is_meant(row)]
        self.set_options(map(self._line, self._rows))
        same = [place for place, row in enumerate(self._rows) if row and row.choice == choice]
        self.highlighted = next(iter([*same, *range(len(self._rows))]), None)

    def _is_meant(self, offer: Offer | None) -> bool:
        text = str(self._without)
        if offer:
            text = (
                offer.choice.title if offer.choice.preset else f"{offer.choice.title} {offer.about}"
            )
        return all(word in text.casefold() for word in self._words)

    def _line(self, offer: Offer | None) -> Content:
        if offer is None:
            return Content.styled(str(self._without), "bold")
        choice = offer.choice
        head = f"  {choice.title}" if choice.preset else choice.method
        methods = (each.choice.method for each in self._offers)
        column = 2 + (len(head) if choice.preset else max(map(len, methods)))
        said = [(offer.about, "$muted" if offer.hindrance or choice.preset else "")]
        if offer.is_usual:
            said.append((" (the default)", "$muted"))
        if offer.hindrance:
            said.append((f" ({offer.hindrance})", "$text-warning"))
        style = "$muted" if offer.hindrance else "" if choice.preset else "bold"
        room = self.scrollable_content_region.width
        return hung(Content.styled(head, style), Content.assemble(*said), column, room)


Chosen = tuple[Choice, ...]
"""One method, or none where none is an answer too."""
_HINT = "Enter chooses, typing filters. Esc leaves."
_NOTHING = "No method or preset has these words. Esc leaves."


class MethodPicker(ModalScreen[Chosen | None]):
    """Ends with what was chosen, or None if the user thought better of it.

    Args:
        title: What is asked for.
        offers: To choose from.
        current: Where to begin.
        without: What choosing no method is called; None where one must be chosen.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("prompt")

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

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._offers.look_for(event.value)
        self._say_what_next()

    @on(OptionList.OptionHighlighted)
    def _say_what_next(self) -> None:
        self._hint.update(_NOTHING if self._offers.highlighted is None else _HINT)

    @on(OptionList.OptionSelected)
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

    BINDINGS: ClassVar[list[BindingType]] = bindings("picker")
