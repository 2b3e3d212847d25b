"""Figures of scores and labels, against scikit-learn and by hand."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn import metrics as reference

from veracite.engine.evaluation.metrics import (
    Confusion,
    average_precision,
    balanced_accuracy,
    best_threshold,
    confusion,
    false_discovery_rate,
    false_positive_rate,
    papers_area,
    precision_recall_curve,
    roc_auc,
    roc_curve,
)
from veracite.engine.evaluation.reliability import (
    brier,
    calibration_error_by_chance,
    expected_calibration_error,
    log_loss,
    reliability_bins,
)

Floats = NDArray[np.float64]
Labels = NDArray[np.bool_]


def marks(text: str) -> Labels:
    """Labels from signs: ``+`` is true."""
    return np.array([sign == "+" for sign in text])


def draw(seed: int, rows: int = 300, distinct: int | None = None) -> tuple[Floats, Labels]:
    """Scores that say something of the truth, with ties where ``distinct`` is given."""
    generator = np.random.default_rng(seed)
    truth = generator.random(rows) < generator.uniform(0.1, 0.9)
    truth[:2] = True, False
    scores = 1 / (1 + np.exp(-generator.normal(size=rows) - truth))
    return (scores if distinct is None else np.round(scores * distinct) / distinct), truth


DRAWS = [(seed, rows, ties) for seed in range(6) for rows in (2, 5, 300) for ties in (None, 1, 4)]


@pytest.mark.parametrize(("seed", "rows", "ties"), DRAWS)
def test_rankings_are_those_of_scikit_learn(seed: int, rows: int, ties: int | None) -> None:
    scores, truth = draw(seed, rows, ties)
    assert roc_auc(scores, truth) == pytest.approx(reference.roc_auc_score(truth, scores))
    assert average_precision(scores, truth) == pytest.approx(
        reference.average_precision_score(truth, scores)
    )
    precision, recall, _ = reference.precision_recall_curve(truth, scores)
    assert papers_area(scores, truth) == pytest.approx(reference.auc(recall, precision))


@pytest.mark.parametrize(("seed", "rows", "ties"), DRAWS)
def test_curves_are_those_of_scikit_learn(seed: int, rows: int, ties: int | None) -> None:
    scores, truth = draw(seed, rows, ties)
    expected = reference.roc_curve(truth, scores, drop_intermediate=False)
    for ours, theirs in zip(roc_curve(scores, truth), expected, strict=True):
        np.testing.assert_allclose(ours, theirs)
    precision, recall, thresholds = precision_recall_curve(scores, truth)
    expected = reference.precision_recall_curve(truth, scores)
    np.testing.assert_allclose(precision, expected[0])
    np.testing.assert_allclose(recall, expected[1])
    np.testing.assert_allclose(thresholds, [*expected[2], math.inf])


@pytest.mark.parametrize("seed", range(5))
def test_labels_and_probabilities_are_judged_as_scikit_learn_does(seed: int) -> None:
    probabilities, truth = draw(seed)
    said = probabilities >= 0.6
    counts = confusion(said, truth)
    assert [
        [counts.true_negative, counts.false_positive],
        [counts.false_negative, counts.true_positive],
    ] == reference.confusion_matrix(truth, said).tolist()
    assert balanced_accuracy(said, truth) == pytest.approx(
        reference.balanced_accuracy_score(truth, said)
    )
    assert false_discovery_rate(said, truth) == pytest.approx(
        1 - reference.precision_score(truth, said)
    )
    assert brier(probabilities, truth) == pytest.approx(
        reference.brier_score_loss(truth, probabilities)
    )
    assert log_loss(probabilities, truth) == pytest.approx(reference.log_loss(truth, probabilities))


def test_false_supported_has_two_readings() -> None:
    said, truth = marks("++++------"), marks("+---++++--")
    assert confusion(said, truth) == Confusion(1, 3, 2, 4)
    assert false_positive_rate(said, truth) == 3 / 5
    assert false_discovery_rate(said, truth) == 3 / 4


def test_a_pair_with_equal_scores_counts_half() -> None:
    assert roc_auc(np.array([0.5, 0.5, 0.9]), marks("+-+")) == 0.75


def test_a_hundred_thousand_pairs_do_not_overflow() -> None:
    scores = np.arange(100_000) / 100_000
    assert roc_auc(scores, scores >= 0.5) == 1.0


def test_the_papers_area_rewards_who_says_nonfactual_to_everything() -> None:
    """WikiBio GPT-3: 1,392 of 1,908 sentences are nonfactual (CEG, section 4.2)."""
    nonfactual = np.arange(1908) < 1392
    assert nonfactual.mean() == pytest.approx(0.7296, abs=5e-5)
    assert papers_area(np.ones(1908), nonfactual) == pytest.approx(0.865, abs=5e-4)
    assert papers_area(np.zeros(1908), ~nonfactual) == pytest.approx(0.635, abs=5e-4)
    assert average_precision(np.ones(1908), nonfactual) == pytest.approx(0.7296, abs=5e-5)


def test_the_papers_area_of_hard_labels_by_hand() -> None:
    """Points (0, 1), (2/3, 1/2), (1, 3/5) in recall and precision."""
    said = np.array([1.0, 1.0, 1.0, 1.0, 0.0])
    area = (2 / 3) * (1 + 1 / 2) / 2 + (1 / 3) * (1 / 2 + 3 / 5) / 2
    assert papers_area(said, marks("++--+")) == pytest.approx(area)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("ties", [None, 5])
def test_no_threshold_beats_the_best(seed: int, ties: int | None) -> None:
    scores, truth = draw(seed, 60, ties)
    threshold = best_threshold(scores, truth)
    best = max(balanced_accuracy(scores >= score, truth) for score in np.unique(scores)[1:])
    assert balanced_accuracy(scores >= threshold, truth) == pytest.approx(best)
    assert threshold not in scores


def test_the_best_threshold_lies_halfway_between_neighbours() -> None:
    assert best_threshold(np.array([0.1, 0.2, 0.6, 0.9]), marks("--++")) == pytest.approx(0.4)


def test_of_equally_good_thresholds_the_middle_one_is_taken() -> None:
    scores = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    assert best_threshold(scores, marks("-+-+-+")) == 3.5
    assert best_threshold(np.array([1.0, 2.0, 3.0, 4.0]), marks("-+-+")) == 3.5


@pytest.mark.parametrize(
    "scores",
    [[-math.inf, 1.0], [1.0, math.inf], [-math.inf, math.inf], [1.0, math.nextafter(1.0, 2.0)]],
)
def test_a_threshold_parts_scores_that_have_no_middle(scores: list[float]) -> None:
    found = np.array(scores) >= best_threshold(np.array(scores), marks("-+"))
    assert found.tolist() == [False, True]


def test_the_order_of_rows_changes_nothing() -> None:
    scores, truth = draw(3, 400, 20)
    order = np.random.default_rng(0).permutation(400)
    for figure in (roc_auc, average_precision, papers_area, best_threshold):
        assert figure(scores[order], truth[order]) == figure(scores, truth)
    ours = reliability_bins(scores, truth)
    mixed = reliability_bins(scores[order], truth[order])
    assert [b.count for b in mixed] == [b.count for b in ours]


def test_reliability_bins_have_equal_mass_and_by_hand() -> None:
    probabilities = np.array([0.9, 0.1, 0.8, 0.3])
    outcomes = marks("+--+")
    low, high = reliability_bins(probabilities, outcomes, bins=2)
    assert (low.count, low.share_true, high.count, high.share_true) == (2, 0.5, 2, 0.5)
    assert low.mean_probability == pytest.approx(0.2)
    assert high.mean_probability == pytest.approx(0.85)
    expected = (0.3 + 0.35) / 2
    assert expected_calibration_error(probabilities, outcomes, bins=2) == pytest.approx(expected)


def test_bins_are_equal_on_distinct_probabilities_whatever_their_spread() -> None:
    probabilities, outcomes = draw(1, 1000)
    assert [b.count for b in reliability_bins(probabilities**9, outcomes)] == [100] * 10


def test_equal_probabilities_stay_in_one_bin() -> None:
    probabilities = np.array([0.2] * 6 + [0.7] * 4)
    outcomes = marks("+-----+++-")
    bins = reliability_bins(probabilities, outcomes)
    assert [(b.count, b.share_true) for b in bins] == [(6, 1 / 6), (4, 0.75)]


def test_probabilities_that_come_true_as_stated_have_little_error() -> None:
    generator = np.random.default_rng(5)
    probabilities = generator.random(20_000)
    outcomes = generator.random(20_000) < probabilities
    assert expected_calibration_error(probabilities, outcomes) < 0.02
    assert expected_calibration_error(probabilities / 2, outcomes) == pytest.approx(0.25, abs=0.02)


def test_few_items_show_an_error_even_where_every_probability_is_right() -> None:
    generator = np.random.default_rng(6)
    few, many = generator.random(100), generator.random(20_000)

    assert calibration_error_by_chance(few) == pytest.approx(
        np.mean([expected_calibration_error(few, generator.random(100) < few) for _ in range(500)]),
        abs=0.005,
    )
    assert calibration_error_by_chance(few) > 0.07
    assert calibration_error_by_chance(many, draws=5) < 0.01
    assert calibration_error_by_chance(np.array([0.0, 1.0])) == 0
    assert math.isnan(calibration_error_by_chance(np.array([0.5, math.nan])))


def test_a_sure_mistake_costs_a_finite_loss() -> None:
    assert log_loss(np.array([0.0]), marks("+")) == pytest.approx(-math.log(1e-6))


@pytest.mark.parametrize("figure", [roc_auc, average_precision, papers_area, best_threshold])
@pytest.mark.parametrize("truth", ["+++", "---", ""])
def test_one_class_or_no_rows_give_nan(
    figure: Callable[[Floats, Labels], float], truth: str
) -> None:
    assert math.isnan(figure(np.linspace(0, 1, len(truth)), marks(truth)))


def test_what_is_not_defined_is_nan_and_nothing_is_raised() -> None:
    none, nothing = np.array([]), marks("")
    assert math.isnan(balanced_accuracy(marks("+-"), marks("++")))
    assert math.isnan(false_positive_rate(marks("+-"), marks("++")))
    assert math.isnan(false_discovery_rate(marks("--"), marks("+-")))
    assert math.isnan(best_threshold(np.ones(4), marks("+-+-")))
    assert math.isnan(roc_auc(np.array([math.nan, 1.0, 0.0]), marks("++-")))
    for figure in (brier, log_loss, expected_calibration_error):
        assert math.isnan(figure(none, nothing))
    assert reliability_bins(none, nothing) == []
    for curve in (roc_curve, precision_recall_curve):
        assert [len(axis) for axis in curve(np.array([0.1, 0.2]), marks("++"))] == [0, 0, 0]
