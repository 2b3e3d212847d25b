"""What a method's answer cost, counted from its events."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

from veracite.engine.events import Asked, Began, Event, Judged, Searched


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
    began: float | None = None
    """When the method set out; nothing counts before that."""

    def take(self, event: Event) -> None:
        """Count an event; one that says nothing about cost still tells the time."""
        now = self.clock()
        if isinstance(event, Began):
            self.began, self.cost = now, Cost()
        if self.began is None:
            return
        counts: dict[str, int] = {}
        if isinstance(event, Asked):
            counts = {name: getattr(event, name) for name in ("prefilled", "reused", "generated")}
            counts["calls"] = 1
        elif isinstance(event, Searched):
            counts = {"searches": 1}
        elif isinstance(event, Judged):
            counts = {"judged": 1, "remembered": int(event.cached)}
        sums: dict[str, Any] = {n: getattr(self.cost, n) + more for n, more in counts.items()}
        self.cost = replace(self.cost, **sums, seconds=now - self.began)
