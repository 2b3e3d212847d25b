"""The mean of a figure over several sets, of every method alike."""

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from results_measured import MAIN, OURS, PLAIN, VERIFIER, Measured

from veracite.engine.evaluation.results import Comparison

NEVER_TRAINED_ON = "Mean over attribution sets never trained on"
HELD_OUT = "Mean over these and the held-out parts of others"
BESIDE = (VERIFIER, *PLAIN)
"""The methods that Veracite's mean is held against."""


@dataclass(frozen=True)
class Mean:
    """Balanced accuracy, each set alike."""

    title: str
    sets: tuple[Measured, ...]
    values: Mapping[str, float]
    """By method; a method that lacks the figure on one of the sets has none."""
    leads: tuple[Comparison, ...]
    """Veracite's leads, with intervals that are put together from the sets' own."""


def means(measured: Sequence[Measured]) -> list[Mean]:
    """The means that goals are set for; without sets there is none."""
    counted = [one for one in measured if one.entry.counts and _value(one, OURS) is not None]
    groups = (
        (NEVER_TRAINED_ON, [one for one in counted if not one.entry.was_trained_on]),
        (HELD_OUT, counted),
    )
    return [_mean(title, sets) for title, sets in groups if sets]


def _mean(title: str, sets: Sequence[Measured]) -> Mean:
    values = {}
    for method in (OURS, *BESIDE):
        of_sets = [value for one in sets if (value := _value(one, method)) is not None]
        if len(of_sets) == len(sets):
            values[method] = statistics.fmean(of_sets)
    found = (_lead(sets, other) for other in BESIDE)
    return Mean(title, tuple(sets), values, tuple(lead for lead in found if lead))


def _value(one: Measured, method: str) -> float | None:
    figure = one.figure(MAIN, method)
    return figure.value if figure else None


def _lead(sets: Sequence[Measured], other: str) -> Comparison | None:
    """The mean of the sets' leads; None if one has none.

    Sets are independent of each other, so the squares of the distances from a lead to an end of
    its interval add up (Zou and Donner, 2008).
    """
    leads = [lead for one in sets for lead in one.leads() if lead.other == other]
    apart = [lead.difference for lead in leads if lead.difference is not None]
    if not len(sets) == len(leads) == len(apart):
        return None
    mean = statistics.fmean(apart)
    below = [d - lead.low for d, lead in zip(apart, leads, strict=True) if lead.low is not None]
    above = [lead.high - d for d, lead in zip(apart, leads, strict=True) if lead.high is not None]
    if not len(below) == len(above) == len(sets):
        return Comparison(other, MAIN, mean)
    low, high = (math.hypot(*distances) / len(sets) for distances in (below, above))
    return Comparison(other, MAIN, mean, mean - low, mean + high)
