"""What events say about how far the work is, the time left, and both as a line on a terminal."""

import math
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar, runtime_checkable

from veracite.engine.display import neutralise, shorten, wrap
from veracite.engine.events import Asked, Event, Judged, Opening, Predicted, Streamed, Warned
from veracite.engine.methods.events import (
    Assessed,
    Attempted,
    Began,
    Drafted,
    Searched,
    Selected,
    Settled,
)
from veracite.index.progress import (
    Encoded,
    FileFailed,
    FileRead,
    FileRemoved,
    Scanned,
    Synced,
    Waiting,
)
from veracite.models.files import size_in_words
from veracite.tui import console
from veracite.tui.service import Moved

Result = TypeVar("Result")

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


@dataclass(frozen=True, slots=True)
class Step:
    """How far a piece of work is."""

    stage: str
    """What is done: ``Reading``."""
    done: int
    total: int
    detail: str = ""
    """What it is done with."""
    amount: str = ""
    """How far it is, where that is not told by two numbers."""


def step(event: Event | Predicted | Moved) -> Step | None:
    """How far the work has come with this event; None if it tells nothing of that."""
    match event:
        case FileRead(path=path, done=done, total=total):
            return Step("Reading", done, total, Path(path).name)
        case FileFailed(path=path, done=done, total=total):
            return Step("Reading", done, total, f"{Path(path).name} failed")
        case Scanned(to_read=to_read) if to_read:
            return Step("Reading", 0, to_read)
        case Encoded(done=done, total=total):
            return Step("Encoding", done, total, "passages")
        case Asked(done=done, total=total) if total > 1:
            return Step("Asking the language model", done, total)
        case Judged(done=done, total=total):
            return Step("Judging", done, total, "claims")
        case Predicted(done=done, total=total):
            return Step("Evaluating", done, total)
        case Moved(what=what, name=name, done=done, total=total):
            share = f"{100 * done // total if total else 100} % of {size_in_words(total)}"
            return Step(what, done, total, name, share)
    return None


def sentence(event: Event | Predicted | Moved) -> str:
    """What an event says that does not come a hundred times; empty where it says nothing."""
    match event:
        case Waiting():
            return "Waiting for another Veracite, which is changing the index of these documents …"
        case Scanned(files=files):
            return f"Looked through {files:,} files: none is new or changed …"
        case FileRemoved(path=path):
            return f"Forgot {Path(path).name}"
        case Synced(documents=documents, failed=failed, passages=passages):
            lost = f", {failed:,} failed" if failed else ""
            read, cut = counted(documents, "document"), counted(passages, "passage")
            return f"Up to date: {read}{lost}, {cut}."
        case Opening(file=file, first_time=first_time):
            return f"Looking at {file} for the first time …" if first_time else f"Opening {file} …"
        case Asked():
            return "Asking the language model …"
        case Began(method=method):
            return f"Starting {method} …"
        case Searched(query=query, round=number):
            return f"Searching{_round(number)}: {query}"
        case Selected(kept=kept, window=window):
            return f"Choosing {len(kept)} of {len(window)} passages …"
        case Streamed():
            return "Writing …"
        case Drafted(round=number):
            return f"A draft is written{_round(number)}; verifying it …"
        case Assessed(sufficient=sufficient):
            return "The passages suffice." if sufficient else "The passages do not suffice."
        case Attempted(attempt=attempt):
            return f"Verifying a sentence, attempt {attempt} …"
    return ""


def counted(number: int, noun: str) -> str:
    """Such as ``1 document`` or ``1,204 documents``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _round(number: int) -> str:
    return f" (round {number})" if number > 1 else ""


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
        self._stage = ""
        self._pace = Pace()

    def update(self, event: Event | Predicted | Moved) -> None:
        """Show what this event says, unless something was shown just now."""
        if not self._live:
            return
        if self._drafts:
            self._take(event)
        now = self._clock()
        text = self._told(event, now) if now - self._last >= _SECONDS_BETWEEN else ""
        if text:
            self._last = now
            self._show(text)

    def _told(self, event: Event | Predicted | Moved, now: float) -> str:
        if isinstance(event, Streamed) and not self._drafts:
            return ""
        how_far = step(event)
        if how_far is None:
            return sentence(event)
        if how_far.stage != self._stage:
            self._stage, self._pace = how_far.stage, Pace()
        left = self._pace.left(how_far.done, how_far.total, now)
        amount = how_far.amount or f"{how_far.done}/{how_far.total}"
        told = f"{how_far.stage[:1].lower()}{how_far.stage[1:]} {amount}{left and f', {left}'}"
        return f"{told}  {how_far.detail}".rstrip()

    def _take(self, event: Event | Predicted | Moved) -> None:
        """Add to the draft what was written; after anything else it begins anew."""
        if isinstance(event, Streamed):
            self._draft = self._draft + event.text if self._writing else event.text
            self._title = _DRAFT
        elif isinstance(event, Settled):
            self._draft, self._title = event.answer.text, _VERIFIED
        self._writing = isinstance(event, Streamed)

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


def results(
    events: Iterable[object], kind: type[Result], what: str, *, quiet: bool
) -> list[Result]:
    """What some work comes to, its other events shown as the bytes that are done.

    Args:
        kind: Of the events that are wanted.
        what: What is done with the bytes: ``Downloading``.
        quiet: Show nothing at all.
    """
    found = []
    with Progress(quiet=quiet) as progress:
        for event in events:
            if isinstance(event, kind):
                found.append(event)
            elif isinstance(event, Counted):
                name = getattr(event, "path", "") or getattr(event, "name", "")
                progress.update(Moved(what, name, event.done, event.total))
    return found


@runtime_checkable
class Counted(Protocol):
    """An event that says how many bytes are done."""

    @property
    def done(self) -> int:
        """Until now."""

    @property
    def total(self) -> int:
        """All there are."""
