"""Figures of statements: thresholds come from one part, results from the other."""

import random
from collections.abc import Sequence

import pytest

from veracite.engine.evaluation.items import Prediction, Source, Statement
from veracite.engine.evaluation.verdict_curves import curves
from veracite.engine.evaluation.verdicts import AS_SHIPPED, VerdictFigures, label_meaning
from veracite.engine.words import Label


def _items(truths: Sequence[bool], groups: Sequence[str], part: str = "") -> list[Statement]:
    return [
        Statement(
            f"{part}{n}", group, f"claim {n}", truth, str(truth), (Source("s", "text"),), part=part
        )
        for n, (truth, group) in enumerate(zip(truths, groups, strict=True))
    ]


def _said(items: Sequence[Statement], scores: Sequence[float], method: str) -> list[Prediction]:
    return [
        Prediction(
            item.id, method, score, Label.SUPPORTED if score >= 0.5 else Label.NOT_FOUND, 0.01
        )
        for item, score in zip(items, scores, strict=True)
    ]


def _figures(items, said, **changed) -> VerdictFigures:
    given = {"kind": "halves", "seed": 0, "rounds": 50, "meaning": label_meaning(False)}
    return VerdictFigures(items, said, **{**given, **changed})


def _value(figures: VerdictFigures, method: str, name: str) -> float:
    (row,) = [r for r in figures.methods() if r.method == method]
    figure = row.figure(name)
    assert figure is not None
    assert figure.value is not None
    return figure.value


TRUTHS = [True, True, False, False, True, True, False, False]
GROUPS = list("aabbccdd")


def test_a_threshold_that_fits_the_results_is_not_taken_from_them() -> None:
    items = _items(TRUTHS, list("abcdefgh"))
    # The first half parts at 0.5; in the second the best would be 0.15.
    scores = [0.9, 0.8, 0.2, 0.1, 0.3, 0.4, 0.1, 0.05]
    figures = _figures(items, {"veracite": _said(items, scores, "veracite")})
    row = figures.methods()[0]
    assert row.threshold == pytest.approx(0.5)
    assert row.n == 4
    assert _value(figures, "veracite", "balanced accuracy") == 0.5
    assert _value(figures, "veracite", "AUC-ROC") == 1.0


def test_as_shipped_goes_by_labels() -> None:
    items = _items(TRUTHS, list("abcdefgh"))
    said = [
        Prediction(i.id, "veracite", 0.0, label, 0.01)
        for i, label in zip(
            items,
            ["supported"] * 4 + ["supported", "uncertain", "supported", "contradicted"],
            strict=True,
        )
    ]
    figures = _figures(items, {"veracite": said})
    assert _value(figures, AS_SHIPPED, "balanced accuracy") == 0.5
    assert _value(figures, AS_SHIPPED, "false supported") == 0.5
    assert _value(figures, AS_SHIPPED, "wrong when true") == 0.5
    assert _value(figures, AS_SHIPPED, "uncertain") == 0.25
    lenient = _figures(items, {"veracite": said}, meaning=label_meaning(True))
    assert _value(lenient, AS_SHIPPED, "balanced accuracy") == 0.75


def test_whoever_always_says_the_same_stands_beside() -> None:
    items = _items(TRUTHS, GROUPS)
    figures = _figures(items, {"veracite": _said(items, [0.5] * 8, "veracite")})
    assert _value(figures, "always true", "balanced accuracy") == 0.5
    assert _value(figures, "always false", "CEG's area false") == pytest.approx(0.75)
    assert [r.method for r in figures.methods() if r.trivial] == ["always true", "always false"]


def test_a_better_method_leads_and_a_copy_does_not() -> None:
    drawn = random.Random(0)
    truths = [drawn.random() < 0.5 for _ in range(400)]
    items = _items(truths, [str(n // 4) for n in range(400)])
    good = [0.7 * t + 0.3 * drawn.random() for t in truths]
    said = {
        "veracite": _said(items, good, "veracite"),
        "overlap": _said(items, [drawn.random() for _ in truths], "overlap"),
        "similarity": _said(items, good, "similarity"),
    }
    ours = _figures(items, said).methods()[0]
    by_other = {c.other: c for c in ours.compared}
    assert by_other["overlap"].low is not None
    assert by_other["overlap"].low > 0.3
    assert by_other["overlap"].p_mcnemar is not None
    assert by_other["overlap"].p_mcnemar < 1e-6
    assert by_other["similarity"].difference == 0
    assert by_other["similarity"].p_mcnemar == 1.0


def test_several_sets_have_figures_of_their_own() -> None:
    one, two = _items(TRUTHS, GROUPS, "one"), _items(TRUTHS, GROUPS, "two")
    scores = [float(t) for t in TRUTHS] + [float(not t) for t in TRUTHS]
    figures = _figures([*one, *two], {"veracite": _said([*one, *two], scores, "veracite")})
    (first, second) = figures.subsets()
    assert (first.name, first.items, second.name) == ("one", 4, "two")
    assert first.figures[AS_SHIPPED].value == 1.0
    assert second.figures[AS_SHIPPED].value == 0.0


def test_the_surest_mistakes_come_first() -> None:
    items = _items([True, False, True, False, False, True, False, True], list("abcdefgh"))
    scores = [0.1, 0.9, 0.1, 0.9, 0.99, 0.4, 0.7, 0.9]
    figures = _figures(items, {"veracite": _said(items, scores, "veracite")})
    found = [(m.item, m.confidence) for m in figures.mistakes()]
    assert found == [("4", 0.99), ("6", 0.7), ("5", 0.6)]


def test_the_roc_curve_of_a_perfect_method_passes_the_corner() -> None:
    items = _items(TRUTHS, list("abcdefgh"))
    figures = _figures(items, {"veracite": _said(items, [float(t) for t in TRUTHS], "veracite")})
    roc = next(c for c in curves(figures) if c.kind == "roc")
    assert (0.0, 1.0) in roc.points
    speed = next(c for c in curves(figures) if c.kind == "speed")
    assert speed.points == ((pytest.approx(10.0), 1.0),)
