"""The line below the models: what is being done, with the time left, or what came of it."""

import math
import time
from collections.abc import Callable

from textual.content import Content
from textual.widgets import Static

from veracite.engine.display import neutralise
from veracite.models.store.disk import size_in_words
from veracite.tui.model_desk import Moved

__all__ = ["ModelsStatus", "Pace"]

_BAR = 16
"""Cells."""
_SECONDS_BETWEEN = 0.05
"""A fast download tells more often how far it is than anybody can read."""


class Pace:
    """Tells the time left at the pace since the first call: what was there before is no merit.

    Args:
        clock: Seconds, monotonic.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began: tuple[int, float] | None = None

    def left(self, done: int, total: int) -> str:
        """Such as ``3 min left``; nothing before there is a pace."""
        now = self._clock()
        if self._began is None:
            self._began = (done, now)
        first, since = self._began
        if done == first or now == since:
            return ""
        seconds = (now - since) / (done - first) * (total - done)
        if seconds < 60:
            return f"{math.ceil(seconds)} s left"
        return f"{math.ceil(seconds / 60)} min left"


class ModelsStatus(Static):
    """One line; the least important part is at its end, where a narrow screen cuts it off."""

    def __init__(self, id: str) -> None:  # noqa: A002 (Textual's own name for it)
        super().__init__(id=id)
        self._pace = Pace()
        self._last = 0.0

    def begin(self) -> None:
        """Something new begins."""
        self._pace = Pace()
        self.say("Starting …")

    def say(self, message: str, style: str = "") -> None:
        """Say something."""
        self.update(Content.styled(neutralise(message), style))

    def follow(self, event: Moved) -> None:
        """Say how far it is, unless that was said just now."""
        if time.monotonic() - self._last < _SECONDS_BETWEEN and event.done < event.total:
            return
        self._last = time.monotonic()
        share = event.done / event.total if event.total else 1.0
        full = round(_BAR * share)
        left = self._pace.left(event.done, event.total)
        self.update(
            Content.assemble(
                (f"{event.what} ", "bold"),
                ("━" * full, "$primary"),
                ("─" * (_BAR - full), "$muted"),
                f" {math.floor(100 * share)} % of {size_in_words(event.total)}",
                f", {left}" if left else "",
                (f"  {neutralise(event.name)}", "$muted"),
            )
        )
