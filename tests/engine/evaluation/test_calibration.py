"""Calibration maps: what they fit, what they refuse and what they do to unseen rows."""

import json
import math
from typing import Any, get_args

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from veracite.engine.errors import InputError
from veracite.engine.evaluation.calibration import cross_validated, fit_best, held_out_report
from veracite.engine.evaluation.fitting import fit
from veracite.engine.evaluation.reliability import expected_calibration_error, log_loss
from veracite.engine.judging.calibration import Calibration, Kind

Floats = NDArray[np.float64]
Labels = NDArray[np.bool_]
KINDS: tuple[Kind, ...] = get_args(Kind)
GRID = np.linspace(0, 1, 501)


def sigmoid(logits: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-logits)))


def log_odds(probabilities: Floats) -> Floats:
    return np.asarray(np.log(probabilities / (1 - probabilities)))


def draw(
    slope: float, intercept: float, rows: int = 4000, seed: int = 0
) -> tuple[Floats, Labels, list[str]]:
    """Raw probabilities whose true ones have log odds ``slope * raw + intercept``; four a group."""
    generator = np.random.default_rng(seed)
    odds = generator.normal(scale=2, size=rows)
    outcomes = generator.random(rows) < sigmoid(slope * odds + intercept)
    return sigmoid(odds), outcomes, [f"text {row // 4}" for row in range(rows)]


def test_a_temperature_undoes_overconfidence() -> None:
    raw, outcomes, _ = draw(0.4, 0)
    found = fit("temperature", raw, outcomes)
    assert found.slope == pytest.approx(0.4, abs=0.04)
    assert found.intercept == 0
    assert found.apply(np.array([0.5]))[0] == pytest.approx(0.5)


def test_the_temperature_has_the_least_loss_of_all() -> None:
    """To Platt's smoothed targets."""
    raw, outcomes, _ = draw(0.4, 0.5, rows=200)
    true, false = outcomes.sum(), (~outcomes).sum()
    targets = np.where(outcomes, (true + 1) / (true + 2), 1 / (false + 2))

    def loss(slope: float) -> float:
        logits = slope * log_odds(raw)
        return float(np.mean(np.logaddexp(0, logits) - targets * logits))

    best = loss(fit("temperature", raw, outcomes).slope)
    for slope in np.geomspace(0.01, 10, 200):
        assert loss(slope) >= best - 1e-9


@pytest.mark.parametrize("slope", [0.4, 1.0, 2.0])
@pytest.mark.parametrize(("rows", "apart"), [(400, 0.015), (4000, 0.002)])
def test_the_smoothing_barely_moves_a_temperature(slope: float, rows: int, apart: float) -> None:
    raw, outcomes, _ = draw(slope, 0.0, rows=rows)
    reference = LogisticRegression(C=np.inf, fit_intercept=False)
    reference.fit(log_odds(raw)[:, None], outcomes)
    found = fit("temperature", raw, outcomes).apply(GRID[1:-1])
    plain = sigmoid(reference.coef_[0, 0] * log_odds(GRID[1:-1]))
    np.testing.assert_allclose(found, plain, atol=apart, rtol=0)


def test_platt_finds_the_line() -> None:
    raw, outcomes, _ = draw(0.6, -1.5)
    found = fit("platt", raw, outcomes)
    assert (found.slope, found.intercept) == pytest.approx((0.6, -1.5), abs=0.1)


@pytest.mark.parametrize("seed", range(4))
def test_platt_is_logistic_regression_on_the_log_odds(seed: int) -> None:
    """Platt's smoothed targets vanish with the number of rows."""
    raw, outcomes, _ = draw(1.7, 0.8, rows=20_000, seed=seed)
    found = fit("platt", raw, outcomes)
    reference = LogisticRegression(C=np.inf).fit(log_odds(raw)[:, None], outcomes)
    expected = (reference.coef_[0, 0], reference.intercept_[0])
    assert (found.slope, found.intercept) == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("ties", [None, 3, 20])
def test_isotonic_is_that_of_scikit_learn(seed: int, ties: int | None) -> None:
    raw, outcomes, _ = draw(0.7, 0.3, rows=150, seed=seed)
    raw = raw if ties is None else np.round(raw * ties) / ties
    reference = IsotonicRegression(out_of_bounds="clip").fit(raw, outcomes)
    expected = np.clip(reference.predict(raw), 1 / 152, 151 / 152)
    np.testing.assert_allclose(fit("isotonic", raw, outcomes).apply(raw), expected)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("slope", [-1.0, 0.0, 0.3, 5.0])
@pytest.mark.parametrize("rows", [60, 2000])
def test_every_map_is_monotone_and_within_0_and_1(kind: Kind, slope: float, rows: int) -> None:
    raw, outcomes, _ = draw(slope, 0.2, rows=rows)
    calibrated = fit(kind, raw, outcomes).apply(GRID)
    assert np.all(np.diff(calibrated) >= 0)
    assert calibrated.min() >= 0
    assert calibrated.max() <= 1


@pytest.mark.parametrize("kind", ["platt", "isotonic"])
def test_scores_that_mislead_give_the_base_rate(kind: Kind) -> None:
    raw, outcomes, _ = draw(-2.0, 0.0)
    np.testing.assert_allclose(
        fit(kind, raw, outcomes).apply(GRID), outcomes.mean(), rtol=0.01 if kind == "platt" else 0.1
    )


@pytest.mark.parametrize("kind", KINDS)
def test_rows_that_a_threshold_parts_give_finite_maps(kind: Kind) -> None:
    raw = np.array([0.0] * 10 + [0.2] * 10 + [0.7] * 10 + [1.0] * 10)
    found = fit(kind, raw, raw > 0.5)
    assert np.isfinite(found.apply(GRID)).all()
    assert 0 < found.slope < 3
    assert found.apply(np.array([0.2]))[0] < 0.5 < found.apply(np.array([0.7]))[0]


@pytest.mark.parametrize("least", [0.51, 0.7, 0.99])
@pytest.mark.parametrize("rows", [20, 200])
def test_a_temperature_of_parted_rows_is_no_surer_than_their_number(
    least: float, rows: int
) -> None:
    true = np.linspace(least, 1.0, rows)
    raw = np.concatenate([1 - true, true])
    calibrated = fit("temperature", raw, raw > 0.5).apply(GRID)
    surest = (rows + 1) / (rows + 2)
    assert calibrated.max() <= surest + 1e-9
    assert calibrated.min() >= 1 - surest - 1e-9
    assert calibrated.max() > 0.8


@pytest.mark.parametrize("kind", KINDS)
def test_rows_with_one_probability_give_a_map(kind: Kind) -> None:
    outcomes = np.arange(40) < 30
    calibrated = fit(kind, np.full(40, 0.3), outcomes).apply(np.array([0.3]))
    if kind in ("platt", "isotonic"):
        assert calibrated[0] == pytest.approx(0.75, abs=0.02)
    assert np.isfinite(calibrated).all()


@pytest.mark.parametrize("kind", KINDS)
def test_a_calibration_is_kept_as_json(kind: Kind) -> None:
    raw, outcomes, _ = draw(0.5, 1, rows=300)
    found = fit(kind, raw, outcomes)
    read = Calibration.from_mapping(json.loads(json.dumps(found.as_mapping())))
    assert read == found
    assert read.apply(GRID).tolist() == found.apply(GRID).tolist()


@pytest.mark.parametrize(
    "mapping",
    [
        {},
        [],
        {"kind": "magic"},
        {"kind": ["platt"]},
        {"kind": "platt", "slope": -1.0, "intercept": 0.0},
        {"kind": "platt", "slope": math.nan},
        {"kind": "platt", "slope": "steep"},
        {"kind": "platt", "slope": 1.0, "intercept": math.inf},
        {"kind": "isotonic"},
        {"kind": "isotonic", "points": [[0.1, 0.5], [0.2, 0.4]]},
        {"kind": "isotonic", "points": [[0.2, 0.4], [0.2, 0.5]]},
        {"kind": "isotonic", "points": [[0.1, 0.5], [0.2, 1.5]]},
        {"kind": "isotonic", "points": [[0.1, 0.5, 0.6]]},
        {"kind": "isotonic", "points": [[math.nan, 0.5]]},
        {"kind": "isotonic", "points": 3},
    ],
)
def test_a_mapping_that_is_no_monotone_calibration_is_refused(mapping: Any) -> None:
    with pytest.raises(InputError) as caught:
        Calibration.from_mapping(mapping)
    assert "calibrate" in caught.value.advice


def test_the_kind_that_fits_is_chosen() -> None:
    steps = np.random.default_rng(0).random(4000)
    plateau = np.random.default_rng(1).random(4000) < np.where(steps < 0.7, 0.2, 0.9)
    groups = [str(row) for row in range(4000)]
    assert fit_best(steps, plateau, groups).kind == "isotonic"
    assert fit_best(*draw(0.4, 0.0)).kind == "temperature"
    assert fit_best(*draw(0.4, -2.0)).kind == "platt"
    raw, outcomes, groups = draw(1.0, 0.0, rows=200)
    assert fit_best(raw, outcomes, groups).kind == "identity"


def test_losses_are_of_rows_of_other_groups() -> None:
    """Each group has one probability and one outcome, at random: to learn them is no use."""
    generator = np.random.default_rng(3)
    raw = np.repeat(generator.random(60), 10)
    outcomes = np.repeat(generator.random(60) < 0.5, 10)
    groups = list(np.repeat([f"text {number}" for number in range(60)], 10))
    fitted = log_loss(fit("isotonic", raw, outcomes).apply(raw), outcomes)
    apart = [str(row) for row in range(600)]
    together = cross_validated(raw, outcomes, groups)["isotonic"]
    assert fitted < cross_validated(raw, outcomes, apart)["isotonic"] < together
    assert together > math.log(2) - 0.02


def test_the_order_of_the_rows_changes_nothing_and_the_seed_fixes_the_rest() -> None:
    raw, outcomes, groups = draw(0.5, 0.5, rows=400)
    order = np.random.default_rng(1).permutation(400)
    mixed = cross_validated(raw[order], outcomes[order], [groups[row] for row in order])
    assert mixed == pytest.approx(cross_validated(raw, outcomes, groups))
    assert held_out_report(raw, outcomes, groups) == held_out_report(raw, outcomes, groups)


def test_the_report_measures_rows_that_were_not_fitted_on() -> None:
    raw, outcomes, groups = draw(0.3, -1.0)
    held_out = np.arange(4000) >= 3000
    found = held_out_report(raw, outcomes, groups, held_out=held_out)
    assert (found.fitted, found.held_out) == (3000, 1000)
    assert found.calibration == fit_best(raw[:3000], outcomes[:3000], groups[:3000])
    assert found.before.expected_calibration_error == pytest.approx(
        expected_calibration_error(raw[3000:], outcomes[3000:])
    )
    assert found.before.expected_calibration_error > 0.15
    assert found.after.expected_calibration_error < 0.05
    assert found.after.brier < found.before.brier
    assert found.after.log_loss < found.before.log_loss


def test_half_of_the_groups_are_held_out_unless_rows_are_named() -> None:
    raw, outcomes, groups = draw(0.5, 0.0, rows=400)
    found = held_out_report(raw, outcomes, groups)
    assert (found.fitted, found.held_out) == (200, 200)
    other = held_out_report(raw, outcomes, groups, seed=1)
    assert other.before != found.before


def test_a_text_in_both_parts_is_refused() -> None:
    raw, outcomes, groups = draw(0.5, 0.0, rows=400)
    with pytest.raises(InputError, match="same text"):
        held_out_report(raw, outcomes, groups, held_out=np.arange(400) >= 202)


def test_a_report_on_no_rows_is_refused() -> None:
    raw, outcomes, groups = draw(0.5, 0.0, rows=400)
    with pytest.raises(InputError, match="No rows are held out"):
        held_out_report(raw, outcomes, groups, held_out=np.zeros(400, bool))
    with pytest.raises(InputError, match="0 and 0"):
        held_out_report(raw, outcomes, groups, held_out=np.ones(400, bool))


@pytest.mark.parametrize(("true", "false"), [(0, 0), (40, 0), (0, 40), (9, 40), (40, 9)])
def test_too_few_rows_of_one_class_are_refused_with_their_number(true: int, false: int) -> None:
    raw, outcomes = np.full(true + false, 0.5), np.arange(true + false) < true
    groups = [str(row) for row in range(true + false)]
    with pytest.raises(InputError, match=f"there are {true} and {false}"):
        fit_best(raw, outcomes, groups)
    for kind in KINDS:
        with pytest.raises(InputError):
            fit(kind, raw, outcomes)


def test_the_least_rows_that_are_enough() -> None:
    raw = np.array([0.2, 0.8] * 10)
    outcomes = np.array([False, True] * 10)
    found = fit_best(raw, outcomes, [str(row // 10) for row in range(20)])
    assert np.all(np.diff(found.apply(GRID)) >= 0)


def test_rows_of_one_text_are_refused() -> None:
    raw, outcomes, _ = draw(0.5, 0.0, rows=100)
    with pytest.raises(InputError, match="one text"):
        fit_best(raw, outcomes, ["a"] * 100)


@pytest.mark.parametrize("wrong", [math.nan, -0.1, 1.1])
def test_what_is_no_probability_is_refused(wrong: float) -> None:
    raw, outcomes, groups = draw(0.5, 0.0, rows=100)
    raw[7] = wrong
    with pytest.raises(InputError, match="between 0 and 1"):
        fit_best(raw, outcomes, groups)
