"""What the rules leave of a claim's probabilities."""

from collections.abc import Sequence

from veracite.engine.words import Citation, Scores

__all__ = ["acquitted", "balanced", "disputed", "held_back", "unknown"]

_ACQUITTED = 0.8
"""The share of a contradiction's probability that goes where the rules set the sentence apart.
Chosen, not fitted: the rules are right more often than not, and not always."""
_HELD_BACK = 0.3
"""The share of the probability of support that goes where the rules hold it back. Of the rows that
the decision is fitted on some half of these are supported. Chosen, not fitted."""
_UNKNOWN = 0.7
"""The same share of what supports or contradicts a claim whose subject no document speaks of."""


def acquitted(scores: Scores) -> Scores:
    """The scores where what seems to contradict a claim speaks of something else."""
    moved = _ACQUITTED * scores.contradicted
    return Scores(scores.supported, scores.neutral + moved, scores.contradicted - moved)


def held_back(scores: Scores) -> Scores:
    """The scores where what seems to support a claim does not tell all of it."""
    moved = _HELD_BACK * scores.supported
    return Scores(scores.supported - moved, scores.neutral + moved, scores.contradicted)


def disputed(citations: Sequence[Citation]) -> Scores:
    """The scores where quotes support a claim and deny it."""
    held, against = (
        max(c.probability for c in citations if c.relation == relation)
        for relation in ("supports", "contradicts")
    )
    return balanced(held, against)


def balanced(held: float, against: float) -> Scores:
    """The scores where either side is as likely to be right: half of what both claim is each's."""
    supported, contradicted = held * (1 - against / 2), against * (1 - held / 2)
    return Scores(supported, 1 - supported - contradicted, contradicted)


def unknown(scores: Scores) -> Scores:
    """The scores where no document speaks of a claim's subject."""
    supported, contradicted = (
        (1 - _UNKNOWN) * share for share in (scores.supported, scores.contradicted)
    )
    return Scores(supported, 1 - supported - contradicted, contradicted)
