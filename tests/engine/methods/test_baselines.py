"""The baselines: same skills, few steps."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from asking import Says, ScriptedJudge, ScriptedSkills, run, stands_in, tools

from veracite.engine.events import Segmented
from veracite.engine.methods.base import StepsEvent
from veracite.engine.methods.baselines import BASELINES, inconsistencies
from veracite.engine.methods.catalogue import named
from veracite.engine.methods.events import Began, Chosen, Drafted, Searched, Settled
from veracite.engine.methods.running import run as ask
from veracite.engine.settings import with_values
from veracite.engine.skills.base import Writing
from veracite.engine.types import Answer, Label
from veracite.models.bundled import bundled_verifier
from veracite.models.verifier import Verifier

MILL = "The mill burned down in 1904."
BEES = "Bees live in the mill at Harrow."
RAIN = "Rain fell."
QUESTION = "When did the mill burn down?"


def answered(
    name: str, skills: ScriptedSkills, folder: Path, says: Says = stands_in, **settings: Any
) -> tuple[Answer, list[StepsEvent], ScriptedJudge]:
    (method,) = [one for one in BASELINES if one.name == name]
    with tools(skills, [MILL, BEES, RAIN], folder, says=says) as (given, judge):
        answer, events = run(method.run(QUESTION, given, method.settings(**settings)))
    assert events[-1] == Settled(answer)
    return answer, events, judge


def drafted(events: Sequence[StepsEvent]) -> list[tuple[str, str]]:
    return [(event.kind, event.text) for event in events if isinstance(event, Drafted)]


def test_retrieve_read_reads_what_it_found_and_judges_each_sentence_by_what_it_cites(
    tmp_path: Path,
) -> None:
    skills = ScriptedSkills({"answer": [f"{MILL[:-1]} [1]. Bees live there [2]."]})
    with tools(skills, [MILL, BEES, RAIN], tmp_path) as (given, judge):
        method = named("retrieve-read")
        answer, events = run(ask(method, QUESTION, given, method.settings()))
    assert skills.of("answer")[0]["passages"] == [MILL, BEES]
    assert answer.text == f"{MILL} Bees live there."
    assert [v.label for v in answer.verdicts] == [Label.SUPPORTED, Label.NOT_FOUND]
    cited, against = judge.judged[:2], judge.judged[2:]
    assert cited == [(MILL, [MILL]), ("Bees live there.", [BEES])]
    assert against == [(MILL, [BEES])], "what it found may contradict it"
    kinds = [type(event) for event in events]
    assert kinds[:4] == [Began, Searched, Drafted, Segmented]
    assert events[-1] == Settled(answer)


@pytest.mark.parametrize("name", ["retrieve-read", "hyde", "llatrieval"])
def test_how_much_is_quoted_is_a_setting_of_whoever_reads(name: str, tmp_path: Path) -> None:
    imagined = ["It burned."] if name == "hyde" else []
    replies: dict[str, list[Any]] = {
        "answer": [*imagined, f"{MILL[:-1]} [1]."],
        "sufficient": [True],
        "select": [[0]],
    }
    skills, method = ScriptedSkills(replies), named(name)
    given_settings = {"sentences": "1", "enough": "0.5", "bar": "0.3", "retrieval": "lexical"}
    with tools(skills, [MILL, BEES], tmp_path) as (given, _):
        run(method.run(QUESTION, given, with_values(method.settings(), given_settings)))
    assert skills.of("answer")[-1]["writing"] == Writing(sentences=1, enough=0.5, bar=0.3)


def test_a_closed_book_answer_is_written_without_passages_and_judged_by_what_is_found(
    tmp_path: Path,
) -> None:
    skills = ScriptedSkills({"answer": [f"{MILL} It rained."]})
    answer, events, judge = answered("closed-book", skills, tmp_path, reasoning=True)
    (asked,) = skills.of("answer")
    assert asked["passages"] == []
    assert asked["writing"] == Writing("plain", reasoning=True)
    assert [v.label for v in answer.verdicts] == [Label.SUPPORTED, Label.NOT_FOUND]
    assert judge.judged[0] == (MILL, [MILL, BEES])
    assert drafted(events) == [("first", f"{MILL} It rained.")]


def test_hyde_looks_for_what_it_imagines_and_reads_what_it_finds(tmp_path: Path) -> None:
    skills = ScriptedSkills({"answer": ["Rain fell on it.", "Rain fell [1]."]})
    answer, events, _ = answered("hyde", skills, tmp_path)
    first, second = skills.of("answer")
    assert (first["passages"], first["writing"].style) == ([], "plain")
    (searched,) = [event for event in events if isinstance(event, Searched)]
    assert (searched.query, searched.kind) == ("Rain fell on it.", "answer")
    assert (second["passages"], second["writing"].style) == ([RAIN], "cited")
    assert drafted(events)[0] == ("hypothetical", "Rain fell on it.")
    assert [v.label for v in answer.verdicts] == [Label.SUPPORTED]


@pytest.mark.parametrize(("name", "skill"), [("summ", "summarise"), ("snippet", "extract")])
def test_passages_are_shortened_the_irrelevant_left_out_and_verdicts_rest_on_the_whole(
    tmp_path: Path, name: str, skill: str
) -> None:
    skills = ScriptedSkills(
        {skill: [None, "Bees live in it."], "answer": ["Bees live in the mill [1]."]}
    )
    answer, events, judge = answered(name, skills, tmp_path)
    assert [given["passage"] for given in skills.of(skill)] == [MILL, BEES]
    assert skills.of("answer")[0]["passages"] == ["Bees live in it."]
    assert judge.judged == [("Bees live in the mill.", [BEES])]
    assert drafted(events)[0] == ("note", "Bees live in it.")
    assert answer.text == "Bees live in the mill."


def test_rerank_takes_the_answer_whose_citations_support_most_of_its_sentences(
    tmp_path: Path,
) -> None:
    half = f"{MILL[:-1]} [1]. Bees live there [2]."
    uncited = MILL
    whole = f"{MILL[:-1]} [1]. {BEES[:-1]} [1][2]."
    skills = ScriptedSkills({"answer": [(half, "", uncited, whole, whole)]})
    answer, events, _ = answered("rerank", skills, tmp_path)
    (asked,) = skills.of("answer")
    assert (asked["passages"], asked["writing"]) == ([MILL, BEES], Writing(samples=4))
    assert answer.text == f"{MILL} {BEES}"
    assert [text for kind, text in drafted(events) if kind == "sample"] == [
        half, uncited, whole, whole
    ]  # fmt: skip
    chosen = [event for event in events if isinstance(event, Chosen)]
    assert [(one.text, one.rejected) for one in chosen] == [
        (whole, half), (whole, uncited), (whole, whole)
    ]  # fmt: skip
    assert "100%" in chosen[0].reason
    assert "50%" in chosen[0].reason
    assert "0% of the other's" in chosen[1].reason


@pytest.mark.parametrize("name", ["retrieve-read", "vanilla", "hyde", "rerank", "closed-book"])
@pytest.mark.parametrize("draft", ["", ()])
def test_an_empty_draft_is_no_answer(tmp_path: Path, name: str, draft: Any) -> None:
    skills = ScriptedSkills({"answer": [draft, draft]})
    answer, events, _ = answered(name, skills, tmp_path)
    assert answer == Answer(QUESTION, "", ())
    assert drafted(events) == []


@pytest.mark.parametrize("name", ["retrieve-read", "vanilla", "summ", "snippet", "rerank"])
def test_nothing_is_asked_where_nothing_is_found(tmp_path: Path, name: str) -> None:
    (method,) = [one for one in BASELINES if one.name == name]
    with tools(ScriptedSkills(), [RAIN], tmp_path) as (given, _):
        answer, _ = run(method.run(QUESTION, given, method.settings()))
    assert answer == Answer(QUESTION, "", ())


@pytest.mark.parametrize("name", ["closed-book", "retrieve-read"])
def test_refeeds_baselines_answer_in_a_few_words(tmp_path: Path, name: str) -> None:
    (method,) = [one for one in BASELINES if one.name == name]
    skills = ScriptedSkills({"answer": ["1904"]})
    values = with_values(method.settings(), method.presets["refeed-table2"])
    with tools(skills, [MILL], tmp_path, says=lambda *_: Label.SUPPORTED) as (given, judge):
        answer, _ = run(method.run(QUESTION, given, values))
    assert skills.of("answer")[0]["writing"].style == "short"
    assert answer.text == "1904"
    assert judge.judged == [(f"{QUESTION} 1904", [MILL])]


@pytest.fixture(scope="module")
def verifier() -> Iterator[Verifier]:
    opened = bundled_verifier(threads=1)
    yield opened
    opened.close()


def test_selfcheck_is_the_mean_of_how_far_the_samples_contradict(verifier: Verifier) -> None:
    other = "The mill did not burn down in 1904."
    ((same,), (opposite,), (both,)) = (
        inconsistencies([MILL], samples, verifier) for samples in ([MILL], [other], [MILL, other])
    )
    assert same < 0.1
    assert opposite > 0.9
    assert both == pytest.approx((same + opposite) / 2, abs=1e-6)
    assert inconsistencies([BEES, MILL], [MILL, other], verifier)[1] == pytest.approx(both)


def test_a_few_words_are_judged_with_their_question_and_are_uncertain_at_best(
    tmp_path: Path,
) -> None:
    skills = ScriptedSkills({"answer": ["1904"]})
    with tools(skills, [MILL], tmp_path, says=lambda *_: Label.SUPPORTED) as (given, judge):
        method = named("retrieve-read")
        answer, events = run(ask(method, QUESTION, given, method.settings()))
    assert judge.judged == [(f"{QUESTION} 1904", [MILL])]
    (verdict,) = answer.verdicts
    assert verdict.label is Label.UNCERTAIN
    assert [(quote.quote, quote.relation) for quote in verdict.citations] == [(MILL, "nearest")]
    assert not any(getattr(event, "verdict", verdict).label is Label.SUPPORTED for event in events)
