"""Tokens are drawn as they are probable, and what a text cost and how sure it is adds up."""

from collections import Counter
from math import log
from random import Random

import numpy as np
import pytest

from veracite.models.generator import Cost, Generation, Sampling, draw


def test_tokens_are_drawn_as_often_as_they_are_probable() -> None:
    logits = np.log(np.array([0.05, 0.4, 0.25, 0.3], dtype=np.float32))
    random = Random(0)
    drawn = Counter(draw(logits, Sampling(1.0), random) for _ in range(4_000))
    assert [drawn[token] / 4_000 for token in range(4)] == pytest.approx(
        [0.05, 0.4, 0.25, 0.3], abs=0.03
    )
    cold = Counter(draw(logits, Sampling(0.5), random) for _ in range(4_000))
    squares = np.square([0.05, 0.4, 0.25, 0.3])
    assert [cold[token] / 4_000 for token in range(4)] == pytest.approx(
        list(squares / squares.sum()), abs=0.03
    )


@pytest.mark.parametrize(
    ("top_p", "nucleus"), [(0.3, {1}), (0.41, {1, 3}), (0.71, {1, 2, 3}), (0.96, {0, 1, 2, 3})]
)
def test_the_nucleus_is_the_fewest_tokens_that_reach_top_p(top_p: float, nucleus: set[int]) -> None:
    logits = np.log(np.array([0.05, 0.4, 0.25, 0.3], dtype=np.float32))
    random = Random(0)
    assert {draw(logits, Sampling(1.0, top_p), random) for _ in range(500)} == nucleus


def test_an_empty_text_has_no_doubts() -> None:
    empty = Generation("", (), Cost())
    assert (empty.mean_probability, empty.mean_logprob) == (1.0, 0.0)
    half = Generation("ab", (log(0.5), log(0.25)), Cost())
    assert half.mean_probability == pytest.approx(0.375)
