"""The last line but one: what is going on, or what came out."""

import time

from textual.content import Content
from textual.widgets import Static

from veracite.engine.display import neutralise
from veracite.engine.events import Event, Segmented
from veracite.engine.failures import shortfall
from veracite.engine.report.phrases import LABEL_WORDS, SYMBOLS, counted, other_kinds
from veracite.engine.types import Label
from veracite.tui.checking import State
from veracite.tui.progress import Pace, Step, sentence, step
from veracite.tui.themes import COLOURS, bar

_ROOMY = 110
"""From this width on the labels are written out."""


class StatusLine(Static):
    """One line; the least important part is at its end, where a narrow screen cuts it off.

    Args:
        id: Of the widget.
    """

    def __init__(self, id: str) -> None:  # noqa: A002 (Textual's own name)
        super().__init__(id=id)
        self._pace = Pace()
        self.auto_links = False  # what can be clicked keeps its own colours

    def say(self, message: str, *, error: bool = False) -> None:
        """Say something; an error to its end, over several lines where it must be."""
        self.set_class(error, "-error")
        self.update(Content.styled(neutralise(message), "$text-error" if error else ""))

    def follow(self, event: Event | Step) -> None:
        """Say how far the work has come with this event, if that tells anything."""
        if isinstance(event, Segmented):
            self._pace = Pace()  # another check has one of its own
            self.say("Looking for documents …")
        elif how_far := step(event):
            self.progress(how_far)
        elif said := sentence(event):
            self.say(said)

    def outcome(self, state: State) -> None:
        """Say what came out: claims by label, documents read, documents that failed, notes, and
        how many of the verdicts are a person's."""
        self.remove_class("-error")
        by_hand, failed, notes = state.by_hand, shortfall(state.failed, "failed"), len(state.notes)
        read = state.report.documents_read if state.report else 0
        self.update(
            Content.assemble(
                *self._labels(state.counts),
                (f" {by_hand:,} by hand," if by_hand else "", "bold"),
                (f" {counted(read, 'document')}", "$muted"),
                (failed, "bold $text-error"),
                (other_kinds(state.others), "$muted"),
                (f", {counted(notes, 'note')}" if notes else "", "bold $text-warning"),
                (" (F8)" if failed or notes or state.others else "", "$muted"),
            )
        )

    def progress(self, step: Step) -> None:
        """Show a bar and the time left."""
        self.remove_class("-error")
        left = self._pace.left(step, time.monotonic())
        self.update(
            Content.assemble(
                (f"{step.stage} ", "bold"),
                bar(step.done, step.total),
                f" {step.amount or f'{step.done:,}/{step.total:,}'}",
                f"  {left}" if left else "",
                (f"  {neutralise(step.detail)}" if step.detail else "", "$muted"),
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
