"""The line above the question: what the method is doing."""

from veracite.engine.events import Event, Streamed
from veracite.engine.methods.events import (
    Assessed,
    Attempted,
    Began,
    Drafted,
    Searched,
    Selected,
)
from veracite.tui.widgets.status_line import StatusLine

__all__ = ["AskStatus"]


class AskStatus(StatusLine):
    """One line."""

    def follow(self, event: Event) -> None:
        """Say what is being done with this event."""
        match event:
            case Began(method=method):
                self.say(f"{method} sets out …")
            case Searched(query=query, round=number):
                self.say(f"Searching{_round(number)}: {query}")
            case Selected(kept=kept, window=window):
                self.say(f"Choosing {len(kept)} of {len(window)} passages …")
            case Streamed():
                self.say("Writing …")
            case Drafted(round=number):
                self.say(f"A draft is written{_round(number)}; verifying it …")
            case Assessed(sufficient=sufficient):
                self.say("The passages suffice." if sufficient else "The passages do not suffice.")
            case Attempted(attempt=attempt):
                self.say(f"Verifying a sentence, attempt {attempt} …")
            case _:
                super().follow(event)


def _round(number: int) -> str:
    return f" (round {number})" if number > 1 else ""
