"""The network of a cross-encoder that scores pairs, and what its manifest says of it."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from veracite.models.conversion.folder import unsupported
from veracite.models.conversion.network import build_scorer
from veracite.models.conversion.source import Source
from veracite.models.conversion.tensors import Floats
from veracite.models.conversion.threshold import sample_pairs
from veracite.models.manifest import Manifest
from veracite.models.reranker import Reranker

__all__ = ["as_reranker"]

_LEAST_CORRELATION = 0.99
"""Weights are stored as int8 unless the scores of the sample pairs then correlate less than this
with the exact ones."""
_TWO_SEPARATORS = ("roberta", "mpnet")
"""Families that put two of them between the texts of a pair."""


def as_reranker(source: Source) -> tuple[bytes, Mapping[str, Any]]:
    """The ONNX file, and the manifest's facts that only a reranker has.

    Raises:
        ModelError: its weights are damaged, or it gives a pair not one number.
    """
    exact = _built(source, int8=False)
    expected = _scores(source, exact)
    if not (np.isfinite(expected).all() and expected.std() > 0):
        raise unsupported("its scores do not tell texts from each other")
    small = _built(source, int8=True)
    correlation = float(np.corrcoef(_scores(source, small), expected)[0, 1])
    if correlation >= _LEAST_CORRELATION:
        precision = f"int8 weights, float32 arithmetic; correlation to float32 {correlation:.4f}"
        return small, {**_reading(source), "quantisation": precision}
    precision = f"float32, since int8 weights gave a correlation of {correlation:.4f}"
    return exact, {**_reading(source), "quantisation": precision}


def _reading(source: Source) -> Mapping[str, Any]:
    """The facts that decide about scores, beside the weights and the tokenizer."""
    return {
        "max_length": source.max_length,
        "separators": 2 if source.configuration.family in _TWO_SEPARATORS else 1,
    }


def _built(source: Source, *, int8: bool) -> bytes:
    # A model's id is made from this file's hash: who reads otherwise needs another id.
    note = json.dumps(_reading(source), sort_keys=True)
    return build_scorer(source.weights, source.configuration, int8=int8, note=note)


def _scores(source: Source, network: bytes) -> Floats:
    manifest = Manifest.unsaved(source.max_length, _reading(source))
    reranker = Reranker(network, source.tokenizer, manifest)
    try:
        return reranker.score(sample_pairs())
    finally:
        reranker.close()
