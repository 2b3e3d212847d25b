"""From the network's scores and the plain measures to the numbers a decision is made on.

Each feature is a function of the claim, its passages and the verifier alone, so the decision is
too. ``NAMES`` fixes their order; ``engine/judging/decision.json`` was fitted on exactly these.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from veracite.engine.comparing.premises import Candidate, passage_premise
from veracite.engine.comparing.reading import Reading
from veracite.engine.comparing.topics import topic_of
from veracite.engine.facts.measures import measures, weigh
from veracite.engine.wording.contrasts import is_negation
from veracite.engine.wording.overlap import Word, content_words, coverage, words

__all__ = ["NAMES", "features"]

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
_PLAINLY = 0.65
"""From this denial on a sentence outvotes what is read of it among others."""


def features(reading: Reading) -> NDArray[np.float64]:
    """The features in the order of ``NAMES``."""
    values = [*_network(reading), *_lexical(reading), *_factual(reading), *_rest(reading)]
    return np.array(values, dtype=np.float64)


def _network(reading: Reading) -> list[float]:
    passages, sentences = reading.of_passages, reading.of_sentences
    denial = _denial(reading)
    left = 1 - denial if denial >= _PLAINLY else 1.0
    return [
        _logit(passages[:, 0].max() * left),
        _logit(sentences[:, 0].max()),
        _logit(reading.jointly[0] * left),
        _logit(passages[:, 2].max()),
        _logit(sentences[:, 2].max()),
        _logit(reading.jointly[2]),
        _logit(sentences[0, 0]),
        _logit(sentences[0, 2]),
        *_close(reading),
    ]


def _denial(reading: Reading) -> float:
    """How plainly one sentence denies the claim: its probability by how much it covers.

    The claim's figures need no cover, since it may say others, nor does a subject that its
    passage names.
    """
    statement = reading.premises.claim.statement
    figures = [m.quantity for m in reading.figures]
    said = [w for w in reading.said if not any(f.start <= w.start < f.end for f in figures)]
    subject = topic_of(statement).end
    return max(
        float(row[2]) * (coverage(said, c.stems | _named(reading, c, subject)) if said else 1.0)
        for row, c in zip(reading.of_sentences, reading.premises.judged, strict=True)
    )


def _named(reading: Reading, candidate: Candidate, subject: int) -> set[str]:
    """The stems of the claim's subject, which ends at ``subject``, that a passage has."""
    around = {word.stem for word in words(candidate.passage.text)}
    return {w.stem for w in reading.said if w.end <= subject and w.stem in around}


def _close(reading: Reading) -> list[float]:
    """Support and contradiction weighed by how much of the claim the sentence speaks of."""
    shares = [coverage(reading.said, c.stems) for c in reading.premises.judged]
    return [
        max(
            float(row[column]) * share
            for row, share in zip(reading.of_sentences, shares, strict=True)
        )
        for column in (0, 2)
    ]


def _lexical(reading: Reading) -> list[float]:
    premises = reading.premises
    passages = [_stems(passage) for passage in premises.passages]
    return [
        max(coverage(reading.said, c.stems) for c in premises.judged),
        max(coverage(reading.said, stems) for stems in passages),
        coverage(reading.said, frozenset().union(*passages)),
        _word_pairs(reading),
        float(_has_words_in_order(reading)),
    ]


def _has_words_in_order(reading: Reading) -> bool:
    """Whether the nearest sentence has the claim's words in its order."""
    sentence = reading.nearest.sentence.text
    own = [w.stem for w in words(reading.premises.claim.statement)]
    there = [w.stem for w in words(sentence)]
    return any(there[i : i + len(own)] == own for i in range(len(there) - len(own) + 1))


def _word_pairs(reading: Reading) -> float:
    """The share of the claim's neighbouring content words that are neighbours in a passage."""
    own = _neighbours(reading.said)
    if not own:
        return 0.0
    return max(
        len(own & _neighbours(content_words(passage_premise(item.passage)))) / len(own)
        for item in reading.premises.evidence
    )


def _factual(reading: Reading) -> list[float]:
    names = _names(reading)
    texts = [passage_premise(item.passage) for item in reading.premises.evidence]
    stated = [measures(text) for text in texts]
    stems = [_stems(text) for text in texts]
    everywhere = frozenset().union(*stems)
    found = [sum(c.outcome == "match" for c in weigh(reading.figures, one)) for one in stated]
    missing = sum(
        c.outcome != "match" for c in weigh(reading.figures, [m for one in stated for m in one])
    )
    nearest = weigh(reading.figures, measures(reading.nearest.premise))
    conflicts = sum(c.outcome == "conflict" for c in nearest)
    close = coverage([w for w in reading.said if not w.text[0].isdigit()], reading.nearest.stems)
    return [
        max((coverage(names, one) for one in stems), default=0.0) if names else 1.0,
        min(3, sum(w.stem not in everywhere for w in names)),
        max(found, default=0) / len(reading.figures) if reading.figures else 1.0,
        min(3, missing),
        min(2, conflicts),
        min(2, conflicts) * close**2,
        _foreign_names(reading) * close**2,
    ]


def _names(reading: Reading) -> tuple[Word, ...]:
    """The capitalised words of the claim, the one that opens it aside."""
    return tuple(w for w in reading.said if w.text[0].isupper() and w.start > 0)


def _foreign_names(reading: Reading) -> float:
    """Names of the claim that the nearest sentence lacks while it has others in their place."""
    stems = reading.nearest.stems
    own = {w.stem for w in content_words(reading.premises.claim.query)}
    lacking = sum(w.stem not in stems for w in _names(reading))
    others = {
        w.stem
        for w in content_words(reading.nearest.sentence.text)
        if w.text[0].isupper() and w.start > 0 and w.stem not in own
    }
    return float(min(2, lacking, len(others)))


def _rest(reading: Reading) -> list[float]:
    nearest = reading.nearest.sentence.text
    negated = _negated(reading.premises.claim.statement) != _negated(nearest)
    cosines = [e.cosine for e in reading.premises.evidence if e.cosine is not None]
    return [
        float(negated) * coverage(reading.said, reading.nearest.stems) ** 2,
        max(cosines, default=0.5),
        math.log1p(len(reading.said)),
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
