"""ALCE's baselines, as VTG describes them (VTG, appendix A; Gao et al. 2023).

All read the passages found with the question: as they are (Vanilla), summarised (Summ), cut to what
is useful (Snippet), or several times over (Rerank).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from veracite.engine.methods import quoting
from veracite.engine.methods.base import Method, Steps, Tools
from veracite.engine.methods.concluding import conclude, unanswered
from veracite.engine.methods.events import Chosen, Drafted
from veracite.engine.methods.options import option, require_valid
from veracite.engine.methods.reading import read_from
from veracite.engine.methods.statements import read
from veracite.engine.settings import Retrieval
from veracite.engine.skills.base import Draft
from veracite.engine.skills.base import Steps as SkillSteps
from veracite.engine.types import Answer, Label
from veracite.index.documents import Evidence, Passage

_Shorten = Callable[[str, Passage], SkillSteps[str | None]]


@dataclass(frozen=True, slots=True)
class VanillaSettings:
    """Of Vanilla."""

    k: int = option(5, "Passages that are read (VTG, appendix A).", within=(1, 50))
    retrieval: Retrieval = option("dense", "Where passages are looked for (VTG: DPR).")
    sentences: int = quoting.sentences()
    enough: float = quoting.enough()
    bar: float = quoting.bar()

    def __post_init__(self) -> None:
        require_valid(self)


@dataclass(frozen=True, slots=True)
class ShortenedSettings:
    """Of Summ and Snippet."""

    k: int = option(10, "Passages that are shortened (VTG, appendix A: K).", within=(1, 50))
    retrieval: Retrieval = option("dense", "Where passages are looked for (VTG: DPR).")
    sentences: int = quoting.sentences()
    enough: float = quoting.enough()
    bar: float = quoting.bar()

    def __post_init__(self) -> None:
        require_valid(self)


@dataclass(frozen=True, slots=True)
class RerankSettings:
    """Of Rerank."""

    k: int = option(5, "Passages that are read (VTG, appendix A).", within=(1, 50))
    retrieval: Retrieval = option("dense", "Where passages are looked for (VTG: DPR).")
    samples: int = option(4, "Answers to choose from (VTG, appendix A).", within=(1, 50))
    sentences: int = quoting.sentences()
    enough: float = quoting.enough()
    bar: float = quoting.bar()

    def __post_init__(self) -> None:
        require_valid(self)


def vanilla(question: str, tools: Tools, settings: VanillaSettings) -> Steps[Answer]:
    """Answers from the passages found: retrieve-then-read under ALCE's name and settings."""
    held = yield from tools.search(question, "question", k=settings.k, mode=settings.retrieval)
    return (yield from read_from(question, held, tools, writing=quoting.writing(settings)))


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
    writing = quoting.writing(settings)
    return (yield from read_from(question, held, tools, passages=passages, writing=writing))


def rerank(question: str, tools: Tools, settings: RerankSettings) -> Steps[Answer]:
    """Of several sampled answers the one whose citations support most of its sentences, of equals
    the first."""
    held = yield from tools.search(question, "question", k=settings.k, mode=settings.retrieval)
    if not held:
        return (yield from unanswered(question, tools))
    drafts = yield from tools.skills.answer(
        question,
        [item.passage for item in held],
        samples=settings.samples,
        writing=quoting.writing(settings),
    )
    candidates: list[tuple[float, Draft]] = []
    for draft in drafts:
        if draft.text.strip():
            yield Drafted(draft.text, "sample", 1, draft.mean_probability)
            recall = yield from _citation_recall(question, draft, held, tools)
            candidates.append((recall, draft))
    if not candidates:
        return (yield from unanswered(question, tools))
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


ALCE = (
    Method(
        "vanilla",
        "answers from the passages found with the question (ALCE)",
        VanillaSettings,
        vanilla,
        {},
    ),
    Method(
        "summ",
        "answers from summaries of the passages (ALCE)",
        ShortenedSettings,
        summ,
        {},
    ),
    Method(
        "snippet",
        "answers from the useful parts of the passages (ALCE)",
        ShortenedSettings,
        snippet,
        {},
    ),
    Method(
        "rerank",
        "of several answers takes the one with the best citations (ALCE)",
        RerankSettings,
        rerank,
        {},
    ),
)
