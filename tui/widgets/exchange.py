"""A question and what is answered to it, by one method or by several side by side."""

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import Static

from veracite.engine.display import neutralise
from veracite.tui.conversation import Turn
from veracite.tui.widgets.ask_answer import AnswerView

__all__ = ["ExchangeView"]


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
