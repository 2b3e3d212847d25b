"""The baselines that stand beside the methods, ALCE's among them as VTG describes them (VTG,
appendix A; Gao et al. 2023).

ALCE's read the passages found with the question: as they are (Vanilla), summarised (Summ), cut to
what is useful (Snippet), or several times over (Rerank).
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from veracite.engine.methods.answers import conclude, read, read_from, unanswered
from veracite.engine.methods.base import Method, Quoting, Steps, Tools
from veracite.engine.methods.events import Chosen, Drafted
from veracite.engine.settings import Retrieval, setting
from veracite.engine.skills.base import Draft, Style, Writing
from veracite.engine.skills.base import Steps as SkillSteps
from veracite.engine.types import Answer, Label
from veracite.index.documents import Evidence, Passage

_Shorten = Callable[[str, Passage], SkillSteps[str | None]]


@dataclass(frozen=True, slots=True)
class ClosedBookSettings:
    """Of closed-book answers."""

    short: bool = setting(False, "Answer in a few words (REFEED, Table 2).")
    reasoning: bool = setting(False, "Think before answering (chain of thought).")
    quoting: Quoting = field(default_factory=Quoting)


@dataclass(frozen=True, slots=True)
class RetrieveReadSettings:
    """Of retrieve-then-read."""

    k: int = setting(5, "Passages that are read (ALCE: 5).", within=(1, 50))
    retrieval: Retrieval = setting("hybrid", "Where passages are looked for.")
    short: bool = setting(False, "Answer in a few words (REFEED, Table 2).")
    reasoning: bool = setting(False, "Think before answering (chain of thought).")
    quoting: Quoting = field(default_factory=Quoting)


@dataclass(frozen=True, slots=True)
class HydeSettings:
    """Of HyDE."""

    k: int = setting(5, "Passages that are read (LLatrieval, appendix A.1: 5).", within=(1, 50))
    retrieval: Retrieval = setting("dense", "Where passages are looked for (HyDE: by meaning).")
    short: bool = setting(False, "Answer in a few words.")
    quoting: Quoting = field(default_factory=Quoting)


@dataclass(frozen=True, slots=True)
class VanillaSettings:
    """Of Vanilla."""

    k: int = setting(5, "Passages that are read (VTG, appendix A).", within=(1, 50))
    retrieval: Retrieval = setting("dense", "Where passages are looked for (VTG: DPR).")
    quoting: Quoting = field(default_factory=Quoting)


@dataclass(frozen=True, slots=True)
class ShortenedSettings:
    """Of Summ and Snippet."""

    k: int = setting(10, "Passages that are shortened (VTG, appendix A: K).", within=(1, 50))
    retrieval: Retrieval = setting("dense", "Where passages are looked for (VTG: DPR).")
    quoting: Quoting = field(default_factory=Quoting)


@dataclass(frozen=True, slots=True)
class RerankSettings:
    """Of Rerank."""

    k: int = setting(5, "Passages that are read (VTG, appendix A).", within=(1, 50))
    retrieval: Retrieval = setting("dense", "Where passages are looked for (VTG: DPR).")
    samples: int = setting(4, "Answers to choose from (VTG, appendix A).", within=(1, 50))
    quoting: Quoting = field(default_factory=Quoting)


def closed_book(question: str, tools: Tools, settings: ClosedBookSettings) -> Steps[Answer]:
    """Answers from what the model knows; passages are found for each sentence, to judge it.

    Skills without a language model know nothing: they quote what they find with the question.
    """
    style: Style = "short" if settings.short else "plain"
    writing = replace(settings.quoting.writing, style=style, reasoning=settings.reasoning)
    drafts = yield from tools.skills.answer(question, writing=writing)
    if not drafts or not drafts[0].text.strip():
        return (yield from unanswered(question))
    yield Drafted(drafts[0].text, "first", 1, drafts[0].mean_probability)
    return (yield from conclude(question, drafts[0], (), tools))


def retrieve_read(question: str, tools: Tools, settings: RetrieveReadSettings) -> Steps[Answer]:
    """Answers from the passages found with the question."""
    held = yield from tools.search(question, "question", k=settings.k, mode=settings.retrieval)
    style: Style = "short" if settings.short else "cited"
    writing = replace(settings.quoting.writing, style=style, reasoning=settings.reasoning)
    return (yield from read_from(question, held, tools, writing=writing))


def hyde(question: str, tools: Tools, settings: HydeSettings) -> Steps[Answer]:
    """Answers from the passages found with an imagined answer (HyDE, Gao et al. 2022); with the
    question where none is imagined."""
    drafts = yield from tools.skills.answer(question, writing=Writing("plain"))
    imagined = drafts[0].text.strip() if drafts else ""
    if imagined:
        yield Drafted(imagined, "hypothetical", 1, drafts[0].mean_probability)
    held = yield from tools.search(
        imagined or question,
        "answer" if imagined else "question",
        k=settings.k,
        mode=settings.retrieval,
    )
    style: Style = "short" if settings.short else "cited"
    writing = replace(settings.quoting.writing, style=style)
    return (yield from read_from(question, held, tools, writing=writing))


def vanilla(question: str, tools: Tools, settings: VanillaSettings) -> Steps[Answer]:
    """Answers from the passages found: retrieve-then-read under ALCE's name and settings."""
    held = yield from tools.search(question, "question", k=settings.k, mode=settings.retrieval)
    return (yield from read_from(question, held, tools, writing=settings.quoting.writing))


def summ(question: str, tools: Tools, settings: ShortenedSettings) -> Steps[Answer]:
    """Answers from summaries of the passages found."""
    return (yield from _shortened(question, tools, settings, tools.skills.summarise))


def snippet(question: str, tools: Tools, settings: ShortenedSettings) -> Steps[Answer]:
    """Answers from the useful parts of the passages found."""
    return (yield from _shortened(question, tools, settings, tools.skills.extract))


def _shortened(
    question: str, tools: Tools, settings: ShortenedSettings, shorten: _Shorten
) -> Steps[Answer]:
    """Answers from passages made shorter; those found irrelevant are left out.

    The verdicts rest on the passages themselves, not on what was made of them. Skills that quote
    read them whole, too.
    """
    found = yield from tools.search(question, "question", k=settings.k, mode=settings.retrieval)
    held: list[Evidence] = []
    passages: list[Passage] = []
    for item in found:
        note = yield from shorten(question, item.passage)
        if note:
            yield Drafted(note, "note", 1)
            held.append(item)
            passages.append(replace(item.passage, text=note))
    writing = settings.quoting.writing
    return (yield from read_from(question, held, tools, passages=passages, writing=writing))


def rerank(question: str, tools: Tools, settings: RerankSettings) -> Steps[Answer]:
    """Of several sampled answers the one whose citations support most of its sentences, of equals
    the first."""
    held = yield from tools.search(question, "question", k=settings.k, mode=settings.retrieval)
    if not held:
        return (yield from unanswered(question))
    drafts = yield from tools.skills.answer(
        question,
        [item.passage for item in held],
        replace(settings.quoting.writing, samples=settings.samples),
    )
    candidates: list[tuple[float, Draft]] = []
    for draft in drafts:
        if draft.text.strip():
            yield Drafted(draft.text, "sample", 1, draft.mean_probability)
            recall = yield from _citation_recall(question, draft, held, tools)
            candidates.append((recall, draft))
    if not candidates:
        return (yield from unanswered(question))
    recall, best = max(candidates, key=lambda candidate: candidate[0])
    for less, draft in candidates:
        if draft is not best:
            reason = f"Citations support {recall:.0%} of its sentences, {less:.0%} of the other's."
            yield Chosen(best.text, draft.text, reason, 1)
    return (yield from conclude(question, best, held, tools))


def _citation_recall(
    question: str, draft: Draft, held: tuple[Evidence, ...], tools: Tools
) -> Steps[float]:
    """The share of sentences that the passages which they cite together support (ALCE)."""
    written = read(question, draft.text, held)
    evidence = [[held[place] for place in cited] for cited in written.cited]
    verdicts = yield from tools.judge(written.claims, evidence)
    supported = sum(verdict.label is Label.SUPPORTED for verdict in verdicts)
    return supported / max(1, len(verdicts))


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
    Method("hyde", "answers from the passages found with an imagined answer", HydeSettings, hyde),
    Method(
        "vanilla",
        "answers from the passages found with the question (ALCE)",
        VanillaSettings,
        vanilla,
    ),
    Method("summ", "answers from summaries of the passages (ALCE)", ShortenedSettings, summ),
    Method(
        "snippet",
        "answers from the useful parts of the passages (ALCE)",
        ShortenedSettings,
        snippet,
    ),
    Method(
        "rerank",
        "of several answers takes the one with the best citations (ALCE)",
        RerankSettings,
        rerank,
    ),
)
