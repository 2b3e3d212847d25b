"""A small deterministic encoder and a library in a temporary folder."""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from veracite.index.library import Library

DIMENSION = 32


def hashed(texts: Sequence[str]) -> NDArray[np.float32]:
    """Each word to a fixed random direction, a text to their sum: shared words, high cosine."""
    vectors = np.zeros((len(texts), DIMENSION), dtype=np.float32)
    for row, text in zip(vectors, texts, strict=True):
        for word in re.findall(r"\w+", text.lower()):
            seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big")
            row += np.random.default_rng(seed).normal(size=DIMENSION).astype(np.float32)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: NDArray[np.float32] = vectors / np.maximum(lengths, 1e-9)
    return unit
