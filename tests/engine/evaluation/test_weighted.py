"""Figures of weighted rows are those of rows that stand there so often."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from veracite.engine.evaluation import metrics, weighted
from veracite.engine.evaluation.significance import Statistic

Floats = NDArray[np.float64]
Labels = NDArray[np.bool_]
Draw = tuple[Floats, Labels, Labels]


def draw(seed: int, rows: int, distinct: int | None) -> Draw:
    """Scores, calls and truths, with ties where ``distinct`` is given."""
    generator = np.random.default_rng(seed)
    truth = generator.random(rows) < 0.4
    scores = 1 / (1 + np.exp(-generator.normal(size=rows) - truth))
    scores = scores if distinct is None else np.round(scores * distinct) / distinct
    return scores, scores >= 0.6, truth


FIGURES: dict[str, tuple[Callable[[Draw], Statistic], Callable[[Draw], float]]] = {
    "balanced accuracy": (
        lambda d: weighted.balanced_accuracy(d[1], d[2]),
        lambda d: metrics.balanced_accuracy(d[1], d[2]),
    ),
    "false positive rate": (
        lambda d: weighted.false_positive_rate(d[1], d[2]),
        lambda d: metrics.false_positive_rate(d[1], d[2]),
    ),
    "roc auc": (
        lambda d: weighted.roc_auc(d[0], d[2]),
        lambda d: metrics.roc_auc(d[0], d[2]),
    ),
    "average precision": (
        lambda d: weighted.average_precision(d[0], d[2]),
        lambda d: metrics.average_precision(d[0], d[2]),
    ),
    "mean": (lambda d: weighted.mean(d[0]), lambda d: float(d[0].mean())),
}


@pytest.mark.parametrize("distinct", [None, 4, 1])
@pytest.mark.parametrize("rows", [2, 7, 200])
@pytest.mark.parametrize("name", FIGURES)
def test_a_weight_is_so_many_rows(name: str, rows: int, distinct: int | None) -> None:
    of_weights, of_rows = FIGURES[name]
    drawn = draw(rows, rows, distinct)
    weights = np.random.default_rng(1).integers(0, 4, size=(50, rows))
    weights[:, 0] += weights.sum(axis=1) == 0
    found = of_weights(drawn)(weights.astype(np.float64))
    scores, calls, truth = drawn
    for figure, own in zip(found, weights, strict=True):
        repeated = (np.repeat(scores, own), np.repeat(calls, own), np.repeat(truth, own))
        assert figure == pytest.approx(of_rows(repeated), rel=1e-12, nan_ok=True)


@pytest.mark.parametrize("name", ["roc auc", "average precision"])
def test_a_score_that_is_none_leaves_the_ranking_undefined(name: str) -> None:
    drawn = (np.array([0.1, math.nan, 0.7]), np.zeros(3, bool), np.array([True, False, True]))
    assert math.isnan(FIGURES[name][0](drawn)(np.ones((1, 3)))[0])


def test_a_mean_is_of_what_is_defined() -> None:
    values = np.array([1.0, math.nan, 4.0])
    weights = np.array([[1.0, 1, 1], [2, 5, 1], [0, 3, 0]])
    first, second, third = weighted.mean(values)(weights)
    assert (first, second) == (2.5, 2.0)
    assert math.isnan(third)
