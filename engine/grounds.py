"""What makes a sentence ground for a verdict, beside what the verifier says of it."""

from collections.abc import Sequence

from veracite.engine.features import Reading
from veracite.engine.measures import measures, weigh
from veracite.engine.overlap import coverage, words
from veracite.engine.premises import Candidate
from veracite.engine.quantities import Quantity
from veracite.engine.topics import topic_of

__all__ = ["can_support", "nearness", "other_figure", "speaks_against", "states_figures"]

_DENIED = 0.3
"""A sentence that is this probable to contradict a claim is no support for it."""
_COUNTED = 12
_RELATED = 0.3
"""A sentence that covers less of the claim is no evidence for it, whatever the network says."""


def nearness(reading: Reading, candidate: Candidate) -> float:
    """How much of a claim a sentence covers, its subject told from the passage around it."""
    statement = reading.premises.claim.statement
    subject = topic_of(statement).end
    around = {word.stem for word in words(candidate.passage.text)}
    known = {w.stem for w in reading.said if w.end <= subject and w.stem in around}
    return coverage(reading.said, candidate.stems | known)


def can_support(reading: Reading, candidate: Candidate) -> bool:
    """Whether a sentence speaks of the claim at all, and does not speak against it."""
    related = coverage(reading.said, candidate.stems) >= _RELATED
    return related and not speaks_against(reading, candidate)


def speaks_against(reading: Reading, candidate: Candidate) -> bool:
    """Whether a sentence may deny the claim or gives another figure in place of one of its own."""
    for judged, row in zip(reading.premises.judged, reading.of_sentences, strict=True):
        if judged is candidate and row[2] >= _DENIED:
            return True
    return other_figure(reading, candidate.premise)


def states_figures(statement: str, premises: Sequence[str]) -> bool:
    """Whether each number and date of a claim stands in what it is said to be supported by.

    Small numbers and ordinals need not: what is counted is often named one by one.
    """
    claimed = [m for m in measures(statement) if not _is_countable(m.quantity)]
    found = weigh(claimed, measures(" ".join(premises)))
    return all(figure.outcome == "match" for figure in found)


def _is_countable(quantity: Quantity) -> bool:
    return quantity.kind == "ordinal" or (quantity.kind == "number" and quantity.value <= _COUNTED)


def other_figure(reading: Reading, premise: str) -> bool:
    """Whether a premise has another number or date in place of one of the claim's."""
    figures = weigh(measures(reading.premises.claim.statement), measures(premise))
    return any(figure.outcome == "conflict" for figure in figures)
