"""What a person's own labelled rows say of the verdicts: honest probabilities and a threshold.

``veracite eval calibrate`` writes the file (``veracite.engine.evaluation.calibrate`` fits it),
``--calibration FILE`` has every verdict obey it.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from veracite.engine.errors import InputError, SettingsError, disk_errors
from veracite.engine.types import Scores

Floats = NDArray[np.float64]

SCHEMA: Literal["veracite.calibration/1"] = "veracite.calibration/1"
_SUREST = 1e-6
"""Probabilities nearer to 0 and 1 have the log odds of this one."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A map from raw to honest probabilities: a logistic curve over the log odds (Platt 1999)."""

    slope: Annotated[float, msgspec.Meta(ge=0)]
    """At least 0: the map does not decrease."""
    intercept: float

    def apply(self, probabilities: Floats) -> Floats:
        """The calibrated probabilities, of the same shape."""
        return sigmoid(self.slope * log_odds(probabilities) + self.intercept)


@dataclass(frozen=True, slots=True)
class Tuning:
    """A calibration of P(supported), and from where on a claim is called supported."""

    calibration: Calibration
    supported_from: float
    """Least calibrated probability of *supported*; what leads with less is *uncertain*."""
    id: str
    """The start of the file's SHA-256."""

    def apply(self, scores: Scores) -> Scores:
        """The three probabilities with the first one calibrated; the others share the rest."""
        (supported,) = self.calibration.apply(np.array([scores.supported])).tolist()
        rest = scores.neutral + scores.contradicted
        if rest <= 0:
            return Scores(supported, 1 - supported, 0.0)
        part = (1 - supported) / rest
        return Scores(supported, scores.neutral * part, scores.contradicted * part)


class _File(msgspec.Struct):
    """What is read of the file."""

    schema: Literal["veracite.calibration/1"]
    models: tuple[str, ...]
    calibration: Calibration
    supported_from: Annotated[float, msgspec.Meta(ge=0, le=1)]


def read_tuning(path: Path, models: tuple[str, ...]) -> Tuning:
    """The calibration in a file.

    Args:
        path: What ``veracite eval calibrate`` wrote.
        models: Ids of the verifier and the decision in use.

    Raises:
        SettingsError: It cannot be read.
        InputError: It is none, or was fitted for other models.
    """
    from veracite.index.readers import whole

    advice = "Name a file that `veracite eval calibrate` wrote."
    with disk_errors(f"The calibration {path} cannot be read", advice, SettingsError):
        raw = whole(path)
    try:
        held = msgspec.json.decode(raw, type=_File)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise InputError(
            f"{path} is no calibration of this version, or it is damaged.",
            "Make one with `veracite eval calibrate --data FILE --output CALIBRATION.json`.",
        ) from error
    if held.models != models:
        raise InputError(
            f"The calibration {path.name} was fitted for other models than these.",
            "Fit it again with `veracite eval calibrate`.",
        )
    return Tuning(held.calibration, held.supported_from, hashlib.sha256(raw).hexdigest()[:12])


def log_odds(probabilities: Floats) -> Floats:
    """Their logarithms; probabilities near 0 and 1 are taken for a millionth from it."""
    sure = np.clip(probabilities, _SUREST, 1 - _SUREST)
    return np.asarray(np.log(sure) - np.log1p(-sure), dtype=np.float64)


def sigmoid(logits: Floats) -> Floats:
    """Stable: never overflows."""
    return np.asarray((1 + np.tanh(logits / 2)) / 2, dtype=np.float64)
