"""What the Check room is made of, and how it shows what it knows."""

import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer

from veracite.engine.display import neutralise
from veracite.engine.events import Event
from veracite.engine.overrides import Overrides
from veracite.tui import claim_sheet, sheets
from veracite.tui.documents import described_now
from veracite.tui.engine import Against, Engine
from veracite.tui.findings import Mark
from veracite.tui.kept import Reading
from veracite.tui.screens.check_keys import CHECK_KEYS
from veracite.tui.state import State
from veracite.tui.widgets.evidence import Evidence
from veracite.tui.widgets.find_bar import FindBar
from veracite.tui.widgets.panes import BREAKPOINTS, Panes
from veracite.tui.widgets.room_bar import RoomBar
from veracite.tui.widgets.status_line import StatusLine
from veracite.tui.widgets.text_pane import TextPane
from veracite.tui.worker import Runner

__all__ = ["CheckBase"]


class CheckBase(Screen[None]):
    """Text and evidence, beside each other where there is room, stacked where not.

    Args:
        engine: Does the work.
        turn: Held while it works.
        against: The documents to begin with.
        overrides: What the user said about verdicts; None keeps none.
    """

    # Textual declares it in a way that mypy takes for an instance's.
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS

    BINDINGS: ClassVar[list[BindingType]] = [*CHECK_KEYS]

    class Stale(Message):
        """What is shown is out of date; of several in a row one is enough."""

        def can_replace(self, message: Message) -> bool:
            """Whether this one makes the other superfluous."""
            return isinstance(message, CheckBase.Stale)

    class Happened(Message):
        """Events arrived; of several of these in a row one is enough."""

        def can_replace(self, message: Message) -> bool:
            """Whether this one makes the other superfluous."""
            return isinstance(message, CheckBase.Happened)

    def __init__(
        self,
        engine: Engine,
        turn: threading.Lock,
        against: Against,
        overrides: Overrides | None = None,
    ) -> None:
        super().__init__()
        self.state = State(against, overrides)
        self._to_open: Path | None = None
        """A text, until it is opened, which begins with the first visit."""
        self._once_open: Callable[[], None] | None = None
        """What was asked for before the text was there."""
        self.resume: Reading | None = None
        """How the text was left the last time, until it is checked or gives way to another."""
        self.runner = Runner(engine.cancel, self._post, turn)
        self._arrived: deque[Event] = deque()
        """Events of the check that are still to be taken: a flood of them holds up no key."""
        self._engine = engine
        self._turn = turn
        self.top = RoomBar("check", id="top")
        self.text = TextPane(id="text")
        self.evidence = Evidence(id="evidence")
        self.elsewhere = (self.text.reader,)
        """What the help tells the keys of before it is shown."""
        self.panes = Panes(self.text, self.evidence, (42, 50), id="panes")
        self.find_bar = FindBar(lambda: self.text.editor.text, id="find")
        self.status = StatusLine(id="status")

    def compose(self) -> ComposeResult:
        """The panes, between a line that says what is checked and one that says how far."""
        yield self.top
        yield self.panes
        yield self.find_bar
        yield self.status
        yield Footer(compact=True, show_command_palette=False)

    def _post(self, message: Message) -> None:
        """Take a message from the runner's thread."""
        if isinstance(message, Runner.Happened):
            self._arrived.append(message.event)
            message = self.Happened()
        self.post_message(message)

    @property
    def edited(self) -> bool:
        """Whether there is anything to lose."""
        return self.state.edited(self.text.editor.text)

    def on_resize(self) -> None:
        """The closing line is longer where there is room."""
        self._update()

    def on_screen_resume(self) -> None:
        """Another room may have made the library that is meant."""
        self._say_what_is_checked()

    @on(Stale)
    def _update(self) -> None:
        """Bring everything that is shown up to date; cheap where nothing changed."""
        state = self.state
        shown = self._shown()
        verdict = state.verdict(shown)
        self.text.mark(state.findings, shown, state.only)
        if verdict:
            self.evidence.show_verdict(verdict)
        elif shown:
            self.evidence.show(claim_sheet.pending())
        elif state.failure:
            self.evidence.show(sheets.failure(*state.failure))
        elif state.findings and state.findings.verdicts:
            found, split = state.counts, state.disagreements
            self.evidence.show(sheets.overview(found, state.by_hand, split, state.running))
        else:
            self.evidence.show(sheets.welcome())
        if state.report and not state.running:
            read, failed = state.report.documents_read, len(state.failed)
            self.status.outcome(state.counts, read, failed, len(state.notes), state.by_hand)
        self._say_what_is_checked()

    def _say_what_is_checked(self) -> None:
        state = self.state
        documents = described_now(state.against, self._engine)
        self.top.about(sheets.subject(state.name, self.edited, documents, state.only))

    def _shown(self) -> Mark | None:
        return self.text.shown(self.state.findings) if self.state.findings else None

    def _say_what_is_open(self) -> None:
        self.status.say(self.state.draft.refusal if self.state.draft else "")

    def _complain(self, message: str) -> None:
        self.notify(neutralise(message), severity="error", markup=False)
