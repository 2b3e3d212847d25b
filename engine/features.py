"""From the network's scores and the plain measures to the numbers a decision is made on.

Each feature is a function of the claim, its passages and the verifier alone, so the decision is
too. ``NAMES`` fixes their order; ``engine/decision.json`` was fitted on exactly these.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from veracite.engine.contrasts import is_negation
from veracite.engine.measures import Measure, measures, weigh
from veracite.engine.numbers import Comparison
from veracite.engine.overlap import Word, content_words, coverage, words
from veracite.engine.phrases import PRONOUNS
from veracite.engine.premises import Candidate, Premises, passage_premise
from veracite.engine.rows import says_row, wording
from veracite.engine.topics import topic_of

__all__ = ["NAMES", "Reading"]

NAMES = (
    "supported by a passage",
    "supported by a sentence",
    "supported jointly",
    "contradicted by a passage",
    "contradicted by a sentence",
    "contradicted jointly",
    "supported by the nearest sentence",
    "contradicted by the nearest sentence",
    "supported by a close sentence",
    "contradicted by a close sentence",
    "coverage by a sentence",
    "coverage by a passage",
    "coverage by all",
    "word pairs in common",
    "stated word for word",
    "names found in a passage",
    "names missing everywhere",
    "numbers found in a passage",
    "numbers missing everywhere",
    "numbers in conflict",
    "conflict in a close sentence",
    "foreign name in a close sentence",
    "negation differs",
    "similarity",
    "claim length",
)
_SOME_WORDS = 3
"""Words that carry weight, at least, of a claim that can be quoted word for word."""
_NUMBER = re.compile(r"\(?\d{1,3}[.)]\s+")
"""Of a list's item."""
_PLAINLY = 0.65
"""From this denial on a sentence outvotes what is read of it among others."""


@dataclass(frozen=True)
class Reading:
    """What the verifier and the plain measures say of one claim."""

    premises: Premises
    probabilities: NDArray[np.float32]
    """One row (supported, neutral, contradicted) for each of ``premises.pairs``."""
    pertains: bool = True
    """Whether the documents speak of the claim's subject."""
    off_subject: int = 0
    """Passages found of documents that do not; ``premises`` hold them only if no other was."""

    @property
    def of_passages(self) -> NDArray[np.float32]:
        """The rows of the passages alone."""
        return self.probabilities[: len(self.premises.evidence)]

    @property
    def of_sentences(self) -> NDArray[np.float32]:
        """The rows of the sentences judged alone."""
        return self.probabilities[len(self.premises.evidence) : -1]

    @property
    def jointly(self) -> NDArray[np.float32]:
        """The row of the joint premise."""
        row: NDArray[np.float32] = self.probabilities[-1]
        return row

    @cached_property
    def said(self) -> tuple[Word, ...]:
        """The claim's words that carry weight."""
        return content_words(self.premises.claim.statement)

    @cached_property
    def nearest(self) -> Candidate:
        """The sentence that covers most of the claim."""
        return self.premises.candidates[0]

    @cached_property
    def verbatim(self) -> Candidate | None:
        """A sentence, or a table's row, that says the claim word for word; None if there is none.

        A claim of a few words, or one whose pronoun may mean another, is not said by who uses the
        same words.
        """
        claim = self.premises.claim
        own = wording(claim.statement)
        if len(self.said) < _SOME_WORDS or claim.resolved or own[0] in PRONOUNS:
            return None
        candidates = self.premises.candidates
        said = next((c for c in candidates if self._says(c, own)), None)
        return said or next(filter(None, (self._listed(c, own) for c in candidates)), None)

    def _says(self, candidate: Candidate, own: Sequence[str]) -> bool:
        if wording(candidate.sentence.text) == own:
            return True
        beside = [c.sentence.text for c in self.premises.candidates if c.rank == candidate.rank]
        return says_row(own, candidate.sentence.text, beside)

    def _listed(self, lead: Candidate, own: Sequence[str]) -> Candidate | None:
        """A sentence that ends in a colon together with the items behind it that a claim has."""
        if not lead.sentence.text.endswith(":"):
            return None
        text, last = lead.sentence.text, lead.sentence
        behind = [c.sentence for c in self.premises.candidates if c.rank == lead.rank]
        for item in sorted(behind, key=lambda sentence: sentence.start):
            if item.start <= lead.sentence.start:
                continue
            text, last = f"{text} {_NUMBER.sub('', item.text, count=1)}", item
            said = wording(text)
            if said == own:
                return replace(lead, sentence=replace(lead.sentence, end=last.end, text=text))
            if said != own[: len(said)]:
                return None
        return None

    @cached_property
    def figures(self) -> tuple[Measure, ...]:
        """The claim's numbers and dates."""
        return measures(self.premises.claim.statement)

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """The claim's numbers and dates beside the nearest sentence's."""
        return weigh(self.figures, measures(self.nearest.premise))

    @cached_property
    def denial(self) -> float:
        """How plainly one sentence denies the claim: its probability by how much it covers.

        The claim's figures need no cover, since it may say others, nor does a subject that its
        passage names.
        """
        statement = self.premises.claim.statement
        figures = [m.quantity for m in self.figures]
        said = [w for w in self.said if not any(f.start <= w.start < f.end for f in figures)]
        subject = topic_of(statement).end
        return max(
            float(row[2]) * (coverage(said, c.stems | self._named(c, subject)) if said else 1.0)
            for row, c in zip(self.of_sentences, self.premises.judged, strict=True)
        )

    def _named(self, candidate: Candidate, subject: int) -> set[str]:
        """The stems of the claim's subject, which ends at ``subject``, that a passage has."""
        around = {word.stem for word in words(candidate.passage.text)}
        return {w.stem for w in self.said if w.end <= subject and w.stem in around}

    @cached_property
    def names(self) -> tuple[Word, ...]:
        """The capitalised words of the claim, the one that opens it aside."""
        return tuple(w for w in self.said if w.text[0].isupper() and w.start > 0)

    def features(self) -> NDArray[np.float64]:
        """The features in the order of ``NAMES``."""
        return np.array(
            [*self._network(), *self._lexical(), *self._factual(), *self._rest()], dtype=np.float64
        )

    def _network(self) -> list[float]:
        passages, sentences = self.of_passages, self.of_sentences
        left = 1 - self.denial if self.denial >= _PLAINLY else 1.0
        return [
            _logit(passages[:, 0].max() * left),
            _logit(sentences[:, 0].max()),
            _logit(self.jointly[0] * left),
            _logit(passages[:, 2].max()),
            _logit(sentences[:, 2].max()),
            _logit(self.jointly[2]),
            _logit(sentences[0, 0]),
            _logit(sentences[0, 2]),
            *self._close(),
        ]

    def _close(self) -> list[float]:
        """Support and contradiction weighed by how much of the claim the sentence speaks of."""
        shares = [coverage(self.said, c.stems) for c in self.premises.judged]
        return [
            max(
                float(row[column]) * share
                for row, share in zip(self.of_sentences, shares, strict=True)
            )
            for column in (0, 2)
        ]

    def _lexical(self) -> list[float]:
        premises = self.premises
        passages = [_stems(passage) for passage in premises.passages]
        return [
            max(coverage(self.said, c.stems) for c in premises.judged),
            max(coverage(self.said, stems) for stems in passages),
            coverage(self.said, frozenset().union(*passages)),
            self._word_pairs(),
            float(self._verbatim()),
        ]

    def _verbatim(self) -> bool:
        """Whether the nearest sentence has the claim's words in its order and nothing denies it."""
        sentence = self.nearest.sentence.text
        own = [w.stem for w in words(self.premises.claim.statement)]
        there = [w.stem for w in words(sentence)]
        return any(there[i : i + len(own)] == own for i in range(len(there) - len(own) + 1))

    def _word_pairs(self) -> float:
        """The share of the claim's neighbouring content words that are neighbours in a passage."""
        own = _neighbours(self.said)
        if not own:
            return 0.0
        return max(
            len(own & _neighbours(content_words(passage_premise(item.passage)))) / len(own)
            for item in self.premises.evidence
        )

    def _factual(self) -> list[float]:
        texts = [passage_premise(item.passage) for item in self.premises.evidence]
        stated = [measures(text) for text in texts]
        stems = [_stems(text) for text in texts]
        everywhere = frozenset().union(*stems)
        found = [sum(c.outcome == "match" for c in weigh(self.figures, one)) for one in stated]
        missing = sum(
            c.outcome != "match" for c in weigh(self.figures, [m for one in stated for m in one])
        )
        conflicts = sum(c.outcome == "conflict" for c in self.comparisons)
        close = coverage([w for w in self.said if not w.text[0].isdigit()], self.nearest.stems)
        return [
            max((coverage(self.names, one) for one in stems), default=0.0) if self.names else 1.0,
            min(3, sum(w.stem not in everywhere for w in self.names)),
            max(found, default=0) / len(self.figures) if self.figures else 1.0,
            min(3, missing),
            min(2, conflicts),
            min(2, conflicts) * close**2,
            self._foreign_names() * close**2,
        ]

    def _foreign_names(self) -> float:
        """Names of the claim that the nearest sentence lacks while it has others in their place."""
        stems = self.nearest.stems
        own = {w.stem for w in content_words(self.premises.claim.query)}
        lacking = sum(w.stem not in stems for w in self.names)
        others = {
            w.stem
            for w in content_words(self.nearest.sentence.text)
            if w.text[0].isupper() and w.start > 0 and w.stem not in own
        }
        return float(min(2, lacking, len(others)))

    def _rest(self) -> list[float]:
        nearest = self.nearest.sentence.text
        negated = _negated(self.premises.claim.statement) != _negated(nearest)
        cosines = [e.cosine for e in self.premises.evidence if e.cosine is not None]
        return [
            float(negated) * coverage(self.said, self.nearest.stems) ** 2,
            max(cosines, default=0.5),
            math.log1p(len(self.said)),
        ]


def _logit(probability: float) -> float:
    clipped = min(max(float(probability), 0.002), 0.998)
    return math.log(clipped / (1 - clipped))


def _stems(text: str) -> frozenset[str]:
    return frozenset(word.stem for word in content_words(text))


def _neighbours(said: Sequence[Word]) -> set[tuple[str, str]]:
    return {(a.stem, b.stem) for a, b in pairwise(said)}


def _negated(text: str) -> bool:
    return any(map(is_negation, words(text)))
