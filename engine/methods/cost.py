"""What a method's answer cost, counted from its events."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic

from veracite.engine.events import Asked, Event, Judged
from veracite.engine.methods.events import Began, Searched


@dataclass(frozen=True, slots=True)
class Cost:
    """Counts, and the time they took."""

    calls: int = 0
    """Of a language model."""
    prefilled: int = 0
    """Tokens of prompts that were computed."""
    reused: int = 0
    """Tokens of prompts that stood computed from an earlier call."""
    generated: int = 0
    """Tokens written."""
    searches: int = 0
    """For passages to write from; a claim that is looked up to be judged counts as judged."""
    judged: int = 0
    """Claims that got a verdict; one that was judged twice counts twice."""
    remembered: int = 0
    """Those of them whose verdict was known from before."""
    seconds: float = 0.0
    """From the moment the method set out; what the library needed before that does not count."""


@dataclass(slots=True)
class Meter:
    """Adds up what passes by."""

    clock: Callable[[], float] = monotonic
    """Seconds, monotonic."""
    cost: Cost = Cost()
    """Of the events so far."""
    _began: float | None = None

    def take(self, event: Event) -> None:
        """Count an event; one that says nothing about cost still tells the time."""
        now = self.clock()
        if isinstance(event, Began):
            self._began, self.cost = now, Cost()
        if self._began is not None:
            self.cost = replace(self._counted(event), seconds=now - self._began)

    def _counted(self, event: Event) -> Cost:
        cost = self.cost
        match event:
            case Asked():
                return replace(
                    cost,
                    calls=cost.calls + 1,
                    prefilled=cost.prefilled + event.prefilled,
                    reused=cost.reused + event.reused,
                    generated=cost.generated + event.generated,
                )
            case Searched():
                return replace(cost, searches=cost.searches + 1)
            case Judged(cached=cached):
                return replace(
                    cost, judged=cost.judged + 1, remembered=cost.remembered + int(cached)
                )
            case _:
                return cost
