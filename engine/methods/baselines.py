"""The baselines that stand beside the methods."""

from dataclasses import dataclass

from veracite.engine.methods.base import Method, Steps, Tools
from veracite.engine.methods.concluding import conclude, unanswered
from veracite.engine.methods.events import Drafted
from veracite.engine.methods.options import option, require_valid
from veracite.engine.settings import Retrieval
from veracite.engine.words import Answer

__all__ = ["BASELINES", "RetrieveReadSettings"]


@dataclass(frozen=True, slots=True)
class RetrieveReadSettings:
    """Of retrieve-then-read."""

    k: int = option(5, "Passages that are read (ALCE: 5).", within=(1, 50))
    retrieval: Retrieval = option("hybrid", "Where passages are looked for.")
    reasoning: bool = option(False, "Think before answering (chain of thought).")

    def __post_init__(self) -> None:
        require_valid(self)


def retrieve_read(question: str, tools: Tools, settings: RetrieveReadSettings) -> Steps[Answer]:
    """Answers from the passages found with the question."""
    held = yield from tools.search(question, "question", k=settings.k, mode=settings.retrieval)
    if not held:
        return (yield from unanswered(question, tools))
    drafts = yield from tools.skills.answer(
        question, [item.passage for item in held], reasoning=settings.reasoning
    )
    if not drafts:
        return (yield from unanswered(question, tools))
    yield Drafted(drafts[0].text, "first", 1, drafts[0].mean_probability)
    return (yield from conclude(question, drafts[0], held, tools))


BASELINES = (
    Method(
        "retrieve-read",
        "answers from the passages found with the question",
        RetrieveReadSettings,
        retrieve_read,
        {},
    ),
)
