"""The conversation: every question with its answers, and where questions are written."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from veracite.engine.display import neutralise
from veracite.tui.conversation import Conversation, Turn
from veracite.tui.keys import bindings
from veracite.tui.widgets.answer import AnswerView, ask_welcome


class ExchangeView(Vertical):
    """Answers stand beside each other where there is room.

    Args:
        turn: The question and the answers.
    """

    def __init__(self, turn: Turn) -> None:
        super().__init__()
        self.turn = turn
        compared = len(turn.answers) > 1
        self.answers = [AnswerView(answering, titled=compared) for answering in turn.answers]

    def compose(self) -> ComposeResult:
        """The question above."""
        yield Static(Content(neutralise(self.turn.asked.question)), classes="question")
        with Container(classes="beside"):
            yield from self.answers

    def show(self) -> None:
        """Bring the answers up to date."""
        for answer in self.answers:
            answer.show()


class ConversationView(VerticalScroll):
    """Stays at its end while an answer grows, unless the user has scrolled away."""

    def __init__(self, id: str) -> None:  # noqa: A002 (Textual's own name for it)
        super().__init__(id=id)
        self._welcome = Static(ask_welcome(), id="welcome")

    def compose(self) -> ComposeResult:
        """What can be done, until something is asked."""
        yield self._welcome

    def watch_virtual_size(self) -> None:
        """Keep to the end once there is more than fits; what is less would hang there."""
        overflows = self.virtual_size.height > self.size.height
        if overflows is not self.is_anchored:
            self.anchor(overflows)

    def show(self, conversation: Conversation) -> None:
        """Show another conversation."""
        self.remove_children(ExchangeView)
        self._welcome.display = True
        for turn in conversation.turns:
            self.add(turn)

    def add(self, turn: Turn) -> ExchangeView:
        """Show one more question."""
        self._welcome.display = False
        view = ExchangeView(turn)
        self.mount(view)
        if self.is_anchored:
            self.anchor()
        return view

    @property
    def current(self) -> AnswerView | None:
        """The answer that the user is in, else the newest; None before the first."""
        views = list(self.query(AnswerView))
        inside = [view for view in views if view.has_focus_within]
        return next(reversed(inside or views), None)

    def focus_quotes(self) -> None:
        """Go to the newest answer's quotes, or to its trace."""
        for answer in list(self.query(AnswerView))[-1:]:
            answer.focus_quotes()


class AskInput(Input):
    """One line."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("question")

    def __init__(self, id: str) -> None:  # noqa: A002 (Textual's own name for it)
        super().__init__(placeholder="Ask something. ↑ brings earlier questions back", id=id)
        self._asked: Sequence[str] = ()
        self._place = 0
        self._begun = ""
        """What was being written before an earlier question was brought back."""

    def remember(self, questions: Sequence[str]) -> None:
        """The questions that can be brought back, the last one last."""
        self._asked = questions
        self._place = len(questions)

    def action_recall(self, step: int) -> None:
        """Bring back the question before (behind) the one that is shown."""
        if self._place == len(self._asked):
            self._begun = self.value
        self._place = min(max(self._place + step, 0), len(self._asked))
        self.value = [*self._asked, self._begun][self._place]
        self.cursor_position = len(self.value)
