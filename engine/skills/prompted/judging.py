"""Judging claims against passages (CEG, section 3.3): options scored, nothing written.

Prompts go to the model in passage-major order, so that a passage that several claims share is read
once: all together where options alone are scored, one by one where the model thinks first. A
verdict depends on its own prompt alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from veracite.engine.events import Unusable
from veracite.engine.skills.base import Judgement, Steps, Task
from veracite.engine.skills.prompted.asking import Asker
from veracite.engine.skills.prompted.request import Request
from veracite.engine.skills.prompts import Prompt
from veracite.engine.types import Scores
from veracite.index.documents import Passage
from veracite.models.chat import Message
from veracite.models.generator import Choice

_NO_QUESTION = "(none)"


@dataclass(frozen=True, slots=True)
class _Case:
    """One prompt: a task's claim with one of its passages, or with all (place None)."""

    task: int
    place: int | None
    request: Request
    passages: tuple[Passage, ...]
    """Those that fit into the model's context."""

    @property
    def messages(self) -> tuple[Message, ...]:
        """The prompt, before the model has thought."""
        return self.request.messages(self.passages)


_Found = dict[tuple[int, int | None], Scores]
"""The scores of cases by task and place."""


def judge(
    asker: Asker, tasks: Sequence[Task], joint: bool, reasoning: bool
) -> Steps[tuple[Judgement, ...]]:
    """One judgement for each task; what does not fit into the model's context is left out."""
    cases: list[_Case] = []
    for index, task in enumerate(tasks):
        for place, passage in enumerate(task.passages):
            cases += yield from _case(asker, index, place, task, (passage,), reasoning)
        if joint and len(task.passages) != 1:
            cases += yield from _case(asker, index, None, task, task.passages, reasoning)
    thinking = any(case.request.thinks for case in cases)
    scores = yield from (_thought(asker, cases) if thinking else _chosen(asker, cases))
    shown = {(case.task, case.place): case.passages[0].text for case in cases if case.passages}
    return tuple(_judgement(scores, shown, index, task, joint) for index, task in enumerate(tasks))


def _chosen(asker: Asker, cases: Sequence[_Case]) -> Steps[_Found]:
    """Scores from the options alone; the model puts the prompts in order."""
    scores: _Found = {}
    asked = [(case.messages, case.request.prompt.words) for case in cases]
    choices = asker.writer.choose_all(asked) if asked else ()
    for done, (number, choice) in enumerate(choices, start=1):
        case = cases[number]
        yield asker.chosen(case.request.prompt, asked[number][0], choice, done, len(asked))
        scores[case.task, case.place] = _scores(case.request.prompt, choice)
    return scores


def _thought(asker: Asker, cases: Sequence[_Case]) -> Steps[_Found]:
    """Scores after the model's thoughts, which follow what the context holds already."""
    scores: _Found = {}
    ordered = sorted(cases, key=lambda case: [message.parts for message in case.messages])
    for done, case in enumerate(ordered, start=1):
        prompt = case.request.prompt
        messages = yield from asker.considered(case.request, case.passages)
        [(_, choice)] = asker.writer.choose_all([(messages, prompt.words)])
        yield asker.chosen(prompt, messages, choice, done, len(cases))
        scores[case.task, case.place] = _scores(prompt, choice)
    return scores


def _case(
    asker: Asker,
    index: int,
    place: int | None,
    task: Task,
    passages: tuple[Passage, ...],
    reasoning: bool,
) -> Steps[list[_Case]]:
    prompt = asker.prompt("judge" if passages else "judge_closed")
    fields = {"claim": task.claim.hypothesis, "question": task.question or _NO_QUESTION}
    request = Request(prompt, fields, passages, reasoning)
    fitting = yield from asker.fitted(request, 0)
    if fitting is None or (passages and not fitting):
        reason = "the claim and its passage are too long for the model, so it was not asked"
        yield Unusable(prompt.skill, reason, "", 1)
        return []
    return [_Case(index, place, request, fitting)]


def _judgement(
    scores: _Found,
    shown: Mapping[tuple[int, int | None], str],
    index: int,
    task: Task,
    joint: bool,
) -> Judgement:
    alone = tuple(scores.get((index, place)) for place in range(len(task.passages)))
    cut = {
        place: read
        for place, passage in enumerate(task.passages)
        if (read := shown.get((index, place), "")) != passage.text
    }
    if not joint:
        return Judgement(alone, None, cut)
    return Judgement(alone, alone[0] if len(alone) == 1 else scores.get((index, None)), cut)


def _scores(prompt: Prompt, choice: Choice) -> Scores:
    """What the options mean; what a prompt has no option for (CEG's "neutral") has 0."""
    said = {
        meaning: probability
        for (meaning, _), probability in zip(prompt.options, choice.probabilities, strict=True)
    }
    return Scores(
        supported=said.get("supported", 0.0),
        neutral=said.get("neutral", 0.0),
        contradicted=said.get("contradicted", 0.0),
    )
