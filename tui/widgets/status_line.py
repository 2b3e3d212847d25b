"""The last line but one: what is going on, or what came out."""

from pathlib import Path

from textual.content import Content
from textual.widgets import Static

from veracite.engine.display import neutralise
from veracite.engine.events import Asked, Event, Judged, Opening, Segmented
from veracite.engine.report.phrases import LABEL_WORDS, SYMBOLS
from veracite.engine.words import Label
from veracite.index.progress import Encoded, FileFailed, FileRead, Scanned
from veracite.tui.labels import COLOURS

__all__ = ["StatusLine"]

_BAR = 16
"""Cells."""
_ROOMY = 110
"""From this width on the labels are written out."""


class StatusLine(Static):
    """One line; the least important part is at its end, where a narrow screen cuts it off."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 (Textual's own name)
        super().__init__(id=id)
        self.auto_links = False  # what can be clicked keeps its own colours

    def say(self, message: str) -> None:
        """Say something."""
        self.update(Content(neutralise(message)))

    def follow(self, event: Event) -> None:
        """Say how far the check has come with this event."""
        match event:
            case Segmented():
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

    def outcome(self, counts: dict[Label, int], read: int, failed: int, notes: int) -> None:
        """Say what came out: claims by label, documents read, documents that failed, notes."""
        words = self.app.size.width >= _ROOMY
        parts: list[str | tuple[str, str]] = []
        for label, number in counts.items():
            text = f"{SYMBOLS[label]} {number:,}" + (f" {LABEL_WORDS[label]}" if words else "")
            click = f" @click=screen.only('{label}')"
            parts += [(text, (f"bold {COLOURS[label]}" if number else "$muted") + click), "  "]
        parts.append((f" {read:,} {'document' if read == 1 else 'documents'}", "$muted"))
        if failed:
            parts.append((f", {failed:,} failed", "bold $text-error"))
        if notes:
            parts.append((f", {notes:,} {'note' if notes == 1 else 'notes'}", "bold $text-warning"))
        if failed or notes:
            parts.append((" (F8)", "$muted"))
        self.update(Content.assemble(*parts))

    def _progress(self, stage: str, done: int, total: int, detail: str = "") -> None:
        full = round(_BAR * done / total) if total else 0
        self.update(
            Content.assemble(
                (f"{stage} ", "bold"),
                ("━" * full, "$primary"),
                ("─" * (_BAR - full), "$muted"),
                f" {done:,}/{total:,}",
                (f"  {neutralise(detail)}" if detail else "", "$muted"),
                ("  Esc stops", "$muted"),
            )
        )
