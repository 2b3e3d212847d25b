"""A threshold carries over from the items it was chosen on to others."""

import math

import numpy as np
import pytest

from veracite.engine.evaluation.metrics import best_threshold
from veracite.engine.evaluation.thresholds import logistic_threshold


def drawn(seed: int, count: int, share: float) -> tuple[np.ndarray, np.ndarray]:
    """Log odds around -1 for false items and around 1 for true ones."""
    rng = np.random.default_rng(seed)
    truth = rng.random(count) < share
    return rng.normal(np.where(truth, 1.0, -1.0), 1.5), truth


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_it_lies_between_the_classes_whatever_their_shares(share: float) -> None:
    scores, truth = drawn(1, 20_000, share)
    assert logistic_threshold(scores, truth) == pytest.approx(0.0, abs=0.1)
    chances = 1 / (1 + np.exp(-scores))
    assert logistic_threshold(chances, truth) == pytest.approx(0.5, abs=0.025)


def test_on_few_items_it_varies_less_than_the_best_one() -> None:
    samples = [drawn(seed, 60, 0.3) for seed in range(200)]
    ours, best = (
        np.std([choose(*sample) for sample in samples])
        for choose in (logistic_threshold, best_threshold)
    )
    assert ours < best / 2


def test_items_that_are_told_apart_stay_so() -> None:
    scores, truth = np.array([0.1, 0.2, 0.7, 0.9]), np.array([False, False, True, True])
    assert 0.2 < logistic_threshold(scores, truth) < 0.7


@pytest.mark.parametrize(
    ("scores", "truth"),
    [
        ([0.1, 0.2, 0.7, 0.9], [True, True, False, False]),
        ([-40.0, -30.0, -20.0, -10.0], [True, False, True, False]),
    ],
)
def test_scores_that_mean_the_opposite_get_the_best_one(
    scores: list[float], truth: list[bool]
) -> None:
    given = np.array(scores), np.array(truth)
    assert logistic_threshold(*given) == best_threshold(*given)


@pytest.mark.parametrize(
    ("scores", "truth"), [([0.5, 0.5], [True, False]), ([0.1, 0.9], [True, True])]
)
def test_there_is_none_where_nothing_can_be_told(scores: list[float], truth: list[bool]) -> None:
    assert math.isnan(logistic_threshold(np.array(scores), np.array(truth)))
