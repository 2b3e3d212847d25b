"""What a method can ask for: the skills, whatever answers them.

A method (CEG, REFEED, LLatrieval, VTG) is written against ``Skills`` and never against prompts.
Every skill is a generator of events that returns its value::

    draft = yield from skills.answer(question, passages)

so that whatever happens inside (a call of a model, a passage cut to fit) reaches the one stream.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from veracite.engine.events import Steps
from veracite.engine.types import Claim
from veracite.index.documents import Passage

SkillSet = Literal["prompted", "extractive"]
"""A language model, or the bundled models alone."""
Style = Literal["short", "cited", "plain"]
"""An answer in few words; sentences with citations [1][2]; sentences without."""
MissingStyle = Literal["question", "passage"]
"""LLatrieval, section 3.3: what is missing is asked for, or imagined as a passage."""


@dataclass(frozen=True, slots=True)
class Writing:
    """How an answer is written; each set of skills leaves alone what means nothing to it."""

    style: Style = "cited"
    reasoning: bool = False
    """Chain of thought first."""
    samples: int = 1
    """More than one: sampled (REFEED, section 3.2)."""
    temperature: float = 0.7
    """Of several samples (REFEED, section 3.2)."""
    top_p: float = 0.9
    """Of several samples (REFEED, section 3.2)."""
    tokens: int | None = None
    """Of an answer in few words, at most; None is the prompt's own limit."""


DEFAULT_WRITING = Writing()


@dataclass(frozen=True, slots=True)
class Draft:
    """A text that a skill wrote."""

    text: str
    mean_probability: float | None = None
    """Of its tokens (REFEED's ensemble); of quotes, that they answer; None where nothing tells."""
    mean_logprob: float | None = None
    """The same as a mean of natural logarithms."""
    probability: float | None = None
    """That it answers the question, calibrated; None where nothing tells."""


@dataclass(frozen=True, slots=True)
class Sufficiency:
    """Whether passages suffice to answer a question (LLatrieval, section 3.2)."""

    sufficient: bool
    score: float
    """Probability of yes (classify), or 0..10 (score)."""


class Skills(Protocol):
    """One set of skills: prompted (a language model) or extractive (none)."""

    @property
    def id(self) -> str:
        """Which set, and on which models."""

    @property
    def rewords(self) -> bool:
        """Whether it revises in words of its own, and not only by what contradicts a claim."""

    def answer(
        self, question: str, passages: Sequence[Passage] = (), writing: Writing = DEFAULT_WRITING
    ) -> Steps[tuple[Draft, ...]]:
        """Answers, from the passages or, without any, from what the model knows."""

    def refine(
        self, question: str, answers: Sequence[str], passages: Sequence[Passage], writing: Writing
    ) -> Steps[Draft]:
        """A new short answer from passages that were found with the first ones (REFEED, step 3)."""

    def revise(
        self,
        text: str,
        wrong: Sequence[Claim],
        passages: Sequence[Passage],
        question: str | None = None,
    ) -> Steps[Draft]:
        """The text with its wrong claims put right by the passages (CEG, section 3.4)."""

    def select(self, question: str, passages: Sequence[Passage], k: int) -> Steps[tuple[int, ...]]:
        """At most k passages, by their places, best first (LLatrieval, progressive selection)."""

    def sufficient(
        self, question: str, passages: Sequence[Passage], tau: float | None = None
    ) -> Steps[Sufficiency]:
        """Whether the passages suffice to answer (LLatrieval, section 3.2): by a score of at least
        tau, or by yes or no."""

    def missing(
        self, question: str, passages: Sequence[Passage], style: MissingStyle = "passage"
    ) -> Steps[str]:
        """A query for what the passages lack (LLatrieval, section 3.3)."""

    def next_claim(
        self, question: str, passages: Sequence[Passage], so_far: Sequence[str]
    ) -> Steps[Draft | None]:
        """The next sentence of an answer, with the probability that the whole answer answers; None
        at its end (VTG, claim generator)."""

    def cite(self, claim: str, passages: Sequence[Passage], most: int) -> Steps[tuple[int, ...]]:
        """The passages, by their places, that a claim rests on (VTG, citation generator)."""

    def queries(
        self,
        question: str,
        passages: Sequence[Passage],
        so_far: Sequence[str],
        claim: str,
        count: int,
    ) -> Steps[tuple[str, ...]]:
        """Diverse queries for evidence on a claim beside these passages (VTG, evidence finder)."""

    def summarise(self, question: str, passage: Passage) -> Steps[str | None]:
        """The passage in at most 50 words; None if it is irrelevant (ALCE, Summ)."""

    def extract(self, question: str, passage: Passage) -> Steps[str | None]:
        """A useful span of the passage; None if it is irrelevant (ALCE, Snippet)."""
