"""Choices and rankings: the usual figures, worked by hand."""

import math

import pytest

from veracite.engine.evaluation.figures import (
    choosing,
    ndcg,
    ranking,
    recall,
    reciprocal_rank,
    success,
)
from veracite.engine.evaluation.items import Prediction, Query

RELEVANT = {"a": 2, "b": 1, "z": 0}


def test_ndcg_is_one_for_the_best_order_only() -> None:
    assert ndcg(["a", "b", "c"], RELEVANT, 10) == 1.0
    worse = (1 + 2 / math.log2(3)) / (2 + 1 / math.log2(3))
    assert ndcg(["b", "a"], RELEVANT, 10) == pytest.approx(worse)
    assert ndcg(["c", "z"], RELEVANT, 10) == 0.0
    assert math.isnan(ndcg(["a"], {}, 10))


def test_recall_counts_what_is_relevant_and_found() -> None:
    assert recall(["z", "b", "a"], RELEVANT, 2) == 0.5
    assert recall(["z", "b", "a"], RELEVANT, 3) == 1.0
    assert success(["z", "b"], RELEVANT, 1) == 0.0
    assert success(["z", "b"], RELEVANT, 2) == 1.0


def test_the_reciprocal_rank_is_of_the_first_relevant_one() -> None:
    assert reciprocal_rank(["c", "z", "b", "a"], RELEVANT, 10) == pytest.approx(1 / 3)
    assert reciprocal_rank(["c", "z", "b"], RELEVANT, 2) == 0.0


def test_every_method_has_its_row_and_ours_its_lead() -> None:
    queries = [Query(str(n), "what", {"a": 1}) for n in range(10)]
    said = {
        "hybrid": [Prediction(q.id, "hybrid", None, None, 0.1, found=("a",)) for q in queries],
        "random": [Prediction(q.id, "random", None, None, 0.0, found=("b",)) for q in queries],
    }
    hybrid, chance = ranking(queries, said, seed=0)
    first = hybrid.figure("nDCG@10")
    assert first is not None
    assert first.value == 1.0
    assert hybrid.compared[0].difference == 1.0
    assert chance.trivial


def test_choices_have_their_accuracy_and_ours_its_lead() -> None:
    items = [str(n) for n in range(40)]
    said = {
        "veracite": [Prediction(i, "veracite", 0.5, "right", 0.1) for i in items],
        "shorter": [
            Prediction(i, "shorter", 0.0, "right" if int(i) % 2 else "wrong", 0.0) for i in items
        ],
    }
    ours, shorter = choosing(said, seed=0)
    assert (ours.figures[0].value, shorter.figures[0].value) == (1.0, 0.5)
    assert shorter.trivial
    (lead,) = ours.compared
    assert lead.difference == 0.5
    assert lead.p_mcnemar == pytest.approx(2 * 0.5**20)
