"""Bootstrap intervals over groups, and weighted figures."""

import math

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, balanced_accuracy_score, roc_auc_score

from veracite.engine import bootstrap as boot


def apart(rows: int) -> list[str]:
    """A group for each row."""
    return [str(row) for row in range(rows)]


def normal(rows: int, seed: int = 0) -> boot.Floats:
    return np.random.default_rng(seed).normal(size=rows)


def test_the_interval_of_a_mean_is_the_normal_one() -> None:
    values = normal(400)
    found = boot.bootstrap(boot.mean(np.repeat(values, 3)), list(np.repeat(apart(400), 3)))
    error = 1.96 * values.std() / math.sqrt(400)  # rows that repeat each other add nothing
    assert found.estimate == pytest.approx(values.mean())
    assert found.low == pytest.approx(values.mean() - error, abs=0.012)
    assert found.high == pytest.approx(values.mean() + error, abs=0.012)
    one, again, other = (
        boot.bootstrap(boot.mean(normal(40)), apart(40), seed=seed) for seed in (0, 0, 1)
    )
    assert one == again != other, "the seed fixes what is drawn"


def test_what_says_nothing_of_the_spread_has_no_interval() -> None:
    one = boot.bootstrap(boot.mean([1.0, 2.0]), ["a", "a"])
    assert one.estimate == 1.5
    assert math.isnan(one.low)
    none = boot.bootstrap(boot.mean([]), [])
    assert all(math.isnan(figure) for figure in (none.estimate, none.low, none.high))
    once, said, nothing = np.ones((1, 3)), np.array([True, False, True]), np.zeros(3, bool)
    assert boot.mean([1.0, math.nan, 3.0])(once).tolist() == [2.0]
    assert boot.rate(said, ~nothing)(once).tolist() == pytest.approx([2 / 3])
    assert math.isnan(boot.rate(said, nothing)(once)[0])
    # Rounds of one class only have no area.
    scores, truth = np.array([0.1, 0.9, 0.4, 0.3]), np.array([False, True, False, False])
    area = boot.bootstrap(boot.roc_auc(scores, truth), apart(4))
    assert (area.low, area.high) == (1.0, 1.0)


def test_a_paired_difference_sees_what_two_intervals_cannot() -> None:
    """What makes items hard is shared, so it cancels out."""
    hard = normal(200)
    better = boot.mean(hard + 0.1 + normal(200, 1) / 10)
    one, other = boot.bootstrap(better, apart(200)), boot.bootstrap(boot.mean(hard), apart(200))
    ahead = boot.bootstrap(boot.difference(better, boot.mean(hard)), apart(200))
    assert one.low < other.high
    assert 0 < ahead.low < ahead.estimate < ahead.high < 0.2
    itself = boot.bootstrap(boot.difference(better, better), apart(200))
    assert (itself.estimate, itself.low, itself.high) == (0, 0, 0)


def test_weighted_figures_are_those_of_scikit_learn() -> None:
    generator = np.random.default_rng(0)
    scores = np.round(generator.random(60), 1)
    truth: boot.Marks = generator.random(60) < 0.4
    said: boot.Marks = scores >= 0.5
    weights = generator.integers(0, 4, size=(12, 60)).astype(np.float64)
    for row, area, precision, balanced in zip(
        weights,
        boot.roc_auc(scores, truth)(weights),
        boot.average_precision(scores, truth)(weights),
        boot.balanced_accuracy(said, truth)(weights),
        strict=True,
    ):
        assert area == pytest.approx(roc_auc_score(truth, scores, sample_weight=row))
        assert precision == pytest.approx(average_precision_score(truth, scores, sample_weight=row))
        assert balanced == pytest.approx(balanced_accuracy_score(truth, said, sample_weight=row))
