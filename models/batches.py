"""Which sequences go through a network together, so that company changes nothing.

Only sequences of one shape share a batch, and the shape follows from the sequence alone: the
numbers that the network computes for it are then the same, to the last bit, alone and in any
company (tests/models/test_encoder.py and test_entailment.py prove it). Where a network masks, a
sequence may be padded, so that more of them have one shape.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import groupby
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["alike", "padded", "padded_length", "plan", "side_by_side"]

_Done = TypeVar("_Done")

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
    return alike([(padded_length(length),) for length in lengths])


def alike(shapes: Sequence[tuple[int, ...]]) -> Iterator[list[int]]:
    """Positions of equal shapes in batches, the longest first.

    Args:
        shapes: What each sequence must have in common with its batch; first its tokens.
    """
    order = sorted(range(len(shapes)), key=lambda position: shapes[position], reverse=True)
    for shape, group in groupby(order, key=lambda position: shapes[position]):
        positions = list(group)
        rows = max(1, min(_ROWS, _TOKENS // shape[0]))
        for start in range(0, len(positions), rows):
            yield positions[start : start + rows]


def side_by_side(
    work: Callable[[list[int]], _Done], batches: Sequence[list[int]], at_once: int
) -> Generator[_Done, None, None]:
    """What is done of each batch, in their order, several being worked on at the same time.

    No more is begun than is soon asked for: who stops listening, or closes, stops the work.

    Args:
        work: Called in threads of its own, unless there is nothing to do side by side.
        batches: What it is called with.
        at_once: How many calls go on at the same time.
    """
    if at_once < 2 or len(batches) < 2:
        yield from map(work, batches)
        return
    begun: deque[Future[_Done]] = deque()
    with ThreadPoolExecutor(at_once, "batch") as threads:
        try:
            for batch in batches:
                begun.append(threads.submit(work, batch))
                if len(begun) > at_once:
                    yield begun.popleft().result()
            while begun:
                yield begun.popleft().result()
        finally:
            for one in begun:
                one.cancel()


def padded(sequences: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Sequences as rows, zeros after each: shape (len(sequences), padded length of the longest)."""
    width = padded_length(max(map(len, sequences)))
    rows = np.zeros((len(sequences), width), dtype=np.int64)
    for row, sequence in zip(rows, sequences, strict=True):
        row[: len(sequence)] = sequence
    return rows
