"""The last line but one: what is going on, or what came out."""

import math
import time
from collections.abc import Callable
from pathlib import Path

from textual.content import Content
from textual.widgets import Static

from veracite.engine.display import neutralise
from veracite.engine.events import Asked, Event, Judged, Opening, Segmented, Streamed
from veracite.engine.methods.events import Assessed, Attempted, Began, Drafted, Searched, Selected
from veracite.engine.report.phrases import LABEL_WORDS, SYMBOLS
from veracite.engine.types import Label
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
from veracite.tui.progress import Pace
from veracite.tui.service import Moved
from veracite.tui.themes import COLOURS

_BAR = 16
"""Cells."""
_ROOMY = 110
"""From this width on the labels are written out."""


def counted(number: int, noun: str) -> str:
    """Such as ``1 document`` or ``1,204 documents``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


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

    def follow(self, event: Event | Moved) -> None:
        """Say how far the work has come with this event, if that tells anything."""
        match event:
            case Segmented():
                self._stage = ""  # another check has a pace of its own
                self.say("Looking for documents …")
            case FileRead(path=path, done=done, total=total):
                self.progress("Reading", done, total, Path(path).name)
            case FileFailed(path=path, done=done, total=total):
                self.progress("Reading", done, total, f"{Path(path).name} failed")
            case Scanned(to_read=to_read) if to_read:
                self.progress("Reading", 0, to_read)
            case Encoded(done=done, total=total):
                self.progress("Encoding", done, total, "passages")
            case Asked(done=done, total=total) if total > 1:
                self.progress("Asking the language model", done, total)
            case Judged(done=done, total=total):
                self.progress("Judging", done, total, "claims")
            case Moved(what=what, name=name, done=done, total=total):
                share = f"{math.floor(100 * done / total) if total else 100} %"
                self.progress(what, done, total, name, f"{share} of {size_in_words(total)}")
            case _ if said := _sentence(event):
                self.say(said)

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

    def progress(
        self, stage: str, done: int, total: int, detail: str = "", amount: str = ""
    ) -> None:
        """Show a bar and the time left.

        Args:
            detail: What is worked on.
            amount: How far it is, where that is not told by two numbers.
        """
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
                f" {amount or f'{done:,}/{total:,}'}",
                f"  {left}" if left else "",
                (f"  {neutralise(detail)}" if detail else "", "$muted"),
                ("  Esc stops", "$muted"),
            )
        )

    def _labels(self, counts: dict[Label, int]) -> list[str | tuple[str, str]]:
        words = self.app.size.width >= _ROOMY
        parts: list[str | tuple[str, str]] = []
        for label, number in counts.items():
            text = f"{SYMBOLS[label]} {number:,}" + (f" {LABEL_WORDS[label]}" if words else "")
            click = f" @click=screen.only('{label}')"
            parts += [(text, (f"bold {COLOURS[label]}" if number else "$muted") + click), "  "]
        return parts


def _sentence(event: Event | Moved) -> str:
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


def _round(number: int) -> str:
    return f" (round {number})" if number > 1 else ""


def _rest(read: int, failed: int, notes: int) -> list[tuple[str, str]]:
    parts = [(f" {counted(read, 'document')}", "$muted")]
    if failed:
        parts.append((f", {failed:,} failed", "bold $text-error"))
    if notes:
        parts.append((f", {counted(notes, 'note')}", "bold $text-warning"))
    if failed or notes:
        parts.append((" (F8)", "$muted"))
    return parts
