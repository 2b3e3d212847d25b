"""A question that is being answered, by one method after the other."""

from collections.abc import Callable, Generator, Sequence
from functools import partial

from veracite.engine.events import Event
from veracite.engine.paths import Paths
from veracite.tui.conversation import Answering, Choice, Conversation, Turn
from veracite.tui.conversation_methods import asking
from veracite.tui.engine import Against, Engine
from veracite.tui.widgets.exchange import ExchangeView

__all__ = ["Work"]


class Work:
    """What is at work: there is one at a time.

    Args:
        conversation: Which the question belongs to.
        turn: The question, with an answer for each method.
        choices: The methods.
        against: The documents.
        view: Where the answers are shown.
    """

    def __init__(
        self,
        conversation: Conversation,
        turn: Turn,
        choices: Sequence[Choice],
        against: Against,
        view: ExchangeView,
    ) -> None:
        self.conversation = conversation
        self.turn = turn
        self.view = view
        self.stopping = False
        """Whether the user has had enough."""
        self._choices = choices
        self._against = against
        self._place = 0

    @property
    def answering(self) -> Answering:
        """The answer at work."""
        return self.turn.answers[self._place]

    def begin(self, engine: Engine, paths: Paths) -> Callable[[], Generator[Event, None, None]]:
        """What makes the events of the answer at work."""
        question, choice = self.turn.asked.question, self._choices[self._place]
        return partial(asking, engine, question, self._against, choice, paths)

    def advance(self) -> bool:
        """One answer is over. Goes to the next method; False if none is to answer any more."""
        self.answering.over = True
        if not self.stopping and self._place + 1 < len(self.turn.answers):
            self._place += 1
            return True
        for answering in self.turn.answers:
            answering.over = True
        return False
