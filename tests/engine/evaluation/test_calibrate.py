"""Thresholds and calibrations: what they fit, what they refuse and what they do to unseen rows."""

import math
from dataclasses import replace

import numpy as np
import pytest

from veracite.engine.bootstrap import Floats, Marks, calibration_error
from veracite.engine.evaluation.calibrate import (
    BRIER,
    CALLED,
    ERROR,
    FALSE_CALLED,
    FOUND,
    WRONG,
    Tuned,
    fit,
    logistic_threshold,
    supported_from,
    tune,
)

GRID = np.linspace(0, 1, 501)


def marks(text: str) -> Marks:
    return np.array([sign == "+" for sign in text])


def sigmoid(logits: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-logits)))


def draw(slope: float, intercept: float, rows: int = 4000) -> tuple[Floats, Marks]:
    """Raw probabilities whose true ones have log odds ``slope * raw + intercept``."""
    generator = np.random.default_rng(0)
    odds = generator.normal(scale=2, size=rows)
    return sigmoid(odds), generator.random(rows) < sigmoid(slope * odds + intercept)


# --- Thresholds -------------------------------------------------------------------------------


def test_a_logistic_threshold_parts_two_normal_classes_in_the_middle() -> None:
    generator = np.random.default_rng(0)
    scores = np.concatenate([generator.normal(2, 1, 900), generator.normal(4, 1, 300)])
    truth = np.arange(1200) >= 900
    assert logistic_threshold(scores, truth) == pytest.approx(3, abs=0.1)
    assert logistic_threshold(sigmoid(scores - 3), truth) == pytest.approx(0.5, abs=0.03)
    assert logistic_threshold(-scores, truth) == -scores.max(), "else everything is called true"
    assert math.isnan(logistic_threshold(scores, np.ones(1200, bool)))
    assert math.isnan(logistic_threshold(np.zeros(1200), truth))
    assert logistic_threshold(np.where(truth, 1e-4, 1e-5), truth) == 1e-5, "alike when clipped"


# --- How honest probabilities are -------------------------------------------------------------


def test_the_error_is_of_bins_of_equal_mass_that_never_part_equal_probabilities() -> None:
    given = np.array([0.1] * 5 + [0.6, 0.7, 0.8, 0.9, 1.0])
    assert calibration_error(given, marks("----+-++++"), bins=2) == pytest.approx(0.05)
    assert calibration_error(np.array([0.2] * 10), marks("++--------")) == pytest.approx(0)
    assert calibration_error(np.array([0.9] * 10), marks("++--------")) == pytest.approx(0.7)
    assert math.isnan(calibration_error(np.array([]), np.array([], bool)))


def test_the_curve_is_found() -> None:
    line = fit(*draw(0.6, -1.5))
    assert (line.slope, line.intercept) == pytest.approx((0.6, -1.5), abs=0.1)


def test_rows_that_say_little_give_no_certainty() -> None:
    raw = np.array([0.0] * 10 + [0.2] * 10 + [0.7] * 10 + [1.0] * 10)
    parted = fit(raw, raw > 0.5).apply(GRID)
    assert parted[100] < 0.5 < parted[350]
    assert parted.max() < 0.99
    alike = fit(np.full(40, 0.3), np.arange(40) < 30).apply(np.array([0.3]))
    assert alike[0] == pytest.approx(0.75, abs=0.02)
    raw, outcomes = draw(-2.0, 0.0)
    np.testing.assert_allclose(fit(raw, outcomes).apply(GRID), outcomes.mean(), rtol=0.1)


# --- A person's own calibration ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("truth", "threshold"),
    [("-----+++++", 0.6), ("-----+--++", 0.8), ("----------", 1.0)],
)
def test_without_a_wish_no_more_false_rows_pass_than_shipped(truth: str, threshold: float) -> None:
    scores, shipped = np.linspace(0.1, 1.0, 10), np.arange(10) == 6
    assert supported_from(scores, marks(truth), shipped, 0.6, None) == pytest.approx(threshold)


@pytest.mark.parametrize(
    ("truth", "least", "most_wrong", "threshold"),
    [
        ("-" * 10 + "+" * 20, 0.0, 0.0, 0.35),
        ("-" * 30, 0.0, 0.5, 1.0),
        ("+" * 21 + "-" + "+" * 8, 0.0, 0.0, 1.0),  # fewer than ten rows say nothing
        ("+" * 30, 0.6, 0.1, 0.6),  # none is below the product's
    ],
)
def test_the_lowest_threshold_that_keeps_the_share(
    truth: str, least: float, most_wrong: float, threshold: float
) -> None:
    scores = np.arange(30) / 30
    found = supported_from(scores, marks(truth), scores >= least, least, most_wrong)
    assert found == pytest.approx(threshold, abs=0.034)


def sure_of_itself(rows: int = 400, groups: int = 100, most_wrong: float | None = None) -> Tuned:
    """Always sure to 0.97, and right in three of four cases."""
    generator = np.random.default_rng(0)
    truth: Marks = generator.random(rows) < 0.5
    scores = np.where(truth == (generator.random(rows) < 0.75), 0.97, 0.03)
    names = [str(row % groups) for row in range(rows)]
    held = np.array([int(name) >= groups // 2 for name in names])
    return tune(scores, truth, names, held, 0.6, most_wrong)


def test_probabilities_are_honest_on_rows_that_were_not_fitted_on() -> None:
    tuned = sure_of_itself()
    assert (tuned.rows, tuned.fitted) == (400, 200)
    assert tuned.before[ERROR] == pytest.approx(0.22, abs=0.06)
    assert tuned.after[ERROR] < 0.07
    assert tuned.after[BRIER] < tuned.before[BRIER]
    low, high = tuned.calibration.apply(np.array([0.03, 0.97])).tolist()
    assert (low, high) == pytest.approx((0.25, 0.75), abs=0.05)
    assert tuned.supported_from == tuned.part_from == 0.6
    assert tuned.after[CALLED] == tuned.before[CALLED], "0.75 is above 0.6 as 0.97 was"
    assert tuned.doubts == ()


@pytest.mark.parametrize(
    ("changes", "doubt"),
    [
        ({FOUND: math.nan}, "All rows held out are true, or all are false"),
        ({FALSE_CALLED: 0.4, FOUND: 0.9}, "It calls 40.0% of the false rows supported"),
        ({WRONG: 0.6}, "Of the rows that it calls supported 60.0% are false; without it"),
    ],
)
def test_what_speaks_against_a_calibration_is_said(changes: dict[str, float], doubt: str) -> None:
    tuned = sure_of_itself()
    [found] = replace(tuned, after={**tuned.after, **changes}).doubts
    assert doubt in found
