"""REFEED: an answer is looked up together with its question, and refined by what is found."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from veracite.engine.claims.citation_marks import without_marks
from veracite.engine.events import Chosen, Drafted, DraftKind, Selected
from veracite.engine.methods.answers import conclude, unanswered
from veracite.engine.methods.base import MergeBy, Method, Steps, Tools, merged, unique
from veracite.engine.settings import Retrieval, setting
from veracite.engine.skills.base import Draft, Style, Writing
from veracite.engine.types import Answer
from veracite.index.documents import Evidence

Ensemble = Literal["probability", "logprob", "none"]


@dataclass(frozen=True, slots=True)
class RefeedSettings:
    """Of REFEED."""

    k: int = setting(10, "Passages that are read (REFEED, section 3.2.1, Table 9).", within=(1, 50))
    retrieval: Retrieval = setting("lexical", "Where passages are looked for (REFEED: BM25).")
    samples: int = setting(
        3,
        "First answers, sampled if several, else greedy (REFEED, module 1; it names no number).",
        within=(1, 20),
    )
    feedback: bool = setting(
        True, "Search with the answers and not with the question alone (REFEED, Figure 4)."
    )
    merge: MergeBy = setting(
        "rank", "Whether the best rank or the score decides between queries (REFEED: score)."
    )
    style: Literal["short", "cited"] = setting(
        "cited",
        "Few words, or sentences with citations, which the verifier can be trusted "
        "with (REFEED: short, but for dialogue).",
    )
    ensemble: Ensemble = setting(
        "probability",
        "By what the first answer is kept rather than the refined one (REFEED, module 2: the mean "
        "probability of its tokens).",
    )
    reasoning: bool = setting(
        False, "Think before answering (chain of thought; REFEED, section 4.2.3)."
    )
    temperature: float = setting(
        0.7, "Of several first answers (REFEED, section 3.2).", within=(0.0, 2.0)
    )
    top_p: float = setting(
        0.9,
        "The share of probability that several first answers are drawn from (REFEED, section 3.2).",
        within=(0.01, 1.0),
    )
    tokens: int | None = setting(
        20,
        "Of an answer in few words, at most (REFEED, Table 7; none is what its prompt says).",
        within=(1, 200),
    )

    @property
    def writing(self) -> Writing:
        """What skills are told of these settings."""
        return Writing(
            reasoning=self.reasoning,
            temperature=self.temperature,
            top_p=self.top_p,
            tokens=self.tokens,
        )


def refeed(question: str, tools: Tools, settings: RefeedSettings) -> Steps[Answer]:
    """Answers, looks the answers up and answers again (REFEED, section 3.2).

    An empty first answer counts for nothing: without any, the passages found with the question are
    read. Without passages the first answer stands, and so it does without a second one. In the
    style "cited" the first answers lead the search alone; in "short" they are refined, too.
    """
    first = yield from _first(question, tools, settings)
    held = yield from _feedback(question, first, tools, settings)
    before = max(first, key=lambda draft: _trust(draft, settings), default=None)
    refined = (yield from _refined(question, first, held, tools, settings)) if held else None
    draft = yield from _better(before, refined, settings)
    if draft is None:
        return (yield from unanswered(question))
    return (yield from conclude(question, draft, held, tools))


def _first(question: str, tools: Tools, settings: RefeedSettings) -> Steps[tuple[Draft, ...]]:
    """The different first answers (step 1, module 1)."""
    style: Style = "short" if settings.style == "short" else "plain"
    writing = replace(settings.writing, style=style, samples=settings.samples)
    drafts = yield from tools.skills.answer(question, writing=writing)
    different: dict[str, Draft] = {}
    for draft in drafts:
        if draft.text.strip():
            different.setdefault(draft.text, draft)
    kind: DraftKind = "sample" if settings.samples > 1 else "first"
    for draft in different.values():
        yield Drafted(draft.text, kind, 1, draft.mean_probability)
    return tuple(different.values())


def _feedback(
    question: str, first: Sequence[Draft], tools: Tools, settings: RefeedSettings
) -> Steps[tuple[Evidence, ...]]:
    """The passages for the question with each answer, the best k of all (step 2, module 1)."""
    k, mode = settings.k, settings.retrieval
    if not first or not settings.feedback:
        return (yield from tools.search(question, "question", k=k, mode=mode))
    rankings = []
    for draft in first:
        query = f"{question} {draft.text}"
        rankings.append((yield from tools.search(query, "answer", k=k, mode=mode)))
    held = merged(rankings, k, by=settings.merge, mode=mode)
    if len(rankings) > 1:
        yield Selected(unique(item for ranking in rankings for item in ranking), held, 1)
    return held


def _refined(
    question: str,
    first: Sequence[Draft],
    held: Sequence[Evidence],
    tools: Tools,
    settings: RefeedSettings,
) -> Steps[Draft | None]:
    """The second answer, from passages (step 3); None if it is empty."""
    passages = [item.passage for item in held]
    drafts: Sequence[Draft]
    if settings.style == "short":
        answers = [draft.text for draft in first]
        drafts = [(yield from tools.skills.refine(question, answers, passages, settings.writing))]
    else:
        drafts = yield from tools.skills.answer(question, passages, settings.writing)
    if not drafts or not drafts[0].text.strip():
        return None
    yield Drafted(drafts[0].text, "refined", 1, drafts[0].mean_probability)
    return drafts[0]


def _better(
    before: Draft | None, refined: Draft | None, settings: RefeedSettings
) -> Steps[Draft | None]:
    """The refined answer, or the first where it is more probable (module 2)."""
    if before is None or refined is None or settings.ensemble == "none":
        return refined or before
    sure, surer = _trust(before, settings), _trust(refined, settings)
    same = without_marks(refined.text) == before.text
    if surer == -math.inf or sure <= surer or same:
        return refined
    reason = f"The first answer is more probable ({sure:.2f}) than the refined one ({surer:.2f})."
    yield Chosen(before.text, refined.text, reason, 1)
    return before


def _trust(draft: Draft, settings: RefeedSettings) -> float:
    """What answers are compared by; the least number where nothing tells."""
    by_logprob = settings.ensemble == "logprob"
    trust = draft.mean_logprob if by_logprob else draft.mean_probability
    return -math.inf if trust is None else trust


_SHORT = {"style": "short", "merge": "score"}

REFEED = Method(
    "refeed",
    "refines a first answer by the passages found with it",
    RefeedSettings,
    refeed,
    {
        "table7": _SHORT | {"samples": 1},
        "table7-diverse": _SHORT | {"samples": 3},
        "table4-without-diversity": _SHORT | {"samples": 1},
        "table4-without-ensemble": _SHORT | {"ensemble": "none"},
        "table5-cot": _SHORT | {"reasoning": True},
    },
)
