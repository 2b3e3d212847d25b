"""Progress: one line on standard error, rewritten while the work goes on; above it, a draft."""

import sys
import time
from collections.abc import Callable

from veracite.engine.display import neutralise
from veracite.engine.events import Asked, Event, Judged, Opening, Predicted, Streamed, Warned
from veracite.engine.methods.events import Searched, Selected
from veracite.engine.wrap import shorten, wrap
from veracite.index.progress import Encoded, FileFailed, FileRead, Scanned, Synced
from veracite.tui import console
from veracite.tui.pace import Pace

_SECONDS_BETWEEN = 0.05
_CLEAR_LINE = "\r\x1b[K"
_DRAFT = "A draft, not verified yet:"
_DRAFT_LINES = 8
"""Of a draft that is longer, the end is shown."""


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
        self._draft = ""
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
        self._writing = streamed
        return streamed

    def _show(self, text: str) -> None:
        room = self._look.width - 1
        above = self._cleared()
        draft = wrap(neutralise(self._draft), room, "  ")[-_DRAFT_LINES:] if self._draft else []
        lines = [_DRAFT, *draft] if draft else []
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
