"""Fitting a map from raw to honest probabilities on labelled rows, one kind at a time."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from veracite.engine.errors import InputError
from veracite.engine.evaluation.logistic import logistic_line
from veracite.engine.judging.calibration import Calibration, Kind, log_odds, sigmoid

__all__ = ["FITS", "check", "fit"]

Floats = NDArray[np.float64]
Labels = NDArray[np.bool_]

_AT_LEAST = 10
"""True and false rows each; fewer fix nothing."""
_SLOPES = (1e-3, 1e3)
"""Between which a temperature's slope is looked for."""


def fit(kind: Kind, probabilities: Floats, outcomes: Labels) -> Calibration:
    """Fit one kind of map.

    Args:
        kind: Which.
        probabilities: Raw, shape (n,), within 0 and 1.
        outcomes: Whether it came out so, shape (n,).

    Raises:
        InputError: Fewer than ten rows are true or false, or a probability is none.
    """
    check(probabilities, outcomes)
    return FITS[kind](probabilities, outcomes)


def check(probabilities: Floats, outcomes: Labels) -> None:
    """Raises InputError unless a map can be fitted on these rows."""
    if not np.all((probabilities >= 0) & (probabilities <= 1)):
        raise InputError(
            "Some probabilities are not between 0 and 1.", "Give a probability for every row."
        )
    true, false = int(outcomes.sum()), int((~outcomes).sum())
    if min(true, false) < _AT_LEAST:
        raise InputError(
            f"A calibration needs {_AT_LEAST} true and {_AT_LEAST} false rows to fit on, and there"
            f" are {true} and {false}.",
            "Label more rows, or use the calibration that ships with Veracite.",
        )


def _identity(probabilities: Floats, outcomes: Labels) -> Calibration:
    return Calibration("identity")


def _temperature(probabilities: Floats, outcomes: Labels) -> Calibration:
    """The slope where the log loss to Platt's smoothed targets is least: by bisection.

    The loss is convex in it. Where one half parts true from false rows, no slope is too steep for
    the rows as they are; there none is taken that maps a row beyond the targets.
    """
    odds, targets = log_odds(probabilities), _targets(outcomes)
    low, high = _SLOPES
    for _ in range(80):
        middle = math.sqrt(low * high)
        rising = float(np.mean((sigmoid(middle * odds) - targets) * odds)) > 0
        low, high = (low, middle) if rising else (middle, high)
    slope = math.sqrt(low * high)
    if np.all(odds[outcomes] > 0) and np.all(odds[~outcomes] < 0):
        farthest = min(_odds_of(float(targets.max())), -_odds_of(float(targets.min())))
        slope = min(slope, farthest / float(np.abs(odds).max()))
    return Calibration("temperature", slope=slope)


def _platt(probabilities: Floats, outcomes: Labels) -> Calibration:
    """A logistic curve to Platt's smoothed targets, which have a finite best line."""
    odds, targets = log_odds(probabilities), _targets(outcomes)
    weights = np.full(len(targets), 1 / len(targets))
    line = logistic_line(odds, targets, weights, start=_odds_of(float(targets.mean())))
    if line.slope <= 0:
        return Calibration("platt", slope=0.0, intercept=_odds_of(float(targets.mean())))
    return Calibration("platt", slope=line.slope, intercept=line.intercept)


def _isotonic(probabilities: Floats, outcomes: Labels) -> Calibration:
    """Pool adjacent violators; no value is nearer to 0 or 1 than its rows can tell."""
    raw, value, counts = np.unique(probabilities, return_inverse=True, return_counts=True)
    true = np.bincount(value, weights=outcomes)
    blocks: list[tuple[float, float, float, float]] = []
    for x, t, n in zip(raw.tolist(), true.tolist(), counts.tolist(), strict=True):
        first, last = x, x
        while blocks and blocks[-1][2] * n >= t * blocks[-1][3]:
            first, _, more_true, more = blocks.pop()
            t, n = t + more_true, n + more
        blocks.append((first, last, t, n))
    nearest = 1 / (len(outcomes) + 2)
    points: dict[float, float] = {}
    for first, last, t, n in blocks:
        points[first] = points[last] = min(1 - nearest, max(nearest, t / n))
    return Calibration("isotonic", points=tuple(points.items()))


FITS: dict[Kind, Callable[[Floats, Labels], Calibration]] = {
    "identity": _identity,
    "temperature": _temperature,
    "platt": _platt,
    "isotonic": _isotonic,
}


def _targets(outcomes: Labels) -> Floats:
    """Platt's: as far from 0 and 1 as the rows of each class are few."""
    true, false = int(outcomes.sum()), int((~outcomes).sum())
    return np.where(outcomes, (true + 1) / (true + 2), 1 / (false + 2))


def _odds_of(probability: float) -> float:
    return math.log(probability) - math.log1p(-probability)
