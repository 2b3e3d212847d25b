"""A line at the bottom in which one types what to look for in the text."""

import re
from bisect import bisect_left
from collections.abc import Callable

from textual import on
from textual.containers import Horizontal
from textual.widgets import Input, Static

from veracite.tui.keys import bindings
from veracite.tui.widgets.text_pane import TextPane


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
        text: What is searched.
        found: Called after each place that is gone to.
    """

    BINDINGS = bindings("find")

    def __init__(self, text: TextPane, found: Callable[[], object]) -> None:
        self.input = Input(compact=True, select_on_focus=True)
        self.said = Static(id="found")
        super().__init__(Static("Find ", classes="label"), self.input, self.said, id="find")
        self._text = text
        self._found = found
        self._from = 0
        self.display = False

    def open(self) -> None:
        """Look for something from the cursor on."""
        self._from = max(0, self._text.place)
        self.display = True
        self.input.focus()

    def action_close(self) -> None:
        """Go back to the text, at the place that was found."""
        self.display = False
        self._text.view.focus()

    def action_step(self, forward: bool) -> None:
        """Go to the next (previous) place, going round at the end."""
        self._go(1 if forward else -1)

    @on(Input.Submitted)
    def _next(self, event: Input.Submitted) -> None:
        event.stop()
        self._go(1)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self._go(0)

    def _go(self, step: int) -> None:
        """Go to the first place from here on, or to that before or behind it."""
        places = occurrences(self._text.editor.text, self.input.value)
        if not places:
            self.said.update("not found" if self.input.value.strip() else "")
            return
        starts = [start for start, _ in places]
        number = bisect_left(starts, self._from)
        if step < 0 or self._from in starts:
            number += step
        number %= len(places)
        self._from = starts[number]
        self.said.update(f"{number + 1:,} of {len(places):,}")
        self._text.select(*places[number])
        self._found()
