"""The line below the models: what is being done, with the time left, or what came of it."""

import math
import time

from textual.content import Content
from textual.widgets import Static

from veracite.engine.display import neutralise
from veracite.models.files import size_in_words
from veracite.tui.desk_events import Moved
from veracite.tui.pace import Pace

__all__ = ["ModelsStatus"]

_BAR = 16
"""Cells."""
_SECONDS_BETWEEN = 0.05
"""A fast download tells more often how far it is than anybody can read."""


class ModelsStatus(Static):
    """One line, of which a narrow screen cuts off the end; several for an error."""

    def __init__(self, id: str) -> None:  # noqa: A002 (Textual's own name for it)
        super().__init__(id=id)
        self._pace = Pace()
        self._last = 0.0
        self._waiting: Moved | None = None
        """The newest that is not shown yet."""

    def begin(self) -> None:
        """Something new begins."""
        self._pace = Pace()
        self.say("Starting …")

    def say(self, message: str, *, error: bool = False) -> None:
        """Say something."""
        self._waiting = None
        self.set_class(error, "-error")
        self.update(Content.styled(neutralise(message), "$text-error" if error else ""))

    def follow(self, event: Moved) -> None:
        """Say how far it is; a moment later where that was said just now."""
        if time.monotonic() - self._last >= _SECONDS_BETWEEN or event.done >= event.total:
            self._waiting = None
            self._show(event)
            return
        if self._waiting is None:
            self.set_timer(_SECONDS_BETWEEN, self._catch_up)
        self._waiting = event

    def _catch_up(self) -> None:
        if self._waiting is not None:
            self._show(self._waiting)
            self._waiting = None

    def _show(self, event: Moved) -> None:
        self._last = time.monotonic()
        share = event.done / event.total if event.total else 1.0
        full = round(_BAR * share)
        left = self._pace.left(event.done, event.total, self._last)
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
