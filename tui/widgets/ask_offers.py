"""The methods that there are to choose from, each with its presets folded away below it."""

from collections.abc import Iterator, Sequence

from textual.content import Content
from textual.widgets import OptionList

from veracite.tui.conversation import Choice
from veracite.tui.conversation_methods import Offer

__all__ = ["Offers"]

_NARROWEST = 30
"""Columns for what is said of a method; where there are fewer, it stands below the name."""
_FOLDED, _UNFOLDED, _SINGLE = "▸ ", "▾ ", "  "


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
            mark = (_UNFOLDED if shown else _FOLDED) if offer.presets else _SINGLE
            head = f"{mark}{choice.method}"
            head += " " * (name - len(head))
            said = [(offer.about, "$muted" if offer.hindrance else "")]
        if offer.is_usual:
            said.append((" (the default)", "$muted"))
        if offer.hindrance:
            said.append((f" ({offer.hindrance})", "$text-warning"))
        style = "$muted" if offer.hindrance else "" if choice.preset else "bold"
        return _hung(Content.styled(head, style), Content.assemble(*said), room)


def _hung(head: Content, said: Content, room: int) -> Content:
    """What is said beside the head, its lines below each other; below it where that is narrow."""
    beside = room - head.cell_length >= _NARROWEST
    indent = head.cell_length if beside else len("    ")
    lines = said.wrap(max(room - indent, _NARROWEST))
    below = Content(f"\n{' ' * indent}")
    return head + (Content("") if beside else below) + below.join(lines)
