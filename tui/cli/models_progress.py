"""How far a download or a comparison of hashes is, on standard error."""

import sys
import time
from collections.abc import Callable

from veracite.engine.display import neutralise
from veracite.engine.wrap import shorten
from veracite.models.files import size_in_words
from veracite.tui import console
from veracite.tui.pace import Pace

__all__ = ["Bytes"]

_SECONDS_BETWEEN = 0.1
_CLEAR_LINE = "\r\x1b[K"


class Bytes:
    """One line that is rewritten, on a terminal only; as a context, takes it away at the end.

    Args:
        what: What is done with the bytes: ``pulling``.
        quiet: Show nothing at all.
        clock: Seconds, monotonic.
    """

    def __init__(
        self, what: str, *, quiet: bool, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._what = what
        self._live = not quiet and console.can_rewrite(sys.stderr)
        self._clock = clock
        self._last = float("-inf")
        self._pace = Pace()

    def update(self, name: str, done: int, total: int) -> None:
        """Show so many bytes of all, unless the line was written just now."""
        if not self._live or self._clock() - self._last < _SECONDS_BETWEEN:
            return
        self._last = self._clock()
        part = f"{100 * done // max(1, total)} % of {size_in_words(total)}"
        left = self._pace.left(done, total, self._last)
        text = f"{self._what} {neutralise(name)}  {part}{f', {left}' if left else ''}"
        console.talk(_CLEAR_LINE + shorten(text, console.Look.of(sys.stderr).width - 1))

    def __enter__(self) -> "Bytes":
        return self

    def __exit__(self, *_: object) -> None:
        if self._last > 0:
            console.talk(_CLEAR_LINE)
