"""Fitting to a person's rows: honest on rows held out, and a threshold that keeps its word."""

import random
from dataclasses import replace

import numpy as np
import pytest

from veracite.engine.errors import InputError
from veracite.engine.evaluation.items import Prediction, Statement
from veracite.engine.evaluation.judged import JudgedSet, label_meaning
from veracite.engine.evaluation.tune import Tuned, supported_from, tune
from veracite.engine.words import Label


def marks(text: str) -> np.ndarray:
    return np.array([sign == "+" for sign in text])


TEN = np.linspace(0.1, 1.0, 10)


NONE = np.zeros(10, dtype=bool)


@pytest.mark.parametrize(
    ("truth", "threshold"),
    [
        ("-----+++++", 0.6),
        ("-----+-+++", 0.6),
        ("-----+--++", 0.8),
        ("-----+--+-", 0.9),
        ("----------", 1.0),
    ],
)
def test_without_a_wish_no_more_false_rows_pass_than_as_shipped(
    truth: str, threshold: float
) -> None:
    shipped = np.array([0] * 6 + [1] + [0] * 3, dtype=bool)
    found = supported_from(TEN, marks(truth), shipped, 0.6, None)
    assert found == pytest.approx(threshold)
    passing = marks(truth)[found <= TEN]
    assert (~passing).sum() <= (~marks(truth)[shipped]).sum()


def test_a_map_that_lifts_every_false_row_calls_nothing_supported() -> None:
    assert supported_from(np.full(10, 0.7), marks("+" * 9 + "-"), NONE, 0.6, None) == 1.0


@pytest.mark.parametrize(
    ("truth", "most_wrong", "threshold"),
    [
        ("-" * 10 + "+" * 20, 0.0, 0.35),
        ("-" * 10 + "+" * 20, 0.05, 0.3333),
        ("-" * 10 + "+" * 20, 0.4, 0.0),
        ("+" * 30, 0.0, 0.0),
        ("-" * 30, 0.5, 1.0),
        ("+" * 21 + "-" + "+" * 8, 0.0, 1.0),
    ],
)
def test_the_lowest_threshold_that_keeps_the_share(
    truth: str, most_wrong: float, threshold: float
) -> None:
    scores = np.arange(30) / 30
    found = supported_from(scores, marks(truth), scores >= 0, 0.0, most_wrong)
    assert found == pytest.approx(threshold, abs=0.034)
    passing = marks(truth)[scores >= found]
    if len(passing):
        assert (~passing).mean() <= most_wrong
    lower = scores[scores < found]
    for other in lower[:1]:
        assert (~marks(truth)[scores >= other]).mean() > most_wrong


def test_the_threshold_is_never_below_the_products() -> None:
    scores = np.arange(40) / 40
    assert supported_from(scores, marks("+" * 40), scores >= 0.6, 0.6, 0.1) == 0.6


def test_fewer_than_ten_rows_say_nothing() -> None:
    assert supported_from(TEN, marks("+" * 10), NONE, 0.05, 0.0) == 0.05
    assert supported_from(TEN[1:], marks("+" * 9), NONE[1:], 0.05, 0.0) == 1.0


def sure_of_itself(rows: int = 400, right: float = 0.75, groups: int = 100) -> JudgedSet:
    """Always sure to 0.97, and right so often."""
    drawn = random.Random(0)
    truths = [drawn.random() < 0.5 for _ in range(rows)]
    scores = [0.97 if truth == (drawn.random() < right) else 0.03 for truth in truths]
    items = [
        Statement(str(n), str(n % groups), "x", truth, str(truth), ())
        for n, truth in enumerate(truths)
    ]
    said = [
        Prediction(i.id, "veracite", s, Label.SUPPORTED, 0.0)
        for i, s in zip(items, scores, strict=True)
    ]
    return JudgedSet(items, {"veracite": said}, label_meaning(False), "halves", seed=0, rounds=20)


@pytest.fixture(scope="module")
def tuned() -> Tuned:
    return tune(sure_of_itself(), 0.6, None)


def test_probabilities_are_honest_on_rows_that_were_not_fitted_on(tuned: Tuned) -> None:
    assert (tuned.rows, tuned.held_out.fitted, tuned.held_out.held_out) == (400, 200, 200)
    assert tuned.held_out.before.expected_calibration_error == pytest.approx(0.22, abs=0.06)
    assert tuned.held_out.after.expected_calibration_error < 0.07
    low, high = tuned.calibration.apply(np.array([0.03, 0.97])).tolist()
    assert low == pytest.approx(0.25, abs=0.05)
    assert high == pytest.approx(0.75, abs=0.05)


def test_what_the_threshold_does_is_told_before_and_after(tuned: Tuned) -> None:
    assert tuned.before.wrong == pytest.approx(0.25, abs=0.08)
    assert tuned.before.found == pytest.approx(0.75, abs=0.08)
    assert tuned.supported_from == tuned.held_out_from == 0.6
    assert tuned.after.called == tuned.before.called, "0.75 is above 0.6 as 0.97 was"


def test_a_share_that_cannot_be_kept_calls_nothing_supported() -> None:
    strict = tune(sure_of_itself(), 0.6, 0.01)
    assert strict.supported_from == strict.held_out_from == 1.0
    assert strict.after.called == 0
    assert np.isnan(strict.after.wrong)
    held = strict.as_mapping((), {})["held_out"]
    assert held["wrong_when_supported"]["after"] is None
    assert held["doubts"] == [
        "It tells true from false no better than chance does: balanced accuracy 50.0%."
    ]


def test_a_calibration_that_does_no_harm_on_the_rows_held_out_raises_no_doubts(
    tuned: Tuned,
) -> None:
    assert tuned.doubts == ()


@pytest.mark.parametrize(
    ("changes", "doubt"),
    [
        ({"balanced": 0.5}, "no better than chance does: balanced accuracy 50.0%."),
        ({"balanced": float("nan")}, "All rows held out are true, or all are false"),
        ({"false_called": 0.9}, "It calls 90.0% of the false rows supported; without it"),
        ({"wrong": 0.6}, "Of the rows that it calls supported 60.0% are false; without it"),
    ],
)
def test_what_speaks_against_a_calibration_is_said(
    tuned: Tuned, changes: dict[str, float], doubt: str
) -> None:
    [found] = replace(tuned, after=replace(tuned.after, **changes)).doubts
    assert doubt in found


def test_what_is_written_names_models_and_rows(tuned: Tuned) -> None:
    held = tuned.as_mapping(("verifier@1", "decision@2"), {"seed": 0})
    assert held["schema"] == "veracite.calibration/1"
    assert held["models"] == ["verifier@1", "decision@2"]
    assert (held["rows"], held["record"]) == (400, {"seed": 0})
    assert held["calibration"] == tuned.calibration.as_mapping()


def test_rows_of_one_text_and_too_few_rows_are_refused() -> None:
    with pytest.raises(InputError, match="All rows belong to one text"):
        tune(sure_of_itself(groups=1), 0.6, None)
    with pytest.raises(InputError, match="needs 10 true and 10 false rows"):
        tune(sure_of_itself(rows=24, groups=6), 0.6, None)
