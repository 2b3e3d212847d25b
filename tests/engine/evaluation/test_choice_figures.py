"""Choosing: the order is drawn, ties win half, and trivial ways stand beside."""

from veracite.engine.evaluation.chosen import ChoiceFigures
from veracite.engine.evaluation.items import Choice, Prediction


def test_accuracy_and_lead() -> None:
    items = [Choice(str(n), "Who?", "right one", "wrong one", ()) for n in range(40)]
    said = {
        "veracite": [Prediction(i.id, "veracite", 0.5, "right", 0.1) for i in items],
        "shorter": [
            Prediction(i.id, "shorter", 0.0, "right" if int(i.id) % 2 else "wrong", 0.0)
            for i in items
        ],
    }
    figures = ChoiceFigures(items, said, seed=0, rounds=50)
    ours, shorter = figures.methods()
    assert ours.figures[0].value == 1.0
    assert shorter.figures[0].value == 0.5
    assert shorter.trivial
    assert ours.compared[0].difference == 0.5
    assert figures.mistakes() == ()
