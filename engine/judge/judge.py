"""Judging: a claim and its passages in, a verdict out.

Evidence, premises, network, decision, citations, explanation, in this order; where several
sentences deny a claim together, the network reads each alone to see which is to be quoted. A
verdict is a function of the claim, its passages, the models and the settings, and of nothing else:
not of the other claims of the text, nor of the batch it was computed in. ``Judge.key`` hashes
exactly what it depends on, and the cache lives by it.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from veracite.engine.judge.citations import RawText, cite
from veracite.engine.judge.decision import OF_SIDES, Decision, Reading, label_of, of_both
from veracite.engine.judge.explain import NOTHING_FOUND, disputed, explain
from veracite.engine.judge.precedence import Precedence, dated
from veracite.engine.judge.premises import SentencesOf, compose
from veracite.engine.judge.tuning import Tuning
from veracite.engine.types import Citation, Claim, Label, Scores, Verdict
from veracite.engine.wording.quantities import grouped_as
from veracite.index.documents import Evidence

_VERSION = 46
"""Of the code from scores to verdicts: raised whenever the same input gives another verdict."""
_AT_ONCE = 2
"""Claims whose pairs go through the verifier together: few to wait for; more are no faster."""


class PairScorer(Protocol):
    """What judging needs of a verifier."""

    @property
    def id(self) -> str:
        """Name, version and hash: part of what a verdict depends on."""
        ...

    def fits(self, premise: str, claim: str, /) -> bool:
        """Whether all of a premise is read beside a claim."""
        ...

    def score(self, pairs: Sequence[tuple[str, str]], /) -> NDArray[np.float32]:
        """(premise, hypothesis) to (supported, neutral, contradicted), shape (len(pairs), 3)."""
        ...


@dataclass(frozen=True, slots=True)
class Judge:
    """The bundled verifier and the decision fitted to it."""

    verifier: PairScorer
    decision: Decision
    uncertain_below: float
    sentences: SentencesOf
    raw_text: RawText
    tuning: Tuning | None = None
    """A person's own calibration."""
    precedence: Precedence | None = None
    """Which of documents that disagree decides; None where none does."""

    @property
    def models(self) -> tuple[str, ...]:
        """What a calibration has to be fitted for."""
        return self.verifier.id, self.decision.id, f"judge-{_VERSION}"

    @property
    def id(self) -> str:
        """Everything about the judge that a verdict depends on."""
        own = () if self.tuning is None else (f"calibration {self.tuning.id}",)
        return ", ".join((*self.models, *own))

    def key(self, claim: Claim, evidence: Sequence[Evidence]) -> str:
        """SHA-256 of all that the verdict on this claim depends on."""
        passages = [
            (d.path, d.sha256, d.extractor, p.start, p.end, p.id, item.cosine)
            for item in evidence
            for p, d in [(item.passage, item.passage.document)]
        ]
        said = (claim.statement, claim.query, claim.resolved, claim.before)
        rule = self.precedence
        told = [fact for item in evidence if rule for fact in rule.facts(item.passage)]
        parts = (self.id, self.uncertain_below, *said, passages, told)
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def judge(
        self, claims: Sequence[Claim], evidence: Sequence[Sequence[Evidence]]
    ) -> Iterator[tuple[int, Verdict, Reading | None]]:
        """Verdicts of checkable claims, each with its place in ``claims``, in no fixed order.

        With each comes what it rests on, None where there is nothing to read.

        Args:
            claims: What is judged.
            evidence: The passages of each, best first; an empty sequence gives *not found*.
        """
        for index, passages in enumerate(evidence):
            if not passages:
                yield index, unread(claims[index]), None
        for index, reading in self.read(claims, evidence):
            yield index, self.conclude(reading), reading

    def read(
        self, claims: Sequence[Claim], evidence: Sequence[Sequence[Evidence]]
    ) -> Iterator[tuple[int, Reading]]:
        """What the verifier says of each claim that has evidence, with its place in ``claims``."""
        waiting, fits = [i for i, found in enumerate(evidence) if found], self.verifier.fits
        for start in range(0, len(waiting), _AT_ONCE):
            group = waiting[start : start + _AT_ONCE]
            composed = [compose(claims[i], evidence[i], self.sentences, fits) for i in group]
            said = [(one.claim.hypothesis, p) for one in composed for p in one.premises]
            pairs = [(grouped_as(text, p.text), text) for text, p in said]
            ends = np.cumsum([len(one.premises) for one in composed])[:-1]
            rows = np.split(self.verifier.score(pairs), ends)
            yield from zip(group, map(Reading.of, composed, rows), strict=True)

    def contested(self, verdict: Verdict, against: Citation) -> Verdict:
        """The verdict on what its citations support and another passage denies."""
        held = verdict.scores.supported if verdict.scores else verdict.probability
        own = tuple(c for c in verdict.citations if c.relation == "supports")
        sides = [[c.file] for c in own], [[against.file]]
        preferred = self.precedence.between(*sides) if self.precedence else None
        led = preferred and (OF_SIDES[preferred.side], (held, against.probability)[preferred.side])
        scores = of_both(held, against.probability)
        label, probability = label_of(verdict.claim, scores, differ=True, led=led)
        told = disputed((*own, against))
        return dated(
            replace(
                verdict,
                label=label,
                probability=probability,
                scores=scores,
                explanation=f"{told} {preferred.told}" if preferred else told,
                citations=(*own, against) if label is not Label.CONTRADICTED else (against, *own),
            )
        )

    def conclude(
        self, reading: Reading, scores: Scores | None = None, judge: str | None = None
    ) -> Verdict:
        """The verdict on a claim, from what was read.

        Args:
            reading: Of the claim.
            scores: Another judge's, in the place of the verifier's.
            judge: Who that is.
        """
        premises, below = reading.premises, self.uncertain_below
        decided = self.decision.decide(
            reading, below, tuning=self.tuning, scores=scores, precedence=self.precedence
        )
        citations = cite(reading, decided, self.raw_text, self.verifier.score)
        told = explain(reading, decided, citations, below)
        rounded = Scores(*(round(p, 4) for p in astuple(decided.scores)))
        judged = (decided.label, round(decided.probability, 4), rounded)
        return Verdict(premises.claim, *judged, judge or self.id, told, citations)


def unread(claim: Claim) -> Verdict:
    """The verdict on a sentence that no document could confirm, or on which none has a word."""
    why = f"Not checked: {claim.not_checkable}." if claim.not_checkable else NOTHING_FOUND
    return Verdict(claim, *label_of(claim), None, "rules", why)
