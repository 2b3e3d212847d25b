"""The decision: from a claim's features to a label with a calibrated probability.

Two logistic regressions over ``features``: is the claim supported, and if not, is it
contradicted? Fitted by ``scripts/fit_decision.py`` on held-back rows of the training
sets, never on evaluation rows. Two, because many sets only say whether a claim is supported.
"""

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from veracite.engine.words import Label, Scores

__all__ = ["Decision", "bundled_decision", "label_of"]


@dataclass(frozen=True, eq=False)
class Decision:
    """The fitted weights."""

    features: tuple[str, ...]
    mean: NDArray[np.float64]
    """Of each feature over the fitted rows, shape (features,)."""
    scale: NDArray[np.float64]
    """Standard deviation of each, shape (features,)."""
    weights: NDArray[np.float64]
    """Shape (2, features): supported; contradicted, if not supported."""
    intercept: NDArray[np.float64]
    """Shape (2,)."""
    id: str
    """Name and the start of the file's SHA-256."""

    def scores(self, features: NDArray[np.float64]) -> Scores:
        """The probabilities of the three readings of a claim.

        Args:
            features: One claim's features, in the order of ``self.features``.
        """
        standard = (features - self.mean) / self.scale
        logits = self.weights @ standard + self.intercept
        supported, contradicted = (float(p) for p in 1 / (1 + np.exp(-logits)))
        contradicted *= 1 - supported
        return Scores(supported, 1 - supported - contradicted, contradicted)


def label_of(scores: Scores, uncertain_below: float) -> tuple[Label, float]:
    """The label of three scores, and the probability that it is right.

    Args:
        scores: Of the claim.
        uncertain_below: A leading reading less probable than this is *uncertain*; the probability
            then is the leading reading's.
    """
    readings = (
        (scores.supported, Label.SUPPORTED),
        (scores.neutral, Label.NOT_FOUND),
        (scores.contradicted, Label.CONTRADICTED),
    )
    probability, label = max(readings, key=lambda reading: reading[0])
    return (label if probability >= uncertain_below else Label.UNCERTAIN), probability


@lru_cache(maxsize=1)
def bundled_decision() -> Decision:
    """The decision that ships with the package."""
    raw = resources.files("veracite.engine.judging").joinpath("decision.json").read_bytes()
    data = json.loads(raw)
    return Decision(
        features=tuple(data["features"]),
        mean=np.array(data["mean"]),
        scale=np.array(data["scale"]),
        weights=np.array(data["weights"]),
        intercept=np.array(data["intercept"]),
        id=f"decision-{data['version']} {hashlib.sha256(raw).hexdigest()[:12]}",
    )
