"""The last line but one: what is going on, or what came out."""

import math
import time
from collections.abc import Callable
from pathlib import Path

from textual.content import Content
from textual.widgets import Static

from veracite.engine.display import neutralise
from veracite.engine.events import Asked, Event, Judged, Opening, Segmented, Streamed
from veracite.engine.methods.events import (
    Assessed,
    Attempted,
    Began,
    Drafted,
    Searched,
    Selected,
)
from veracite.engine.report.phrases import LABEL_WORDS, SYMBOLS
from veracite.engine.words import Label
from veracite.index.progress import Encoded, FileFailed, FileRead, FileRemoved, Scanned, Synced
from veracite.models.store.disk import size_in_words
from veracite.tui.local_libraries import State
from veracite.tui.model_service import Moved
from veracite.tui.pace import Pace
from veracite.tui.themes import COLOURS
from veracite.tui.widgets.library_details import counted

_BAR = 16
"""Cells."""
_ROOMY = 110
"""From this width on the labels are written out."""


class StatusLine(Static):
    """One line; the least important part is at its end, where a narrow screen cuts it off.

    Args:
        id: Of the widget.
        clock: Seconds, monotonic.
    """

    def __init__(
        self,
        id: str | None = None,  # noqa: A002 (Textual's own name)
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(id=id)
        self._clock = clock
        self._stage = ""
        self._pace = Pace()
        self.auto_links = False  # what can be clicked keeps its own colours

    def say(self, message: str, *, error: bool = False) -> None:
        """Say something; an error to its end, over several lines where it must be."""
        self.set_class(error, "-error")
        self.update(Content.styled(neutralise(message), "$text-error" if error else ""))

    def follow(self, event: Event) -> None:
        """Say how far the check has come with this event."""
        match event:
            case Segmented():
                self._stage = ""  # another check has a pace of its own
                self.say("Looking for documents …")
            case Scanned(to_read=0):
                self.say("Opening the models …")
            case Scanned(to_read=to_read):
                self._progress("Reading", 0, to_read)
            case FileRead(path=path, done=done, total=total):
                self._progress("Reading", done, total, Path(path).name)
            case FileFailed(path=path, done=done, total=total):
                self._progress("Reading", done, total, f"{Path(path).name} failed")
            case Encoded(done=done, total=total):
                self._progress("Encoding", done, total, "passages")
            case Opening(file=file, first_time=True):
                self.say(f"Looking at {file} for the first time …")
            case Opening(file=file):
                self.say(f"Opening {file} …")
            case Asked(total=1):
                self.say("Asking the language model …")
            case Asked(done=done, total=total):
                self._progress("Asking the language model", done, total)
            case Judged(done=done, total=total):
                self._progress("Judging", done, total, "claims")

    def outcome(
        self, counts: dict[Label, int], read: int, failed: int, notes: int, by_hand: int = 0
    ) -> None:
        """Say what came out: claims by label, documents read, documents that failed, notes, and
        how many of the verdicts are a person's, that more briefly where not all would fit."""
        self.remove_class("-error")
        rest = _rest(read, failed, notes)
        line = Content()
        for said in ("overridden by hand", "by hand"):
            hand = (f" {by_hand:,} {said}," if by_hand else "", "bold")
            line = Content.assemble(*self._labels(counts), hand, *rest)
            if line.cell_length <= self.app.size.width - self.gutter.width:
                break
        self.update(line)

    def _labels(self, counts: dict[Label, int]) -> list[str | tuple[str, str]]:
        words = self.app.size.width >= _ROOMY
        parts: list[str | tuple[str, str]] = []
        for label, number in counts.items():
            text = f"{SYMBOLS[label]} {number:,}" + (f" {LABEL_WORDS[label]}" if words else "")
            click = f" @click=screen.only('{label}')"
            parts += [(text, (f"bold {COLOURS[label]}" if number else "$muted") + click), "  "]
        return parts

    def _progress(self, stage: str, done: int, total: int, detail: str = "") -> None:
        self.remove_class("-error")
        if stage != self._stage or done == 0:
            self._stage, self._pace = stage, Pace()
        left = self._pace.left(done, total, self._clock()) if done < total else ""
        full = round(_BAR * done / total) if total else 0
        self.update(
            Content.assemble(
                (f"{stage} ", "bold"),
                ("━" * full, "$primary"),
                ("─" * (_BAR - full), "$muted"),
                f" {done:,}/{total:,}",
                f"  {left}" if left else "",
                (f"  {neutralise(detail)}" if detail else "", "$muted"),
                ("  Esc stops", "$muted"),
            )
        )


def _rest(read: int, failed: int, notes: int) -> list[tuple[str, str]]:
    parts = [(f" {read:,} {'document' if read == 1 else 'documents'}", "$muted")]
    if failed:
        parts.append((f", {failed:,} failed", "bold $text-error"))
    if notes:
        parts.append((f", {notes:,} {'note' if notes == 1 else 'notes'}", "bold $text-warning"))
    if failed or notes:
        parts.append((" (F8)", "$muted"))
    return parts


class LibraryStatus(StatusLine):
    """One line."""

    def follow(self, event: Event) -> None:
        """Say how far the work has come with this event."""
        match event:
            case Scanned(files=files, to_read=0):
                self.say(f"Looked through {files:,} files: none is new or changed …")
            case Scanned(to_read=to_read):
                self._progress("Reading", 0, to_read)
            case FileRemoved(path=path):
                self.say(f"Forgot {path.rpartition('/')[2]}")
            case Synced(documents=documents, failed=failed, passages=passages):
                lost = f", {failed:,} failed" if failed else ""
                read, cut = counted(documents, "document"), counted(passages, "passage")
                self.say(f"Up to date: {read}{lost}, {cut}.")
            case FileRead() | FileFailed() | Encoded():
                super().follow(event)


class AnewLine(LibraryStatus):
    """One line; none while nothing is encoded anew."""

    DEFAULT_CSS = """
    AnewLine { height: 1; padding: 0 2; }
    """

    def show(self, state: State | None) -> None:
        """Say how far it is, and for how long."""
        self.display = state is not None
        if state is not None:
            stage = f"Encoding with {state.encoder}"
            self._progress(stage, state.done, state.total, state.library)


class AskStatus(StatusLine):
    """One line."""

    def follow(self, event: Event) -> None:
        """Say what is being done with this event."""
        match event:
            case Began(method=method):
                self.say(f"{method} sets out …")
            case Searched(query=query, round=number):
                self.say(f"Searching{_round(number)}: {query}")
            case Selected(kept=kept, window=window):
                self.say(f"Choosing {len(kept)} of {len(window)} passages …")
            case Streamed():
                self.say("Writing …")
            case Drafted(round=number):
                self.say(f"A draft is written{_round(number)}; verifying it …")
            case Assessed(sufficient=sufficient):
                self.say("The passages suffice." if sufficient else "The passages do not suffice.")
            case Attempted(attempt=attempt):
                self.say(f"Verifying a sentence, attempt {attempt} …")
            case _:
                super().follow(event)


def _round(number: int) -> str:
    return f" (round {number})" if number > 1 else ""


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
