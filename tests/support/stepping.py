"""Runs a skill or a method to its end."""

from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")
E = TypeVar("E")


def run(steps: Generator[E, None, T]) -> tuple[T, list[E]]:
    """What it returns, and its events."""
    events: list[E] = []
    while True:
        try:
            events.append(next(steps))
        except StopIteration as end:
            return end.value, events


def value_of(steps: Generator[object, None, T]) -> T:
    """What it returns."""
    return run(steps)[0]
