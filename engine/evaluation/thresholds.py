"""From which score on an item is called true, chosen on labelled items for others."""

import numpy as np

from veracite.engine.evaluation.logistic import logistic_line
from veracite.engine.evaluation.metrics import Floats, Labels, best_threshold
from veracite.engine.judging.calibration import log_odds, sigmoid

__all__ = ["logistic_threshold"]

_RIDGE = 1e-3
"""Keeps the line finite where scores separate the classes."""


def logistic_threshold(scores: Floats, truth: Labels) -> float:
    """The score where a logistic curve, both classes weighing the same, crosses one half.

    All items have a part in it, so it varies less from one half of a set to the other than the one
    that is best on a half, and is better on the other (``scripts/LOG.md``). Probabilities are taken
    by their log odds. Where higher scores are not more often true: ``best_threshold``.

    Args:
        scores: Higher for what is rather true, shape (n,).
        truth: Shape (n,).

    Returns:
        Nan where all scores are equal or items are of one class only.
    """
    found = best_threshold(scores, truth)
    if np.isnan(found):
        return found
    are_odds = bool(scores.min() >= 0 and scores.max() <= 1)
    values = log_odds(np.clip(scores, 1e-3, 1 - 1e-3)) if are_odds else scores
    middle, width = float(values.mean()), float(values.std())
    if not width:
        return found
    weights = np.where(truth, 0.5 / truth.sum(), 0.5 / (~truth).sum())
    slope, intercept = logistic_line(
        (values - middle) / width, truth.astype(np.float64), weights, ridge=_RIDGE
    )
    if slope <= 0:
        return found
    crossing = middle - intercept / slope * width
    return float(sigmoid(np.array(crossing))) if are_odds else crossing
