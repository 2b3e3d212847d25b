"""From logits to the next token."""

from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from veracite.models.gguf import Logits

__all__ = ["Sampling", "draw", "log_softmax"]


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the next token is chosen.

    ``temperature`` divides the logits; 0 takes the most probable token each time. Of what that
    leaves, only the most probable tokens that together reach ``top_p`` are drawn from (nucleus
    sampling, Holtzman et al. 2020). The same ``seed`` draws the same text.
    """

    temperature: float = 0.0
    top_p: float = 1.0
    seed: int = 0


def log_softmax(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Natural logarithms of the probabilities, in the last axis, shape as given."""
    shifted = logits.astype(np.float64)
    shifted -= shifted.max(axis=-1, keepdims=True)
    normaliser = np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    shifted -= normaliser
    return shifted


def draw(logits: Logits, sampling: Sampling, random: Random) -> int:
    """The next token, from logits of shape (vocabulary,); those of -inf are never drawn."""
    if sampling.temperature <= 0:
        return int(logits.argmax())
    scaled = (logits - logits.max()).astype(np.float64) / sampling.temperature
    probabilities = np.exp(log_softmax(scaled))
    tokens = _nucleus(probabilities, sampling.top_p)
    cumulative = probabilities[tokens].cumsum()
    place = np.searchsorted(cumulative, random.random() * cumulative[-1], side="right")
    return int(tokens[min(int(place), len(tokens) - 1)])


def _nucleus(probabilities: NDArray[np.float64], top_p: float) -> NDArray[np.intp]:
    """The fewest tokens that together reach ``top_p``, the most probable first.

    All tokens below (1 - top_p) / vocabulary together are less than what may be left out, so
    they need not be sorted.
    """
    if top_p >= 1:
        return np.flatnonzero(probabilities)
    tokens = np.flatnonzero(probabilities >= (1 - top_p) / len(probabilities))
    tokens = tokens[np.argsort(-probabilities[tokens], kind="stable")]
    reached = probabilities[tokens].cumsum()
    return tokens[: int(np.searchsorted(reached, top_p)) + 1]
