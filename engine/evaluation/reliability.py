"""How honest probabilities are: what is said to be true in 8 of 10 cases is true in 8 of 10.

Rows are items, of shape (n,). Where a figure is not defined it is nan; nothing here raises on data.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Bin",
    "brier",
    "calibration_error_by_chance",
    "expected_calibration_error",
    "log_loss",
    "reliability_bins",
]

Labels = NDArray[np.bool_]
Floats = NDArray[np.float64]

_SUREST = 1e-6
"""A probability nearer to 0 or 1 costs no more than this one, if it is wrong."""


def brier(probabilities: Floats, outcomes: Labels) -> float:
    """The mean squared distance of probabilities from what came out (0 or 1)."""
    return float(np.mean((probabilities - outcomes) ** 2)) if len(outcomes) else float("nan")


def log_loss(probabilities: Floats, outcomes: Labels) -> float:
    """The mean negative log-likelihood, in nats; probabilities are kept within 1e-6 of 0 and 1."""
    if not len(outcomes):
        return float("nan")
    sure = np.clip(probabilities, _SUREST, 1 - _SUREST)
    return float(-np.mean(np.where(outcomes, np.log(sure), np.log1p(-sure))))


@dataclass(frozen=True, slots=True)
class Bin:
    """Items of about equal probability."""

    count: int
    mean_probability: float
    share_true: float


def reliability_bins(probabilities: Floats, outcomes: Labels, bins: int = 10) -> list[Bin]:
    """Bins of equal mass, by rising probability.

    Equal probabilities are never parted, so the order of the rows does not matter and there may
    be fewer and unequal bins.
    """
    if not len(outcomes) or np.isnan(probabilities).any():
        return []
    _, value, counts = np.unique(probabilities, return_inverse=True, return_counts=True)
    middles = 2 * np.cumsum(counts) - counts
    places = (middles * bins // (2 * len(outcomes)))[value]
    found = []
    for place in np.unique(places):
        inside = places == place
        mean, share = probabilities[inside].mean(), outcomes[inside].mean()
        found.append(Bin(int(inside.sum()), float(mean), float(share)))
    return found


def expected_calibration_error(probabilities: Floats, outcomes: Labels, bins: int = 10) -> float:
    """The mean distance between stated and observed probability, over bins of equal mass."""
    found = reliability_bins(probabilities, outcomes, bins)
    if not found:
        return float("nan")
    off = sum(b.count * abs(b.mean_probability - b.share_true) for b in found)
    return off / len(outcomes)


def calibration_error_by_chance(
    probabilities: Floats, bins: int = 10, *, draws: int = 200, seed: int = 0
) -> float:
    """The expected calibration error that these probabilities would have if each were right.

    A bin of few items rarely has just the stated share of true ones: with 100 items, perfect
    probabilities have an error of some 0.1. The mean over outcomes drawn as the probabilities say.
    """
    if np.isnan(probabilities).any():
        return float("nan")
    generator = np.random.default_rng(seed)
    outcomes = generator.random((draws, len(probabilities))) < probabilities
    errors = [expected_calibration_error(probabilities, drawn, bins) for drawn in outcomes]
    return float(np.mean(errors))
