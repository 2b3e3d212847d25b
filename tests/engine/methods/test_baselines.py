"""The baselines: same skills, few steps."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from asking import Says, ScriptedJudge, ScriptedSkills, labels, of, run, stands_in, tools

from veracite.engine.events import Chosen, Drafted, Searched, Settled
from veracite.engine.methods.base import StepsEvent
from veracite.engine.methods.catalogue import named
from veracite.engine.settings import with_values
from veracite.engine.skills.base import Writing
from veracite.engine.types import Answer, Label

MILL = "The mill burned down in 1904."
BEES = "Bees live in the mill at Harrow."
RAIN = "Rain fell."
QUESTION = "When did the mill burn down?"


def answered(
    skills: ScriptedSkills,
    folder: Path,
    preset: str | None = None,
    method: str = "retrieve-read",
    texts: Sequence[str] = (MILL, BEES, RAIN),
    says: Says = stands_in,
) -> tuple[Answer, list[StepsEvent], ScriptedJudge]:
    chosen = named(method)
    values = with_values(chosen.settings(), chosen.presets[preset] if preset else {})
    with tools(skills, texts, folder, says=says) as (given, judge):
        answer, events = run(chosen.run(QUESTION, given, values))
    assert events[-1] == Settled(answer)
    return answer, events, judge


def drafted(events: Sequence[StepsEvent]) -> list[tuple[str, str]]:
    return [(event.kind, event.text) for event in events if isinstance(event, Drafted)]


@pytest.mark.parametrize("preset", [None, "vanilla"])
def test_it_judges_each_sentence_by_what_it_cites(tmp_path: Path, preset: str | None) -> None:
    skills = ScriptedSkills({"answer": [f"{MILL[:-1]} [1]. Bees live there [2]."]})
    answer, _, judge = answered(skills, tmp_path, preset)
    assert skills.of("answer")[0]["passages"] == [MILL, BEES]
    assert answer.text == f"{MILL} Bees live there."
    assert labels(answer) == [Label.SUPPORTED, Label.NOT_FOUND]
    assert judge.judged == [(MILL, [MILL]), ("Bees live there.", [BEES])]


def test_a_closed_book_answer_is_judged_by_what_is_found_for_it(tmp_path: Path) -> None:
    skills = ScriptedSkills({"answer": [f"{MILL} It rained."]})
    answer, events, judge = answered(skills, tmp_path, method="closed-book")
    assert skills.of("answer") == [
        {"question": QUESTION, "passages": [], "writing": Writing("plain")}
    ]
    assert labels(answer) == [Label.SUPPORTED, Label.NOT_FOUND]
    assert judge.judged[0] == (MILL, [MILL, BEES])
    assert drafted(events) == [("first", f"{MILL} It rained.")]


def test_hyde_looks_for_what_it_imagines_and_reads_what_it_finds(tmp_path: Path) -> None:
    skills = ScriptedSkills({"answer": ["Rain fell on it.", "Rain fell [1]."]})
    _, events, _ = answered(skills, tmp_path, "hyde")
    first, second = skills.of("answer")
    assert (first["passages"], first["writing"].style) == ([], "plain")
    (searched,) = of(events, Searched)
    assert (searched.query, searched.kind) == ("Rain fell on it.", "answer")
    assert (second["passages"], second["writing"].style) == ([RAIN], "cited")
    assert drafted(events)[0] == ("hypothetical", "Rain fell on it.")


@pytest.mark.parametrize(("preset", "skill"), [("summ", "summarise"), ("snippet", "extract")])
def test_verdicts_rest_on_passages_before_any_cut(tmp_path: Path, preset: str, skill: str) -> None:
    skills = ScriptedSkills(
        {skill: [None, "Bees live in it."], "answer": ["Bees live in the mill [1]."]}
    )
    _, events, judge = answered(skills, tmp_path, preset)
    assert [given["passage"] for given in skills.of(skill)] == [MILL, BEES]
    assert skills.of("answer")[0]["passages"] == ["Bees live in it."]
    assert judge.judged == [("Bees live in the mill.", [BEES])]
    assert drafted(events)[0] == ("note", "Bees live in it.")


def test_rerank_takes_the_answer_whose_citations_support_most_of_it(tmp_path: Path) -> None:
    half, uncited = f"{MILL[:-1]} [1]. Bees live there [2].", MILL
    whole = f"{MILL[:-1]} [1]. {BEES[:-1]} [1][2]."
    skills = ScriptedSkills({"answer": [(half, "", uncited, whole, whole)]})
    answer, events, _ = answered(skills, tmp_path, "rerank")
    (asked,) = skills.of("answer")
    assert (asked["passages"], asked["writing"]) == ([MILL, BEES], Writing(samples=4))
    assert answer.text == f"{MILL} {BEES}"
    assert drafted(events) == [("sample", one) for one in (half, uncited, whole, whole)]
    chosen = of(events, Chosen)
    assert [(one.text, one.rejected) for one in chosen] == [
        (whole, half), (whole, uncited), (whole, whole)
    ]  # fmt: skip
    assert chosen[0].reason.startswith("Citations support 100% of its sentences, 50%")


@pytest.mark.parametrize("preset", [None, "hyde", "rerank"])
@pytest.mark.parametrize("draft", ["", ()])
def test_an_empty_draft_is_no_answer(tmp_path: Path, preset: str | None, draft: Any) -> None:
    skills = ScriptedSkills({"answer": [draft, draft]})
    answer, events, _ = answered(skills, tmp_path, preset)
    assert (answer, drafted(events)) == (Answer(QUESTION, "", ()), [])


def test_nothing_is_asked_where_nothing_is_found(tmp_path: Path) -> None:
    answer, _, _ = answered(ScriptedSkills(), tmp_path, "summ", texts=[RAIN])
    assert answer == Answer(QUESTION, "", ())


@pytest.mark.parametrize("name", ["closed-book", "retrieve-read"])
def test_a_few_words_are_uncertain_at_best(tmp_path: Path, name: str) -> None:
    skills = ScriptedSkills({"answer": ["1904"]})
    says = lambda *_: Label.SUPPORTED  # noqa: E731
    answer, events, judge = answered(skills, tmp_path, "refeed-table2", name, [MILL], says)
    assert skills.of("answer")[0]["writing"].style == "short"
    assert judge.judged == [(f"{QUESTION} 1904", [MILL])]
    (verdict,) = answer.verdicts
    assert verdict.label is Label.UNCERTAIN
    assert [(quote.quote, quote.relation) for quote in verdict.citations] == [(MILL, "nearest")]
    assert not any(getattr(event, "verdict", verdict).label is Label.SUPPORTED for event in events)
