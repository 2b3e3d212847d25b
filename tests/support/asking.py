"""Methods with a script: who writes and what the verdicts are is given, the search is real."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

from veracite.engine.judge.cache import Memory
from veracite.engine.judge.checking import Checking
from veracite.engine.judge.citations import quotation
from veracite.engine.judge.judge import Judge
from veracite.engine.methods.base import Steps, StepsEvent, Tools
from veracite.engine.retrieve import Search
from veracite.engine.skills import base
from veracite.engine.skills.base import Draft, Sufficiency
from veracite.engine.types import Claim, Label, Relation, Scores, Verdict
from veracite.index.documents import Document, Evidence, Passage, Sentence
from veracite.index.memory import MemoryLibrary, Text

T = TypeVar("T")
Says = Callable[[str, Sequence[str]], Label]
"""A claim's statement and the texts of its passages to a verdict's label."""
RELATIONS: dict[Label, Relation] = {
    Label.SUPPORTED: "supports",
    Label.CONTRADICTED: "contradicts",
}


@dataclass(frozen=True, slots=True)
class Call:
    """One thing that a skill was asked."""

    skill: str
    given: dict[str, Any]


@dataclass
class ScriptedSkills:
    """Gives its replies one after the other, each skill its own; fails where there is none left.

    A reply that is an exception is raised; one that can be called gets what the skill was given.
    Passages are noted by their texts.
    """

    replies: dict[str, list[Any]] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    id: str = "scripted"

    def of(self, skill: str) -> list[dict[str, Any]]:
        """What this skill was given, call by call."""
        return [call.given for call in self.calls if call.skill == skill]

    def _reply(self, skill: str, **given: Any) -> Any:
        if "passages" in given:
            given["passages"] = [passage.text for passage in given["passages"]]
        self.calls.append(Call(skill, given))
        left = self.replies.get(skill, [])
        assert left, f"{skill} was not expected: {given}"
        reply = left.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply(**given) if callable(reply) else reply

    def answer(
        self,
        question: str,
        passages: Sequence[Passage] = (),
        writing: base.Writing = base.DEFAULT_WRITING,
    ) -> base.Steps[tuple[Draft, ...]]:
        yield from ()
        given = {"question": question, "passages": passages, "writing": writing}
        return _drafts(self._reply("answer", **given))

    def refine(
        self,
        question: str,
        answers: Sequence[str],
        passages: Sequence[Passage],
        writing: base.Writing,
    ) -> base.Steps[Draft]:
        yield from ()
        given = {"question": question, "answers": list(answers), "passages": passages}
        return _drafts(self._reply("refine", **given, writing=writing))[0]

    def revise(
        self,
        text: str,
        wrong: Sequence[Claim],
        passages: Sequence[Passage],
        question: str | None = None,
        writing: base.Writing = base.DEFAULT_WRITING,
    ) -> base.Steps[Draft]:
        yield from ()
        claims = [claim.statement for claim in wrong]
        given = {"text": text, "wrong": claims, "passages": passages, "question": question}
        return _drafts(self._reply("revise", **given, writing=writing))[0]

    def select(
        self, question: str, passages: Sequence[Passage], k: int
    ) -> base.Steps[tuple[int, ...]]:
        yield from ()
        return tuple(self._reply("select", question=question, passages=passages, k=k))

    def sufficient(
        self, question: str, passages: Sequence[Passage], tau: float | None = None
    ) -> base.Steps[Sufficiency]:
        yield from ()
        reply = self._reply("sufficient", question=question, passages=passages, tau=tau)
        return reply if isinstance(reply, Sufficiency) else Sufficiency(reply, float(reply))

    def missing(
        self, question: str, passages: Sequence[Passage], style: base.MissingStyle = "passage"
    ) -> base.Steps[str]:
        yield from ()
        reply: str = self._reply("missing", question=question, passages=passages, style=style)
        return reply

    def next_claim(
        self,
        question: str,
        passages: Sequence[Passage],
        so_far: Sequence[str],
        writing: base.Writing,
    ) -> base.Steps[Draft | None]:
        yield from ()
        given = {"question": question, "passages": passages, "so_far": list(so_far)}
        reply = self._reply("next_claim", **given, writing=writing)
        return None if reply is None else _drafts(reply)[0]

    def cite(
        self, claim: str, passages: Sequence[Passage], most: int = 3
    ) -> base.Steps[tuple[int, ...]]:
        yield from ()
        return tuple(self._reply("cite", claim=claim, passages=passages, most=most))

    def queries(
        self, question: str, so_far: Sequence[str], claim: str, count: int
    ) -> base.Steps[tuple[str, ...]]:
        yield from ()
        reply = self._reply(
            "queries", question=question, so_far=list(so_far), claim=claim, count=count
        )
        return tuple(reply)

    def summarise(self, question: str, passage: Passage) -> base.Steps[str | None]:
        yield from ()
        reply: str | None = self._reply("summarise", question=question, passages=[passage])
        return reply

    def extract(self, question: str, passage: Passage) -> base.Steps[str | None]:
        yield from ()
        reply: str | None = self._reply("extract", question=question, passages=[passage])
        return reply


@dataclass
class ScriptedJudge:
    """Verdicts by a rule; quotes the first sentence of the first passage."""

    says: Says
    library: MemoryLibrary
    judged: list[tuple[str, list[str]]] = field(default_factory=list)
    """Statements, and the texts of the passages that they were judged by."""

    def sentences(self, passage: Passage) -> Sequence[Sentence]:
        return self.library.sentences(passage)

    def raw_text(self, document: Document) -> str:
        return self.library.raw_text(document)

    def key(self, claim: Claim, evidence: Sequence[Evidence]) -> str:
        return f"{len(self.judged)} {claim.statement} {[item.passage.id for item in evidence]}"

    def judge(
        self, claims: Sequence[Claim], evidence: Sequence[Sequence[Evidence]]
    ) -> Iterator[tuple[int, Verdict, None]]:
        for index, claim in enumerate(claims):
            yield index, self._verdict(claim, evidence[index]), None

    def _verdict(self, claim: Claim, evidence: Sequence[Evidence]) -> Verdict:
        texts = [item.passage.text for item in evidence]
        self.judged.append((claim.hypothesis, texts))
        if not evidence:
            return Verdict(claim, Label.NOT_FOUND, 1.0, None, "rules", "Nothing was found.")
        label = self.says(claim.hypothesis, texts)
        supported = {Label.SUPPORTED: 0.9, Label.UNCERTAIN: 0.5}.get(label, 0.1)
        passage = evidence[0].passage
        quote = quotation(
            passage,
            self.sentences(passage)[0],
            RELATIONS.get(label, "nearest"),
            supported,
            self.raw_text,
        )
        scores = Scores(supported, 0.05, 0.95 - supported)
        return Verdict(claim, label, 0.9, scores, "script", f"It is {label.value}.", (quote,))


def stands_in(statement: str, texts: Sequence[str]) -> Label:
    """Supported if a passage says so word for word, else not found."""
    return Label.SUPPORTED if any(statement in text for text in texts) else Label.NOT_FOUND


@contextmanager
def tools(
    skills: base.Skills,
    texts: Sequence[str],
    folder: Path,
    *,
    says: Says = stands_in,
    k: int = 6,
) -> Iterator[tuple[Tools, ScriptedJudge]]:
    """What a method works with, over texts that are a document and a passage each.

    Args:
        skills: Who writes.
        texts: The library, searched by BM25.
        folder: Where verdicts are remembered.
        says: The verdicts.
        k: Passages that a claim is judged by.
    """
    library = MemoryLibrary([Text(f"/{n}.txt", text) for n, text in enumerate(texts)], None)
    judge = ScriptedJudge(says, library)
    with Memory(folder / "verdicts.sqlite") as memory:
        search = Search(library, k, None, "lexical")
        yield Tools(skills, library, Checking(search, cast(Judge, judge), memory)), judge


def run(steps: Steps[T]) -> tuple[T, list[StepsEvent]]:
    """What a method returns, and its events."""
    events: list[StepsEvent] = []
    while True:
        try:
            events.append(next(steps))
        except StopIteration as end:
            return end.value, events


def _drafts(reply: Any) -> tuple[Draft, ...]:
    replies = reply if isinstance(reply, tuple) else (reply,)
    return tuple(Draft(one) if isinstance(one, str) else one for one in replies)
