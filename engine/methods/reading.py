"""Reading: an answer is written from passages and verified."""

from collections.abc import Sequence

from veracite.engine.methods.base import Steps, Tools
from veracite.engine.methods.concluding import conclude, unanswered
from veracite.engine.methods.events import Drafted
from veracite.engine.skills.base import DEFAULT_WRITING, Style, Writing
from veracite.engine.types import Answer
from veracite.index.documents import Evidence, Passage


def read_from(
    question: str,
    held: Sequence[Evidence],
    tools: Tools,
    *,
    passages: Sequence[Passage] | None = None,
    style: Style = "cited",
    reasoning: bool = False,
    writing: Writing = DEFAULT_WRITING,
) -> Steps[Answer]:
    """An answer from passages; none without any.

    Args:
        held: What it may cite, best first.
        passages: What is read in the place of each; None reads them as they are.
    """
    if not held:
        return (yield from unanswered(question, tools))
    read = [item.passage for item in held] if passages is None else passages
    drafts = yield from tools.skills.answer(
        question, read, style=style, reasoning=reasoning, writing=writing
    )
    if not drafts or not drafts[0].text.strip():
        return (yield from unanswered(question, tools))
    yield Drafted(drafts[0].text, "first", 1, drafts[0].mean_probability)
    return (yield from conclude(question, drafts[0], held, tools))
