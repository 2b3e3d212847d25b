"""Figures of rows that count several times or not at all, for many such weightings at once.

A bootstrap asks for a figure thousands of times; here a round costs no sorting and no loop. With
whole weights each figure is that of ``veracite.engine.evaluation.metrics`` over repeated rows.
"""

import numpy as np
from numpy.typing import NDArray

from veracite.engine.evaluation.significance import Figures, Statistic, Weights

__all__ = ["average_precision", "balanced_accuracy", "false_positive_rate", "mean", "roc_auc"]

Labels = NDArray[np.bool_]
Floats = NDArray[np.float64]


def mean(values: Floats) -> Statistic:
    """The mean of the values that are no nan; nan where none is left."""
    told = np.isfinite(values)
    columns = np.stack([np.where(told, values, 0.0), told], axis=1)

    def of(weights: Weights) -> Figures:
        total, count = (weights @ columns).T
        return _ratio(total, count)

    return of


def balanced_accuracy(said: Labels, truth: Labels) -> Statistic:
    """See ``metrics.balanced_accuracy``."""
    columns = np.stack([said & truth, truth, ~said & ~truth, ~truth], axis=1).astype(np.float64)

    def of(weights: Weights) -> Figures:
        true_positive, positive, true_negative, negative = (weights @ columns).T
        return (_ratio(true_positive, positive) + _ratio(true_negative, negative)) / 2

    return of


def false_positive_rate(said: Labels, truth: Labels) -> Statistic:
    """See ``metrics.false_positive_rate``."""
    columns = np.stack([said & ~truth, ~truth], axis=1).astype(np.float64)

    def of(weights: Weights) -> Figures:
        false_positive, negative = (weights @ columns).T
        return _ratio(false_positive, negative)

    return of


def roc_auc(scores: Floats, truth: Labels) -> Statistic:
    """See ``metrics.roc_auc``."""
    ranking = _Ranking(scores, truth)

    def of(weights: Weights) -> Figures:
        positive, negative = ranking.counts(weights)
        above = np.cumsum(positive, axis=1) - positive / 2
        pairs = positive.sum(axis=1) * negative.sum(axis=1)
        return _ratio((above * negative).sum(axis=1), pairs)

    return of


def average_precision(scores: Floats, truth: Labels) -> Statistic:
    """See ``metrics.average_precision``."""
    ranking = _Ranking(scores, truth)

    def of(weights: Weights) -> Figures:
        positive, negative = ranking.counts(weights)
        above = np.cumsum(positive, axis=1)
        called = above + np.cumsum(negative, axis=1)
        precision = np.divide(above, called, out=np.zeros_like(above), where=called > 0)
        found = _ratio((precision * positive).sum(axis=1), positive.sum(axis=1))
        return np.where(negative.sum(axis=1) > 0, found, np.nan)

    return of


class _Ranking:
    """Rows by falling score, equal scores together."""

    def __init__(self, scores: Floats, truth: Labels) -> None:
        self._order = np.argsort(-scores, kind="stable")
        ranked = scores[self._order]
        self._starts = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))
        self._truth = truth[self._order]
        self._defined = not np.isnan(scores).any()

    def counts(self, weights: Weights) -> tuple[Floats, Floats]:
        """The weight of the true and of the false rows of each distinct score, highest first."""
        if not self._defined:
            weights = np.zeros_like(weights)
        ranked = weights[:, self._order]
        positive = np.add.reduceat(ranked * self._truth, self._starts, axis=1)
        negative = np.add.reduceat(ranked * ~self._truth, self._starts, axis=1)
        return positive, negative


def _ratio(part: Floats, whole: Floats) -> Figures:
    out: Figures = np.full(len(part), np.nan)
    np.divide(part, whole, out=out, where=whole > 0)
    return out
