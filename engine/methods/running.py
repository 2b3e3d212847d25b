"""Runs a method on a question, to its end or until somebody has had enough."""

from collections.abc import Callable, Generator
from typing import Any

from veracite.engine.events import Retrieved
from veracite.engine.methods.base import Method, Steps, StepsEvent, Tools
from veracite.engine.methods.contesting import contest
from veracite.engine.methods.events import Began, Searched, Settled
from veracite.engine.methods.nearest import nearest
from veracite.engine.methods.open_parts import with_open_parts
from veracite.engine.methods.options import as_mapping
from veracite.engine.types import Answer, Label, Verdict
from veracite.index.documents import Evidence
from veracite.models.errors import Cancelled

_READ = 10
"""Passages of each search that the answer is read against."""


def run(method: Method, question: str, tools: Tools, settings: Any) -> Steps[Answer]:
    """The method's answer, contested by all that was found, with what it leaves unanswered.

    Where no document says any sentence of it, with what stands nearest.
    """
    yield Began(question, method.name, tools.skills.id, as_mapping(settings))
    found: list[Evidence] = []
    answer = yield from _noted(method.run(question, tools, settings), found)
    answer = yield from contest(answer, found, tools)
    answer = yield from with_open_parts(answer, found, tools)
    if not any(map(_is_told, answer.verdicts)):
        answer = yield from nearest(answer, tools)
        yield Settled(answer)
    return answer


def _noted(steps: Steps[Answer], found: list[Evidence]) -> Steps[Answer]:
    """Lets the steps pass and adds the best passages of every search to ``found``."""
    try:
        while True:
            event = next(steps)
            if isinstance(event, Searched | Retrieved):
                found += event.evidence[:_READ]
            yield event
    except StopIteration as end:
        answer: Answer = end.value
        return answer
    finally:
        steps.close()


def _is_told(verdict: Verdict) -> bool:
    """Whether a document says so, whatever others say."""
    return verdict.label is Label.SUPPORTED or verdict.disagreement is not None


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
