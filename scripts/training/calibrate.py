"""The ranges that turn the verifier's activations into 8-bit integers (see ``integer``).

The least and the greatest value of each activation over real pairs: cutting the rare large ones
off cost five times as much (``scripts/LOG.md``). Where a few channels are much larger than all
others, the range ends at a bound and what is beyond takes further channels; the bound is the one
with the least error of the layer's products, and none where that gains little.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from scripts.training.integer import DOWN, OUT, SELF, UP, Floats, Range, integers, spread
from scripts.training.network import Verifier, logits_of
from scripts.training.pairs import Pair

BOUNDS = (1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
GAIN = 1.3
"""A bound is taken where the squared error without it is at least so many times as large."""

MOST_FURTHER = 0.1
"""Further channels, as a share of a layer's: each makes its matrix larger."""

SAMPLE, LARGEST = 600, 100
"""Rows that the error is measured on: some at random, and those with the largest values."""


def calibrate(model: Verifier, pairs: Sequence[Pair]) -> dict[str, Range]:
    """The range before each group of matrices, from what reading these pairs brings about."""
    places = {
        f"encoder.layer.{number}.{place}": matrices
        for number, layer in enumerate(model.trunk.encoder.layer)
        for place, matrices in _matrices(layer).items()
    }
    seen: dict[str, list[Tensor]] = {place: [] for place in places}
    hooks = [
        matrices[0].register_forward_pre_hook(
            lambda _, given, rows=seen[place]: rows.append(given[0].reshape(-1, given[0].shape[-1]))
        )
        for place, matrices in places.items()
    ]
    logits_of(model, pairs)
    for hook in hooks:
        hook.remove()
    return {
        place: _range(
            torch.cat(seen[place]).numpy(),
            torch.cat([one.weight.detach() for one in matrices]).numpy().T,
        )
        for place, matrices in places.items()
    }


def _matrices(layer: Any) -> dict[str, list[nn.Linear]]:
    """What multiplies the activations of each place of a layer."""
    attention = layer.attention.attn
    return {
        SELF: [attention.q, attention.k, attention.v],
        OUT: [attention.o],
        UP: [layer.intermediate.dense],
        DOWN: [layer.output.dense],
    }


def _range(rows: Floats, matrix: Floats) -> Range:
    low, high = np.minimum(rows.min(axis=0), 0.0), np.maximum(rows.max(axis=0), 0.0)
    plain = _within(low, high, max(float(high.max()), -float(low.min())))
    drawn = np.random.default_rng(0).choice(len(rows), min(SAMPLE, len(rows)), replace=False)
    outlying = np.argsort(-np.abs(rows).max(axis=1))[:LARGEST]
    sample = rows[np.concatenate((drawn, outlying))]
    tried = [one for one in (_within(low, high, bound) for bound in BOUNDS)
             if len(one.channels) <= MOST_FURTHER * rows.shape[1]]  # fmt: skip
    products = sample @ matrix
    errors = [_error(sample, matrix, products, one) for one in (*tried, plain)]
    best = int(np.argmin(errors))
    return (*tried, plain)[best] if errors[-1] >= GAIN * errors[best] else plain


def _within(low: Floats, high: Floats, bound: float) -> Range:
    """The range of channels that reach from ``low`` to ``high``, each part up to ``bound``."""
    least, most = max(float(low.min()), -bound), min(float(high.max()), bound)
    scale = float(np.float32((most - least) / 255.0))
    zero = round(-least / scale)
    step, bottom = (255 - zero) * scale, zero * scale
    further = [
        (channel, start + step * part, sign)
        for sign, start, reach in ((1, step, high), (-1, bottom, -low))
        for channel in np.flatnonzero(reach > start + scale)
        for part in range(int(np.ceil((reach[channel] - start) / step)))
    ]
    channels, offsets, signs = zip(*further, strict=True) if further else ((), (), ())
    return Range(scale, zero, tuple(map(int, channels)), tuple(map(float, offsets)), signs)


def _error(rows: Floats, matrix: Floats, products: Floats, one: Range) -> float:
    """Mean square of what the integers change in the products."""
    beyond = rows[:, list(one.channels)] * np.array(one.signs, np.float32)
    beyond = (beyond - np.array(one.offsets, np.float32)).clip(min=0)
    whole = np.concatenate((rows, beyond), axis=1)
    values = np.clip(np.rint(whole / one.scale) + one.zero, 0, 255) - one.zero
    weights, scales = integers(spread(matrix, one))
    changed = (values * one.scale) @ (weights * scales) - products
    return float((changed**2).mean())
