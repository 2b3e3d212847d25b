"""Runs a skill to its end."""

from typing import TypeVar

from veracite.engine.events import SkillEvent
from veracite.engine.skills.base import Steps

T = TypeVar("T")


def run(steps: Steps[T]) -> tuple[T, list[SkillEvent]]:
    """What it returns, and its events."""
    events: list[SkillEvent] = []
    while True:
        try:
            events.append(next(steps))
        except StopIteration as end:
            return end.value, events


def value_of(steps: Steps[T]) -> T:
    """What it returns."""
    return run(steps)[0]
