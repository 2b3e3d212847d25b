"""Methods with a script: who writes and what the verdicts are is given, the search is real."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from stepping import run as run

from veracite.engine.events import Steps
from veracite.engine.judge.cache import Memory
from veracite.engine.judge.checking import Checking
from veracite.engine.judge.citations import quotation
from veracite.engine.judge.judge import Judge
from veracite.engine.methods.base import Tools
from veracite.engine.retrieve import Search
from veracite.engine.skills import base
from veracite.engine.skills.base import Draft, Sufficiency
from veracite.engine.types import Answer, Claim, Label, Relation, Scores, Verdict
from veracite.index.documents import Document, Evidence, Passage, Sentence
from veracite.index.memory import MemoryLibrary, Text

Says = Callable[[str, Sequence[str]], Label]
"""A claim's statement and the texts of its passages to a verdict's label."""
RELATIONS: dict[Label, Relation] = {Label.SUPPORTED: "supports", Label.CONTRADICTED: "contradicts"}


@dataclass(frozen=True, slots=True)
class Call:
    """One thing that a skill was asked."""

    skill: str
    given: dict[str, Any]


@dataclass
class ScriptedSkills:
    """Gives its replies one after the other, each skill its own; fails where there is none left.

    A reply that is an exception is raised; one that can be called gets what the skill was given.
    Passages and claims are noted by their texts.
    """

    replies: dict[str, list[Any]] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    id: str = "scripted"
    rewords: bool = True

    def of(self, skill: str) -> list[dict[str, Any]]:
        """What this skill was given, call by call."""
        return [call.given for call in self.calls if call.skill == skill]

    def __getattr__(self, skill: str) -> Callable[..., Steps[Any]]:
        """The skill of this name, which notes what it is given and replies."""
        signature = inspect.signature(getattr(base.Skills, skill))

        def asked(*given: Any, **named: Any) -> Steps[Any]:
            yield from ()
            bound = signature.bind(self, *given, **named)
            bound.apply_defaults()
            noted = {name: _noted(value) for name, value in bound.arguments.items()}
            del noted["self"]
            return _shaped(skill, self._reply(skill, **noted))

        return asked

    def _reply(self, skill: str, **given: Any) -> Any:
        self.calls.append(Call(skill, given))
        left = self.replies.get(skill, [])
        assert left, f"{skill} was not expected: {given}"
        reply = left.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply(**given) if callable(reply) else reply


@dataclass
class ScriptedJudge:
    """Verdicts by a rule; quotes the first sentence of the first passage."""

    says: Says
    library: MemoryLibrary
    judged: list[tuple[str, list[str]]] = field(default_factory=list)
    """Statements, and the texts of the passages that they were judged by."""

    precedence = None
    contested = Judge.contested

    @property
    def verifier(self) -> "ScriptedJudge":
        """Itself: it finds no sentence that says or denies another."""
        return self

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        return np.array([[0.0, 1.0, 0.0]] * len(pairs), np.float32)

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
            claim.hypothesis,
        )
        scores = Scores(supported, 0.05, 0.95 - supported)
        return Verdict(claim, label, 0.9, scores, "script", f"It is {label.value}.", (quote,))


def stands_in(statement: str, texts: Sequence[str]) -> Label:
    """Supported if a passage says so word for word, else not found."""
    return Label.SUPPORTED if any(statement in text for text in texts) else Label.NOT_FOUND


@contextmanager
def tools(
    skills: Any, texts: Sequence[str], folder: Path, *, says: Says = stands_in, k: int = 6
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


def of(events: Sequence[Any], kind: type[Any]) -> list[Any]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def labels(answer: Answer) -> list[Label]:
    """Of its sentences."""
    return [verdict.label for verdict in answer.verdicts]


def _noted(value: Any) -> Any:
    """Passages and claims by their texts."""
    if isinstance(value, list | tuple):
        return [_noted(one) for one in value]
    if isinstance(value, Passage):
        return value.text
    return value.statement if isinstance(value, Claim) else value


def _shaped(skill: str, reply: Any) -> Any:
    """A reply as the skill has to give it; texts become drafts."""
    if skill in ("answer", "refine", "revise", "next_claim") and reply is not None:
        replies = reply if isinstance(reply, tuple) else (reply,)
        drafts = tuple(Draft(one) if isinstance(one, str) else one for one in replies)
        return drafts if skill == "answer" else drafts[0]
    if skill == "sufficient" and not isinstance(reply, Sufficiency):
        return Sufficiency(reply, float(reply))
    return tuple(reply) if skill in ("select", "cite", "queries") else reply
