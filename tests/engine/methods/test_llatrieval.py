"""LLatrieval: search, select, verify, search anew; and only then answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from asking import ScriptedSkills, run, tools

from veracite.engine.errors import SettingsError
from veracite.engine.events import Assessed, Drafted, Searched, Selected, Settled
from veracite.engine.methods.llatrieval import LLATRIEVAL, LlatrievalSettings
from veracite.engine.settings import with_values
from veracite.engine.skills.base import Sufficiency
from veracite.engine.types import Answer, Label

ASKED = "Which mill burned?"
MILLS = [f"Mill number {n} burned." for n in range(100, 160)]
"""In the order in which equal passages are found."""
PAINTED = [f"Painter {n} painted it." for n in range(100, 102)]
LIBRARY = [mill for _, mill in sorted(zip(sorted(range(60), key=str), MILLS, strict=True))]
PAPER = LlatrievalSettings(retrieval="lexical")
SMALL = LlatrievalSettings(retrieval="lexical", candidates=5, k=2, window=4)
FIRST = lambda passages, k, **_: range(k)  # noqa: E731
"""A selection that takes what stands first."""


@dataclass(frozen=True)
class Outcome:
    answer: Answer
    events: list[Any]
    skills: ScriptedSkills

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def order(self) -> list[str]:
        return [call.skill for call in self.skills.calls]

    @property
    def searched(self) -> list[tuple[str, str, int]]:
        return [(event.kind, event.query, event.round) for event in self.of(Searched)]

    @property
    def windows(self) -> list[list[str]]:
        return [call["passages"] for call in self.skills.of("select")]

    @property
    def kept(self) -> list[list[str]]:
        return [[item.passage.text for item in event.kept] for event in self.of(Selected)]


def outcome(
    folder: Path,
    settings: LlatrievalSettings,
    texts: Sequence[str] = (*LIBRARY, *PAINTED),
    **replies: list[Any],
) -> Outcome:
    replies = {"answer": ["It burned [1]."], **replies}
    skills = ScriptedSkills(dict(replies))
    with tools(skills, texts, folder, says=lambda said, by: Label.SUPPORTED) as (given, _):
        answer, events = run(LLATRIEVAL.run(ASKED, given, settings))
    assert not any(replies.values()), "every reply was asked for"
    return Outcome(answer, events, skills)


def test_passages_that_suffice_are_answered_from_at_once(tmp_path: Path) -> None:
    found = outcome(tmp_path, PAPER, select=[FIRST] * 3, sufficient=[True])
    assert found.order == ["select"] * 3 + ["sufficient", "answer"]
    assert found.searched == [("question", ASKED, 1)]
    assert len(found.of(Searched)[0].evidence) == 50
    sufficient = {"question": ASKED, "passages": MILLS[:5], "tau": None}
    assert found.skills.of("sufficient") == [sufficient]
    assert found.skills.of("answer")[0]["passages"] == MILLS[:5]
    assert found.skills.of("answer")[0]["writing"].style == "cited"
    assert (found.answer.rounds, found.answer.sufficient) == (1, True)
    assert found.answer.text == "It burned."
    assert found.events[-1] == Settled(found.answer)


def test_each_window_shows_what_is_held_and_then_new_ones(tmp_path: Path) -> None:
    last = lambda passages, k, **_: range(len(passages) - k, len(passages))  # noqa: E731
    found = outcome(tmp_path, PAPER, select=[last] * 3, sufficient=[True])
    assert found.windows == [MILLS[:20], MILLS[15:35], MILLS[30:50]]
    assert [call["k"] for call in found.skills.of("select")] == [5] * 3
    assert found.kept[-1] == found.skills.of("sufficient")[0]["passages"] == MILLS[45:50]
    assert [[item.passage.text for item in e.window] for e in found.of(Selected)] == found.windows


def test_what_is_missing_is_searched_until_the_passages_suffice(tmp_path: Path) -> None:
    found = outcome(
        tmp_path,
        SMALL,
        select=[FIRST, FIRST, (0, 2)],
        sufficient=[False, True],
        missing=["painter painted"],
        answer=["It burned [1] and was painted [2]."],
    )
    assert found.order == [
        "select", "select", "sufficient", "missing", "select", "sufficient", "answer"
    ]  # fmt: skip
    assert found.searched == [("question", ASKED, 1), ("missing", "painter painted", 2)]
    missing = {"question": ASKED, "passages": MILLS[:2], "style": "passage"}
    assert found.skills.of("missing") == [missing]
    assert found.windows[2] == [*MILLS[:2], *PAINTED[:2]], "the held ones stand first"
    assert [(e.sufficient, e.round) for e in found.of(Assessed)] == [(False, 1), (True, 2)]
    assert found.skills.of("answer")[0]["passages"] == [MILLS[0], PAINTED[0]]
    assert (found.answer.rounds, found.answer.sufficient) == (2, True)


@pytest.mark.parametrize(
    ("verify", "verified", "sufficient"), [("classify", [1, 2, 3], False), ("none", [], None)]
)
def test_the_last_round_is_verified_too_and_the_answer_marked(
    tmp_path: Path, verify: str, verified: list[int], sufficient: bool | None
) -> None:
    found = outcome(
        tmp_path,
        with_values(SMALL, {"rounds": 3, "missing": "question", "verify": verify}),
        select=[FIRST] * 2 * 3,
        sufficient=[False] * len(verified),
        missing=["Mill?", "Which mill?"],
    )
    assert [event.round for event in found.of(Assessed)] == verified
    assert found.order[-2:] == ["sufficient" if verified else "select", "answer"]
    assert [call["style"] for call in found.skills.of("missing")] == ["question"] * 2
    assert (found.answer.rounds, found.answer.sufficient) == (3, sufficient)
    assert found.answer.text == "It burned."


@pytest.mark.parametrize(
    ("second", "kept"),
    [((3, 9, -1), [MILLS[1], MILLS[3]]), ((9, 2), [MILLS[4]]), ((2, 2, 0), [MILLS[4], MILLS[1]])],
)
def test_a_selection_that_names_nothing_shown_changes_nothing(
    tmp_path: Path, second: tuple[int, ...], kept: list[str]
) -> None:
    found = outcome(tmp_path, SMALL, MILLS[:5], select=[(1, 3), second], sufficient=[True])
    assert found.windows[1] == [MILLS[1], MILLS[3], MILLS[4]]
    assert found.kept[1] == kept


def test_no_query_is_searched_twice_and_a_score_is_held_against_tau(tmp_path: Path) -> None:
    found = outcome(
        tmp_path,
        with_values(SMALL, {"verify": "score", "tau": 7}),
        MILLS[:1],
        select=[FIRST],
        sufficient=[Sufficiency(False, 2.5), Sufficiency(False, 6.5)],
        missing=["burned", "burned"],
    )
    assert found.searched == [("question", ASKED, 1), ("missing", "burned", 2)]
    assert {asked["tau"] for asked in found.skills.of("sufficient")} == {7.0}
    assert [event.score for event in found.of(Assessed)] == [2.5, 6.5]
    assert (found.answer.rounds, found.answer.sufficient) == (2, False)


def test_without_progressive_selection_the_best_ranked_are_held(tmp_path: Path) -> None:
    settings = with_values(SMALL, {"progressive": False, "k": 3})
    found = outcome(tmp_path, settings, sufficient=[False, True], missing=["painter painted"])
    first, second = (call["passages"] for call in found.skills.of("sufficient"))
    assert first == MILLS[:3]
    assert second == [PAINTED[0], MILLS[0], PAINTED[1]], "a rare word scores higher"


def test_summaries_are_written_once_and_chosen_by(tmp_path: Path) -> None:
    short = [f"Number {n}." for n in range(3)]
    found = outcome(
        tmp_path,
        with_values(SMALL, {"summaries": True}),
        MILLS[:4],
        summarise=[short[0], None, short[1], short[2]],
        select=[(2, 0), FIRST],
        sufficient=[False, True],
        missing=["burned"],
    )
    assert found.windows == [short, [short[2], short[0], short[1]]], "one is irrelevant"
    assert [e.text for e in found.of(Drafted) if e.kind == "note"] == short
    assert found.skills.of("answer")[0]["passages"] == [MILLS[3], MILLS[0]]


def test_a_window_must_be_wider_than_what_is_held() -> None:
    paper = LlatrievalSettings()
    assert (paper.rounds, paper.candidates, paper.k, paper.window) == (4, 50, 5, 20)
    with pytest.raises(SettingsError, match="no room beside k = 5") as error:
        LlatrievalSettings(window=5)
    assert "6" in error.value.advice
