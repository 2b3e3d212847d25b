"""Which of a claim's passages a language model is shown: those that may bear on it.

A model that reads every passage found for a claim spends most of its time on those that the
verifier, which has read them all before, finds to say nothing of it. What counts is how much of the
claim's words a passage has and how sure the verifier is that it says anything, beside the passage
of the same claim that has most of both. So the best one is always shown, and what is shown depends
on the claim and its own passages alone.
"""

import math
from collections.abc import Sequence

from veracite.engine.comparing.premises import passage_premise
from veracite.engine.comparing.reading import Reading
from veracite.engine.wording.overlap import content_words, coverage

__all__ = ["bearing", "told", "weights"]

_BAR = 0.2
"""Share of the best passage's weight under which a passage is passed over. The largest, in steps of
0.05, by which at most 2 % of the passages that decide a claim are lost on the half of labelled data
that ``scripts/measure_screening.py`` chooses by."""


def bearing(reading: Reading) -> tuple[int, ...]:
    """The places of the passages that may support or contradict the claim; at least one."""
    found = weights(reading)
    return tuple(place for place, weight in enumerate(found) if weight >= _BAR * max(found))


def weights(reading: Reading) -> list[float]:
    """How much each passage may bear on the claim, 0..1.

    The share of the claim's words that it has, by the root of the probability that it says
    anything: the verifier reads whole passages less surely than words can be counted.
    """
    return [
        coverage(reading.said, {w.stem for w in content_words(passage_premise(item.passage))})
        * math.sqrt(max(row[0], row[2]))
        for item, row in zip(reading.premises.evidence, reading.of_passages, strict=True)
    ]


def told(reading: Reading, shown: Sequence[int]) -> str:
    """What an explanation says of the passages that were passed over; empty if none was."""
    found = enumerate(reading.premises.evidence)
    passed = [str(item.rank) for place, item in found if place not in shown]
    if not passed:
        return ""
    which = f"passages ranked {', '.join(passed[:-1])} and {passed[-1]}"
    if len(passed) == 1:
        which = f"passage ranked {passed[0]}"
    return f" It was not shown the {which}, in which the verifier finds no bearing on this."
