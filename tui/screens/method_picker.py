"""Asks which method is to answer."""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
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


_NARROWEST = 30
"""Columns for what is said of a method; where there are fewer, it stands below the name."""
_MARK_FOLDED, _MARK_UNFOLDED, _SINGLE = "▸ ", "▾ ", "  "


class Offers(OptionList, can_focus=False):
    """Filled anew for every width and for whatever is looked for.

    Args:
        offers: The methods.
        current: Where to begin.
        without: What choosing no method is called; None where one must be chosen.
    """

    def __init__(
        self, offers: Sequence[Offer], current: Choice | None, without: str | None
    ) -> None:
        super().__init__()
        self._offers = offers
        self._without = without
        self._words: list[str] = []
        self._unfolded = {current.method} if current and current.preset else set()
        self._rows: list[Offer | None] = []
        """None is the line for no method."""
        self._start = current

    @property
    def current(self) -> Offer | None:
        """Where one is; None where that is no method."""
        return None if self.highlighted is None else self._rows[self.highlighted]

    @property
    def folded(self) -> bool:
        """Whether one is at a method whose presets are not shown."""
        return bool(self.current and self.current.presets) and not self.unfolded

    @property
    def unfolded(self) -> bool:
        """Whether one is at a method whose presets are shown, or at one of these."""
        offer = self.current
        if offer is None or not (offer.presets or offer.choice.preset):
            return False
        return any(preset in self._rows for preset in self._owner(offer).presets)

    def on_mount(self) -> None:
        """Begin at the method that answers now."""
        self._fill(self._start)

    def on_resize(self) -> None:
        """Other lines, where there is another width."""
        self._fill(self.current.choice if self.current else None)

    def look_for(self, text: str) -> None:
        """Show what has these words: methods, and presets below theirs."""
        self._words = text.casefold().split()
        self._fill(self.current.choice if self.current else None)

    def unfold(self, unfolded: bool) -> None:
        """Show the presets of the method that one is at, or no longer."""
        if self.current is None:
            return
        owner = self._owner(self.current)
        if unfolded:
            self._unfolded.add(owner.choice.method)
            self._fill(self.current.choice)
        else:
            self._unfolded.discard(owner.choice.method)
            self._fill(owner.choice)

    def _owner(self, offer: Offer) -> Offer:
        """The method that a preset belongs to."""
        return next(one for one in self._offers if one.choice.method == offer.choice.method)

    def _fill(self, choice: Choice | None) -> None:
        """Show everything anew, with this one highlighted where it is among it."""
        self._rows = list(self._found())
        name = max(len(offer.choice.method) for offer in self._offers) + len(_SINGLE) + 2
        room = self.scrollable_content_region.width
        self.set_options(self._line(offer, name, room) for offer in self._rows)
        found = [place for place, offer in enumerate(self._rows) if self._is_meant(offer)]
        same = [p for p in found if (offer := self._rows[p]) and offer.choice == choice]
        self.highlighted = next(iter([*same, *found]), None)

    def _found(self) -> Iterator[Offer | None]:
        if self._without and self._is_meant(None):
            yield None
        for offer in self._offers:
            if self._is_meant(offer):
                unfolded = offer.choice.method in self._unfolded
                yield from (offer, *(offer.presets if unfolded else ()))
            elif found := list(filter(self._is_meant, offer.presets)):
                yield from (offer, *found)

    def _is_meant(self, offer: Offer | None) -> bool:
        """Whether it has the words that are looked for, and is not there for its presets alone."""
        if offer is None:
            text = self._without or ""
        else:
            text = f"{offer.choice.title} {'' if offer.choice.preset else offer.about}"
        return all(word in text.casefold() for word in self._words)

    def _line(self, offer: Offer | None, name: int, room: int) -> Content:
        if offer is None:
            return Content.styled(f"{_SINGLE}{self._without}", "bold")
        choice = offer.choice
        if choice.preset:
            head, said = f"    {choice.preset}  ", [(offer.about, "$muted")]
        else:
            shown = any(preset in self._rows for preset in offer.presets)
            mark = (_MARK_UNFOLDED if shown else _MARK_FOLDED) if offer.presets else _SINGLE
            head = f"{mark}{choice.method}"
            head += " " * (name - len(head))
            said = [(offer.about, "$muted" if offer.hindrance else "")]
        if offer.is_usual:
            said.append((" (the default)", "$muted"))
        if offer.hindrance:
            said.append((f" ({offer.hindrance})", "$text-warning"))
        style = "$muted" if offer.hindrance else "" if choice.preset else "bold"
        return _beside_or_below(Content.styled(head, style), Content.assemble(*said), room)


def _beside_or_below(head: Content, said: Content, room: int) -> Content:
    """What is said beside the head, its lines below each other; below it where that is narrow."""
    beside = room - head.cell_length >= _NARROWEST
    indent = head.cell_length if beside else len("    ")
    lines = said.wrap(max(room - indent, _NARROWEST))
    below = Content(f"\n{' ' * indent}")
    return head + (Content("") if beside else below) + below.join(lines)


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

    BINDINGS: ClassVar[list[BindingType]] = bindings("picker")
