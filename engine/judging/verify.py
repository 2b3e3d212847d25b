"""Judging: a claim and its passages in, a verdict out.

A verdict is a function of the claim, its passages, the models and the settings, and of nothing
else: not of the other claims of the text, nor of the batch it was computed in. ``key`` hashes
exactly what it depends on, and the cache lives by it.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from veracite.engine.comparing.premises import Premises, compose
from veracite.engine.comparing.reading import Reading, agreed
from veracite.engine.judging.citations import (
    OTHERWISE,
    VERBATIM,
    RawText,
    about_something_else,
    cite,
    has_ground,
    is_only_joint,
    repeated,
)
from veracite.engine.judging.compared import by_comparisons
from veracite.engine.judging.conflicts import denied_outright, opposed, told_otherwise
from veracite.engine.judging.decision import Decision, label_of
from veracite.engine.judging.explanations import NOTHING_FOUND, UNQUOTABLE, explain
from veracite.engine.judging.features import features
from veracite.engine.judging.held_back import lacking
from veracite.engine.judging.leaning import acquitted, disputed, held_back, unknown
from veracite.engine.judging.pertinence import named_elsewhere, pertinent, spoken_of
from veracite.engine.judging.tabulated import by_tables
from veracite.engine.judging.tuning import Tuning
from veracite.engine.wording.asides import without_asides
from veracite.engine.words import Citation, Claim, Label, Scores, Verdict
from veracite.index.documents import Evidence, Passage, Sentence

__all__ = ["Judge", "PairScorer", "not_checkable"]

_VERSION = 18
"""Of the code from scores to verdicts: raised whenever the same input gives another verdict."""
_AT_ONCE = 2
"""Claims whose pairs go through the verifier together: few to wait for; more are no faster."""
_DENIED = 0.5
"""What is contradicted more probably than this is not supported by being quoted."""
_VERBATIM = Scores(VERBATIM, 1 - VERBATIM, 0.0)
_OTHERWISE = Scores(0.02, 0.98 - OTHERWISE, OTHERWISE)
_TOGETHER = 0.65
"""What only several sentences together support is uncertain below: of the rows that the decision is
fitted on 11 of 26 between 0.6 and this are supported."""


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
    sentences: Callable[[Passage], Sequence[Sentence]]
    raw_text: RawText
    tuning: Tuning | None = None
    """A person's own calibration."""

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
            (
                item.passage.document.path,
                item.passage.document.sha256,
                item.passage.document.extractor,
                item.passage.start,
                item.passage.end,
                item.passage.id,
                item.cosine,
            )
            for item in evidence
        ]
        parts = (
            self.id,
            self.uncertain_below,
            claim.statement,
            claim.query,
            claim.resolved,
            passages,
        )
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
                yield index, _nothing_found(claims[index]), None
        for index, reading in self.read(claims, evidence):
            yield index, self.conclude(reading), reading

    def read(
        self, claims: Sequence[Claim], evidence: Sequence[Sequence[Evidence]]
    ) -> Iterator[tuple[int, Reading]]:
        """What the verifier says of each claim that has evidence, with its place in ``claims``."""
        waiting = [index for index, passages in enumerate(evidence) if passages]
        for start in range(0, len(waiting), _AT_ONCE):
            group = waiting[start : start + _AT_ONCE]
            bearing = [pertinent(claims[i], evidence[i], self.raw_text) for i in group]
            composed = [
                compose(
                    claims[i],
                    kept or evidence[i],
                    self.sentences,
                    self.verifier.fits,
                    self.raw_text,
                )
                for i, kept in zip(group, bearing, strict=True)
            ]
            rows = iter(self.verifier.score([pair for one in composed for pair in _pairs(one)]))
            for index, premises, kept in zip(group, composed, bearing, strict=True):
                own = np.stack(
                    [agreed(np.stack([next(rows) for _ in form])) for form in premises.forms]
                )
                off_subject = len(evidence[index]) - len(kept)
                yield index, Reading(premises, own, bool(kept), off_subject)

    def conclude(self, reading: Reading) -> Verdict:
        """The verdict on a claim, from what was read."""
        scores = self.decision.scores(features(reading))
        denied = scores.contradicted >= _DENIED and has_ground(
            reading, Label.CONTRADICTED, self.raw_text
        )
        if not denied and self._is_quoted(reading):
            scores = _VERBATIM
        elif not (denied and self._label(scores) is Label.CONTRADICTED) and told_otherwise(
            reading, self.raw_text
        ):
            scores = _OTHERWISE
        return self.settle(reading, scores, self.id)

    def _label(self, scores: Scores) -> Label:
        return label_of(scores, self.uncertain_below)[0]

    def settle(self, reading: Reading, scores: Scores, judge: str) -> Verdict:
        """The verdict that the rules leave of a judge's scores.

        Args:
            reading: What the quotes are chosen by.
            scores: Of the claim.
            judge: Whose they are.
        """
        settled = self._settled(reading, scores, judge)
        compared = by_comparisons(settled, reading, self.raw_text)
        return by_tables(compared, reading, self.raw_text)

    def _settled(self, reading: Reading, scores: Scores, judge: str) -> Verdict:
        apart = about_something_else(reading, self.raw_text)
        if apart is not None:
            scores = acquitted(scores)
        if not reading.pertains:
            scores = unknown(scores)
            apart = (
                f"No document that was found speaks of {spoken_of(reading.premises.claim)[0].text}."
            )
        if self.tuning is not None:
            scores = self.tuning.apply(scores)
        label, probability = label_of(scores, self.uncertain_below)
        if label is Label.SUPPORTED and probability < self._supported_from(reading):
            label = Label.UNCERTAIN
        if not has_ground(reading, label, self.raw_text):
            apart = apart or (UNQUOTABLE[label] if judge == self.id else None)
            label = Label.UNCERTAIN
        citations = cite(reading, label, self.raw_text)
        if label is Label.CONTRADICTED and any(c.relation == "supports" for c in citations):
            label, scores = Label.UNCERTAIN, disputed(citations)
            probability = max(scores.supported, scores.contradicted)
            citations = cite(reading, label, self.raw_text)
        if label is Label.SUPPORTED and denied_outright(
            reading.premises.claim.hypothesis, citations
        ):
            label, scores = Label.UNCERTAIN, disputed(citations)
            probability = max(scores.supported, scores.contradicted)
        if label is Label.SUPPORTED:
            left_out = lacking(reading, citations) or self._of_others(reading, citations)
            if left_out is not None:
                apart = left_out
                label, scores = Label.UNCERTAIN, held_back(scores)
                probability = max(scores.supported, scores.neutral, scores.contradicted)
                citations = cite(reading, label, self.raw_text)
        return Verdict(
            claim=reading.premises.claim,
            label=label,
            probability=round(probability, 4),
            scores=Scores(
                round(scores.supported, 4), round(scores.neutral, 4), round(scores.contradicted, 4)
            ),
            judge=judge,
            explanation=explain(reading, label, citations, apart),
            citations=citations,
            off_subject=reading.off_subject,
        )

    def _supported_from(self, reading: Reading) -> float:
        """The least probability of a claim that is called supported."""
        own = self.tuning.supported_from if self.tuning else 0.0
        return max(own, _TOGETHER if is_only_joint(reading) else 0.0)

    def _of_others(self, reading: Reading, citations: Sequence[Citation]) -> str | None:
        """A sentence on a quoted document that does not name whom the claim names, as others do.

        Of quotes that each support the claim, the first decides; of those that only do so together
        each has to.
        """
        own = [citation for citation in citations if citation.relation == "supports"]
        quoted = [citation.file for citation in (own if is_only_joint(reading) else own[:1])]
        premises = reading.premises
        name = named_elsewhere(premises.claim, premises.evidence, quoted, self.raw_text)
        if name is None:
            return None
        return f"A document that seems to say so does not name {name.text}; another one does."

    def _is_quoted(self, reading: Reading) -> bool:
        """Whether a sentence says all of the claim, and none plainly the opposite."""
        said = repeated(reading)
        return said is not None and not opposed(reading, "contradicts", [said], self.raw_text)


def _pairs(premises: Premises) -> list[tuple[str, str]]:
    """(premise, hypothesis), form by form; what the claim only throws in is not read."""
    said = without_asides(premises.claim.hypothesis)
    return [(text, said) for form in premises.forms for text in form]


def _nothing_found(claim: Claim) -> Verdict:
    return Verdict(claim, Label.NOT_FOUND, 1.0, None, "rules", NOTHING_FOUND)


def not_checkable(claim: Claim) -> Verdict:
    """The verdict on a sentence that no document could confirm."""
    return Verdict(
        claim, Label.NOT_CHECKABLE, 1.0, None, "rules", f"Not checked: {claim.not_checkable}."
    )
