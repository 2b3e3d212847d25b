"""Progress on standard error: one line, rewritten while the work goes on, and the time left."""

import math
import sys
import time
from collections import deque
from collections.abc import Callable

from veracite.engine.display import neutralise, shorten, wrap
from veracite.engine.events import Asked, Event, Judged, Opening, Predicted, Streamed, Warned
from veracite.engine.methods.events import Searched, Selected, Settled
from veracite.index.progress import Encoded, FileFailed, FileRead, Scanned, Synced, Waiting
from veracite.models.files import size_in_words
from veracite.tui import console

_AT_ONCE = 0.5
_LEAST = 2.0
_RECENT = 20.0
"""Seconds."""


class Pace:
    """Tells the time left at the pace of the last half of the work, and at least 20 seconds of it.

    What was there at the first call is no merit, nor is what comes at once with it: verdicts that
    need no judging, files that have not changed. Before two seconds are measured there is no pace.
    """

    def __init__(self) -> None:
        self._began = 0.0
        """Seconds, of the first call."""
        self._seen: deque[tuple[float, int]] = deque()
        """When so many were done; the first of them is what the pace is measured from."""

    def left(self, done: int, total: int, now: float) -> str:
        """Such as ``3 min left``, rounded up; nothing before there is a pace.

        Args:
            done: Of ``total``; where it is less than before, the count begins anew.
            total: All there is to do.
            now: Seconds, monotonic.
        """
        if not self._seen or done < self._seen[-1][1]:
            self._began = now
            self._seen.clear()
        if now - self._began < _AT_ONCE:
            self._seen.clear()
        self._seen.append((now, done))
        recent = now - max(_RECENT, (now - self._began) / 2)
        while len(self._seen) > 2 and self._seen[1][0] <= recent:
            self._seen.popleft()
        since, first = self._seen[0]
        if done == first or now - since < _LEAST:
            return ""
        return f"{_duration((now - since) / (done - first) * (total - done))} left"


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{math.ceil(seconds)} s"
    if seconds < 3600:
        return f"{math.ceil(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"


_SECONDS_BETWEEN = 0.05
_CLEAR_LINE = "\r\x1b[K"
_DRAFT = "A draft, not verified yet:"
_VERIFIED = "Verified so far:"
_DRAFT_LINES = 8
"""Of a draft that is longer, the end is shown."""


def phrase(event: Event | Predicted) -> str | None:
    """What an event says about how far the work is; None if it says nothing."""
    match event:
        case Waiting():
            return "waiting for another Veracite, which is changing the index of these documents"
        case Scanned(files=files, to_read=to_read):
            return f"looking through {files} files, {to_read} to read"
        case (
            FileRead(path=path, done=done, total=total)
            | FileFailed(path=path, done=done, total=total)
        ):
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
        case Searched(query=query):
            return f"searching: {query}"
        case Selected(kept=kept, window=window):
            return f"choosing {len(kept)} of {len(window)} passages"
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
        drafts: Show what a model writes while it writes.
        clock: Seconds, monotonic.
    """

    def __init__(
        self,
        *,
        quiet: bool,
        drafts: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._look = console.Look.of(sys.stderr)
        self._live = not quiet and console.can_rewrite(sys.stderr)
        self._drafts = drafts
        self._clock = clock
        self._last = float("-inf")
        self._draft, self._title = "", _DRAFT
        self._writing = False
        self._height = 0
        self._pace = Pace()

    def update(self, event: Event | Predicted) -> None:
        """Show what this event says, unless something was shown just now."""
        if not self._live:
            return
        streamed = self._drafts and self._take(event)
        if self._clock() - self._last < _SECONDS_BETWEEN:
            return
        text = "writing" if streamed else phrase(event)
        if text is None:
            return
        if isinstance(event, Predicted):
            left = self._pace.left(event.done, event.total, self._clock())
            text = f"{text}, {left}" if left else text
        self._last = self._clock()
        self._show(text)

    def _take(self, event: Event | Predicted) -> bool:
        """Add to the draft what was written; after anything else it begins anew."""
        streamed = isinstance(event, Streamed)
        if isinstance(event, Streamed):
            self._draft = self._draft + event.text if self._writing else event.text
            self._title = _DRAFT
        elif isinstance(event, Settled):
            self._draft, self._title = event.answer.text, _VERIFIED
        self._writing = streamed
        return streamed

    def _show(self, text: str) -> None:
        room = self._look.width - 1
        above = self._cleared()
        draft = wrap(neutralise(self._draft), room, "  ")[-_DRAFT_LINES:] if self._draft else []
        lines = [self._title, *draft] if draft else []
        self._height = len(lines) + 1
        above += "".join(f"{self._look.paint(line, 'dim')}\n" for line in lines)
        console.talk(f"{above}{shorten(neutralise(text), room)}")

    def _cleared(self) -> str:
        """What takes away all that is shown."""
        if self._height < 2:
            return _CLEAR_LINE
        return f"\r\x1b[{self._height - 1}A\x1b[J"

    def clear(self) -> None:
        """Take the line and the draft away, before something else is written."""
        if self._height:
            console.talk(self._cleared())
        self._height = 0
        self._draft = ""
        self._writing = False

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()


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
