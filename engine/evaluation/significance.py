"""How sure a figure is: bootstrap intervals over groups, and McNemar's exact test.

Rows of one article or question are not independent, so a bootstrap draws groups, not rows.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Figures",
    "Interval",
    "Statistic",
    "Weights",
    "bootstrap",
    "mcnemar_exact",
    "mean_over_sets",
    "paired_difference",
]

Weights = NDArray[np.float64]
"""How often each row was drawn in each round, shape (rounds, rows)."""
Figures = NDArray[np.float64]
"""One for each round, nan where it is not defined."""
Statistic = Callable[[Weights], Figures]
"""Figures of rows that are drawn so often; see ``veracite.engine.evaluation.weighted``."""

_AT_ONCE = 1_000_000
"""Weights that are in memory at a time."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure and the percentile interval of its bootstrap."""

    estimate: float
    """Over all rows, as they are."""
    low: float
    high: float
    level: float
    rounds: int
    """Rounds that the interval rests on."""
    left_out: int
    """Rounds in which the figure was not defined."""


def bootstrap(
    statistic: Statistic,
    groups: Sequence[str],
    *,
    rounds: int = 2000,
    seed: int = 0,
    level: float = 0.95,
) -> Interval:
    """The percentile interval of a figure when groups are drawn with replacement.

    Args:
        statistic: The figure of rows by their weights.
        groups: The group of each row; as many are drawn in a round as there are.
        rounds: Resamples. Rounds whose figure is nan are left out and counted.
        seed: Of numpy's default generator. The same seed and groups draw the same rows.
        level: The share of rounds that the interval holds.

    Returns:
        The interval; its ends are nan if there are fewer than two groups, which say nothing of
        how figures vary, or if every round was left out.
    """
    found = _resampled(statistic, groups, rounds, [seed])
    kept = found[~np.isnan(found)]
    low, high = _percentiles(kept, level)
    estimate = _as_they_are(statistic, len(groups))
    return Interval(estimate, low, high, level, len(kept), len(found) - len(kept))


def mean_over_sets(
    sets: Sequence[tuple[Statistic, Sequence[str]]],
    *,
    rounds: int = 2000,
    seed: int = 0,
    level: float = 0.95,
) -> Interval:
    """The interval of the plain mean of a figure over several sets, whatever their sizes.

    Groups are drawn within each set, for each set on its own; a set that is one group has its
    rows drawn.

    Args:
        sets: Each set's figure of its rows, and the group of each row.
        rounds: Resamples. A set's rounds whose figure is nan are left out.
        seed: As for ``bootstrap``.
        level: The share of rounds that the interval holds.
    """
    estimates, drawn = [], []
    for place, (statistic, groups) in enumerate(sets):
        units = groups if len(set(groups)) > 1 else [str(row) for row in range(len(groups))]
        found = _resampled(statistic, units, rounds, [seed, place])
        estimates.append(_as_they_are(statistic, len(groups)))
        drawn.append(found[~np.isnan(found)])
    if not sets:
        return Interval(float("nan"), float("nan"), float("nan"), level, 0, rounds)
    together = min(map(len, drawn))
    means = np.stack([each[:together] for each in drawn]).mean(axis=0)
    low, high = _percentiles(means, level)
    return Interval(float(np.mean(estimates)), low, high, level, together, rounds - together)


def _percentiles(found: NDArray[np.float64], level: float) -> tuple[float, float]:
    if not len(found):
        return float("nan"), float("nan")
    low, high = np.quantile(found, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def paired_difference(
    first: Statistic,
    second: Statistic,
    groups: Sequence[str],
    *,
    rounds: int = 2000,
    seed: int = 0,
    level: float = 0.95,
) -> Interval:
    """The interval of ``first - second`` when both see the same rows in every round.

    An interval without 0 says that the two differ beyond what the choice of items explains.
    """
    return bootstrap(
        lambda weights: first(weights) - second(weights),
        groups,
        rounds=rounds,
        seed=seed,
        level=level,
    )


def mcnemar_exact(a_right: NDArray[np.bool_], b_right: NDArray[np.bool_]) -> float:
    """The two-sided p-value of McNemar's exact test: are both methods right equally often?

    Only items on which exactly one is right count; under the hypothesis each falls to either
    side like a coin.

    Args:
        a_right: Whether method a was right on each item, shape (n,).
        b_right: The same of method b, on the same items.
    """
    only_a = int(np.sum(a_right & ~b_right))
    only_b = int(np.sum(b_right & ~a_right))
    total, fewer = only_a + only_b, min(only_a, only_b)
    if only_a == only_b:
        return 1.0
    # C(n, k) / C(n, fewer) for k below fewer: each the one above times k / (n - k + 1).
    below = np.arange(fewer, 0, -1, dtype=np.float64)
    terms = np.cumprod(below / (total - below + 1))
    log_last = (
        math.lgamma(total + 1)
        - math.lgamma(fewer + 1)
        - math.lgamma(total - fewer + 1)
        - total * math.log(2)
    )
    return min(1.0, 2 * math.exp(log_last) * float(1 + terms.sum()))


def _as_they_are(statistic: Statistic, rows: int) -> float:
    return float(statistic(np.ones((1, rows)))[0]) if rows else float("nan")


def _resampled(
    statistic: Statistic, groups: Sequence[str], rounds: int, seed: Sequence[int]
) -> Figures:
    """The figure in each round; of no round if there are fewer than two groups."""
    parts = [statistic(weights) for weights in _draws(groups, rounds, seed)]
    return np.concatenate([np.empty(0), *parts])


def _draws(groups: Sequence[str], rounds: int, seed: Sequence[int]) -> Iterator[Weights]:
    """The weights of the rows, some rounds at a time."""
    numbers: dict[str, int] = {}
    of_row = np.array([numbers.setdefault(group, len(numbers)) for group in groups], dtype=np.intp)
    if len(numbers) < 2:
        return
    generator = np.random.default_rng(seed)
    together = max(1, _AT_ONCE // len(groups))
    for start in range(0, rounds, together):
        size = min(together, rounds - start)
        drawn = generator.integers(len(numbers), size=(size, len(numbers)))
        places = (drawn + np.arange(size)[:, np.newaxis] * len(numbers)).ravel()
        counts = np.bincount(places, minlength=size * len(numbers))
        yield counts.reshape(size, len(numbers)).astype(np.float64)[:, of_row]
