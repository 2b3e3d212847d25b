"""Bootstrap intervals over groups, and weighted figures."""

import math

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, balanced_accuracy_score, roc_auc_score

from veracite.engine.bootstrap import (
    Floats,
    Marks,
    average_precision,
    balanced_accuracy,
    bootstrap,
    difference,
    mean,
    rate,
    roc_auc,
)


def apart(rows: int) -> list[str]:
    """A group for each row."""
    return [str(row) for row in range(rows)]


def normal(rows: int, seed: int = 0) -> Floats:
    return np.random.default_rng(seed).normal(size=rows)


def test_the_interval_of_a_mean_is_the_normal_one() -> None:
    values = normal(400)
    found = bootstrap(mean(np.repeat(values, 3)), list(np.repeat(apart(400), 3)))
    error = 1.96 * values.std() / math.sqrt(400)  # rows that repeat each other add nothing
    assert found.estimate == pytest.approx(values.mean())
    assert found.low == pytest.approx(values.mean() - error, abs=0.012)
    assert found.high == pytest.approx(values.mean() + error, abs=0.012)


def test_rows_of_a_group_are_drawn_together() -> None:
    asked: list[Floats] = []

    def keep(weights: Floats) -> Floats:
        asked.append(weights)
        return np.asarray(weights.sum(axis=1))

    groups = ["b", "a", "b", "c", "c", "c"]
    bootstrap(keep, groups, rounds=200)
    one, again, other = (bootstrap(mean(normal(40)), apart(40), seed=seed) for seed in (0, 0, 1))
    assert one == again != other, "the seed fixes what is drawn"
    drawn = next(weights for weights in asked if len(weights) == 200)
    assert (drawn[:, 0] == drawn[:, 2]).all()
    assert (drawn[:, 3] == drawn[:, 5]).all()
    assert (drawn[:, 0] + drawn[:, 1] + drawn[:, 3] == 3).all()


def test_what_says_nothing_of_the_spread_has_no_interval() -> None:
    one = bootstrap(mean([1.0, 2.0]), ["a", "a"])
    assert one.estimate == 1.5
    assert math.isnan(one.low)
    none = bootstrap(mean([]), [])
    assert all(math.isnan(figure) for figure in (none.estimate, none.low, none.high))
    # Rounds of one class only have no area.
    scores, truth = np.array([0.1, 0.9, 0.4, 0.3]), np.array([False, True, False, False])
    area = bootstrap(roc_auc(scores, truth), apart(4), rounds=500)
    assert (area.low, area.high) == (1.0, 1.0)


def test_a_paired_difference_sees_what_two_intervals_cannot() -> None:
    """What makes items hard is shared, so it cancels out."""
    hard = normal(200)
    better = mean(hard + 0.1 + normal(200, 1) / 10)
    one, other = bootstrap(better, apart(200)), bootstrap(mean(hard), apart(200))
    ahead = bootstrap(difference(better, mean(hard)), apart(200))
    assert one.low < other.high
    assert 0 < ahead.low < ahead.estimate < ahead.high < 0.2
    itself = bootstrap(difference(better, better), apart(200))
    assert (itself.estimate, itself.low, itself.high) == (0, 0, 0)


def test_weighted_figures_are_those_of_scikit_learn() -> None:
    generator = np.random.default_rng(0)
    scores = np.round(generator.random(60), 1)
    truth: Marks = generator.random(60) < 0.4
    said: Marks = scores >= 0.5
    weights = generator.integers(0, 4, size=(12, 60)).astype(np.float64)
    for row, area, precision, balanced in zip(
        weights,
        roc_auc(scores, truth)(weights),
        average_precision(scores, truth)(weights),
        balanced_accuracy(said, truth)(weights),
        strict=True,
    ):
        assert area == pytest.approx(roc_auc_score(truth, scores, sample_weight=row))
        assert precision == pytest.approx(average_precision_score(truth, scores, sample_weight=row))
        assert balanced == pytest.approx(balanced_accuracy_score(truth, said, sample_weight=row))


def test_values_that_are_nan_and_rates_of_nothing() -> None:
    once = np.ones((1, 3))
    assert mean([1.0, math.nan, 3.0])(once).tolist() == [2.0]
    said, none = np.array([True, False, True]), np.zeros(3, bool)
    assert rate(said, ~none)(once).tolist() == pytest.approx([2 / 3])
    assert math.isnan(rate(said, none)(once)[0])
