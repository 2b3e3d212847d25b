"""The skills without a language model: quotes, chosen and judged by the bundled models."""

from collections.abc import Callable, Sequence

from veracite.engine.events import Streamed
from veracite.engine.judge.judge import Judge
from veracite.engine.skills.base import (
    DEFAULT_WRITING,
    Draft,
    Judgement,
    MissingStyle,
    Steps,
    Style,
    Sufficiency,
    SufficiencyMode,
    Task,
    Writing,
)
from veracite.engine.skills.extractive import answering
from veracite.engine.skills.extractive.answering import BAR, drafts, next_quote, probability
from veracite.engine.skills.extractive.judging import cite, judge
from veracite.engine.skills.extractive.ranking import Ranker, SentenceEncoder
from veracite.engine.skills.extractive.revising import revise
from veracite.engine.types import Claim
from veracite.index.documents import Passage

__all__ = ["ExtractiveSkills", "SentenceEncoder"]


class ExtractiveSkills:
    """``Skills`` on the bundled models alone.

    What is written is quoted from passages, word for word or with a name for a pronoun, a figure
    for a figure. The same question and passages always give the same.

    Args:
        encoder: Tells how near sentences are to a question.
        judge: Judges claims, and knows the sentences of the library's passages.
        search: The passages for a query, best first: what an answer without passages is made of.
    """

    def __init__(
        self,
        encoder: SentenceEncoder,
        judge: Judge,
        search: Callable[[str], Sequence[Passage]],
    ) -> None:
        self._encoder = encoder
        self._judge = judge
        self._search = search
        self._ranker = Ranker(encoder, judge.sentences, judge.raw_text)

    @property
    def id(self) -> str:
        """The models, after the name of these skills."""
        return f"extractive {self._encoder.id}, {self._judge.id}"

    def answer(
        self,
        question: str,
        passages: Sequence[Passage] = (),
        *,
        style: Style = "cited",
        reasoning: bool = False,
        samples: int = 1,
        writing: Writing = DEFAULT_WRITING,
    ) -> Steps[tuple[Draft, ...]]:
        """The quotes that are likeliest to answer; none where none is likely to.

        Args:
            passages: None are looked up with the question, and are not cited.
            reasoning: Has no meaning here.
            samples: More than one: each is led by the next likeliest quote, if there is one.
        """
        if not passages:
            passages = self._search(question)
            style = "plain" if style == "cited" else style
        found = drafts(self._ranker.rank_parts(question, passages), style, samples, writing)
        if samples == 1:
            yield from (Streamed(draft.text) for draft in found)
        return found

    def refine(
        self,
        question: str,
        answers: Sequence[str],
        passages: Sequence[Passage],
        *,
        reasoning: bool = False,
        writing: Writing = DEFAULT_WRITING,
    ) -> Steps[Draft]:
        """The short answer from the passages; the first of the old ones where they have none."""
        found: tuple[Draft, ...] = ()
        if passages:
            found = yield from self.answer(question, passages, style="short", writing=writing)
        if found:
            return found[0]
        return Draft(answers[0]) if answers else Draft("", complete=False)

    def revise(
        self,
        text: str,
        wrong: Sequence[Claim],
        passages: Sequence[Passage],
        *,
        question: str | None = None,
        writing: Writing = DEFAULT_WRITING,
    ) -> Steps[Draft]:
        """The text with the figures and names of quotes, or quotes, for its wrong claims.

        What the passages say nothing of is left out. If nothing is left, the question is answered
        anew, where there is one.
        """
        revised = revise(self._judge, text, wrong, passages)
        if revised or question is None or not passages:
            yield Streamed(revised)
            return Draft(revised)
        found = yield from self.answer(question, passages, style="plain", writing=writing)
        return found[0] if found else Draft("")

    def judge(self, tasks: Sequence[Task], *, joint: bool = False) -> Steps[tuple[Judgement, ...]]:
        """As a check judges; None for the joint scores of a task without passages."""
        yield from ()
        return judge(self._judge, tasks, joint)

    def select(self, question: str, passages: Sequence[Passage], k: int) -> Steps[tuple[int, ...]]:
        """Those near the question that together cover most of it."""
        yield from ()
        return answering.select(self._ranker, question, passages, k)

    def sufficient(
        self,
        question: str,
        passages: Sequence[Passage],
        *,
        mode: SufficiencyMode = "classify",
        tau: float = 5.0,
    ) -> Steps[Sufficiency]:
        """By the probability that they hold an answer; as a score, ten times of it."""
        yield from ()
        likely = probability(self._ranker.rank_parts(question, passages))
        if mode == "score":
            return Sufficiency(10 * likely >= tau, 10 * likely)
        return Sufficiency(likely >= BAR, likely)

    def missing(
        self, question: str, passages: Sequence[Passage], *, style: MissingStyle = "passage"
    ) -> Steps[str]:
        """The question's words that no passage has, with what they are said of."""
        yield from ()
        return answering.missing(self._ranker, question, passages, style)

    def next_claim(
        self,
        question: str,
        passages: Sequence[Passage],
        so_far: Sequence[str],
        *,
        writing: Writing = DEFAULT_WRITING,
    ) -> Steps[Draft | None]:
        """The likeliest quote that is not yet said; None where ``answer`` would end."""
        draft = next_quote(self._ranker.rank_parts(question, passages), so_far, writing)
        if draft is not None:
            yield Streamed(draft.text)
        return draft

    def cite(
        self, claim: str, passages: Sequence[Passage], *, most: int = 3
    ) -> Steps[tuple[int, ...]]:
        """The fewest passages that support the claim; none if they do not."""
        yield from ()
        return cite(self._judge, claim, passages, most)

    def queries(
        self, question: str, so_far: Sequence[str], claim: str, count: int
    ) -> Steps[tuple[str, ...]]:
        """The claim, and its own words in other company."""
        yield from ()
        return answering.queries(question, claim, count)

    def summarise(self, question: str, passage: Passage) -> Steps[str | None]:
        """The sentences likeliest to answer, in order, at most 50 words."""
        yield from ()
        return answering.summarise(self._ranker.rank(question, [passage]))

    def extract(self, question: str, passage: Passage) -> Steps[str | None]:
        """The sentence likeliest to answer."""
        yield from ()
        return answering.extract(self._ranker.rank(question, [passage]))
