"""A logistic curve through labelled scores."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from veracite.engine.judging.calibration import sigmoid

__all__ = ["Line", "logistic_line"]

Floats = NDArray[np.float64]

_STEPS = 100
_NEAR = 1e-9
"""A step that moves neither number by more is the last."""
_SOLVABLE = 1e-12
"""Added to the curvature, which is singular where all values are equal."""


class Line(NamedTuple):
    """The log odds of being true as a line over a value."""

    slope: float
    intercept: float


def logistic_line(
    values: Floats, targets: Floats, weights: Floats, *, start: float = 0.0, ridge: float = 0.0
) -> Line:
    """Fit log odds by Newton's method on the weighted log loss.

    Args:
        values: Shape (n,).
        targets: The wanted probabilities, shape (n,), within 0 and 1.
        weights: What each counts for, shape (n,).
        start: The intercept to begin with, at no slope.
        ridge: Half of it times the slope squared is added to the loss: finite where a value
            separates the targets.
    """
    columns, line = np.stack([values, np.ones_like(values)]), np.array([0.0, start])
    kept_small = ridge * np.diag([1.0, 0.0])

    def loss(line: Floats) -> float:
        logits = line @ columns
        lost = weights @ (np.logaddexp(0, logits) - targets * logits)
        return float(lost + line @ kept_small @ line / 2)

    for _ in range(_STEPS):
        said = sigmoid(line @ columns)
        gradient = columns @ (weights * (said - targets)) + kept_small @ line
        curvature = (columns * (weights * said * (1 - said))) @ columns.T + kept_small
        step = np.linalg.solve(curvature + _SOLVABLE * np.eye(2), gradient)
        while loss(line - step) > loss(line) and np.abs(step).max() > _NEAR:
            step = step / 2
        line = line - step
        if np.abs(step).max() <= _NEAR:
            break
    return Line(float(line[0]), float(line[1]))
