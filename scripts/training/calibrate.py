"""The ranges that turn activations into 8-bit integers (see ``integer``).

The least and the greatest value of each activation over real texts: cutting the rare large ones
off cost five times as much (``scripts/LOG.md``). A channel that is larger than a bound is
multiplied to stay within it, and its weights are divided by as much; the bound is the one with the
least error of the layer's products.
"""

from collections import defaultdict
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor, nn

from scripts.training.integer import SELF, Floats, Range, integers
from scripts.training.network import exported_name

BOUNDS = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, np.inf)
SAMPLE, LARGEST = 600, 100
"""Rows that the error is measured on: some at random, and those with the largest values."""


def calibrate(trunk: nn.Module, read: Callable[[], object]) -> dict[str, Range]:
    """The range before each group of matrices.

    Args:
        trunk: The network, its layers' matrices as MPNet or BERT of transformers has them.
        read: Lets it read real texts, one at a time: nothing may be padded.
    """
    places: dict[str, list[nn.Linear]] = defaultdict(list)
    for name, module in trunk.named_modules():
        if isinstance(module, nn.Linear):
            exported = exported_name(name)
            places[exported.rpartition(".")[0] if f".{SELF}." in exported else exported] += [module]
    seen: dict[str, list[Tensor]] = {place: [] for place in places}
    hooks = [
        matrices[0].register_forward_pre_hook(
            lambda _, given, rows=seen[place]: rows.append(given[0].reshape(-1, given[0].shape[-1]))
        )
        for place, matrices in places.items()
    ]
    read()
    for hook in hooks:
        hook.remove()
    return {
        place: _range(
            torch.cat(seen[place]).numpy(),
            torch.cat([one.weight.detach() for one in matrices]).numpy().T,
        )
        for place, matrices in places.items()
    }


def _range(rows: Floats, matrix: Floats) -> Range:
    low, high = np.minimum(rows.min(axis=0), 0.0), np.maximum(rows.max(axis=0), 0.0)
    drawn = np.random.default_rng(0).choice(len(rows), min(SAMPLE, len(rows)), replace=False)
    outlying = np.argsort(-np.abs(rows).max(axis=1))[:LARGEST]
    sample = rows[np.concatenate((drawn, outlying))]
    tried = [_within(low, high, bound) for bound in BOUNDS]
    products = sample @ matrix
    return min(tried, key=lambda one: _error(sample, matrix, products, one))


def _within(low: Floats, high: Floats, bound: float) -> Range:
    """The range of channels that reach from ``low`` to ``high``, none further than ``bound``."""
    factors = np.minimum(1.0, bound / np.maximum(high, -low).clip(1e-9)).astype(np.float32)
    least, most = float((low * factors).min()), float((high * factors).max())
    scale = float(np.float32((most - least) / 255.0))
    return Range(scale, round(-least / scale), factors)


def _error(rows: Floats, matrix: Floats, products: Floats, one: Range) -> float:
    """Mean square of what the integers change in the products."""
    values = np.clip(np.rint(rows * one.factors / one.scale) + one.zero, 0, 255) - one.zero
    weights, scales = integers(matrix / one.factors[:, None])
    changed = (values * one.scale) @ (weights * scales) - products
    return float((changed**2).mean())
