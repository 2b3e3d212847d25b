"""Asks which method is to answer."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from veracite.engine.events import Event
from veracite.engine.paths import Paths
from veracite.engine.settings import load
from veracite.tui.conversation import Choice
from veracite.tui.keys import bindings
from veracite.tui.local_engine import LocalEngine
from veracite.tui.screens.info import hung
from veracite.tui.service import Against


@dataclass(frozen=True, slots=True)
class Offer:
    """What can be chosen."""

    choice: Choice
    about: str
    hindrance: str = ""
    """Why not, where it cannot."""
    is_usual: bool = False
    """Whether it answers where nothing else is chosen."""


def offered_methods(
    paths: Paths, model: str | None, answers: Choice | None = None
) -> tuple[Offer, ...]:
    """Every method, each before its presets, the one first that answers where none is chosen.

    Args:
        model: The language model in use.
        answers: What cannot be chosen, because it answers already.

    Raises:
        SettingsError: A setting of the environment or the config file is wrong.
    """
    from veracite.engine.methods.catalogue import METHODS, default_method

    config = load(paths, {"model": model})
    usual = default_method(config)
    written = (config.ask.skills or ("prompted" if model else "extractive")) == "prompted"
    offers = []
    for method in sorted(METHODS, key=lambda method: method.name != usual):
        # Without a language model nothing is known that a closed book could hold.
        usable = written or method.name != "closed-book"
        hindrance = "" if usable else "needs a language model; F7 chooses one"
        presets = [(name, _values(values)) for name, values in method.presets.items()]
        for preset, about in [(None, method.about), *presets]:
            choice = Choice(method.name, preset)
            why = "answers already" if choice == answers else hindrance
            offers.append(Offer(choice, about, why, choice == Choice(usual)))
    return tuple(offers)


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


def _values(preset: Mapping[str, object]) -> str:
    return ", ".join(_value(name, value) for name, value in preset.items())


def _value(name: str, value: object) -> str:
    if isinstance(value, bool):
        return name if value else f"no {name}"
    return f"{name} {value}"


class Offers(OptionList):
    """Methods, each with its presets below; filled anew for every width.

    Args:
        offers: The methods.
        current: Where to begin.
        without: What choosing no method is called; None where one must be chosen.
    """

    def __init__(
        self, offers: Sequence[Offer], current: Choice | None, without: str | None
    ) -> None:
        super().__init__()
        none = [Offer(Choice(""), without)] if without else []
        self._rows = [*none, *offers]
        same = (place for place, row in enumerate(self._rows) if row.choice == current)
        self._start = next(same, 0)

    @property
    def current(self) -> Choice:
        """Where one is; one without a name for no method."""
        return self._rows[self.highlighted or 0].choice

    def on_resize(self) -> None:
        """Other lines, where there is another width."""
        place = self._start if self.highlighted is None else self.highlighted
        self.set_options(
            Option(self._line(row), disabled=bool(row.hindrance)) for row in self._rows
        )
        self.highlighted = place

    def _line(self, offer: Offer) -> Content:
        choice = offer.choice
        if not choice.method:
            return Content.styled(offer.about, "bold")
        head = f"  {choice.title}" if choice.preset else choice.method
        methods = (each.choice.method for each in self._rows)
        column = 2 + (len(head) if choice.preset else max(map(len, methods)))
        quiet = "$muted" if offer.hindrance or choice.preset else ""
        said = Content.assemble(
            (offer.about, quiet),
            (" (the default)" if offer.is_usual else "", "$muted"),
            (f" ({offer.hindrance})" if offer.hindrance else "", "$text-warning"),
        )
        style = "$muted" if offer.hindrance else "" if choice.preset else "bold"
        room = self.scrollable_content_region.width
        return hung(Content.styled(head, style), said, column, room)


Chosen = tuple[Choice, ...]
"""One method, or none where none is an answer too."""


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
        self._offers = Offers(offers, current, without)

    def compose(self) -> ComposeResult:
        """A list in a box."""
        with Vertical(classes="box wide") as box:
            box.border_title = self._title
            yield self._offers
            yield Static("Enter chooses, Esc leaves.", classes="hint")

    @on(OptionList.OptionSelected)
    def _choose(self) -> None:
        choice = self._offers.current
        self.dismiss((choice,) if choice.method else ())
