"""Maps from a raw probability to one that means what it says; all are non-decreasing.

Temperature (Guo et al. 2017) divides the log odds by a number, Platt (1999) is a logistic
regression on the log odds, isotonic is the best non-decreasing function. The identity is the
fourth: leave what is good already. ``veracite.engine.evaluation.fitting`` fits them.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from veracite.engine.errors import InputError

Floats = NDArray[np.float64]
Kind = Literal["identity", "temperature", "platt", "isotonic"]

_SUREST = 1e-6
"""Probabilities nearer to 0 and 1 have the log odds of this one."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A fitted map, non-decreasing."""

    kind: Kind
    slope: float = 1.0
    """Over the log odds; of a temperature one over it. At least 0."""
    intercept: float = 0.0
    """Added to the log odds (Platt)."""
    points: tuple[tuple[float, float], ...] = ()
    """Of an isotonic map: raw and calibrated, both rising; between them a straight line."""

    def apply(self, probabilities: Floats) -> Floats:
        """The calibrated probabilities, of the same shape."""
        if self.kind == "identity":
            return np.asarray(probabilities, dtype=np.float64)
        if self.kind == "isotonic":
            raw, calibrated = zip(*self.points, strict=True)
            return np.asarray(np.interp(probabilities, raw, calibrated), dtype=np.float64)
        return sigmoid(self.slope * log_odds(probabilities) + self.intercept)

    def as_mapping(self) -> dict[str, Any]:
        """As JSON can hold it; ``from_mapping`` reads it back exactly."""
        if self.kind == "identity":
            return {"kind": self.kind}
        if self.kind == "isotonic":
            return {"kind": self.kind, "points": [list(point) for point in self.points]}
        return {"kind": self.kind, "slope": self.slope, "intercept": self.intercept}

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, Any]) -> "Calibration":
        """What ``as_mapping`` gave.

        Raises:
            InputError: It is no calibration, or not a non-decreasing one.
        """
        try:
            kind = mapping["kind"]
            points = tuple((float(x), float(y)) for x, y in mapping.get("points", ()))
            slope = float(mapping.get("slope", 1))
            intercept = float(mapping.get("intercept", 0))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise _unreadable() from error
        found = cls(kind, slope, intercept, points)
        if not _is_sound(found):
            raise _unreadable()
        return found


def log_odds(probabilities: Floats) -> Floats:
    """Their logarithms; probabilities near 0 and 1 are taken for a millionth from it."""
    sure = np.clip(probabilities, _SUREST, 1 - _SUREST)
    return np.asarray(np.log(sure) - np.log1p(-sure), dtype=np.float64)


def sigmoid(logits: Floats) -> Floats:
    """Stable: never overflows."""
    return np.asarray((1 + np.tanh(logits / 2)) / 2, dtype=np.float64)


def _is_sound(found: Calibration) -> bool:
    if found.kind not in get_args(Kind) or not 0 <= found.slope < math.inf:
        return False
    if found.kind != "isotonic":
        return math.isfinite(found.intercept)
    steps = list(zip(found.points, found.points[1:], strict=False))
    rising = all(a[0] < b[0] and a[1] <= b[1] for a, b in steps)
    inside = all(0 <= x <= 1 and 0 <= y <= 1 for x, y in found.points)
    return bool(found.points) and rising and inside


def _unreadable() -> InputError:
    return InputError(
        "The calibration cannot be read: it is incomplete, damaged or of another version.",
        "Fit it again with veracite eval calibrate.",
    )
