"""Figures of answers, worked by hand."""

import math
from collections.abc import Mapping
from dataclasses import replace

import pytest

from veracite.engine.evaluation.answer_figures import AnswerFigures
from veracite.engine.evaluation.items import Prediction, Question, Source
from veracite.engine.evaluation.results import MethodResult
from veracite.engine.methods.cost import Cost

SOURCES = {
    "paris": Source("paris", "Paris is the capital of France."),
    "rhine": Source("rhine", "The Rhine flows through Basel and Cologne."),
    "owls": Source("owls", "Owls hoot."),
}
CAPITAL = Question("capital", "What is the capital?", (("Paris", "City of Light"),), ())
RIVERS = Question("rivers", "Where does it flow?", (("Basel",), ("Cologne", "Köln")), ())


def answer(
    question: Question,
    text: str,
    found: tuple[str, ...] = (),
    cited: tuple[float, float] | None = (0.0, 0.0),
    method: str = "given",
) -> Prediction:
    return Prediction(question.id, method, None, None, 0.5, text, found, cited)


def figures_of(
    *questions: Question, said: Mapping[str, list[Prediction]], lists: bool = False
) -> dict[str, MethodResult]:
    by_item = {method: {p.item: p for p in own} for method, own in said.items()}
    figures = AnswerFigures(questions, by_item, SOURCES, lists, seed=0, rounds=50)
    return {row.method: row for row in figures.methods()}


def value(row: MethodResult, name: str) -> float:
    figure = row.figure(name)
    assert figure is not None
    assert figure.value is not None
    return figure.value


def test_short_answers() -> None:
    said = [answer(CAPITAL, "The Paris! [1]"), answer(RIVERS, "It flows through Basel [1].")]
    row = figures_of(CAPITAL, RIVERS, said={"given": said})["given"]
    assert value(row, "STR-EM") == pytest.approx((1 + 1 / 2) / 2)
    assert value(row, "EM") == pytest.approx(1 / 2)
    # "it flows through basel" against "basel": one of 4 and one of 1.
    assert value(row, "F1") == pytest.approx((1 + 2 / 5) / 2)
    # "the paris" against "paris": articles stay.
    assert value(row, "ROUGE-L") == pytest.approx((2 / 3 + 2 / 5) / 2)
    assert value(row, "words") == pytest.approx((2 + 4) / 2)
    assert (row.n, row.problems, row.seconds_per_item) == (2, 0, 0.5)


def test_an_answer_that_is_missing_or_empty_scores_nothing_and_is_counted() -> None:
    said = [answer(CAPITAL, "Paris", cited=(1.0, 1.0)), answer(RIVERS, "")]
    whole = figures_of(CAPITAL, RIVERS, said={"given": said})["given"]
    half = figures_of(CAPITAL, RIVERS, said={"given": said[:1]})["given"]
    for row in (whole, half):
        assert (row.n, row.problems) == (2, 1)
        for name in ("STR-EM", "EM", "F1", "citation recall", "citation precision"):
            assert value(row, name) == 0.5, name


def test_citation_f1_is_of_the_two_means() -> None:
    said = [answer(CAPITAL, "a", cited=(1.0, 0.5)), answer(RIVERS, "b", cited=(0.0, 0.5))]
    row = figures_of(CAPITAL, RIVERS, said={"given": said})["given"]
    assert value(row, "citation recall") == 0.5
    assert value(row, "citation precision") == 0.5
    assert value(row, "citation F1") == 0.5
    found = row.figure("citation F1")
    assert found is not None
    # Both questions drawn from one: 2 * 1 * 0.5 / 1.5, or nothing.
    assert [found.low, found.high] == pytest.approx([0.0, 2 / 3])
    nothing = figures_of(CAPITAL, said={"given": [answer(CAPITAL, "a")]})["given"]
    assert value(nothing, "citation F1") == 0


def test_recall_is_of_answers_in_what_was_found() -> None:
    said = [
        answer(CAPITAL, "x", ("owls", "paris")),
        answer(RIVERS, "x", ("rhine", "owls", "owls", "owls", "owls")),
    ]
    row = figures_of(CAPITAL, RIVERS, said={"given": said})["given"]
    assert value(row, "recall@1") == 0.5
    assert value(row, "recall@5") == 1.0
    assert row.figure("recall@20") is None, "nothing was found so far down"


def test_questions_without_short_answers_are_measured_by_their_long_ones() -> None:
    long = Question("why", "Why?", (), (), long=("Because owls hoot.",))
    row = figures_of(long, said={"given": [answer(long, "Because owls hoot")]})["given"]
    assert value(row, "ROUGE-L") == 1.0
    assert [row.figure(name) for name in ("STR-EM", "EM", "F1", "recall@1")] == [None] * 4


def test_a_question_without_reference_is_left_out_of_the_means() -> None:
    bare = Question("bare", "Why?", (), ())
    said = [answer(CAPITAL, "Paris"), answer(bare, "Because.")]
    row = figures_of(CAPITAL, bare, said={"given": said})["given"]
    assert [value(row, name) for name in ("STR-EM", "EM", "F1", "ROUGE-L")] == [1.0] * 4


def test_lists_are_cut_at_commas() -> None:
    said = [answer(RIVERS, "Basel [1], Bonn [1], Köln [2].")]
    row = figures_of(RIVERS, said={"given": said}, lists=True)["given"]
    assert value(row, "list precision") == pytest.approx(2 / 3)
    assert value(row, "list recall-5") == 1.0
    assert value(row, "list F1-5") == pytest.approx(0.8)
    assert figures_of(RIVERS, said={"given": said})["given"].figure("list F1-5") is None


def test_the_first_method_has_its_lead_over_the_others() -> None:
    said = {
        "given": [answer(CAPITAL, "Lyon"), answer(RIVERS, "Basel")],
        "top-passage": [answer(CAPITAL, "Paris"), answer(RIVERS, "Basel and Cologne")],
        "top-sentences": [],
    }
    rows = figures_of(CAPITAL, RIVERS, said=said)
    assert list(rows) == ["given", "top-passage"], "who says nothing has no row"
    found = [(lead.other, lead.figure, lead.difference) for lead in rows["given"].compared]
    assert found == [("top-passage", "STR-EM", -0.75), ("top-passage", "cited STR-EM", 0.0)]
    assert rows["top-passage"].compared == ()


def test_a_method_has_its_lead_over_its_own_ablations() -> None:
    names = ("read", "ceg", "ceg:k=4", "cegs")
    said = {name: [answer(CAPITAL, "Paris"), answer(RIVERS, "Basel")] for name in names}
    rows = figures_of(CAPITAL, RIVERS, said=said)
    over = {name: {lead.other for lead in rows[name].compared} for name in names}
    assert over == {
        "read": {*names} - {"read"},
        "ceg": {"ceg:k=4"},
        "ceg:k=4": set(),
        "cegs": set(),
    }


def test_the_lead_is_tested_on_the_questions_that_were_answered_in_full() -> None:
    items = [Question(str(n), "Where?", (("Basel",),), ()) for n in range(6)]
    said = {
        "first": [answer(item, "In Basel [1].", ("rhine",)) for item in items],
        "second": [answer(item, "In Bonn [1].", ("rhine",)) for item in items],
    }
    for lead in figures_of(*items, said=said)["first"].compared:
        assert lead.p_mcnemar == pytest.approx(2 * 0.5**6), lead.figure


def test_a_cited_answer_is_its_sentences_with_marks_if_it_has_three_at_most() -> None:
    texts = {
        "It is Paris [1].": 1.0,
        "It is Paris.": 0.0,
        "It is Paris [7].": 0.0,
        "It is Paris. Owls hoot [1].": 0.0,
        "Owls hoot. Owls sleep. It is Paris [1].": 1.0,
        "Owls hoot. Owls sleep. Owls eat. It is Paris [1].": 0.0,
        "": 0.0,
    }
    for text, expected in texts.items():
        said = {"given": [answer(CAPITAL, text, ("paris",))]}
        assert value(figures_of(CAPITAL, said=said)["given"], "cited STR-EM") == expected, text


def test_support_is_of_all_sentences_and_costs_are_means_over_the_questions() -> None:
    said = [
        replace(answer(CAPITAL, "Paris"), supported=(1, 1), cost=Cost(searches=1, judged=1)),
        replace(answer(RIVERS, "a. b. c."), supported=(0, 3), cost=Cost(searches=2, judged=6)),
    ]
    row = figures_of(CAPITAL, RIVERS, said={"given": said})["given"]
    assert [value(row, name) for name in ("support", "searches", "claims judged")] == [
        0.25,
        1.5,
        3.5,
    ]
    assert row.figure("model calls") is None, "no language model was asked"
    asked = [replace(p, cost=Cost(calls=2, prefilled=10, reused=90, generated=4)) for p in said]
    row = figures_of(CAPITAL, RIVERS, said={"given": asked})["given"]
    assert [value(row, name) for name in ("model calls", "tokens")] == [2, 14]


def test_what_is_not_answered_is_neither_supported_nor_answered() -> None:
    said = [replace(answer(CAPITAL, ""), supported=(0, 0)), answer(RIVERS, "Basel")]
    row = figures_of(CAPITAL, RIVERS, said={"given": said})["given"]
    assert value(row, "answered") == 0.5
    assert math.isnan(value(row, "support"))


def test_a_judge_of_citations_of_ours_is_named() -> None:
    row = figures_of(CAPITAL, said={"given": [answer(CAPITAL, "Paris", cited=None)]})["given"]
    found = row.figure("citation recall")
    assert found is not None
    assert "not by TRUE-11B" in found.note
    assert found.value == 0
    assert found.low is None or math.isnan(found.low), "one question says nothing of the spread"
