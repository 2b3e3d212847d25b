"""The last line but one: what is going on, or what came out."""

import time
from collections.abc import Callable
from pathlib import Path

from textual.content import Content
from textual.widgets import Static

from veracite.engine.display import neutralise
from veracite.engine.events import Asked, Event, Judged, Opening, Segmented
from veracite.engine.report.phrases import LABEL_WORDS, SYMBOLS
from veracite.engine.types import Label
from veracite.index.progress import Encoded, FileFailed, FileRead, Scanned
from veracite.tui.pace import Pace
from veracite.tui.themes import COLOURS

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
        self.update(
            Content.assemble(
                (f"{stage} ", "bold"),
                *bar(done / total if total else 0.0),
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


def bar(share: float) -> tuple[tuple[str, str], tuple[str, str]]:
    """How much of something is done, as a bar."""
    full = round(_BAR * share)
    return ("━" * full, "$primary"), ("─" * (_BAR - full), "$muted")
