"""Figures of statements: thresholds come from one part, results from the other."""

import random
from collections.abc import Mapping, Sequence
from math import isnan

import pytest

from veracite.engine.evaluation.items import Prediction, Source, Statement
from veracite.engine.evaluation.results import MethodResult
from veracite.engine.evaluation.splits import SplitKind
from veracite.engine.evaluation.verdict_figures import (
    AS_SHIPPED,
    MAIN,
    VerdictFigures,
    label_meaning,
)
from veracite.engine.types import Label

Items = list[Statement]
Said = Mapping[str, Sequence[Prediction]]


def _items(truths: Sequence[bool], groups: Sequence[str], part: str = "") -> Items:
    return [
        Statement(
            f"{part}{n}", group, f"claim {n}", truth, str(truth), (Source("s", "text"),), part=part
        )
        for n, (truth, group) in enumerate(zip(truths, groups, strict=True))
    ]


def _said(items: Items, scores: Sequence[float], method: str = "veracite") -> list[Prediction]:
    return [
        Prediction(
            item.id, method, score, Label.SUPPORTED if score >= 0.5 else Label.NOT_FOUND, 0.01
        )
        for item, score in zip(items, scores, strict=True)
    ]


def _judged(
    items: Items, said: Said, *, lenient: bool = False, kind: SplitKind = "halves"
) -> VerdictFigures:
    return VerdictFigures(items, said, label_meaning(lenient), kind, seed=0, rounds=50)


def _row(of: VerdictFigures, method: str) -> MethodResult:
    (row,) = [r for r in of.methods() if r.method == method]
    return row


def _value(of: VerdictFigures, method: str, name: str) -> float | None:
    figure = _row(of, method).figure(name)
    assert figure is not None
    return figure.value


TRUTHS = [True, True, False, False, True, True, False, False]
GROUPS = list("aabbccdd")


def test_a_threshold_that_fits_the_results_is_not_taken_from_them() -> None:
    items = _items(TRUTHS, list("abcdefgh"))
    # The first half parts at 0.5; in the second the best would be 0.15.
    scores = [0.9, 0.8, 0.2, 0.1, 0.3, 0.4, 0.1, 0.05]
    judged = _judged(items, {"veracite": _said(items, scores)})
    row = judged.methods()[0]
    assert row.threshold == pytest.approx(0.5)
    assert row.threshold_from == "first half of the groups"
    assert row.n == 4
    assert _value(judged, "veracite", MAIN) == 0.5
    assert _value(judged, "veracite", "AUC-ROC") == 1.0


def test_the_parts_say_what_they_were_for() -> None:
    items = _items(TRUTHS, GROUPS)
    first, second = _judged(items, {"veracite": _said(items, [0.5] * 8)}).parts()
    assert (first.use, first.groups, first.items) == (
        "thresholds and calibration", ("a", "b"), 4,
    )  # fmt: skip
    assert (second.use, second.groups, second.positives) == ("results", ("c", "d"), 0.5)


def test_as_shipped_goes_by_labels() -> None:
    items = _items(TRUTHS, list("abcdefgh"))
    labels = ["supported"] * 4 + ["supported", "uncertain", "supported", "contradicted"]
    said = [
        Prediction(i.id, "veracite", 0.0, label, 0.01)
        for i, label in zip(items, labels, strict=True)
    ]
    judged = _judged(items, {"veracite": said})
    assert _value(judged, AS_SHIPPED, MAIN) == 0.5
    assert _value(judged, AS_SHIPPED, "false supported") == 0.5
    assert _value(judged, AS_SHIPPED, "wrong when true") == 0.5
    assert _value(judged, AS_SHIPPED, "uncertain") == 0.25
    assert _value(judged, AS_SHIPPED, "false contradicted") == 0
    assert _row(judged, AS_SHIPPED).seconds_per_item == pytest.approx(0.01)
    assert _value(_judged(items, {"veracite": said}, lenient=True), AS_SHIPPED, MAIN) == 0.75


def test_true_items_that_are_called_contradicted_are_counted() -> None:
    items = _items(TRUTHS, list("abcdefgh"))
    labels = ["supported"] * 4 + ["contradicted", "supported", "contradicted", "contradicted"]
    said = [
        Prediction(i.id, "veracite", 0.0, label, 0.01)
        for i, label in zip(items, labels, strict=True)
    ]
    assert _value(_judged(items, {"veracite": said}), AS_SHIPPED, "false contradicted") == 0.5
    none_true = _judged(_items([False] * 8, list("abcdefgh")), {"veracite": said})
    assert isnan(_value(none_true, AS_SHIPPED, "false contradicted") or 0)


def test_whoever_understands_nothing_stands_beside() -> None:
    items = _items(TRUTHS, GROUPS)
    said = {name: _said(items, [0.5] * 8, name) for name in ("veracite", "overlap", "length")}
    judged = _judged(items, said)
    assert _value(judged, "always true", MAIN) == 0.5
    assert _value(judged, "always false", "CEG's area false") == pytest.approx(0.75)
    assert [r.method for r in judged.methods() if r.trivial] == [
        "overlap", "length", "always true", "always false",
    ]  # fmt: skip


def test_what_matters_comes_first_and_the_papers_areas_last() -> None:
    items = _items(TRUTHS, list("abcdefgh"))
    for row in _judged(items, {"veracite": _said(items, [float(t) for t in TRUTHS])}).methods():
        names = [figure.name for figure in row.figures]
        assert names[:2] == [MAIN, "false supported"]
        assert names[-2:] == ["CEG's area true", "CEG's area false"]


def test_without_a_threshold_nothing_is_called_true_or_false() -> None:
    items = _items(TRUTHS, list("abcdefgh"))
    said = {"veracite": _said(items, [0.9] * 8), "overlap": _said(items, [0.4] * 8, "overlap")}
    judged = _judged(items, said)
    row = _row(judged, "overlap")
    assert (row.threshold, row.threshold_from) == (None, None)
    main = row.figure(MAIN)
    assert main is not None
    assert main.value is None
    assert "no threshold" in main.note
    assert _value(judged, "overlap", "accuracy") is None
    assert _value(judged, "overlap", "AUC-ROC") == 0.5
    assert judged.methods()[0].compared == ()
    assert _value(judged, AS_SHIPPED, MAIN) == 0.5, "labels need no threshold"


def test_labels_of_one_kind_give_no_false_zeros() -> None:
    items = _items([True] * 8, list("abcdefgh"))
    judged = _judged(items, {"veracite": _said(items, [n / 8 for n in range(8)])})
    shown = {f.name: f.value for f in _row(judged, "veracite").figures}
    assert {f"{value}" for name, value in shown.items() if name != "ECE"} <= {"None", "nan"}
    assert _value(judged, AS_SHIPPED, "accuracy") == 0.5


def test_a_better_method_leads_and_a_copy_does_not() -> None:
    drawn = random.Random(0)
    truths = [drawn.random() < 0.5 for _ in range(400)]
    items = _items(truths, [str(n // 4) for n in range(400)])
    good = [0.7 * t + 0.3 * drawn.random() for t in truths]
    said = {
        "veracite": _said(items, good),
        "overlap": _said(items, [drawn.random() for _ in truths], "overlap"),
        "similarity": _said(items, good, "similarity"),
    }
    by_other = {c.other: c for c in _judged(items, said).methods()[0].compared}
    assert by_other["overlap"].low is not None
    assert by_other["overlap"].low > 0.3
    assert by_other["overlap"].p_mcnemar is not None
    assert by_other["overlap"].p_mcnemar < 1e-6
    assert by_other["similarity"].difference == 0
    assert by_other["similarity"].p_mcnemar == 1.0


def _two_sets() -> tuple[Items, list[float]]:
    """A set on which everything is right, and one four times as large on which all is wrong."""
    one = _items(TRUTHS, list("abcdefgh"), "one")
    two = _items(TRUTHS * 4, [f"{n}" for n in range(32)], "two")
    return [*one, *two], [*map(float, TRUTHS), *(float(not t) for t in TRUTHS * 4)]


def test_several_sets_have_figures_of_their_own_with_intervals() -> None:
    items, scores = _two_sets()
    first, second = _judged(items, {"veracite": _said(items, scores)}).subsets()
    assert (first.name, first.items, second.name, second.items) == ("one", 4, "two", 16)
    assert first.figures[AS_SHIPPED].value == first.figures[AS_SHIPPED].low == 1.0
    assert second.figures[AS_SHIPPED].value == second.figures[AS_SHIPPED].high == 0.0


def test_the_mean_over_sets_counts_each_set_alike() -> None:
    items, scores = _two_sets()
    said = {"veracite": _said(items, scores), "overlap": _said(items, [0.5] * 40, "overlap")}
    judged = _judged(items, said)
    assert _value(judged, AS_SHIPPED, MAIN) == pytest.approx(0.2)
    over = _row(judged, AS_SHIPPED).figure("mean over sets")
    assert over is not None
    assert (over.value, over.low, over.high) == (0.5, 0.5, 0.5)
    assert over.note.endswith("each set alike: all 2 of 2")
    assert _value(judged, "always true", "mean over sets") == 0.5


def test_a_set_of_one_kind_is_left_out_of_the_mean_and_that_is_said() -> None:
    items, scores = _two_sets()
    whole = [*items, *_items([True] * 4, list("ijkl"), "bare")]
    judged = _judged(whole, {"veracite": _said(whole, [*scores, 0.9, 0.9, 0.9, 0.9])})
    over = _row(judged, AS_SHIPPED).figure("mean over sets")
    assert over is not None
    assert over.value == 0.5
    assert over.note.endswith("those with true and false items, 2 of 3")


def _with_a_small_set(places: Sequence[int]) -> VerdictFigures:
    """A large set, and a small one with true items for results in the groups of these places."""
    large = _items(TRUTHS * 4, [f"{n}" for n in range(32)], "large")
    truths = [True, False, *(place in places for place in range(6))]
    small = _items(truths, list("abcdefgh"), "small")
    scores = [0.9 if n % 3 else 0.2 for n in range(40)]
    return _judged(
        [*large, *small],
        {
            "veracite": _said([*large, *small], scores),
            "similarity": _said([*large, *small], scores[::-1], "similarity"),
        },
        kind="alternate",
    )


@pytest.mark.parametrize(("places", "known"), [((1,), False), ((1, 3), True)])
def test_a_set_with_a_class_in_one_group_leaves_the_mean_without_an_interval(
    places: Sequence[int], known: bool
) -> None:
    judged = _with_a_small_set(places)
    over = _row(judged, AS_SHIPPED).figure("mean over sets")
    assert over is not None
    assert over.value is not None
    assert (over.low is not None, over.high is not None) == (known, known)
    assert ("interval n/a" in over.note) is not known
    leads = [c for c in _row(judged, AS_SHIPPED).compared if c.figure == "mean over sets"]
    assert [lead.low is not None for lead in leads] == [known]
    assert all(lead.difference is not None for lead in leads)
    figures = [s.figures[AS_SHIPPED] for s in judged.subsets()]
    assert [figure.low is not None for figure in figures] == [True, known]


def test_leads_are_also_told_with_each_set_alike() -> None:
    items, scores = _two_sets()
    said = {
        "veracite": _said(items, scores),
        "similarity": _said(items, [1 - s for s in scores], "similarity"),
    }
    row = _row(_judged(items, said), AS_SHIPPED)
    assert [(c.other, c.figure) for c in row.compared] == [
        ("similarity", MAIN), ("similarity", "mean over sets"),
    ]  # fmt: skip
    overall, alike = row.compared
    assert overall.difference == pytest.approx(-0.6), "it is right on the large set"
    assert (alike.difference, alike.p_mcnemar) == (0.0, None)


def test_groups_of_two_sets_with_one_name_are_two() -> None:
    items = [*_items(TRUTHS, GROUPS, "one"), *_items(TRUTHS, GROUPS, "two")]
    judged = _judged(items, {"veracite": _said(items, [0.5] * 16)})
    assert judged.parts()[0].groups == ("one/a", "one/b", "two/a", "two/b")


def test_the_surest_mistakes_come_first() -> None:
    items = _items([True, False, True, False, False, True, False, True], list("abcdefgh"))
    scores = [0.1, 0.9, 0.1, 0.9, 0.99, 0.4, 0.7, 0.9]
    judged = _judged(items, {"veracite": _said(items, scores)})
    found = [(m.item, m.confidence) for m in judged.mistakes()]
    assert found == [("4", 0.99), ("6", 0.7), ("5", 0.6)]


def test_a_label_that_its_score_speaks_against_is_no_sure_mistake() -> None:
    items = _items([True, False, True, False], list("abcd"))
    said = _said(items, [0.9, 0.1, 0.9, 0.8])
    said[2] = Prediction("2", "veracite", 0.9, Label.NOT_CHECKABLE, 0.01)
    found = [(m.item, m.confidence) for m in _judged(items, {"veracite": said}).mistakes()]
    assert [item for item, _ in found] == ["3", "2"]
    assert [confidence for _, confidence in found] == pytest.approx([0.8, 0.1])


def test_the_roc_curve_of_a_perfect_method_passes_the_corner() -> None:
    items = _items(TRUTHS, list("abcdefgh"))
    judged = _judged(items, {"veracite": _said(items, [float(t) for t in TRUTHS])})
    roc = next(c for c in judged.curves() if c.kind == "roc")
    assert (0.0, 1.0) in roc.points


def test_a_calibration_is_fitted_on_one_part_and_shown_on_the_other() -> None:
    drawn = random.Random(1)
    truths = [drawn.random() < 0.5 for _ in range(400)]
    items = _items(truths, [str(n) for n in range(400)])
    # Always sure, and right in three of four cases.
    scores = [0.99 if truth == (drawn.random() < 0.75) else 0.01 for truth in truths]
    judged = _judged(items, {"veracite": _said(items, scores)})
    before, after = (_value(judged, "veracite", name) for name in ("ECE", "ECE calibrated"))
    assert before == pytest.approx(0.24, abs=0.06)
    assert after is not None
    assert after < 0.06
    assert 0 <= (_value(judged, "veracite", "ECE by chance") or -1) < 0.08
    names = [c.method for c in judged.curves() if c.kind == "reliability"]
    assert names == ["veracite", "veracite, calibrated"]
