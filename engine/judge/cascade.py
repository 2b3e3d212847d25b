"""The second judge: a language model, asked what the verifier leaves uncertain, or everything.

The verifier is fast and right about what is plain. A language model takes long and may read better
or worse: by default it is asked only where the verifier is unsure, and has a say in the decision by
the weight that its exam gave it (``veracite.engine.exam``); on request it judges alone. It judges
passage by passage (CEG, section 3.3); what is made of its answers is here, and the same decision,
citations and explanation follow. It is spared the passages that the verifier finds to have no
bearing: what counts is how much of the claim's words a passage has and how sure the verifier is
that it says anything.
"""

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from typing import Protocol

import numpy as np

from veracite.engine.events import Steps
from veracite.engine.judge.checks import NOT_STATED, SOMETHING_ELSE
from veracite.engine.judge.decision import SURE, Floats, Reading, Say, log_odds
from veracite.engine.judge.judge import Judge
from veracite.engine.judge.premises import passage_premise
from veracite.engine.judge.weighing import conflicting
from veracite.engine.types import Judgement, Label, Scores, Task, Verdict
from veracite.index.documents import Document, Passage

_VERSION = 6
"""Of the code from the model's scores to verdicts."""
_UNKNOWN = Scores(1 / 3, 1 / 3, 1 / 3)
"""Of a passage that the model said nothing of: it may say anything of the claim."""
_NEUTRAL = (0.0, 1.0, 0.0)
_BLANK = Passage(Document("", "", ""), 0, 0, None, None, "", "")
"""What a model says of a claim beside it is its bias, for claims and for words of its own."""
_SUREST = 1e-6
"""Probabilities of a model nearer to 0 have the logarithm of this one."""
_BAR = 0.2
"""Share of the best passage's weight under which a passage is passed over. The largest, in steps of
0.05, by which at most 2 % of the passages that decide a claim were lost on labelled data."""
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
class Opinion:
    """The first judge's verdict on a claim, with what it rests on."""

    verdict: Verdict
    reading: Reading


@dataclass(frozen=True, slots=True)
class Ruling:
    """The second judge's verdict on a claim."""

    verdict: Verdict
    answered: bool
    """Whether anything he was told could be used; without that it is not remembered."""


@dataclass(frozen=True, slots=True)
class ModelJudge:
    """The second judge; each ruling is what it would be alone."""

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
    says: tuple[Say, Say] | None = None
    """What it counts for a claim and against it, beside the verifier; None if it judges alone."""

    def key(self, first: str) -> str:
        """SHA-256 of all that a verdict depends on."""
        own = (self.id, self.context, self.everything, self.joint, self.screen)
        parts = (first, _VERSION, *own, *(astuple(say) for say in self.says or ()))
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def wants(self, verdict: Verdict) -> bool:
        """What the verifier is unsure of, or all that has been read at all."""
        return verdict.scores is not None and (self.everything or verdict.label is Label.UNCERTAIN)

    def judge(self, opinions: Sequence[Opinion]) -> Steps[tuple[Ruling, ...]]:
        """The model's verdicts, in order; *uncertain* where it says nothing that can be used."""
        shown = [self._shown(opinion.reading) for opinion in opinions]
        readings = [opinion.reading for opinion in opinions]
        heard: Sequence[Floats | None] = [None] * len(opinions)
        if self.says is None:
            tasks = list(map(_task, readings, shown))
            said = yield from self.skills.judge(tasks, joint=self.joint)
        else:
            said, heard = yield from listen(self.skills, readings, shown)
        return tuple(map(self._conclude, opinions, shown, said, heard))

    def _shown(self, reading: Reading) -> Sequence[int]:
        """The places of the passages that the model reads."""
        found = bearing(reading)
        least = _BAR * max(found.values()) if self.screen else 0.0
        return tuple(place for place, weight in sorted(found.items()) if weight >= least)

    def _conclude(
        self, opinion: Opinion, shown: Sequence[int], judgement: Judgement, heard: Floats | None
    ) -> Ruling:
        answered = any(scores is not None for scores in (*judgement.passages, judgement.joint))
        verdict = opinion.verdict
        if answered and self.says is not None and heard is not None:
            added = np.stack([say.of(heard[:, side]) for side, say in enumerate(self.says)], axis=1)
            say = spread(opinion.reading, shown, judgement, added)
            verdict = self.first.conclude(replace(opinion.reading, say=say), judge=self.id)
        elif answered or self.everything:
            believed = guarded(opinion.reading, shown, judgement)
            reading = reread(opinion.reading, shown, believed)
            verdict = self.first.conclude(reading, combined(believed), self.id)
        if not answered and not any(judgement.cut.get(place, "-") for place in range(len(shown))):
            return Ruling(replace(verdict, explanation=verdict.explanation + _TOO_SMALL), False)
        explanation = self._told(verdict, answered) + _passed_over(opinion.reading, shown)
        return Ruling(replace(verdict, explanation=explanation), answered)

    def _told(self, verdict: Verdict, answered: bool) -> str:
        """The explanation of a verdict, with the model's part in it."""
        told = verdict.explanation
        if not answered:
            return f"{told} A language model was asked and gave no usable answer."
        if verdict.label is not Label.UNCERTAIN:
            because = "" if self.everything else ", because the verifier was unsure"
            part = "had a say in" if self.says else "decided"
            return f"{told} A language model {part} this{because}."
        too = "" if self.everything else " too"
        return f"{told} A language model was asked{too} and did not settle it."


def bearing(reading: Reading) -> dict[int, float]:
    """How much each passage that was read may bear on the claim, 0..1, by its place."""
    premises = reading.premises
    weights: dict[int, float] = {}
    for premise, row in zip(premises.premises, reading.probabilities, strict=True):
        sure = math.sqrt(max(float(row[0]), float(row[2])))
        for rank in {candidate.rank for candidate in premise.candidates}:
            text = passage_premise(premises.evidence[rank].passage)
            weight = premises.terms.share(premises.terms.found(text)) * sure
            weights[rank] = max(weights.get(rank, 0.0), weight)
    return weights


def listen(
    skills: JudgingSkill, readings: Sequence[Reading], shown: Sequence[Sequence[int]]
) -> Steps[tuple[tuple[Judgement, ...], Sequence[Floats]]]:
    """What a language model says of claims by their passages, less its bias.

    Its bias is what it says of the same claim beside an empty passage (domain-conditional PMI,
    Holtzman et al. 2021).

    Args:
        skills: Of the model.
        readings: The verifier's, of the claims.
        shown: The places of the passages of each that the model reads.

    Returns:
        The judgements, and of each the log odds for and against the claim by each passage, shape
        (passages, 2); nan where it said nothing that counts.
    """
    tasks = list(map(_task, readings, shown))
    both = yield from skills.judge([*tasks, *(replace(t, passages=(_BLANK,)) for t in tasks)])
    said, blank = both[: len(tasks)], both[len(tasks) :]
    heard = []
    for reading, places, judgement, nothing in zip(readings, shown, said, blank, strict=True):
        believed = guarded(reading, places, judgement).passages
        rows = [_leaning(scores) - _leaning(nothing.passages[0]) for scores in believed]
        heard.append(np.array(rows).reshape(-1, 2))
    return said, heard


def _leaning(scores: Scores | None) -> Floats:
    """The log odds that a claim is supported, and that it is contradicted if it is not."""
    if scores is None:
        return np.full(2, np.nan)
    held, neither, against = np.log(np.maximum(astuple(scores), _SUREST))
    return np.array([held - np.logaddexp(neither, against), against - neither])


def spread(reading: Reading, shown: Sequence[int], judgement: Judgement, added: Floats) -> Floats:
    """What is added by each premise: what its sentences' passages add, by their shares of it.

    A passage that was cut adds nothing by the sentences that were not read, and none denies a
    claim by what tells of something else.

    Args:
        added: By each passage that was shown, shape (passages, 2).

    Returns:
        Shape (premises, 2).
    """
    found = np.zeros((len(reading.premises.premises), 2))
    for at, premise in enumerate(reading.premises.premises):
        for candidate in premise.candidates:
            if candidate.rank in shown:
                place = shown.index(candidate.rank)
                if candidate.sentence.text in judgement.cut.get(place, candidate.sentence.text):
                    found[at] += added[place] / len(premise.candidates)
        if reading.apart[at] is not None:
            found[at, 1] = min(found[at, 1], 0.0)
    return found


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


def guarded(reading: Reading, shown: Sequence[int], judgement: Judgement) -> Judgement:
    """The model's judgement less what the checks do not let a passage say.

    No passage supports a claim by other figures, and none contradicts it that tells of another
    case: of such a passage the model might as well have said nothing.
    """
    passages = list(judgement.passages)
    for place, rank in enumerate(shown):
        scores = passages[place]
        own = _read_of(reading, rank)
        if scores is None or not own:
            continue
        premises, terms = reading.premises, reading.premises.terms
        nearest = max(own, key=lambda at: terms.share(terms.found(premises.premises[at].text)))
        most = max(astuple(scores))
        other = NOT_STATED.value(premises, premises.premises[nearest])
        differs = other or conflicting(premises.claim.hypothesis, premises.premises[nearest].text)
        asked = scores.contradicted == most and reading.probabilities[nearest, 2] < SURE
        elsewhere = asked and SOMETHING_ELSE.value(premises, premises.premises[nearest]) is not None
        if elsewhere or (scores.supported == most and differs):
            passages[place] = None
    return replace(judgement, passages=tuple(passages))


def _read_of(reading: Reading, rank: int) -> list[int]:
    """The places of the premises that a passage's sentences stand in, alone where that is so."""
    premises = list(enumerate(reading.premises.premises))
    own = [at for at, p in premises if any(c.rank == rank for c in p.candidates)]
    return [at for at in own if reading.premises.premises[at].kind == "sentence"] or own


def reread(reading: Reading, shown: Sequence[int], judgement: Judgement) -> Reading:
    """The verifier's reading with the model's scores in the place of its own.

    The model judges passages, a verdict quotes sentences: of each passage that premise gets its
    scores which the verifier takes to lean most to the model's side.
    """
    premises = reading.premises.premises
    rows = np.tile(np.array(_NEUTRAL, np.float32), (len(premises), 1))
    for rank, scores in zip(shown, judgement.passages, strict=True):
        row = astuple(scores or _UNKNOWN)
        side = 0 if row[0] >= row[2] else 2
        own = _read_of(reading, rank)
        read = judgement.cut.get(shown.index(rank))
        if read is not None:
            told = [at for at in own if premises[at].candidates[-1].sentence.text in read]
            own = told or own
        best = max(own, key=lambda place: reading.probabilities[place, side])
        if row[side] >= rows[best, side]:
            rows[best] = row
    beside = reading.beside.copy()
    beside[:, 0] = [log_odds(row[0]) for row in rows]
    beside[:, 1] = [log_odds(row[2]) for row in rows]
    return replace(reading, probabilities=rows, beside=beside)


def _task(reading: Reading, places: Sequence[int]) -> Task:
    premises = reading.premises
    return Task(premises.claim, tuple(premises.evidence[place].passage for place in places))


def _passed_over(reading: Reading, shown: Sequence[int]) -> str:
    """What an explanation says of the passages that the model was not shown."""
    count = len(bearing(reading)) - len(shown)
    if not count:
        return ""
    passages = "1 passage" if count == 1 else f"{count} passages"
    return f" It was not shown {passages} in which the verifier finds no bearing on this."
