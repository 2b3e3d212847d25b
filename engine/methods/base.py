"""What a method is, and what it works with.

A method is a generator of events that returns an answer::

    answer = yield from method(question, tools, settings)

It asks ``Tools`` for three things alone: skills (what a language model, or the bundled models, can
do), passages for a query, and verdicts on claims. So all methods run on both sets of skills, and
every sentence of every answer is judged as a check would judge it.
"""

import re
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

from veracite.engine import events
from veracite.engine.errors import SettingsError
from veracite.engine.events import MethodEvent, QueryKind, Segmented
from veracite.engine.judge.checking import Checking, CheckingEvent
from veracite.engine.judge.decision import label_of
from veracite.engine.retrieve import Search, Searchable
from veracite.engine.settings import DEFAULT_FAIL_ON, Retrieval, parse_labels
from veracite.engine.skills.base import Skills
from veracite.engine.skills.extractive.questions import Question
from veracite.engine.types import Answer, Citation, Claim, Label, Verdict
from veracite.engine.wording.names import Code, identifiers, is_stated
from veracite.index.documents import Evidence, Passage
from veracite.models.errors import Cancelled

T = TypeVar("T")
MergeBy = Literal["rank", "score"]
"""By a passage's best rank, its score where ranks are equal; or by its score alone."""
_READ = 10
"""Passages of each search that the answer is read against."""
_LOOKED_THROUGH = 120
"""Passages among which those of documents are sought that state a question's identifier."""
_FEW_WORDS = (
    "A few words are not a statement that can be checked. Read the quote to see whether it says "
    "them of what was asked."
)
StepsEvent = CheckingEvent | Segmented | MethodEvent
Steps = Generator[StepsEvent, None, T]
"""A generator of events that returns a value."""


@dataclass(frozen=True, slots=True)
class LookedUp:
    """A claim's verdict and the passages that it rests on."""

    verdict: Verdict
    evidence: tuple[Evidence, ...]
    """Best first; none for what is not checkable."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What a method works with."""

    skills: Skills
    library: Searchable
    checking: Checking
    """Who judges; its own search is that of a check."""
    found: list[Evidence] = field(default_factory=list)
    """The best passages of every search."""

    def search(
        self, query: str, kind: QueryKind, *, k: int, mode: Retrieval, number: int = 1
    ) -> Steps[tuple[Evidence, ...]]:
        """The k best passages for a query, best first.

        A question that has an identifier ("N2698G") is asked of the documents that state it alone:
        what others say is about something else. One that compares two things is asked of each, and
        skills that quote read as many passages for each.

        Args:
            number: Of the round, from 1.
        """
        asked = Question(query)
        if kind == "question" and asked.sides:
            rankings = [self._asked(one.text, k, mode) for one in (asked, *asked.sides)]
            most = k if self.skills.rewords else k * len(asked.sides)  # of which quotes are chosen
            found = merged(rankings, most, by="rank", mode=mode)
        elif kind == "question" and len(asked.parts) == 1:
            found = self._asked(query, k, mode)
        else:
            (found,) = self.library.search_many([query], k=k, mode=mode)
        self.found.extend(found[: _READ * (len(asked.sides) or 1)])
        yield events.Searched(query, kind, found, number)
        return found

    def _asked(self, question: str, k: int, mode: Retrieval) -> tuple[Evidence, ...]:
        """The k best passages for a question of one part."""
        named = identifiers(question)
        depth = max(k, _LOOKED_THROUGH) if named else k
        (found,) = self.library.search_many([question], k=depth, mode=mode)
        if named:
            asked = " ".join(one.text for one in named)
            (told,) = self.library.search_many([asked], k=depth, mode="lexical")
            found = _of_named(named, found, told)[:k]
        return tuple(replace(item, rank=rank) for rank, item in enumerate(found, start=1))

    def judge(
        self, claims: Sequence[Claim], evidence: Sequence[Sequence[Evidence]]
    ) -> Steps[tuple[Verdict, ...]]:
        """The verdict on each claim by the passages given for it; without any it is *not found*."""
        steps = self.checking.judge_by(claims, list(map(tuple, evidence)))
        judged = yield from _in_order(steps, len(claims))
        return tuple(one.verdict for one in judged)

    def look_up(
        self, claims: Sequence[Claim], search: Search | None = None
    ) -> Steps[tuple[LookedUp, ...]]:
        """The verdict on each claim by the passages that are found for it (CEG, section 3.2).

        Args:
            search: How they are looked for; None is as in a check.
        """
        checking = replace(self.checking, search=search or self.checking.search)
        looked_up = yield from _in_order(checking.judge_all(claims), len(claims))
        self.found.extend(item for one in looked_up for item in one.evidence[:_READ])
        return looked_up


def _of_named(
    named: Sequence[Code], found: Sequence[Evidence], told: Sequence[Evidence]
) -> tuple[Evidence, ...]:
    """The passages of documents that state an identifier, or else have its figure: "Boeing 747" for
    "B747".

    Args:
        named: The identifiers of a question.
        found: With the question, best first.
        told: With the identifiers alone.
    """
    known = {item.passage for item in found}
    every = (*found, *(item for item in told if item.passage not in known))
    texts = [f"{p.document.path}\n{p.heading or ''}\n{p.text}" for p in (i.passage for i in every)]
    for states in (is_stated, _has_figure):
        stating = {
            item.passage.document
            for item, text in zip(every, texts, strict=True)
            if any(states(one, text) for one in named)
        }
        if stating:
            return tuple(item for item in every if item.passage.document in stating)
    return ()


def _has_figure(code: Code, text: str) -> bool:
    """Whether a text has the longest figure of an identifier."""
    figure = max(re.findall(r"\d+", code.text), key=len)
    return re.search(rf"(?<!\d){figure}(?!\d)", text) is not None


def _in_order(steps: Iterable[CheckingEvent], count: int) -> Steps[tuple[LookedUp, ...]]:
    """Lets the events pass; returns what they bring, in the order of the claims."""
    verdicts: dict[int, Verdict] = {}
    found: dict[int, tuple[Evidence, ...]] = {}
    for event in steps:
        if isinstance(event, events.Judged):
            event = replace(event, verdict=_guarded(event.verdict))
            verdicts[event.index] = event.verdict
        elif isinstance(event, events.Retrieved):
            found[event.index] = event.evidence
        yield event
    return tuple(LookedUp(verdicts[index], found.get(index, ())) for index in range(count))


def _guarded(verdict: Verdict) -> Verdict:
    """A verdict, the support for a few words behind their question taken from it."""
    if verdict.claim.answers is None or verdict.label is not Label.SUPPORTED:
        return verdict
    label, probability = label_of(verdict.claim, verdict.scores, few_words=True)
    return replace(
        verdict,
        label=label,
        probability=probability,
        explanation=_FEW_WORDS,
        citations=tuple(replace(quote, relation="nearest") for quote in verdict.citations),
    )


def until(
    stopped: Callable[[], bool],
    steps: Steps[T],
    seen: Callable[[StepsEvent], None] = lambda event: None,
) -> Steps[T | None]:
    """What the steps return; None if ``stopped``, which is asked before each event, ends them.

    So does a language model that is cancelled. What a writer had to leave unread is told at last.
    """
    value: T | None = None
    short: set[str] = set()
    with suppress(Cancelled), closing(steps):
        while not stopped():
            try:
                event = next(steps)
            except StopIteration as end:
                value = end.value
                break
            if isinstance(event, events.Shortened) and event.skill != "judge":
                short.update(event.passages)
            seen(event)
            yield event
    yield from events.too_long(short)
    return value


@dataclass(frozen=True, slots=True)
class Method:
    """A method by its name, with the settings that it takes."""

    name: str
    about: str
    """In a few words, for people who choose."""
    settings: type[Any]
    """A frozen dataclass; see ``veracite.engine.settings``."""
    run: Callable[[str, Tools, Any], Steps[Answer]]
    presets: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """Settings by the name of the table or data set that they come from."""


def unique(found: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Each passage once, where it stands first: the same words in two documents are one passage."""
    first: dict[str, Evidence] = {}
    for item in found:
        first.setdefault(item.passage.id, item)
    return tuple(first.values())


def merged(
    rankings: Iterable[Sequence[Evidence]], k: int, *, by: MergeBy, mode: Retrieval
) -> tuple[Evidence, ...]:
    """The k best passages of rankings that were found with different queries, each once.

    Args:
        by: Scores of different queries are not comparable; ranks are.
        mode: How they were found, which tells what the score is: BM25, the cosine, or the fused
            one.
    """

    def order(item: Evidence) -> tuple[float, float]:
        scores = {"lexical": item.bm25, "dense": item.cosine, "hybrid": item.score}
        score = scores[mode] or 0.0
        return (item.rank, -score) if by == "rank" else (-score, item.rank)

    best = unique(sorted((item for ranking in rankings for item in ranking), key=order))[:k]
    return tuple(replace(item, rank=rank) for rank, item in enumerate(best, start=1))


def passages_of(wrong: Iterable[LookedUp], most: int) -> list[Passage]:
    """The passages found for claims, each once, at most so many: every claim's best one first."""
    ranked = sorted((item for one in wrong for item in one.evidence), key=lambda item: item.rank)
    return [item.passage for item in unique(ranked)[:most]]


def is_quoted(passage: Passage, quotes: Iterable[Citation]) -> bool:
    """Whether one of the quotes stands in a passage."""
    return any(
        quote.document_sha256 == passage.document.sha256
        and passage.start <= quote.start < passage.end
        for quote in quotes
    )


def unsupported_labels(name: str, value: str) -> tuple[Label, ...]:
    """The labels that a setting names.

    Raises:
        SettingsError: A word is no label, or the label of a claim that nothing is wrong with.
    """
    labels = parse_labels(value)
    if not set(labels) <= set(DEFAULT_FAIL_ON):
        raise SettingsError(
            f"{name} is {value!r}, which includes claims that need no mending.",
            f"Valid: {', '.join(DEFAULT_FAIL_ON)}, or none.",
        )
    return labels
