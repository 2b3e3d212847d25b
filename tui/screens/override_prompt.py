"""Asks for a person's own verdict on a claim, and why."""

from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static

from veracite.engine.display import neutralise
from veracite.engine.report.phrases import LABEL_WORDS, SYMBOLS
from veracite.engine.types import Label, Verdict
from veracite.tui.keys import bindings
from veracite.tui.themes import COLOURS


@dataclass(frozen=True, slots=True)
class Said:
    """What a person said about a claim."""

    label: Label | None
    """None takes back what was said before."""
    note: str = ""


class OverridePrompt(ModalScreen[Said | None]):
    """Ends with what was said, or None if the user thought better of it.

    Args:
        verdict: As it stands.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("override")

    def __init__(self, verdict: Verdict) -> None:
        super().__init__()
        self._verdict = verdict
        self._labels = OptionList(*map(_option, Label), compact=True)
        note = verdict.override.note if verdict.override else ""
        self._note = Input(note, placeholder="Why: the note stands in the report")
        self._said = Static(id="said")
        self._said.display = False

    def compose(self) -> ComposeResult:
        """The claim, the five labels, the note."""
        with Vertical(classes="box") as box:
            box.border_title = "Your verdict"
            yield Static(Content(neutralise(self._verdict.claim.statement)), classes="claim")
            yield self._labels
            yield self._note
            yield self._said
            back = "  Ctrl+T takes it back." if self._verdict.override else ""
            yield Static(
                f"Up and Down choose, Enter goes on and accepts, Esc cancels.{back}",
                markup=False,
                classes="hint",
            )

    def on_mount(self) -> None:
        """Begin at the label that holds."""
        self._labels.highlighted = list(Label).index(self._verdict.label)
        self._labels.focus()

    def action_take_back(self) -> None:
        """Let the check's verdict stand again."""
        if self._verdict.override:
            self.dismiss(Said(None))

    @on(OptionList.OptionSelected)
    def _chosen(self) -> None:
        self._note.focus()

    @on(Input.Submitted)
    def _accept(self) -> None:
        number, note = self._labels.highlighted, self._note.value.strip()
        if not note:
            self._said.update("Say why in a few words.")
            self._said.display = True
            self._note.focus()
        elif number is not None:
            self.dismiss(Said(list(Label)[number], note))


def _option(label: Label) -> Content:
    return Content.assemble((f"{SYMBOLS[label]} ", f"bold {COLOURS[label]}"), LABEL_WORDS[label])
