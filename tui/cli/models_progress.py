"""How far a download or a comparison of hashes is, on standard error."""

import math
import sys
import time
from collections.abc import Callable

from veracite.engine.display import neutralise
from veracite.engine.wrap import shorten
from veracite.models.store.disk import size_in_words
from veracite.tui import console

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
        self._began: tuple[int, float] | None = None

    def update(self, name: str, done: int, total: int) -> None:
        """Show so many bytes of all, unless the line was written just now."""
        if not self._live or self._clock() - self._last < _SECONDS_BETWEEN:
            return
        self._last = self._clock()
        part = f"{100 * done // max(1, total)} % of {size_in_words(total)}"
        text = f"{self._what} {neutralise(name)}  {part}{self._time_left(done, total)}"
        console.talk(_CLEAR_LINE + shorten(text, console.Look.of(sys.stderr).width - 1))

    def _time_left(self, done: int, total: int) -> str:
        """At the pace since the first call: what an earlier attempt got does not count."""
        if self._began is None:
            self._began = (done, self._last)
        first, since = self._began
        if done == first:
            return ""
        seconds = (self._last - since) / (done - first) * (total - done)
        if seconds < 60:
            return f", {math.ceil(seconds)} s left"
        return f", {math.ceil(seconds / 60)} min left"

    def __enter__(self) -> "Bytes":
        return self

    def __exit__(self, *_: object) -> None:
        if self._last > 0:
            console.talk(_CLEAR_LINE)
