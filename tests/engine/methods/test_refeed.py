"""REFEED: first answers, passages found with them, a second answer, and which of them is kept."""

from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

import pytest
from asking import ScriptedSkills, labels, of, run, tools

from veracite.engine.events import Chosen, Drafted, Searched, Selected, Settled
from veracite.engine.methods.base import MergeBy, merged
from veracite.engine.methods.refeed import REFEED, RefeedSettings
from veracite.engine.settings import with_values
from veracite.engine.skills.base import Draft, Writing
from veracite.engine.types import Answer, Label
from veracite.index.documents import Document, Evidence, Passage

Replies = dict[str, list[Any]]
ASKED = "When did the mill burn down?"
MILL = "The mill burned down in 1904."
FLOOD = "A flood in 1911 took the bridge."
BEES = "Bees live in the mill at Harrow."
LIBRARY = (MILL, FLOOD, BEES, "Rain fell.")
SHORT = RefeedSettings(style="short", samples=1)


def answered(
    folder: Path, replies: Replies, settings: RefeedSettings, texts: Sequence[str] = LIBRARY
) -> tuple[Answer, list[Any], ScriptedSkills, list[tuple[str, list[str]]]]:
    """The answer, the events, what the skills were asked and what was judged by what."""
    skills = ScriptedSkills(replies)
    with tools(skills, texts, folder, says=lambda said, by: Label.SUPPORTED) as (given, judge):
        answer, events = run(REFEED.run(ASKED, given, settings))
    assert not any(skills.replies.values()), "every reply was asked for"
    return answer, events, skills, judge.judged


def searched(events: Sequence[Any]) -> list[tuple[str, str]]:
    return [(event.kind, event.query) for event in of(events, Searched)]


def test_an_answer_is_searched_with_and_refined_by_what_is_found(tmp_path: Path) -> None:
    replies = {"answer": ["1911"], "refine": ["1904"]}
    answer, events, skills, judged = answered(tmp_path, replies, SHORT)
    assert [call.skill for call in skills.calls] == ["answer", "refine"]
    (first,) = skills.of("answer")
    assert first == {"question": ASKED, "passages": [], "writing": Writing("short", tokens=20)}
    assert searched(events) == [("answer", f"{ASKED} 1911")]
    (refine,) = skills.of("refine")
    assert refine["answers"] == ["1911"]
    assert refine["passages"] == [MILL, FLOOD, BEES], "1911 found the flood, too"
    assert [e.kind for e in of(events, Drafted)] == ["first", "refined"]
    assert answer.text == "1904"
    assert judged == [(f"{ASKED} 1904", [MILL, FLOOD, BEES])]
    assert events[-1] == Settled(answer)


def test_how_it_writes_is_set(tmp_path: Path) -> None:
    replies: Replies = {"answer": ["1911", f"{MILL[:-1]} [1]."]}
    written = {"temperature": 1.2, "top_p": 0.5, "tokens": None}
    settings = with_values(RefeedSettings(), {"style": "cited", **written})
    _, _, skills, _ = answered(tmp_path, replies, settings)
    told = [astuple(call.given["writing"])[3:] for call in skills.calls]
    assert told == [(1.2, 0.5, None)] * 2


def test_every_different_sample_is_a_query_and_the_best_are_read(tmp_path: Path) -> None:
    samples = tuple(map(Draft, ("bees", "", "flood", "bees")))
    settings = RefeedSettings(style="short", samples=4, k=1)
    replies: Replies = {"answer": [samples], "refine": ["1904"]}
    _, events, skills, _ = answered(tmp_path, replies, settings, (MILL, "bees", "flood"))
    assert skills.of("answer")[0]["writing"].samples == 4
    assert searched(events) == [("answer", f"{ASKED} bees"), ("answer", f"{ASKED} flood")]
    (selected,) = of(events, Selected)
    found = [e.evidence[0] for e in events if isinstance(e, Searched)]
    assert list(selected.window) == list(dict.fromkeys(found))
    assert len(selected.kept) == 1
    (refine,) = skills.of("refine")
    assert refine["answers"] == ["bees", "flood"]
    assert refine["passages"] == [item.passage.text for item in selected.kept]
    assert [e.kind for e in of(events, Drafted)] == ["sample", "sample", "refined"]


@pytest.mark.parametrize(
    ("ensemble", "first", "refined", "kept"),
    [
        ("probability", (0.68, -0.9), (0.65, -0.1), "1911"),
        ("probability", (0.65, -0.1), (0.65, -0.9), "1904"),
        ("logprob", (0.65, -0.1), (0.68, -0.9), "1911"),
        ("probability", (0.68, -0.1), (None, None), "1904"),
        ("probability", (None, None), (0.1, -0.9), "1904"),
        ("none", (0.68, -0.1), (0.1, -0.9), "1904"),
    ],
)
def test_the_first_answer_is_kept_only_if_it_is_more_probable(
    tmp_path: Path,
    ensemble: str,
    first: tuple[float | None, float | None],
    refined: tuple[float | None, float | None],
    kept: str,
) -> None:
    replies: Replies = {"answer": [Draft("1911", *first)], "refine": [Draft("1904", *refined)]}
    settings = with_values(SHORT, {"ensemble": ensemble})
    answer, events, _, _ = answered(tmp_path, replies, settings)
    assert answer.text == kept
    chosen = [(e.text, e.rejected) for e in events if isinstance(e, Chosen)]
    assert chosen == ([("1911", "1904")] if kept == "1911" else [])


@pytest.mark.parametrize("nothing", [(), "", (Draft(""), Draft(" "))])
def test_without_a_first_answer_the_question_is_the_query(tmp_path: Path, nothing: Any) -> None:
    answer, events, skills, _ = answered(tmp_path, {"answer": [nothing], "refine": ["1904"]}, SHORT)
    assert searched(events) == [("question", ASKED)]
    assert skills.of("refine")[0]["answers"] == []
    assert answer.text == "1904"


def test_where_nothing_is_found_the_first_answer_stands_unsupported(tmp_path: Path) -> None:
    replies = {"answer": [Draft("1911", 0.1)]}
    answer, _, skills, judged = answered(tmp_path, replies, SHORT, ("Zebra.",))
    assert [call.skill for call in skills.calls] == ["answer"]
    assert answer.text == "1911"
    assert labels(answer) == [Label.NOT_FOUND]
    assert judged == [(f"{ASKED} 1911", [])]


def test_sentences_are_searched_with_and_answered_anew_with_citations(tmp_path: Path) -> None:
    replies = {"answer": ["It burned in 1911.", "It burned down in 1904 [1]. Bees live there [3]."]}
    settings = with_values(SHORT, {"style": "cited"})
    answer, events, skills, judged = answered(tmp_path, replies, settings)
    assert searched(events) == [("answer", f"{ASKED} It burned in 1911.")]
    assert [call["writing"].style for call in skills.of("answer")] == ["plain", "cited"]
    assert skills.of("answer")[1]["passages"] == [MILL, FLOOD, BEES]
    assert answer.text == "It burned down in 1904. Bees live there."
    assert [by for _, by in judged] == [[MILL], [BEES]]


def test_a_first_sentence_that_is_only_cited_anew_keeps_its_citation(tmp_path: Path) -> None:
    said = (Draft(MILL, 0.9), Draft("The mill burned down in 1904 [1].", 0.2))
    settings = with_values(SHORT, {"style": "cited"})
    _, events, _, judged = answered(tmp_path, {"answer": list(said)}, settings)
    assert not of(events, Chosen)
    assert judged == [(MILL, [MILL])]


def test_ablations_search_with_the_question_alone_and_think_first(tmp_path: Path) -> None:
    settings = with_values(SHORT, {"feedback": False, "reasoning": True})
    _, events, skills, _ = answered(tmp_path, {"answer": ["1911"], "refine": ["1904"]}, settings)
    assert searched(events) == [("question", ASKED)]
    assert skills.of("refine")[0]["answers"] == ["1911"]
    assert [call.given["writing"].reasoning for call in skills.calls] == [True, True]


DOCUMENT = Document("/a.txt", "0", "plain")


def ranking(*found: tuple[str, float]) -> list[Evidence]:
    """Passages, best first, with their BM25 scores."""
    return [
        Evidence(Passage(DOCUMENT, 0, 1, None, None, text, text), rank, 1 / rank, None, bm25)
        for rank, (text, bm25) in enumerate(found, start=1)
    ]


def texts(by: MergeBy, *rankings: list[Evidence], k: int = 10) -> str:
    return "".join(item.passage.text for item in merged(rankings, k, by=by, mode="lexical"))


def test_the_best_rank_counts_and_the_score_breaks_ties() -> None:
    one = ranking(("a", 3.0), ("b", 2.0), ("c", 1.9))
    other = ranking(("d", 9.0), ("c", 8.0), ("e", 7.0))
    assert texts("rank", one, other) == "dacbe"
    assert texts("score", one, other) == "dceab"
    assert texts("rank", one, other, k=3) == "dac"
