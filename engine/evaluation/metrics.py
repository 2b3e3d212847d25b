"""How well scores and labels tell true from false.

Rows are items. ``truth`` says which are true (supported, factual), ``said`` which were called so,
``scores`` rise with the belief that they are. Where a figure is not defined (rows of one class
only, no rows, a score that is nan) it is nan; nothing here raises on data.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Confusion",
    "average_precision",
    "balanced_accuracy",
    "best_threshold",
    "confusion",
    "false_discovery_rate",
    "false_positive_rate",
    "papers_area",
    "precision_recall_curve",
    "roc_auc",
    "roc_curve",
]

Labels = NDArray[np.bool_]
Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts of items; *positive* is called true."""

    true_positive: int
    false_positive: int
    true_negative: int
    false_negative: int


def confusion(said: Labels, truth: Labels) -> Confusion:
    """The four counts of labels against the truth, both of shape (n,)."""
    return Confusion(
        true_positive=int(np.sum(said & truth)),
        false_positive=int(np.sum(said & ~truth)),
        true_negative=int(np.sum(~said & ~truth)),
        false_negative=int(np.sum(~said & truth)),
    )


def balanced_accuracy(said: Labels, truth: Labels) -> float:
    """The mean of the shares of true items and of false items that are called right."""
    counts = confusion(said, truth)
    of_true = _share(counts.true_positive, counts.true_positive + counts.false_negative)
    of_false = _share(counts.true_negative, counts.true_negative + counts.false_positive)
    return (of_true + of_false) / 2


def false_positive_rate(said: Labels, truth: Labels) -> float:
    """*False supported*, of what is false: the share of false items that is called supported."""
    counts = confusion(said, truth)
    return _share(counts.false_positive, counts.false_positive + counts.true_negative)


def false_discovery_rate(said: Labels, truth: Labels) -> float:
    """*False supported*, of what a reader sees: the share of supported calls that is false."""
    counts = confusion(said, truth)
    return _share(counts.false_positive, counts.false_positive + counts.true_positive)


def roc_auc(scores: Floats, truth: Labels) -> float:
    """The share of (true, false) pairs of items that the scores put in order; ties count half."""
    if not _can_rank(scores, truth):
        return float("nan")
    positive, negative, _ = _running(scores, truth)
    height = positive + np.concatenate([[0], positive[:-1]])
    width = np.diff(negative, prepend=0)
    return float(np.sum(width * height) / (2 * positive[-1] * negative[-1]))


def average_precision(scores: Floats, truth: Labels) -> float:
    """The mean precision over the steps in recall; equal scores are one step (scikit-learn's)."""
    if not _can_rank(scores, truth):
        return float("nan")
    precision, recall, _ = precision_recall_curve(scores, truth)
    return float(-np.sum(np.diff(recall) * precision[:-1]))


def papers_area(scores: Floats, truth: Labels) -> float:
    """AUC-PR as CEG (Table 1) and SelfCheckGPT print it: trapezoids under precision over recall.

    Over hard labels (0 and 1) it joins one point to (0, 1) by a straight line, so that whoever
    gives every item the same label gets (1 + base rate) / 2. For comparison with the papers only.

    Args:
        scores: Hard labels, or scores, of being what ``truth`` says; shape (n,).
        truth: Of the class whose area it is: for *nonfactual* the items that are not factual.
    """
    if not _can_rank(scores, truth):
        return float("nan")
    precision, recall, _ = precision_recall_curve(scores, truth)
    return float(-np.sum(np.diff(recall) * (precision[:-1] + precision[1:]) / 2))


def roc_curve(scores: Floats, truth: Labels) -> tuple[Floats, Floats, Floats]:
    """False-positive rate, true-positive rate and threshold, one point a distinct score.

    From (0, 0), whose threshold is infinite, to (1, 1); an item is called true from the threshold
    on. Three empty arrays where there is no curve.
    """
    if not _can_rank(scores, truth):
        return np.empty(0), np.empty(0), np.empty(0)
    positive, negative, thresholds = _running(scores, truth)
    return (
        np.concatenate([[0.0], negative / negative[-1]]),
        np.concatenate([[0.0], positive / positive[-1]]),
        np.concatenate([[np.inf], thresholds]),
    )


def precision_recall_curve(scores: Floats, truth: Labels) -> tuple[Floats, Floats, Floats]:
    """Precision, recall and threshold, one point a distinct score.

    From the lowest threshold (recall 1) to the highest, then the point precision 1, recall 0,
    whose threshold is infinite. Three empty arrays where there is no curve.
    """
    if not _can_rank(scores, truth):
        return np.empty(0), np.empty(0), np.empty(0)
    positive, negative, thresholds = _running(scores, truth)
    return (
        np.concatenate([(positive / (positive + negative))[::-1], [1.0]]),
        np.concatenate([(positive / positive[-1])[::-1], [0.0]]),
        np.concatenate([thresholds[::-1], [np.inf]]),
    )


def best_threshold(scores: Floats, truth: Labels) -> float:
    """The threshold with the best balanced accuracy; an item is called true from it on.

    It lies halfway between two neighbouring distinct scores, so that it carries over to other
    items. Of several gaps that are equally good the middle one is taken, of an even number of
    them the upper of the two in the middle, which calls fewer items true. Nan where all scores
    are equal.
    """
    if not _can_rank(scores, truth):
        return float("nan")
    positive, negative, thresholds = _running(scores, truth)
    gains = (positive * negative[-1] - negative * positive[-1])[:-1]
    if not len(gains):
        return float("nan")
    best = np.flatnonzero(gains == gains.max())
    gap = best[(len(best) - 1) // 2]
    upper, lower = float(thresholds[gap]), float(thresholds[gap + 1])
    middle = upper / 2 + lower / 2
    return middle if lower < middle <= upper else upper


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def _can_rank(scores: Floats, truth: Labels) -> bool:
    return bool(truth.any()) and not truth.all() and not np.isnan(scores).any()


def _running(scores: Floats, truth: Labels) -> tuple[Counts, Counts, Floats]:
    """True and false items from each distinct score up, and these scores, highest first."""
    distinct, value = np.unique(scores, return_inverse=True)
    positive = np.bincount(value[truth], minlength=len(distinct))[::-1].cumsum()
    negative = np.bincount(value[~truth], minlength=len(distinct))[::-1].cumsum()
    return positive, negative, distinct[::-1].astype(np.float64)
