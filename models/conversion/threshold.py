"""CEG's threshold t for an encoder that nobody has measured.

t belongs to an encoder: similarities of one say little about those of another. The bundled
encoder's was found on passages that CEG retrieved (scripts/measure_thresholds.py). Here the same is
done with claims and passages of our own, which ship with the package: t is the similarity under
which as large a share of all pairs lies as lies under the bundled encoder's t.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from veracite.models.bundled import bundled_encoder
from veracite.models.conversion.tensors import Floats

__all__ = ["matched_threshold", "sample_pairs", "sample_texts"]

_SAMPLE = Path(__file__).parent / "similarity.json"


def sample_texts() -> list[str]:
    """The claims, then the passages."""
    sample = _sample()
    return [*sample["claims"], *sample["passages"]]


def sample_pairs() -> list[tuple[str, str]]:
    """Each claim with the same number of passages, no passage with two claims."""
    sample = _sample()
    claims, passages = sample["claims"], sample["passages"]
    return [(claims[i % len(claims)], passage) for i, passage in enumerate(passages)]


def matched_threshold(vectors: Floats) -> tuple[float, str]:
    """The threshold of the encoder that gives these vectors to ``sample_texts``, and its origin.

    Raises:
        ModelError: the bundled encoder cannot be opened.
    """
    known = _bundled()
    return round(float(np.quantile(_similarities(vectors), known.share)), 2), (
        f"drops as large a share ({known.share:.0%}) of {known.pairs} pairs of short texts as "
        f"{known.name} at {known.threshold} (models/conversion/similarity.json)"
    )


@dataclass(frozen=True, slots=True)
class _Known:
    """What the bundled encoder's threshold does to the sample."""

    name: str
    threshold: float
    share: float
    pairs: int


@cache
def _bundled() -> _Known:
    encoder = bundled_encoder()
    try:
        similarities = _similarities(encoder.encode(sample_texts()))
    finally:
        encoder.close()
    return _Known(
        name=encoder.manifest.name,
        threshold=encoder.threshold,
        share=float((similarities < encoder.threshold).mean()),
        pairs=similarities.size,
    )


def _similarities(vectors: Floats) -> Floats:
    """Those of all claims with all passages, in one dimension."""
    claims = len(_sample()["claims"])
    similarities: Floats = (vectors[:claims] @ vectors[claims:].T).ravel()
    return similarities


def _sample() -> dict[str, Any]:
    sample: dict[str, Any] = json.loads(_SAMPLE.read_text(encoding="utf-8"))
    return sample
