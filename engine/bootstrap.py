"""Figures of scored rows, and how sure they are: a bootstrap over groups.

Rows of one article or question are not independent, so a bootstrap draws groups, not rows. A
:data:`Statistic` gives a figure for thousands of such draws at once, without sorting again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Marks = NDArray[np.bool_]
"""One for each row: whether it is true, or was called so."""
Statistic = Callable[[Floats], Floats]
"""From how often each row was drawn in each round, shape (rounds, rows), to the figure of each
round, nan where it is not defined."""

ROUNDS = 2000
_ENDS = (0.025, 0.975)
_AT_ONCE = 1_000_000
"""Weights that are in memory at a time."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure over all rows, and the 95 % percentile interval of its bootstrap."""

    estimate: float
    low: float
    high: float

    def __str__(self) -> str:
        """Such as ``0.83 (0.78 to 0.88)``."""
        return f"{self.estimate:.2f} ({self.low:.2f} to {self.high:.2f})"


def bootstrap(statistic: Statistic, groups: Sequence[str], *, seed: int = 0) -> Interval:
    """The interval of a figure when groups are drawn with replacement.

    Rounds whose figure is nan are left out.

    Args:
        statistic: The figure of rows by their weights.
        groups: The group of each row; as many are drawn in a round as there are.
        seed: Of numpy's default generator. The same seed and groups draw the same rows.

    Returns:
        The interval; its ends are nan where there are fewer than two groups, which say nothing of
        how figures vary, or where every round was left out.
    """
    whole = statistic(np.ones((1, len(groups))))[0] if len(groups) else np.nan
    numbers = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    of_row = np.array([numbers[group] for group in groups], dtype=np.intp)
    generator, count = np.random.default_rng([seed]), len(numbers)
    together = max(1, _AT_ONCE // max(1, len(groups)))
    drawn: list[Floats] = [np.empty(0)]
    for start in range(0, ROUNDS if count > 1 else 0, together):
        draws = generator.integers(count, size=(min(together, ROUNDS - start), count))
        times = np.array([np.bincount(one, minlength=count) for one in draws], dtype=np.float64)
        drawn.append(statistic(times[:, of_row]))
    found = np.concatenate(drawn)
    found = found[~np.isnan(found)]
    low, high = np.quantile(found, _ENDS) if len(found) else (np.nan, np.nan)
    return Interval(float(whole), float(low), float(high))


def mean(values: Sequence[float] | Floats | Marks) -> Statistic:
    """The mean of the values that are no nan."""
    given = np.asarray(values, dtype=np.float64)
    told = np.isfinite(given)
    return ratio(np.where(told, given, 0.0), told)


def rate(said: Marks, among: Marks) -> Statistic:
    """The share of some rows that is called so: of false ones, the false positive rate."""
    return ratio(said & among, among)


def ratio(part: Floats | Marks, whole: Floats | Marks) -> Statistic:
    """The sum of one value of the rows over the sum of another."""
    columns = np.stack([part, whole], axis=1).astype(np.float64)
    return lambda weights: divided(*(weights @ columns).T)


def balanced_accuracy(said: Marks, truth: Marks) -> Statistic:
    """The mean of the shares of true rows and of false rows that are called right."""
    of_true, of_false = rate(said, truth), rate(~said, ~truth)
    return lambda weights: (of_true(weights) + of_false(weights)) / 2


def difference(first: Statistic, second: Statistic) -> Statistic:
    """By how much one figure leads another when both see the same rows."""
    return lambda weights: first(weights) - second(weights)


def roc_auc(scores: Floats, truth: Marks) -> Statistic:
    """The share of (true, false) pairs that the scores put in order; ties count half."""
    counts = _ranked(scores, truth)

    def of(weights: Floats) -> Floats:
        positive, negative = counts(weights)
        above = np.cumsum(positive, axis=1) - positive / 2
        pairs = positive.sum(axis=1) * negative.sum(axis=1)
        return divided((above * negative).sum(axis=1), pairs)

    return of


def average_precision(scores: Floats, truth: Marks) -> Statistic:
    """The mean precision over the steps in recall; equal scores are one step."""
    counts = _ranked(scores, truth)

    def of(weights: Floats) -> Floats:
        positive, negative = counts(weights)
        above = np.cumsum(positive, axis=1)
        precision = np.nan_to_num(divided(above, above + np.cumsum(negative, axis=1)))
        found = divided((precision * positive).sum(axis=1), positive.sum(axis=1))
        return np.where(negative.sum(axis=1) > 0, found, np.nan)

    return of


def calibration_error(probabilities: Floats, outcomes: Marks, bins: int = 10) -> float:
    """Expected calibration error: the mean distance of stated from observed probability.

    Bins have equal mass, by rising probability. Equal probabilities are never parted, so the order
    of the rows does not matter and there may be fewer and unequal bins.
    """
    if not len(outcomes):
        return float("nan")
    _, value, counts = np.unique(probabilities, return_inverse=True, return_counts=True)
    middles = 2 * np.cumsum(counts) - counts
    places = (middles * bins // (2 * len(outcomes)))[value]
    return float(np.abs(np.bincount(places, probabilities - outcomes)).sum() / len(outcomes))


def _ranked(scores: Floats, truth: Marks) -> Callable[[Floats], tuple[Floats, Floats]]:
    """The weight of the true and of the false rows of each distinct score, highest first."""
    order = np.argsort(-scores, kind="stable")
    ranked, true = scores[order], truth[order]
    starts = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))

    def counts(weights: Floats) -> tuple[Floats, Floats]:
        drawn = weights[:, order]
        positive, negative = (np.add.reduceat(drawn * own, starts, axis=1) for own in (true, ~true))
        return positive, negative

    return counts


def divided(part: Floats, whole: Floats) -> Floats:
    """The one by the other; nan where both are 0."""
    with np.errstate(invalid="ignore"):
        return np.asarray(part / whole)
