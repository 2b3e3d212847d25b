"""Bootstrap intervals over groups and McNemar's exact test."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binomtest

from veracite.engine.evaluation.metrics import roc_auc
from veracite.engine.evaluation.significance import (
    Interval,
    Rows,
    bootstrap,
    mcnemar_exact,
    paired_difference,
)


class Mean:
    """The mean of some rows, and which rows were asked for."""

    def __init__(self, values: NDArray[np.float64]) -> None:
        self.values = values
        self.asked: list[Rows] = []

    def __call__(self, rows: Rows) -> float:
        self.asked.append(rows)
        return float(self.values[rows].mean())


def apart(rows: int) -> list[str]:
    """A group for each row."""
    return [str(row) for row in range(rows)]


def discordant(only_a: int, only_b: int, same: int = 0) -> list[NDArray[np.bool_]]:
    """Two methods' marks on items of which one alone got so many right."""
    a = [True] * only_a + [False] * only_b + [True] * same
    b = [False] * only_a + [True] * only_b + [True] * same
    return [np.array(a, bool), np.array(b, bool)]


def test_the_interval_of_a_mean_is_the_normal_one() -> None:
    values = np.random.default_rng(0).normal(size=400)
    found = bootstrap(Mean(values), apart(400))
    error = 1.96 * values.std() / math.sqrt(400)
    assert found.estimate == values.mean()
    assert found.low == pytest.approx(values.mean() - error, abs=0.012)
    assert found.high == pytest.approx(values.mean() + error, abs=0.012)
    assert (found.level, found.rounds, found.left_out) == (0.95, 2000, 0)


def test_rows_of_a_group_are_drawn_together() -> None:
    groups = ["b", "a", "b", "c", "c", "c"]
    mean = Mean(np.arange(6.0))
    bootstrap(mean, groups, rounds=200)
    sizes = {"a": 1, "b": 2, "c": 3}
    assert len({len(rows) for rows in mean.asked}) > 1
    for rows in mean.asked[:-1]:
        counts = np.bincount(rows, minlength=6)
        assert counts[0] == counts[2]
        assert counts[3] == counts[4] == counts[5]
        drawn = [groups[row] for row in rows]
        assert sum(drawn.count(group) / size for group, size in sizes.items()) == 3


def test_rows_that_repeat_each_other_do_not_make_a_figure_surer() -> None:
    values = np.random.default_rng(1).normal(size=50)
    once = bootstrap(Mean(values), apart(50))
    ten_times = bootstrap(Mean(np.repeat(values, 10)), list(np.repeat(apart(50), 10)))
    as_if_apart = bootstrap(Mean(np.repeat(values, 10)), apart(500))
    assert ten_times.high - ten_times.low == pytest.approx(once.high - once.low)
    assert as_if_apart.high - as_if_apart.low < (once.high - once.low) / 2


def test_the_seed_fixes_the_interval() -> None:
    values = np.random.default_rng(2).normal(size=30)
    assert bootstrap(Mean(values), apart(30)) == bootstrap(Mean(values), apart(30))
    assert bootstrap(Mean(values), apart(30), seed=1) != bootstrap(Mean(values), apart(30))


def test_rounds_without_a_figure_are_left_out_and_counted() -> None:
    scores, truth = np.array([0.1, 0.9, 0.4, 0.3]), np.array([False, True, False, False])
    found = bootstrap(lambda rows: roc_auc(scores[rows], truth[rows]), apart(4), rounds=500)
    one_class = (3 / 4) ** 4 + (1 / 4) ** 4
    assert found.left_out == pytest.approx(500 * one_class, abs=40)
    assert found.rounds + found.left_out == 500
    assert (found.low, found.high) == (1.0, 1.0)


def test_one_group_says_nothing_of_the_spread() -> None:
    found = bootstrap(Mean(np.array([1.0, 2.0])), ["a", "a"])
    assert found.estimate == 1.5
    assert math.isnan(found.low)
    assert math.isnan(found.high)
    assert found.rounds == 0


def test_no_rows_give_nan() -> None:
    found = bootstrap(Mean(np.array([])), [])
    assert all(math.isnan(figure) for figure in (found.estimate, found.low, found.high))


def test_an_interval_of_another_level() -> None:
    values = np.random.default_rng(3).normal(size=100)
    half = bootstrap(Mean(values), apart(100), level=0.5)
    wide = bootstrap(Mean(values), apart(100), level=0.99)
    assert wide.low < half.low < half.high < wide.high


def test_a_paired_difference_sees_what_two_intervals_cannot() -> None:
    """What makes items hard is shared, so it cancels out."""
    generator = np.random.default_rng(4)
    hard = generator.normal(size=200)
    better, worse = hard + 0.1 + generator.normal(size=200) / 10, hard
    groups = apart(200)
    one, other = bootstrap(Mean(better), groups), bootstrap(Mean(worse), groups)
    difference = paired_difference(Mean(better), Mean(worse), groups)
    assert one.low < other.high
    assert 0 < difference.low < difference.estimate < difference.high < 0.2
    assert difference.estimate == pytest.approx(better.mean() - worse.mean())


def test_a_method_does_not_differ_from_itself() -> None:
    mean = Mean(np.arange(20.0))
    assert paired_difference(mean, mean, apart(20)) == Interval(0.0, 0.0, 0.0, 0.95, 2000, 0)


@pytest.mark.parametrize(
    ("only_a", "only_b"),
    [(0, 1), (1, 0), (5, 5), (0, 10), (3, 9), (9, 3), (40, 61), (499, 521), (1200, 1000)],
)
def test_mcnemar_is_the_two_sided_binomial_test(only_a: int, only_b: int) -> None:
    expected = binomtest(only_a, only_a + only_b).pvalue
    assert mcnemar_exact(*discordant(only_a, only_b, same=7)) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("only_a", [49_000, 49_700, 50_000, 50_001])
def test_mcnemar_of_a_hundred_thousand_items(only_a: int) -> None:
    expected = binomtest(only_a, 100_000).pvalue
    found = mcnemar_exact(*discordant(only_a, 100_000 - only_a))
    assert found == pytest.approx(expected, rel=1e-7)


def test_mcnemar_of_a_difference_beyond_doubt_is_0_and_of_none_1() -> None:
    assert mcnemar_exact(*discordant(0, 100_000)) == 0.0
    assert mcnemar_exact(*discordant(0, 0, same=5)) == 1.0
    assert mcnemar_exact(*discordant(0, 0)) == 1.0
