"""How sure a figure is: bootstrap intervals over groups, and McNemar's exact test.

Rows of one article or question are not independent, so a bootstrap draws groups, not rows.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Interval", "bootstrap", "mcnemar_exact", "paired_difference"]

Rows = NDArray[np.intp]
Statistic = Callable[[Rows], float]
"""Takes row numbers, in which a row may come several times, and gives a figure or nan."""


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
        statistic: The figure of some rows.
        groups: The group of each row; as many are drawn in a round as there are.
        rounds: Resamples. Rounds whose figure is nan are left out and counted.
        seed: Of numpy's default generator. The same seed and groups draw the same rows.
        level: The share of rounds that the interval holds.

    Returns:
        The interval; its ends are nan if there are fewer than two groups, which say nothing of
        how figures vary, or if every round was left out.
    """
    found = np.array([statistic(rows) for rows in _resamples(groups, rounds, seed)])
    kept = found[~np.isnan(found)]
    low = high = float("nan")
    if len(kept):
        low, high = (float(end) for end in np.quantile(kept, [(1 - level) / 2, (1 + level) / 2]))
    everything = np.arange(len(groups), dtype=np.intp)
    estimate = statistic(everything) if len(groups) else float("nan")
    return Interval(float(estimate), low, high, level, len(kept), len(found) - len(kept))


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
        lambda rows: first(rows) - second(rows), groups, rounds=rounds, seed=seed, level=level
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


def _resamples(groups: Sequence[str], rounds: int, seed: int) -> Iterator[Rows]:
    """The rows of each round; no rounds if there are fewer than two groups."""
    numbers: dict[str, int] = {}
    of_row = np.array([numbers.setdefault(group, len(numbers)) for group in groups], dtype=np.intp)
    if len(numbers) < 2:
        return
    by_group = np.argsort(of_row, kind="stable")
    sizes = np.bincount(of_row)
    starts = np.cumsum(sizes) - sizes
    generator = np.random.default_rng(seed)
    for _ in range(rounds):
        drawn = generator.integers(len(sizes), size=len(sizes))
        lengths = sizes[drawn]
        skipped = np.repeat(starts[drawn] - (np.cumsum(lengths) - lengths), lengths)
        yield by_group[skipped + np.arange(len(skipped))]
