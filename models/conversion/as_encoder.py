"""The network of a sentence encoder, and what its manifest says of it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from veracite.models.conversion.folder import unsupported
from veracite.models.conversion.network import build
from veracite.models.conversion.simcse import ceg_threshold, simcse_pooling
from veracite.models.conversion.source import Source
from veracite.models.conversion.tensors import Floats
from veracite.models.conversion.threshold import matched_threshold, sample_texts
from veracite.models.encoder import Encoder
from veracite.models.manifest import Manifest

__all__ = ["as_encoder"]

_LEAST_COSINE = 0.99
"""Weights are stored as int8 unless that turns some sample text's vector further than this."""


def as_encoder(source: Source, name: str) -> tuple[bytes, Mapping[str, Any]]:
    """The ONNX file, and the manifest's facts that only an encoder has.

    Args:
        source: Of the encoder.
        name: What it is to be called; SimCSE's models are known by theirs.

    Raises:
        ModelError: its weights are damaged, or make no vectors.
    """
    # Where nothing is said, what sentence-transformers does with such a folder.
    candidate = _Encoder(source, source.pooling or simcse_pooling(name) or "mean")
    network, precision, vectors = candidate.chosen()
    threshold, origin = ceg_threshold(name), "CEG's own, for this encoder"
    if threshold is None:
        threshold, origin = matched_threshold(vectors)
    return network, {
        **candidate.reading(),
        "quantisation": precision,
        "threshold": threshold,
        "threshold_origin": origin,
    }


@dataclass(frozen=True, slots=True)
class _Encoder:
    source: Source
    pooling: str
    """mean, cls, or pooler."""

    def chosen(self) -> tuple[bytes, str, Floats]:
        """The ONNX file, how its weights are stored, and its vectors of the sample texts."""
        exact = self._built(int8=False)
        expected = self._vectors(exact)
        if not np.isfinite(expected).all():
            raise unsupported("its vectors are no numbers")
        small = self._built(int8=True)
        vectors = self._vectors(small)
        cosine = float((vectors * expected).sum(axis=1).min())
        if cosine >= _LEAST_COSINE:
            return (
                small,
                f"int8 weights, float32 arithmetic; cosine to float32 >= {cosine:.4f}",
                vectors,
            )
        return exact, f"float32, since int8 weights gave a cosine of {cosine:.4f}", expected

    def reading(self) -> Mapping[str, Any]:
        """The facts that decide about vectors, beside the weights and the tokenizer."""
        return {
            "max_length": self.source.max_length,
            "dimension": self.source.size.width,
            # The pooler is in the network.
            "pooling": "mean" if self.pooling == "mean" else "cls",
        }

    def _built(self, *, int8: bool) -> bytes:
        return build(
            self.source.weights,
            self.source.configuration,
            pooler=self.pooling == "pooler",
            int8=int8,
            # An encoder's id is made from this file's hash: who reads otherwise needs another id.
            note=json.dumps(self.reading(), sort_keys=True),
        )

    def _vectors(self, network: bytes) -> Floats:
        details = {**self.reading(), "threshold": 0}
        manifest = Manifest.unsaved(self.source.max_length, details)
        encoder = Encoder(network, self.source.tokenizer, manifest)
        try:
            with np.errstate(invalid="ignore"):  # what comes of it is looked at
                return encoder.encode(sample_texts())
        finally:
            encoder.close()
