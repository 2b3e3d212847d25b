"""Runs a method on a question, to its end or until somebody has had enough."""

from collections.abc import Callable, Generator
from typing import Any

from veracite.engine.methods.base import Method, Steps, StepsEvent, Tools
from veracite.engine.methods.events import Began, Settled
from veracite.engine.methods.nearest import nearest
from veracite.engine.methods.options import as_mapping
from veracite.engine.words import Answer, Label
from veracite.models.errors import Cancelled

__all__ = ["ask", "run"]


def run(method: Method, question: str, tools: Tools, settings: Any) -> Steps[Answer]:
    """The method's answer; where no sentence of it is supported, with what stands nearest."""
    yield Began(question, method.name, tools.skills.id, as_mapping(settings))
    answer = yield from method.run(question, tools, settings)
    if not any(verdict.label is Label.SUPPORTED for verdict in answer.verdicts):
        answer = yield from nearest(answer, tools)
        yield Settled(answer)
    return answer


def ask(
    method: Method, question: str, tools: Tools, settings: Any, stopped: Callable[[], bool]
) -> Generator[StepsEvent, None, tuple[Answer | None, bool]]:
    """The same until ``stopped`` says so, which is asked between any two events.

    Returns:
        The answer as far as it was verified, None if nothing was; and whether it is all of it.
    """
    steps = run(method, question, tools, settings)
    latest: Answer | None = None
    try:
        while not stopped():
            try:
                event = next(steps)
            except StopIteration as end:
                return end.value, True
            if isinstance(event, Settled):
                latest = event.answer
            yield event
    except Cancelled:
        pass
    finally:
        steps.close()
    return latest, False
