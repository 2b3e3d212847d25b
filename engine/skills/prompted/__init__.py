"""The skills of a language model: every one a prompt, its reply bounded by a grammar or options."""

from collections.abc import Sequence

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
from veracite.engine.skills.prompted import answering, judging, searching, writing
from veracite.engine.skills.prompted.asking import Asker
from veracite.engine.skills.prompted.writer import Writer
from veracite.engine.skills.prompted.writing import next_claim
from veracite.engine.skills.prompts import Prompt, Prompts
from veracite.engine.types import Claim
from veracite.index.documents import Passage

__all__ = ["PromptedSkills", "Writer"]


class PromptedSkills:
    """``Skills`` on a language model.

    Args:
        writer: The model.
        prompts: What it is told.
        wordings: Whose prompts to prefer, such as ("vtg",); skills they lack use ours.
        judge_reasons: Whether judging thinks first, rather than choose at once.
        seed: Of sampled answers.

    Raises:
        SettingsError: There is no such wording.
    """

    def __init__(
        self,
        writer: Writer,
        prompts: Prompts,
        *,
        wordings: Sequence[str] = (),
        judge_reasons: bool = False,
        seed: int = 0,
    ) -> None:
        self._asker = Asker(writer, prompts, tuple(wordings), seed)
        self._judge_reasons = judge_reasons
        self.prompt("judge")

    @property
    def id(self) -> str:
        """The model, after the name of these skills."""
        return f"prompted {self._asker.writer.id}"

    def in_wording(self, wording: str) -> "PromptedSkills":
        """The same model, told what it is told in another wording.

        Raises:
            SettingsError: There is no such wording.
        """
        asker = self._asker
        return PromptedSkills(
            asker.writer,
            asker.prompts,
            wordings=(wording,),
            judge_reasons=self._judge_reasons,
            seed=asker.seed,
        )

    def prompt(self, skill: str) -> Prompt:
        """The prompt in use for one of ``veracite.engine.skills.prompts.kinds.KINDS``."""
        return self._asker.prompt(skill)

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
        """Answers; an empty, incomplete draft where no reply can be used."""
        return answering.answer(self._asker, question, passages, style, reasoning, samples, writing)

    def refine(
        self,
        question: str,
        answers: Sequence[str],
        passages: Sequence[Passage],
        *,
        reasoning: bool = False,
        writing: Writing = DEFAULT_WRITING,
    ) -> Steps[Draft]:
        """A new short answer; the first of the old ones where no reply can be used."""
        return answering.refine(self._asker, question, answers, passages, reasoning, writing)

    def revise(
        self,
        text: str,
        wrong: Sequence[Claim],
        passages: Sequence[Passage],
        *,
        question: str | None = None,
        writing: Writing = DEFAULT_WRITING,
    ) -> Steps[Draft]:
        """The corrected text; the text as it was where no reply can be used."""
        return answering.revise(self._asker, text, wrong, passages, question)

    def judge(self, tasks: Sequence[Task], *, joint: bool = False) -> Steps[tuple[Judgement, ...]]:
        """One judgement for each task; a task without passages is judged by what the model knows,
        if jointly."""
        return judging.judge(self._asker, tasks, joint, self._judge_reasons)

    def select(self, question: str, passages: Sequence[Passage], k: int) -> Steps[tuple[int, ...]]:
        """At most k places; the first k where no reply can be used."""
        return searching.select(self._asker, question, passages, k)

    def sufficient(
        self,
        question: str,
        passages: Sequence[Passage],
        *,
        mode: SufficiencyMode = "classify",
        tau: float = 5.0,
    ) -> Steps[Sufficiency]:
        """Whether the passages suffice; no passages never do."""
        return searching.sufficient(self._asker, question, passages, mode, tau)

    def missing(
        self, question: str, passages: Sequence[Passage], *, style: MissingStyle = "passage"
    ) -> Steps[str]:
        """A query for what is missing; the question where no reply can be used."""
        return searching.missing(self._asker, question, passages, style)

    def next_claim(
        self,
        question: str,
        passages: Sequence[Passage],
        so_far: Sequence[str],
        *,
        writing: Writing = DEFAULT_WRITING,
    ) -> Steps[Draft | None]:
        """The next sentence; None at the end."""
        return next_claim(self._asker, question, passages, so_far)

    def cite(
        self, claim: str, passages: Sequence[Passage], *, most: int = 3
    ) -> Steps[tuple[int, ...]]:
        """The places of the passages that a claim rests on."""
        return writing.cite(self._asker, claim, passages, most)

    def queries(
        self, question: str, so_far: Sequence[str], claim: str, count: int
    ) -> Steps[tuple[str, ...]]:
        """Queries for evidence on a claim; the claim where no reply can be used."""
        return searching.queries(self._asker, question, so_far, claim, count)

    def summarise(self, question: str, passage: Passage) -> Steps[str | None]:
        """What the passage says on the question, in at most 50 words or so."""
        return writing.shorten(self._asker, "summarise", question, passage)

    def extract(self, question: str, passage: Passage) -> Steps[str | None]:
        """The useful span of the passage."""
        return writing.shorten(self._asker, "extract", question, passage)
