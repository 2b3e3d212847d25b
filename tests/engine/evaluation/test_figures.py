"""Figures are of items that chose no threshold, and those of the papers' definitions."""

import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from veracite.engine.evaluation import figures
from veracite.engine.evaluation import items as kinds
from veracite.engine.methods.cost import Cost

MINE = (kinds.Source("d", "The mill burned down in 1904."),)


def answered(
    task: kinds.Task,
    items: Sequence[kinds.Item],
    said: Mapping[str, Sequence[kinds.Prediction]],
    **settings: Any,
) -> kinds.Answered:
    by_item = {method: {p.item: p for p in own} for method, own in said.items()}
    loaded = kinds.Loaded(task, "tiny", tuple(items))
    return kinds.Answered(loaded, kinds.Asked(task, (), **settings), by_item, {}, Path("run"))


def row(said: kinds.Answered, method: str) -> kinds.MethodResult:
    (found,) = (m for m in figures.sum_up(said).methods if m.method == method)
    return found


def value(said: kinds.Answered, method: str, name: str) -> float | None:
    figure = row(said, method).figure(name)
    assert figure is not None
    return figure.value


def judged(scores: Sequence[float], truth: Sequence[bool], labels: Sequence[str]) -> kinds.Answered:
    items = [
        kinds.Statement(str(n), f"g{n}", f"Text {n}.", true, str(true), MINE)
        for n, true in enumerate(truth)
    ]
    ours = [
        kinds.Prediction(str(n), "veracite", s, label)
        for n, (s, label) in enumerate(zip(scores, labels, strict=True))
    ]
    other = [kinds.Prediction(str(n), "overlap", 1 - s) for n, s in enumerate(scores)]
    return answered("detect", items, {"veracite": ours, "overlap": other})


MIXED = judged(
    [0.9, 0.2, 0.8, 0.3, 0.9, 0.4, 0.7, 0.6],
    [True, False] * 4,
    ["supported", "not_found", "uncertain", "contradicted"] * 2,
)


def test_thresholds_come_from_the_other_part() -> None:
    result = figures.sum_up(MIXED)
    assert [part.use for part in result.parts] == ["thresholds", "results"]
    assert [part.groups for part in result.parts] == [
        ("g0", "g1", "g2", "g3"), ("g4", "g5", "g6", "g7"),
    ]  # fmt: skip
    ours = row(MIXED, "veracite")
    assert ours.threshold is not None
    assert 0.3 < ours.threshold < 0.8
    assert result.parts[0].name == "first half of the groups"
    assert ours.n == 4
    judged = figures.VerdictFigures(MIXED)
    held = judged.split.held
    expected = roc_auc_score(judged.truth[held], judged.scores["veracite"][held])
    assert value(MIXED, "veracite", "AUC-ROC") == pytest.approx(expected)


def test_labels_as_shipped_have_no_threshold() -> None:
    shipped = row(MIXED, "veracite as shipped")
    assert shipped.threshold is None
    assert value(MIXED, "veracite as shipped", "balanced accuracy") == 0.75
    assert value(MIXED, "veracite as shipped", "uncertain") == 0.25
    assert value(MIXED, "veracite as shipped", "false contradicted") == 0
    assert {m.text for m in figures.sum_up(MIXED).mistakes} == {"Text 6."}
    (lead,) = row(MIXED, "veracite").compared
    assert (lead.other, lead.figure) == ("overlap", "balanced accuracy")
    assert (lead.difference or 0) > 0
    assert lead.low is not None
    assert value(MIXED, "always true", "balanced accuracy") == 0.5
    assert value(MIXED, "always false", "false supported") == 0


def test_labels_of_one_kind_give_no_figures_that_need_others() -> None:
    alone = judged([0.9, 0.8, 0.7, 0.6], [True] * 4, ["supported"] * 4)
    note = "All items for results are true: figures that need false ones too are n/a."
    assert note in figures.sum_up(alone).notes
    told = {one.name for one in row(alone, "veracite").figures if one.value is not None}
    assert told == {"ECE"}, "its threshold would have to be chosen on other labels"
    assert value(alone, "veracite as shipped", "accuracy") == 1


def test_mcnemar_counts_the_items_that_one_of_two_gets_right() -> None:
    ours = np.array([True] * 9 + [False])
    assert figures.mcnemar(ours, ~ours) == pytest.approx(22 / 1024, abs=1e-6)
    assert figures.mcnemar(ours, ours) == 1
    (lead,) = row(MIXED, "veracite").compared
    assert lead.mcnemar is not None


def test_cegs_trapezoid_stands_beside_average_precision_under_its_own_name() -> None:
    factual = np.array([True] * 27 + [False] * 73)
    never = np.zeros(100, bool)
    assert figures.trapezoid(never, factual) == 0.635
    assert figures.trapezoid(~never, ~factual) == 0.865
    assert value(MIXED, "always false", "CEG's area false") == 0.75
    assert value(MIXED, "always false", "AP false") == 0.5


def test_groups_stay_whole_and_sorted_files_are_dealt_in_turn() -> None:
    truth = np.array([True, False] * 4)
    groups = ["a", "a", "b", "b", "c", "c", "d", "d"]
    halves = figures.split(groups, [""] * 8, truth)
    assert halves.chosen.tolist() == [True] * 4 + [False] * 4
    ordered = np.array([True] * 4 + [False] * 4)
    dealt = figures.split(groups, [""] * 8, ordered)
    assert dealt.names[0] == "odd-numbered groups"
    assert dealt.chosen.tolist() == [True, True, False, False] * 2
    each = figures.split(["a"] * 4, [""] * 4, np.array([True, False, True, False]))
    assert each.chosen.tolist() == [True, True, False, False], "one group: its items"


def test_rankings_are_counted_as_beir_does() -> None:
    found = ("x", "a", "y", "b")
    relevant = {"a": 2, "b": 1}
    ideal = 2 / np.log2(2) + 1 / np.log2(3)
    gained = 2 / np.log2(3) + 1 / np.log2(5)
    assert figures.ndcg(found, relevant, 10) == pytest.approx(gained / ideal)
    assert (figures.recall(found, relevant, 2), figures.recall(found, relevant, 4)) == (0.5, 1)
    queries = [kinds.Query("q", "Q", relevant)]
    said = {m: [kinds.Prediction("q", m, found=found)] for m in ("hybrid", "dense")}
    made = answered("retrieve", queries, said)
    assert value(made, "hybrid", "recall@1") == 0
    (lead,) = row(made, "hybrid").compared
    assert (lead.other, lead.figure, lead.difference) == ("dense", "nDCG@10", 0)


def test_answers_are_measured_by_words_and_citations() -> None:
    items = [kinds.Question(str(n), "Q?", (("1904",),), MINE, gold=("d", "e")) for n in range(2)]
    said = {
        "vtg": [
            kinds.Prediction("0", "vtg", None, None, "It burned in 1904 [1].", ("d",), (1.0, 1.0)),
            kinds.Prediction("1", "vtg", None, None, "In 1904. No more [1].", ("d",), (0.5, 0.5)),
        ],
        "top-passage": [
            kinds.Prediction("0", "top-passage", None, None, "No.", ("d",), (0.0, 0.0))
        ],
    }
    made = answered("answer", items, said)
    assert value(made, "vtg", "STR-EM") == 1
    assert value(made, "vtg", "cited STR-EM") == 0.5, "the second cites another sentence"
    assert value(made, "vtg", "citation recall") == 0.75
    assert (value(made, "vtg", "gold recall"), value(made, "vtg", "gold precision")) == (0.5, 1.0)
    assert value(made, "top-passage", "gold recall") == 0
    assert value(made, "top-passage", "answered") == 0.5
    assert row(made, "top-passage").problems == 1
    assert {lead.other for lead in row(made, "vtg").compared} == {"top-passage"}

    long = kinds.Prediction("0", "m", None, None, "1904 [1]. Two [1]. Three [1]. Four [1].", ("d",))
    assert figures.cited_str_em(long, (("1904",),)) == 0, "an answer of more than three sentences"


def test_whole_texts_are_compared_and_cost_and_gold_stand_beside_them() -> None:
    whole = kinds.Question("0", "Q?", (), MINE, gold=("d",), reference="It burned in 1904.")
    items = [whole, replace(whole, id="1", gold=(), reference="No.")]
    cost = Cost(calls=2, prefilled=30, reused=70, generated=9)
    said = [
        kinds.Prediction(item, "ceg", text=text, found=("d", "e"), cost=cost)
        for item, text in (("0", "It burned [1]."), ("1", "No [2]."))
    ]
    made = answered("answer", items, {"ceg": said})
    assert value(made, "ceg", "ROUGE-L") == pytest.approx((2 * 2 / 6 + 1) / 2, abs=1e-6)
    assert row(made, "ceg").figure("STR-EM") is None
    assert (value(made, "ceg", "gold recall"), value(made, "ceg", "gold precision")) == (1, 1)
    told = [value(made, "ceg", n) for n in ("model calls", "prompt tokens", "computed", "written")]
    assert told == [2, 100, 30, 9]
    assert figures.rouge_l("The mill burned in 1904", "In 1904 mill burned") == 0.5, "in order"


# --- Short answers as SQuAD, KILT and ASQA count them -----------------------------------------


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("The  Eiffel-Tower!", "eiffeltower"),
        ("$1,000.50", "100050"),
        ("O’Brien", "obrien"),
        ("à la carte", "à la carte"),
    ],
)
def test_normalisation(text: str, normal: str) -> None:
    assert figures.normalise(text) == normal


def test_str_em_finds_aliases_as_whole_words() -> None:
    text = "The party was held in New York City, on the 12th of May 1998."
    assert figures.str_em(text, [["new york"], ["art"], ["May 1999", "May 1998"], ["998"]]) == 0.5
    assert math.isnan(figures.str_em(text, []))
    assert figures.str_em(unicodedata.normalize("NFD", "São Tomé"), [["São Tomé"]]) == 1.0
    assert figures.str_em("Sao Tome", [["São Tomé"]]) == 0.0
    assert figures.str_em("A", [["a"], ["The"]]) == 0.5, "an article alone is an answer"
    assert figures.str_em("!!!", [["!!!"], ["?"]]) == 0.5
    assert figures.str_em("Nothing of the kind.", [[""], ["!"]]) == 0.0, "an empty one is none"
