"""A line at the bottom in which one types what to look for in the text."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widgets import Input, Static

from veracite.tui.keys import bindings


def occurrences(text: str, wanted: str) -> list[tuple[int, int]]:
    """Start and end of each place, whatever the case and however the words are spaced."""
    words = wanted.split()
    if not words:
        return []
    pattern = re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE)
    return [match.span() for match in pattern.finditer(text)]


class FindBar(Horizontal):
    """Hidden until it is opened; finds while one types.

    Args:
        text: What is searched, as it is now.
        found: Told each place that is gone to, from start to end.
        closed: Called once the user has found enough.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("find")

    def __init__(
        self,
        text: Callable[[], str],
        found: Callable[[int, int], None],
        closed: Callable[[], object],
    ) -> None:
        super().__init__(id="find")
        self._text = text
        self._found = found
        self._leave = closed
        self._from = 0
        self.said = Static(id="found")
        self.display = False

    def compose(self) -> ComposeResult:
        """What is looked for, and how often it occurs."""
        yield Static("Find ", classes="label")
        yield Input(compact=True, select_on_focus=True)
        yield self.said

    def open(self, offset: int) -> None:
        """Look for something from this character of the text on."""
        self._from = max(0, offset)
        self.display = True
        self.query_one(Input).focus()

    def action_close(self) -> None:
        """Go back to the text, at the place that was found."""
        self.display = False
        self._leave()

    def action_step(self, forward: bool) -> None:
        """Go to the next (previous) place, going round at the end."""
        places = occurrences(self._text(), self.query_one(Input).value)
        starts = [start for start, _ in places]
        here = bisect_right(starts, self._from) if forward else bisect_left(starts, self._from) - 1
        self._go(places, here)

    @on(Input.Submitted)
    def _next(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_step(True)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        places = occurrences(self._text(), event.value)
        self._go(places, bisect_left([start for start, _ in places], self._from))

    def _go(self, places: list[tuple[int, int]], number: int) -> None:
        if not places:
            self.said.update("not found" if self.query_one(Input).value.strip() else "")
            return
        number %= len(places)
        self._from = places[number][0]
        self.said.update(f"{number + 1:,} of {len(places):,}")
        self._found(*places[number])
