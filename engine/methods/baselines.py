"""The baselines that stand beside the methods."""

from dataclasses import dataclass

from veracite.engine.methods import quoting
from veracite.engine.methods.alce import ALCE
from veracite.engine.methods.base import Method, Steps, Tools
from veracite.engine.methods.concluding import conclude, unanswered
from veracite.engine.methods.events import Drafted
from veracite.engine.methods.options import option, require_valid
from veracite.engine.methods.reading import read_from
from veracite.engine.settings import Retrieval
from veracite.engine.types import Answer


@dataclass(frozen=True, slots=True)
class ClosedBookSettings:
    """Of closed-book answers."""

    short: bool = option(False, "Answer in a few words (REFEED, Table 2).")
    reasoning: bool = option(False, "Think before answering (chain of thought).")
    sentences: int = quoting.sentences()
    enough: float = quoting.enough()
    bar: float = quoting.bar()

    def __post_init__(self) -> None:
        require_valid(self)


@dataclass(frozen=True, slots=True)
class RetrieveReadSettings:
    """Of retrieve-then-read."""

    k: int = option(5, "Passages that are read (ALCE: 5).", within=(1, 50))
    retrieval: Retrieval = option("hybrid", "Where passages are looked for.")
    short: bool = option(False, "Answer in a few words (REFEED, Table 2).")
    reasoning: bool = option(False, "Think before answering (chain of thought).")
    sentences: int = quoting.sentences()
    enough: float = quoting.enough()
    bar: float = quoting.bar()

    def __post_init__(self) -> None:
        require_valid(self)


@dataclass(frozen=True, slots=True)
class HydeSettings:
    """Of HyDE."""

    k: int = option(5, "Passages that are read (LLatrieval, appendix A.1: 5).", within=(1, 50))
    retrieval: Retrieval = option("dense", "Where passages are looked for (HyDE: by meaning).")
    short: bool = option(False, "Answer in a few words.")
    sentences: int = quoting.sentences()
    enough: float = quoting.enough()
    bar: float = quoting.bar()

    def __post_init__(self) -> None:
        require_valid(self)


def closed_book(question: str, tools: Tools, settings: ClosedBookSettings) -> Steps[Answer]:
    """Answers from what the model knows; passages are found for each sentence, to judge it.

    Skills without a language model know nothing: they quote what they find with the question.
    """
    drafts = yield from tools.skills.answer(
        question,
        style="short" if settings.short else "plain",
        reasoning=settings.reasoning,
        writing=quoting.writing(settings),
    )
    if not drafts or not drafts[0].text.strip():
        return (yield from unanswered(question, tools))
    yield Drafted(drafts[0].text, "first", 1, drafts[0].mean_probability)
    return (yield from conclude(question, drafts[0], (), tools))


def retrieve_read(question: str, tools: Tools, settings: RetrieveReadSettings) -> Steps[Answer]:
    """Answers from the passages found with the question."""
    held = yield from tools.search(question, "question", k=settings.k, mode=settings.retrieval)
    return (
        yield from read_from(
            question,
            held,
            tools,
            style="short" if settings.short else "cited",
            reasoning=settings.reasoning,
            writing=quoting.writing(settings),
        )
    )


def hyde(question: str, tools: Tools, settings: HydeSettings) -> Steps[Answer]:
    """Answers from the passages found with an imagined answer (HyDE, Gao et al. 2022); with the
    question where none is imagined."""
    drafts = yield from tools.skills.answer(question, style="plain")
    imagined = drafts[0].text.strip() if drafts else ""
    if imagined:
        yield Drafted(imagined, "hypothetical", 1, drafts[0].mean_probability)
    held = yield from tools.search(
        imagined or question,
        "answer" if imagined else "question",
        k=settings.k,
        mode=settings.retrieval,
    )
    return (
        yield from read_from(
            question,
            held,
            tools,
            style="short" if settings.short else "cited",
            writing=quoting.writing(settings),
        )
    )


BASELINES = (
    Method(
        "closed-book",
        "answers from what the model knows",
        ClosedBookSettings,
        closed_book,
        {"refeed-table2": {"short": True}},
    ),
    Method(
        "retrieve-read",
        "answers from the passages found with the question",
        RetrieveReadSettings,
        retrieve_read,
        {"refeed-table2": {"k": 10, "retrieval": "lexical", "short": True}},
    ),
    Method(
        "hyde",
        "answers from the passages found with an imagined answer",
        HydeSettings,
        hyde,
        {},
    ),
    *ALCE,
)
