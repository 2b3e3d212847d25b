"""What a person's own labelled rows say of the verdicts: honest probabilities and a threshold.

``veracite eval calibrate`` writes the file, ``--calibration FILE`` has every verdict obey it.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from veracite.engine.calibration import Calibration
from veracite.engine.errors import InputError
from veracite.engine.words import Scores

__all__ = ["SCHEMA", "Tuning", "read_tuning"]

SCHEMA = "veracite.calibration/1"


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
        held = json.loads(raw)
    except (OSError, ValueError) as error:
        raise _no_calibration(path) from error
    if not isinstance(held, dict) or held.get("schema") != SCHEMA:
        raise _no_calibration(path)
    threshold = held.get("supported_from")
    if not isinstance(threshold, int | float) or not 0 <= threshold <= 1:
        raise _no_calibration(path)
    fitted_for = tuple(str(model) for model in held.get("models", ()))
    if fitted_for != models:
        raise InputError(
            f"The calibration {path.name} was fitted for other models than these.",
            "Make it anew with `veracite eval calibrate`.",
        )
    return Tuning(
        Calibration.from_mapping(held.get("calibration", {})),
        float(threshold),
        fitted_for,
        hashlib.sha256(raw).hexdigest()[:12],
    )


def _no_calibration(path: Path) -> InputError:
    return InputError(
        f"{path} is no calibration, or it is damaged.",
        "Make one with `veracite eval calibrate --data FILE --output CALIBRATION.json`.",
    )
