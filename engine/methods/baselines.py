"""The baselines that stand beside the methods: an answer without documents, and one from the
passages found with the question.

HyDE (Gao et al. 2022) and ALCE's ways (VTG, appendix A; Gao et al. 2023) are presets of the second:
passages as they are (Vanilla), summarised (Summ), cut to what is useful (Snippet), or read several
times over (Rerank).
"""

from dataclasses import dataclass, replace
from typing import Literal

from veracite.engine.events import Drafted, QueryKind
from veracite.engine.methods.answers import conclude, imagined, read_from, unanswered
from veracite.engine.methods.base import Method, Steps, Tools
from veracite.engine.settings import Retrieval, setting
from veracite.engine.skills.base import Writing
from veracite.engine.types import Answer
from veracite.index.documents import Evidence, Passage


@dataclass(frozen=True, slots=True)
class ClosedBookSettings:
    """Of closed-book answers."""

    short: bool = setting(False, "Answer in a few words (REFEED, Table 2).")
    reasoning: bool = setting(False, "Think before answering (chain of thought).")


@dataclass(frozen=True, slots=True)
class RetrieveReadSettings:
    """Of retrieve-then-read."""

    k: int = setting(5, "Passages that are read (ALCE: 5).", within=(1, 50))
    retrieval: Retrieval = setting("hybrid", "Where passages are looked for.")
    short: bool = setting(False, "Answer in a few words (REFEED, Table 2).")
    reasoning: bool = setting(False, "Think before answering (chain of thought).")
    hypothetical: bool = setting(
        False, "Search with an answer from memory (HyDE; LLatrieval, appendix A.1)."
    )
    passages: Literal["whole", "summaries", "extracts"] = setting(
        "whole", "What is read of each passage, if it is relevant (VTG, appendix A)."
    )
    samples: int = setting(
        1, "Answers to choose from, by their citations (VTG, appendix A).", within=(1, 50)
    )


def closed_book(question: str, tools: Tools, settings: ClosedBookSettings) -> Steps[Answer]:
    """Answers from what the model knows; passages are found for each sentence, to judge it.

    Skills without a language model know nothing: they quote what they find with the question.
    """
    writing = Writing(style="short" if settings.short else "plain", reasoning=settings.reasoning)
    drafts = yield from tools.skills.answer(question, writing=writing)
    if not drafts or not drafts[0].text.strip():
        return (yield from unanswered(question))
    yield Drafted(drafts[0].text, "first", 1, drafts[0].mean_probability)
    return (yield from conclude(question, drafts[0], (), tools))


def retrieve_read(question: str, tools: Tools, settings: RetrieveReadSettings) -> Steps[Answer]:
    """Answers from the passages found with the question, or with an imagined answer.

    Where passages are shortened, the verdicts rest on the passages themselves, not on what was made
    of them. Skills that quote read them whole, too.
    """
    kind: QueryKind
    query, kind = question, "question"
    if settings.hypothetical:
        query, kind = yield from imagined(question, tools)
    held = yield from tools.search(query, kind, k=settings.k, mode=settings.retrieval)
    passages = None
    if settings.passages != "whole":
        held, passages = yield from _shortened(question, held, tools, settings)
    writing = Writing(
        style="short" if settings.short else "cited",
        reasoning=settings.reasoning,
        samples=settings.samples,
    )
    return (yield from read_from(question, held, tools, passages=passages, writing=writing))


def _shortened(
    question: str, found: tuple[Evidence, ...], tools: Tools, settings: RetrieveReadSettings
) -> Steps[tuple[tuple[Evidence, ...], list[Passage]]]:
    """The passages that are relevant, and what is read in the place of each."""
    skills = tools.skills
    shorten = skills.summarise if settings.passages == "summaries" else skills.extract
    held: list[Evidence] = []
    passages: list[Passage] = []
    for item in found:
        note = yield from shorten(question, item.passage)
        if note:
            yield Drafted(note, "note", 1)
            held.append(item)
            passages.append(replace(item.passage, text=note))
    return tuple(held), passages


_DENSE = {"retrieval": "dense"}

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
        {
            "refeed-table2": {"k": 10, "retrieval": "lexical", "short": True},
            "hyde": _DENSE | {"hypothetical": True},
            "vanilla": _DENSE,
            "summ": _DENSE | {"k": 10, "passages": "summaries"},
            "snippet": _DENSE | {"k": 10, "passages": "extracts"},
            "rerank": _DENSE | {"samples": 4},
        },
    ),
)
