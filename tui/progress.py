"""Progress: one line on standard error, rewritten while the work goes on."""

import math
import sys
import time
from collections.abc import Callable

from veracite.engine.display import neutralise
from veracite.engine.evaluation.progress import Predicted
from veracite.engine.events import Asked, Event, Judged, Opening, Warned
from veracite.engine.wrap import shorten
from veracite.index.progress import Encoded, FileFailed, FileRead, Scanned, Synced
from veracite.tui import console

__all__ = ["Progress", "phrase", "warnings"]

_SECONDS_BETWEEN = 0.05
_CLEAR_LINE = "\r\x1b[K"


def phrase(event: Event | Predicted) -> str | None:
    """What an event says about how far the work is; None if it says nothing."""
    match event:
        case Scanned(files=files, to_read=to_read):
            return f"looking through {files} files, {to_read} to read"
        case FileRead(path=path, done=done, total=total):
            return f"reading {done}/{total}  {path.rpartition('/')[2]}"
        case FileFailed(path=path, done=done, total=total):
            return f"reading {done}/{total}  {path.rpartition('/')[2]}"
        case Encoded(done=done, total=total):
            return f"encoding {done}/{total}"
        case Judged(done=done, total=total):
            return f"judging {done}/{total}"
        case Opening(file=file, first_time=True):
            return f"looking at {file} for the first time"
        case Opening(file=file):
            return f"opening {file}"
        case Asked(total=1):
            return "asking the language model"
        case Asked(done=done, total=total):
            return f"asking the language model {done}/{total}"
        case Predicted(done=done, total=total):
            return f"evaluating {done}/{total}"
        case _:
            return None


def warnings(event: Event) -> tuple[str, ...]:
    """What the user should be told about, progress or not."""
    match event:
        case Warned(message=message):
            return (message,)
        case Synced(notes=notes):
            return notes
        case _:
            return ()


class Progress:
    """Shows the latest event, on a terminal only; as a context, takes the line away at the end.

    Args:
        quiet: Show nothing at all.
        clock: Seconds, monotonic.
    """

    def __init__(self, *, quiet: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self._look = console.Look.of(sys.stderr)
        self._live = not quiet and console.can_rewrite(sys.stderr)
        self._clock = clock
        self._last = float("-inf")
        self._shown = False
        self._began: tuple[int, float] | None = None

    def update(self, event: Event | Predicted) -> None:
        """Show what this event says, unless the line was written just now."""
        if not self._live or self._clock() - self._last < _SECONDS_BETWEEN:
            return
        text = phrase(event)
        if text is None:
            return
        if isinstance(event, Predicted):
            text += self._time_left(event)
        self._last = self._clock()
        self._shown = True
        room = self._look.width - 1
        console.talk(f"{_CLEAR_LINE}{shorten(neutralise(text), room)}")

    def _time_left(self, event: Predicted) -> str:
        """At the pace since the first of these events, which counts what an earlier run did."""
        now = self._clock()
        if self._began is None:
            self._began = (event.done, now)
        done, since = self._began
        if event.done == done:
            return ""
        seconds = (now - since) / (event.done - done) * (event.total - event.done)
        return f", {_duration(seconds)} left"

    def clear(self) -> None:
        """Take the line away, before something else is written."""
        if self._shown:
            self._shown = False
            console.talk(_CLEAR_LINE)

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()


def _duration(seconds: float) -> str:
    """Rounded up to what a person waits in: seconds, minutes or hours."""
    if seconds < 60:
        return f"{math.ceil(seconds)} s"
    if seconds < 3600:
        return f"{math.ceil(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"
