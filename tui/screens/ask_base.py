"""What the Ask room is made of."""

import asyncio
import threading
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, Input

from veracite.engine.conversations import Conversations
from veracite.engine.display import neutralise
from veracite.engine.paths import Paths
from veracite.tui import conversation_sheets as sheets
from veracite.tui.conversation import Choice, Conversation
from veracite.tui.conversation_methods import ChangesModel
from veracite.tui.conversation_work import Work
from veracite.tui.documents import described_now
from veracite.tui.engine import Against, Engine
from veracite.tui.screens.ask_keys import ASK_KEYS
from veracite.tui.widgets.ask_conversation import ConversationView
from veracite.tui.widgets.ask_input import AskInput
from veracite.tui.widgets.ask_status import AskStatus
from veracite.tui.widgets.panes import BREAKPOINTS
from veracite.tui.widgets.room_bar import RoomBar
from veracite.tui.worker import Runner

__all__ = ["AskBase"]


class AskBase(Screen[None]):
    """Questions at the bottom, the conversation above.

    Args:
        engine: Does the work.
        turn: Held while it works.
        against: The documents to begin with.
        paths: Where conversations are kept and the settings of methods are found.
        chosen: The methods that answer; none is the best one.
    """

    # Textual declares it in a way that mypy takes for an instance's.
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS

    BINDINGS: ClassVar[list[BindingType]] = [*ASK_KEYS]

    class Stale(Message):
        """What is shown of the answer at work is out of date; of several in a row one is enough."""

        def can_replace(self, message: Message) -> bool:
            """Whether this one makes the other superfluous."""
            return isinstance(message, AskBase.Stale)

    def __init__(
        self,
        engine: Engine,
        turn: threading.Lock,
        against: Against,
        paths: Paths,
        chosen: tuple[Choice, ...] = (),
    ) -> None:
        super().__init__()
        self.conversation = Conversation()
        self._against = against
        self.chosen = chosen
        """The methods that the user chose, one or two; none leaves it to us."""
        self._best: tuple[Choice, ...] = ()
        """The one that answers then; none until it is known."""
        self.runner = Runner(engine.cancel, self.post_message, turn)
        self._engine = engine
        self._turn = turn
        self._paths = paths
        self._kept = Conversations(paths.conversations)
        self._keeping = asyncio.Lock()
        self._at_work: Work | None = None
        self._methods_read = False
        self._warned: set[str] = set()
        """Of what is the matter with the documents; once is enough, each answer notes it too."""
        self._early: Input.Submitted | None = None
        """What was asked before the methods were read."""
        self.top = RoomBar("ask", id="top")
        self.answers = ConversationView(id="conversation")
        self.status = AskStatus(id="status")
        self.input = AskInput(id="question")

    def compose(self) -> ComposeResult:
        """What was said, and below it where questions are written."""
        yield self.top
        yield self.answers
        yield self.status
        yield self.input
        yield Footer(compact=True, show_command_palette=False)

    def on_screen_resume(self) -> None:
        """Another room may have made the library that is meant."""
        self._say_who_answers()

    def on_resize(self) -> None:
        """More is said of who answers where there is room."""
        self._say_who_answers()

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The methods that answer; none until it is known which is best."""
        return self.chosen or self._best

    @property
    def against(self) -> Against:
        """The documents that answer the next question."""
        return self._against

    @against.setter
    def against(self, against: Against) -> None:
        self._against = against
        self._warned.clear()
        self._say_who_answers()

    @property
    def _model(self) -> str | None:
        return self._engine.model if isinstance(self._engine, ChangesModel) else None

    def _say_who_answers(self) -> None:
        titles = [choice.title for choice in self.choices]
        documents = described_now(self.against, self._engine)
        self.top.about(sheets.subject(titles, documents, self._model, self.top.room))

    def _complain(self, error: Exception) -> None:
        self.notify(neutralise(str(error)), severity="error", markup=False)
