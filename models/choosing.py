"""How probable given replies are, from the logits behind a prompt."""

from collections.abc import Sequence
from itertools import pairwise
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from veracite.models.generation import Choice, Cost
from veracite.models.gguf import MAX_ROWS
from veracite.models.prefixes import Chunk, Context
from veracite.models.sampling import log_softmax

__all__ = ["choose", "separated"]


def separated(options: Sequence[Chunk], end: int) -> list[Chunk]:
    """The options, all with the token ``end`` behind them if one begins another.

    Without it the shorter one would be given the probability of both.
    """
    ordered = sorted(options)
    begins = any(later[: len(option)] == option for option, later in pairwise(ordered))
    return [(*option, end) for option in options] if begins or () in ordered else list(options)


def choose(context: Context, prompt: Sequence[Chunk], options: Sequence[Chunk]) -> Choice:
    """Each option's probability: the product of its tokens', each behind the ones before.

    Raises:
        Cancelled: somebody stopped the model meanwhile.
        ModelError: the model was closed or failed to run.
    """
    started, computed = perf_counter(), context.computed
    scores, reused = _together(context, prompt, options) or _in_turn(context, prompt, options)
    weights = np.exp(scores - scores.max())
    return Choice(
        probabilities=tuple(map(float, weights / weights.sum())),
        mass=float(np.exp(scores).sum()),
        cost=Cost(context.computed - computed, reused, 0, perf_counter() - started),
    )


_Scores = tuple[NDArray[np.float64], int]
"""The logarithms of the options' probabilities, and how many tokens stood computed."""


def _together(
    context: Context, prompt: Sequence[Chunk], options: Sequence[Chunk]
) -> _Scores | None:
    """All options scored by one decoding, if that can be; most of its time goes once then."""
    branched = context.branch(prompt, [option[:-1] for option in options if len(option) > 1])
    if branched is None:
        return None
    logits, reused = branched
    first, *rows = log_softmax(logits)
    behind = iter(rows)
    scores = [
        first[option[0]] + sum(row[token] for token, row in zip(option[1:], behind, strict=False))
        for option in options
    ]
    return np.array(scores), reused


def _in_turn(context: Context, prompt: Sequence[Chunk], options: Sequence[Chunk]) -> _Scores:
    """The options scored one after the other."""
    logits, reused = context.prefill(prompt)
    first = log_softmax(logits)
    scores = [first[option[0]] + _rest(context, prompt, option) for option in options]
    return np.array(scores), reused


def _rest(context: Context, prompt: Sequence[Chunk], option: Chunk) -> float:
    """The logarithm of the probability of all tokens but the first."""
    total = 0.0
    if len(option) > 1:
        context.prefill(prompt)
    for start in range(0, len(option) - 1, MAX_ROWS):
        following = option[start + 1 : start + 1 + MAX_ROWS]
        rows = context.append(option[start : start + len(following)], len(following))
        total += float(log_softmax(rows)[np.arange(len(following)), following].sum())
    return total
