"""Where questions are written; the arrow keys bring back earlier ones."""

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.widgets import Input

from veracite.tui.screens.ask_keys import QUESTION_KEYS

__all__ = ["AskInput"]


class AskInput(Input):
    """One line."""

    BINDINGS: ClassVar[list[BindingType]] = [*QUESTION_KEYS]

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
