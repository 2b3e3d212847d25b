"""What a person's own labelled rows say of the verdicts: honest probabilities and a threshold.

``veracite eval calibrate`` writes the file, ``--calibration FILE`` has every verdict obey it.
"""

import hashlib
import json
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veracite.engine.errors import InputError
from veracite.engine.types import Scores

SCHEMA = "veracite.calibration/1"
Floats = NDArray[np.float64]
_SUREST = 1e-6
"""Probabilities nearer to 0 and 1 have the log odds of this one."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A map from raw to honest probabilities: a logistic curve over the log odds (Platt 1999)."""

    slope: float
    """At least 0: the map does not decrease."""
    intercept: float

    def apply(self, probabilities: Floats) -> Floats:
        """The calibrated probabilities, of the same shape."""
        return sigmoid(self.slope * log_odds(probabilities) + self.intercept)


def log_odds(probabilities: Floats) -> Floats:
    """Their logarithms; probabilities near 0 and 1 are taken for a millionth from it."""
    sure = np.clip(probabilities, _SUREST, 1 - _SUREST)
    return np.asarray(np.log(sure) - np.log1p(-sure), dtype=np.float64)


def sigmoid(logits: Floats) -> Floats:
    """Stable: never overflows."""
    return np.asarray((1 + np.tanh(logits / 2)) / 2, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Tuning:
    """A calibration of P(supported), and from where on a claim is called supported."""

    calibration: Calibration
    supported_from: float
    """Least calibrated probability of *supported*; what leads with less is *uncertain*."""
    models: tuple[str, ...]
    """Verifier and decision that it was fitted for."""
    id: str
    """The start of the file's SHA-256."""

    def apply(self, scores: Scores) -> Scores:
        """The three probabilities with the first one calibrated; the others share the rest."""
        (supported,) = self.calibration.apply(np.array([scores.supported])).tolist()
        rest = scores.neutral + scores.contradicted
        part = (1 - supported) / rest if rest > 0 else 0.0
        if rest <= 0:
            return Scores(supported, 1 - supported, 0.0)
        return Scores(supported, scores.neutral * part, scores.contradicted * part)


def read_tuning(path: Path, models: tuple[str, ...]) -> Tuning:
    """The calibration in a file.

    Args:
        path: What ``veracite eval calibrate`` wrote.
        models: Ids of the verifier and the decision in use.

    Raises:
        InputError: It cannot be read, or was fitted for other models.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"The calibration {path} cannot be read ({error.strerror or error}).",
            "Name a file that `veracite eval calibrate` wrote.",
        ) from error
    try:
        held = json.loads(raw)
        curve, threshold = held["calibration"], float(held["supported_from"])
        calibration = Calibration(float(curve["slope"]), float(curve["intercept"]))
        fitted_for = tuple(held["models"])
        rises = 0 <= calibration.slope < math.inf and math.isfinite(calibration.intercept)
        if held["schema"] != SCHEMA or not (rises and 0 <= threshold <= 1):
            raise ValueError
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise InputError(
            f"{path} is no calibration, or it is damaged.",
            "Make one with `veracite eval calibrate --data FILE --output CALIBRATION.json`.",
        ) from error
    if fitted_for != models:
        raise InputError(
            f"The calibration {path.name} was fitted for other models than these.",
            "Fit it again with `veracite eval calibrate`.",
        )
    return Tuning(calibration, threshold, fitted_for, hashlib.sha256(raw).hexdigest()[:12])
