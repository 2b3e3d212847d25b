"""What events say about how far the work is, the time left, and both as a line on a terminal."""

import math
import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from veracite.engine import events
from veracite.engine.display import neutralise, shorten
from veracite.engine.events import Compared, Event, Predicted, Streamed
from veracite.engine.report.phrases import counted
from veracite.index import progress as library
from veracite.models.files import size_in_words
from veracite.tui import console

Result = TypeVar("Result")
Happening = TypeVar("Happening", bound=Event | Compared)

_AT_ONCE = 0.5
_LEAST = 2.0
_BETWEEN = 0.05
"""Seconds."""
_CLEAR_LINE = "\r\x1b[K"
_DRAFT = "A draft, not verified yet: … "


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


class Pace:
    """Tells the time left of each stage of the work.

    What was there when a stage began is no merit, nor is what comes at once with it: verdicts that
    need no judging, files that have not changed. Before two seconds are measured there is no pace.
    """

    def __init__(self) -> None:
        self._last = Step("", 0, 0)
        self._began = self._since = 0.0
        """Seconds, monotonic: the beginning of the stage, and from when its pace is measured."""
        self._first = 0
        """What was done then."""

    def left(self, step: Step, now: float) -> str:
        """Such as ``3 min left``, rounded up; nothing before there is a pace.

        Args:
            step: Where it is another stage, or less is done than before, the pace begins anew.
            now: Seconds, monotonic.
        """
        if step.stage != self._last.stage or step.done < self._last.done:
            self._began = now
        if now - self._began < _AT_ONCE:
            self._since, self._first = now, step.done
        self._last = step
        if step.done == self._first or step.done >= step.total or now - self._since < _LEAST:
            return ""
        each = (now - self._since) / (step.done - self._first)
        return f"{_duration(each * (step.total - step.done))} left"


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{math.ceil(seconds)} s"
    if seconds < 3600:
        return f"{math.ceil(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"


def step(event: Event | Compared | Predicted | Step) -> Step | None:
    """How far the work has come with this event; None if it tells nothing of that."""
    match event:
        case library.FileRead(path=path, done=done, total=total):
            return Step("Reading", done, total, Path(path).name)
        case library.FileFailed(path=path, done=done, total=total):
            return Step("Reading", done, total, f"{Path(path).name} failed")
        case library.Scanned(to_read=to_read) if to_read:
            return Step("Reading", 0, to_read)
        case library.Encoded(done=done, total=total):
            return Step("Encoding", done, total, "passages")
        case events.Asked(done=done, total=total) if total > 1:
            return Step("Asking the language model", done, total)
        case events.Judged(done=done, total=total, early=False):
            return Step("Judging", done, total, "claims")
        case Compared(done=done, total=total):
            return Step("Comparing", done, total, "pairs of sentences")
        case Predicted(done=done, total=total):
            return Step("Evaluating", done, total)
        case Step():
            return event
    return None


def moved(what: str, name: str, done: int, total: int) -> Step:
    """How far something is of which so many bytes are done: ``Downloading``."""
    share = 100 * done // total if total else 100
    return Step(what, done, total, name, f"{share} % of {size_in_words(total)}")


def sentence(event: Event | Compared | Predicted | Step) -> str:
    """What an event says that does not come a hundred times; empty where it says nothing."""
    match event:
        case library.Waiting():
            return "Waiting for another Veracite, which is changing the index of these documents …"
        case library.Scanned(files=files):
            return f"Looked through {counted(files, 'file')}: none is new or changed …"
        case library.FileRemoved(path=path):
            return f"Forgot {Path(path).name}"
        case library.FileRead(path=path):
            return f"Read {Path(path).name}"
        case library.FileFailed(path=path, reason=reason):
            return f"Could not read {Path(path).name}: {reason}"
        case library.Synced(documents=documents, failed=failed, passages=passages):
            lost = f", {failed:,} failed" if failed else ""
            read, cut = counted(documents, "document"), counted(passages, "passage")
            return f"Up to date: {read}{lost}, {cut}."
        case events.Opening(file=file, first_time=first_time):
            return f"Looking at {file} for the first time …" if first_time else f"Opening {file} …"
        case events.Asked():
            return "Asking the language model …"
        case events.Began(method=method):
            return f"Starting {method} …"
        case events.Searched(query=query, round=number):
            return f"Searching{_round(number)}: {query}"
        case Streamed():
            return "Writing …"
        case events.Drafted(round=number):
            return f"A draft is written{_round(number)}; verifying it …"
    return ""


def _round(number: int) -> str:
    return f" (round {number})" if number > 1 else ""


def warnings(event: Event | Compared) -> tuple[str, ...]:
    """What the user should be told about, progress or not."""
    if isinstance(event, events.Warned):
        return (event.message,)
    return event.notes if isinstance(event, library.Synced) else ()


class Progress(AbstractContextManager["Progress"]):
    """Shows the latest event, on a terminal only; as a context, takes the line away at the end.

    Of what a model writes, the end is shown while it is written.

    Args:
        quiet: Show nothing at all.
    """

    def __init__(self, *, quiet: bool) -> None:
        self._room = console.Look.of(sys.stderr).width - 1
        dumb = os.environ.get("TERM") == "dumb"
        self._quiet = quiet
        self._live = not quiet and console.is_terminal(sys.stderr) and not dumb
        self._last = float("-inf")
        self._draft = ""
        self._shown = False
        self._pace = Pace()

    def update(self, event: Event | Compared | Predicted | Step) -> None:
        """Show what this event says, unless something was shown just now."""
        if not self._live:
            return
        self._draft = self._draft + event.text if isinstance(event, Streamed) else ""
        now = time.monotonic()
        if now - self._last >= _BETWEEN and (text := self._told(event, now)):
            self._last, self._shown = now, True
            console.talk(f"{_CLEAR_LINE}{shorten(neutralise(text), self._room)}")

    def following(self, events: Iterable[Happening]) -> Iterator[Happening]:
        """The events, each shown, with the warnings among them on lines of their own."""
        for event in events:
            self.update(event)
            for warning in () if self._quiet else warnings(event):
                self.clear()
                console.say(warning)
            yield event

    def _told(self, event: Event | Compared | Predicted | Step, now: float) -> str:
        if self._draft:
            return f"{_DRAFT}{neutralise(self._draft)[-max(1, self._room - len(_DRAFT)) :]}"
        how_far = step(event)
        if how_far is None:
            return sentence(event)
        left = self._pace.left(how_far, now)
        amount = how_far.amount or f"{how_far.done}/{how_far.total}"
        told = f"{how_far.stage[:1].lower()}{how_far.stage[1:]} {amount}{left and f', {left}'}"
        return f"{told}  {how_far.detail}".rstrip()

    def clear(self) -> None:
        """Take the line away, before something else is written."""
        if self._shown:
            console.talk(_CLEAR_LINE)
        self._shown = False

    def __exit__(self, *_: object) -> None:
        self.clear()


def results(events: Iterable[Any], kind: type[Result], what: str, *, quiet: bool) -> list[Result]:
    """What some work comes to, its other events shown, those of files as the bytes that are done.

    Args:
        kind: Of the events that are wanted.
        what: What is done with the bytes: ``Downloading``.
        quiet: Show nothing at all.
    """
    from veracite.models.store import Copied

    found = []
    with Progress(quiet=quiet) as progress:
        for event in events:
            if isinstance(event, kind):
                found.append(event)
            elif isinstance(event, Copied):
                progress.update(moved(what, event.path, event.done, event.total))
            else:
                progress.update(event)
    return found
