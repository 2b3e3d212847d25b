"""The second judge: a language model, asked what the verifier leaves uncertain, or everything.

The verifier is fast and right about what is plain. A language model reads better and takes long, so
by default it is asked only where the verifier is unsure. It judges passage by passage (CEG, section
3.3); what is made of its answers is here. The rules that guard the verifier's verdicts guard these
too: no verdict without a sentence that can be quoted for it, no contradiction by a sentence about
something else, no support by one with another figure.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from veracite.engine.comparing.reading import Reading
from veracite.engine.judging.checking import Opinion, Ruling
from veracite.engine.judging.explanations import add_model
from veracite.engine.judging.screening import bearing, told
from veracite.engine.judging.verify import Judge
from veracite.engine.skills.base import Judgement, Steps, Task
from veracite.engine.words import Label, Scores, Verdict

__all__ = ["JudgingSkill", "ModelJudge", "combined", "reread"]

_VERSION = 3
"""Of the code from the model's scores to verdicts."""
_UNKNOWN = Scores(1 / 3, 1 / 3, 1 / 3)
"""Of a passage that the model said nothing of: it may say anything of the claim."""
_NEUTRAL = (0.0, 1.0, 0.0)
_NO_BEARING = Scores(*_NEUTRAL)
_TOO_SMALL = (
    " A language model was not asked: its context is too small for this and a passage. Use a "
    "larger --context, or a model that has one."
)


class JudgingSkill(Protocol):
    """The one skill that judging needs."""

    def judge(self, tasks: Sequence[Task], *, joint: bool = False) -> Steps[tuple[Judgement, ...]]:
        """As ``Skills.judge``."""
        ...


@dataclass(frozen=True, slots=True)
class ModelJudge:
    """A ``veracite.engine.judging.checking.SecondJudge``."""

    skills: JudgingSkill
    id: str
    """Model, prompt and way of judging."""
    context: int
    """Tokens that the model reads at most; longer passages are cut."""
    first: Judge
    everything: bool = False
    """Whether every claim goes to the model, not only what is uncertain."""
    joint: bool = False
    """Whether the model also judges by all passages of a claim together."""
    screen: bool = True
    """Whether it is spared the passages that the verifier finds to have no bearing."""

    def key(self, first: str) -> str:
        """SHA-256 of all that a verdict depends on."""
        own = (self.id, self.context, self.everything, self.joint, self.screen)
        parts = (first, _VERSION, *own)
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def wants(self, verdict: Verdict) -> bool:
        """What the verifier is unsure of, or all that has been read at all."""
        return verdict.scores is not None and (self.everything or verdict.label is Label.UNCERTAIN)

    def judge(self, opinions: Sequence[Opinion]) -> Steps[tuple[Ruling, ...]]:
        """The model's verdicts, in order; *uncertain* where it says nothing that can be used."""
        shown = [self._shown(opinion.reading) for opinion in opinions]
        tasks = [
            _task(opinion.reading, places) for opinion, places in zip(opinions, shown, strict=True)
        ]
        judgements = yield from self.skills.judge(tasks, joint=self.joint)
        return tuple(map(self._conclude, opinions, shown, judgements))

    def _shown(self, reading: Reading) -> Sequence[int]:
        """The places of the passages that the model reads."""
        return bearing(reading) if self.screen else range(len(reading.premises.evidence))

    def _conclude(self, opinion: Opinion, shown: Sequence[int], judgement: Judgement) -> Ruling:
        answered = any(scores is not None for scores in (*judgement.passages, judgement.joint))
        verdict, found = opinion.verdict, len(opinion.reading.premises.evidence)
        if answered or self.everything:
            whole = _whole(judgement, shown, found)
            reading = reread(opinion.reading, whole)
            verdict = self.first.settle(reading, combined(whole), self.id)
        if not answered and not any(judgement.cut.get(place, "-") for place in range(len(shown))):
            return Ruling(replace(verdict, explanation=verdict.explanation + _TOO_SMALL), False)
        explanation = add_model(
            verdict, self.first.uncertain_below, answered, alone=self.everything
        )
        explanation += told(opinion.reading, shown)
        return Ruling(replace(verdict, explanation=explanation), answered)


def _whole(judgement: Judgement, shown: Sequence[int], found: int) -> Judgement:
    """A judgement of all passages: those that the model was not shown settle nothing."""
    said = dict(zip(shown, judgement.passages, strict=True))
    return replace(
        judgement,
        passages=tuple(said.get(place, _NO_BEARING) for place in range(found)),
        cut={shown[place]: read for place, read in judgement.cut.items()},
    )


def combined(judgement: Judgement) -> Scores:
    """The scores of a claim, from the model's of its passages.

    One passage that supports a claim is enough, and one that contradicts it (CEG, section 3.3).
    What the passages say is taken from the one that says it most plainly, as SummaC and MiniCheck
    take the maximum over the parts of a document: passages of one library repeat each other, so
    to multiply their doubts as if they were independent would make several weak ones look like a
    proof. If *another* passage says the opposite, either is as likely to be right, so half of what
    both claim goes to each: two that plainly disagree leave the claim uncertain. With one passage,
    the scores are that passage's.

    Where the model judged all passages together, that is the claim's (the paper evaluates so), and
    the passages alone decide only what is quoted.
    """
    if judgement.joint is not None:
        return judgement.joint
    if not any(judgement.passages):
        return _UNKNOWN
    rows = [scores or _UNKNOWN for scores in judgement.passages]
    supported = _held([r.supported for r in rows], [r.contradicted for r in rows])
    contradicted = _held([r.contradicted for r in rows], [r.supported for r in rows])
    return Scores(supported, 1 - supported - contradicted, contradicted)


def _held(saying: Sequence[float], opposing: Sequence[float]) -> float:
    """P(the plainest passage says so, and is right if another one says the opposite)."""
    plainest = max(range(len(saying)), key=lambda place: saying[place])
    others = [p for place, p in enumerate(opposing) if place != plainest]
    return saying[plainest] * (1 - max(others, default=0.0) / 2)


def reread(reading: Reading, judgement: Judgement) -> Reading:
    """The verifier's reading with the model's scores in the place of its own.

    The model judges passages, a verdict quotes sentences: of each passage that sentence gets the
    passage's scores which the verifier takes to lean most to the model's side; of a passage that
    was cut, one that the model has read.
    """
    passages = [_row(scores or _UNKNOWN) for scores in judgement.passages]
    judged = reading.premises.judged
    sentences = [_NEUTRAL for _ in judged]
    for rank, row in enumerate(passages):
        side = 0 if row[0] >= row[2] else 2
        read = judgement.cut.get(rank)
        own = [
            place
            for place, candidate in enumerate(judged)
            if candidate.rank == rank and (read is None or candidate.sentence.text in read)
        ]
        if own:
            sentences[max(own, key=lambda place: reading.of_sentences[place, side])] = row
    joint = _NEUTRAL if judgement.joint is None else _row(judgement.joint)
    rows = np.array([*passages, *sentences, joint], dtype=np.float32)
    return replace(reading, probabilities=rows)


def _row(scores: Scores) -> tuple[float, float, float]:
    return scores.supported, scores.neutral, scores.contradicted


def _task(reading: Reading, places: Sequence[int]) -> Task:
    premises = reading.premises
    return Task(premises.claim, tuple(premises.evidence[place].passage for place in places))
