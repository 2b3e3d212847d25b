"""The conversation: every question with its answers, the newest in view."""

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from veracite.tui import conversation_sheets as sheets
from veracite.tui.conversation import Conversation, Turn
from veracite.tui.widgets.ask_answer import AnswerView
from veracite.tui.widgets.exchange import ExchangeView

__all__ = ["ConversationView"]


class ConversationView(VerticalScroll):
    """Stays at its end while an answer grows, unless the user has scrolled away."""

    def __init__(self, id: str) -> None:  # noqa: A002 (Textual's own name for it)
        super().__init__(id=id)
        self._welcome = Static(sheets.welcome(), id="welcome")

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
