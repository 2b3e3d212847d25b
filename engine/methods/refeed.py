"""REFEED: an answer is looked up together with its question, and refined by what is found."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from veracite.engine.claims.citation_marks import without_marks
from veracite.engine.methods.answers import conclude, unanswered
from veracite.engine.methods.base import MergeBy, Method, Quoting, Steps, Tools, merged, unique
from veracite.engine.methods.events import Chosen, Drafted, DraftKind, Selected
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
    quoting: Quoting = field(default_factory=Quoting)

    @property
    def writing(self) -> Writing:
        """What skills are told of these settings."""
        return replace(
            self.quoting.writing,
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
    steps = _Refeed(question, tools, settings)
    first = yield from steps.first()
    held = yield from steps.feedback(first)
    draft = yield from steps.second(first, held)
    if draft is None:
        return (yield from unanswered(question))
    return (yield from conclude(question, draft, held, tools))


@dataclass(frozen=True, slots=True)
class _Refeed:
    question: str
    tools: Tools
    settings: RefeedSettings

    def first(self) -> Steps[tuple[Draft, ...]]:
        """The different first answers (step 1, module 1)."""
        settings = self.settings
        style: Style = "short" if settings.style == "short" else "plain"
        writing = replace(settings.writing, style=style, samples=settings.samples)
        drafts = yield from self.tools.skills.answer(self.question, writing=writing)
        different: dict[str, Draft] = {}
        for draft in drafts:
            if draft.text.strip():
                different.setdefault(draft.text, draft)
        kind: DraftKind = "sample" if settings.samples > 1 else "first"
        for draft in different.values():
            yield Drafted(draft.text, kind, 1, draft.mean_probability)
        return tuple(different.values())

    def feedback(self, first: Sequence[Draft]) -> Steps[tuple[Evidence, ...]]:
        """The passages for the question with each answer, the best k of all (step 2, module 1)."""
        k, mode = self.settings.k, self.settings.retrieval
        if not first or not self.settings.feedback:
            return (yield from self.tools.search(self.question, "question", k=k, mode=mode))
        rankings = []
        for draft in first:
            query = f"{self.question} {draft.text}"
            rankings.append((yield from self.tools.search(query, "answer", k=k, mode=mode)))
        held = merged(rankings, k, by=self.settings.merge, mode=mode)
        if len(rankings) > 1:
            yield Selected(unique(item for ranking in rankings for item in ranking), held, 1)
        return held

    def second(self, first: Sequence[Draft], held: Sequence[Evidence]) -> Steps[Draft | None]:
        """The refined answer, or the first where it is more probable (step 3, module 2)."""
        before = max(first, key=self._trust, default=None)
        if not held:
            return before
        refined = yield from self._refined(first, held)
        if refined is None or not refined.text.strip():
            return before
        yield Drafted(refined.text, "refined", 1, refined.mean_probability)
        if before is None or self.settings.ensemble == "none":
            return refined
        sure, surer = self._trust(before), self._trust(refined)
        same = without_marks(refined.text) == before.text
        if surer == -math.inf or sure <= surer or same:
            return refined
        reason = (
            f"The first answer is more probable ({sure:.2f}) than the refined one ({surer:.2f})."
        )
        yield Chosen(before.text, refined.text, reason, 1)
        return before

    def _refined(self, first: Sequence[Draft], held: Sequence[Evidence]) -> Steps[Draft | None]:
        skills, settings = self.tools.skills, self.settings
        passages = [item.passage for item in held]
        if settings.style == "short":
            answers = [draft.text for draft in first]
            return (yield from skills.refine(self.question, answers, passages, settings.writing))
        drafts = yield from skills.answer(self.question, passages, settings.writing)
        return drafts[0] if drafts else None

    def _trust(self, draft: Draft) -> float:
        """What answers are compared by; the least number where nothing tells."""
        by_logprob = self.settings.ensemble == "logprob"
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
