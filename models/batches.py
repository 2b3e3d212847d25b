"""Which sequences go through a network together, so that company changes nothing.

A sequence is padded to a length that follows from its own length alone, and only sequences of one
padded length share a batch: the numbers that the network computes for it are then the same,
to the last bit, alone and in any company (tests/models/test_encoder.py proves it).
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

__all__ = ["padded", "padded_length", "plan"]

_STEP = 16
"""Padded lengths are multiples of this."""

_TOKENS = 2048
_ROWS = 32
"""A batch holds at most this many tokens and rows: more is no faster and takes more memory."""


def padded_length(length: int) -> int:
    """The length that a sequence of ``length`` tokens is padded to."""
    return max(1, -(-length // _STEP)) * _STEP


def plan(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Positions of ``lengths`` in batches of one padded length, the longest first."""
    order = sorted(range(len(lengths)), key=lambda position: -padded_length(lengths[position]))
    for length, group in groupby(order, key=lambda position: padded_length(lengths[position])):
        positions = list(group)
        rows = max(1, min(_ROWS, _TOKENS // length))
        for start in range(0, len(positions), rows):
            yield positions[start : start + rows]


def padded(sequences: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Sequences as rows, zeros after each: shape (len(sequences), padded length of the longest)."""
    width = padded_length(max(map(len, sequences)))
    rows = np.zeros((len(sequences), width), dtype=np.int64)
    for row, sequence in zip(rows, sequences, strict=True):
        row[: len(sequence)] = sequence
    return rows
