"""Bootstrap intervals over groups and McNemar's exact test."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binomtest

from veracite.engine.evaluation import significance
from veracite.engine.evaluation.significance import (
    Figures,
    Interval,
    Statistic,
    Weights,
    bootstrap,
    mcnemar_exact,
    mean_over_sets,
    paired_difference,
)
from veracite.engine.evaluation.weighted import roc_auc


class Mean:
    """The mean of the rows, and how often each was drawn."""

    def __init__(self, values: NDArray[np.float64]) -> None:
        self.values = values
        self.asked: list[Weights] = []

    def __call__(self, weights: Weights) -> Figures:
        self.asked.append(weights)
        return np.asarray(weights @ self.values / weights.sum(axis=1))


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
    (drawn, once) = mean.asked
    assert once.tolist() == [[1.0] * 6]
    assert drawn.shape == (200, 6)
    assert len({*drawn.sum(axis=1)}) > 1
    assert (drawn[:, 0] == drawn[:, 2]).all()
    assert (drawn[:, 3] == drawn[:, 4]).all()
    assert (drawn[:, 3] == drawn[:, 5]).all()
    assert (drawn[:, 0] + drawn[:, 1] + drawn[:, 3] == 3).all()


def test_many_rows_are_drawn_some_rounds_at_a_time_to_the_same_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    values = np.random.default_rng(5).normal(size=40)
    whole = Mean(values)
    found = bootstrap(whole, apart(40), rounds=100)
    monkeypatch.setattr(significance, "_AT_ONCE", 120)
    parted = Mean(values)
    again = bootstrap(parted, apart(40), rounds=100)
    assert [len(weights) for weights in parted.asked] == [3] * 33 + [1, 1]
    assert (np.concatenate(parted.asked[:-1]) == whole.asked[0]).all()
    assert again.low == pytest.approx(found.low, rel=1e-12)


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
    found = bootstrap(roc_auc(scores, truth), apart(4), rounds=500)
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


def test_the_mean_over_sets_does_not_go_by_their_sizes() -> None:
    small, large = np.full(2, 1.0), np.zeros(98)
    found = mean_over_sets([(Mean(small), apart(2)), (Mean(large), apart(98))], rounds=50)
    assert (found.estimate, found.low, found.high) == (0.5, 0.5, 0.5)
    assert (found.rounds, found.left_out) == (50, 0)


def test_the_spread_of_a_mean_over_sets_is_that_of_independent_sets() -> None:
    sets = [np.random.default_rng(seed).normal(size=300) for seed in range(4)]
    found = mean_over_sets([(Mean(values), apart(300)) for values in sets])
    error = 1.96 * math.sqrt(sum(values.var() / 300 for values in sets)) / 4
    assert found.estimate == pytest.approx(np.mean([values.mean() for values in sets]))
    assert found.high - found.low == pytest.approx(2 * error, rel=0.1)


def test_a_set_of_one_group_has_its_rows_drawn() -> None:
    values = np.random.default_rng(6).normal(size=60)
    found = mean_over_sets([(Mean(values), ["a"] * 60)])
    assert found.high - found.low == pytest.approx(2 * 1.96 * values.std() / math.sqrt(60), rel=0.1)


def test_rounds_without_a_figure_cost_a_set_these_rounds_only() -> None:
    scores, truth = np.array([0.1, 0.9, 0.4, 0.3]), np.array([False, True, False, False])
    sets: list[tuple[Statistic, list[str]]] = [
        (roc_auc(scores, truth), apart(4)),
        (Mean(np.ones(30)), apart(30)),
    ]
    found = mean_over_sets(sets, rounds=500)
    assert (found.low, found.high) == (1.0, 1.0)
    assert 300 < found.rounds < 400


def test_no_sets_have_no_mean() -> None:
    found = mean_over_sets([])
    assert all(math.isnan(figure) for figure in (found.estimate, found.low, found.high))


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
