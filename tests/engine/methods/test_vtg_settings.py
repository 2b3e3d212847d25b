"""VTG's ablations, and the papers' values by name."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from asking import Says, ScriptedSkills, run, stands_in, tools

from veracite.engine.methods.base import StepsEvent
from veracite.engine.methods.events import Attempted, Remembered, Searched, Simplified
from veracite.engine.methods.vtg import VTG
from veracite.engine.settings import with_values
from veracite.engine.types import Answer, Label

MILL = "The mill burned down in 1904."
BEES = "Bees live in the mill at Harrow."
ROOF = "Swallows nest under a roof."
OWL = "An owl hunts by night."
CROWS = "Crows nest there."


def written(
    skills: ScriptedSkills, folder: Path, says: Says = stands_in, **settings: Any
) -> tuple[Answer, list[StepsEvent]]:
    with tools(skills, [MILL, BEES, ROOF, OWL], folder, says=says) as (given, _):
        question = "When did the mill burn down?"
        return run(VTG.run(question, given, VTG.settings(**settings)))


def held(events: Sequence[StepsEvent]) -> list[list[str]]:
    """What was remembered, time by time."""
    return [
        [item.passage.text for item in event.long + event.short]
        for event in events
        if isinstance(event, Remembered)
    ]


def test_without_the_verifier_sentences_and_citations_stay_as_written(tmp_path: Path) -> None:
    skills = ScriptedSkills({"next_claim": [CROWS, MILL, None], "cite": [[1], [0]]})
    answer, events = written(skills, tmp_path, verifier=False)
    assert answer.text == f"{CROWS} {MILL}"
    assert [v.label for v in answer.verdicts] == [Label.NOT_FOUND, Label.SUPPORTED]
    assert [one.by for one in events if isinstance(one, Attempted)] == ["citations"] * 2
    assert answer.rounds == 1


def test_without_memory_every_sentence_starts_from_the_passages_of_the_question(
    tmp_path: Path,
) -> None:
    skills = ScriptedSkills(
        {"next_claim": [CROWS, ROOF, None], "cite": [[0], [2]], "queries": [["swallows"]]}
    )
    answer, events = written(skills, tmp_path, memory=False)
    assert answer.text == ROOF
    assert held(events) == [[MILL, BEES], [MILL, BEES, ROOF], [MILL, BEES]]
    passages = [given["passages"] for given in skills.of("next_claim")]
    assert passages == [[MILL, BEES], [MILL, BEES, ROOF], [MILL, BEES]]


def test_without_the_simplifier_needless_citations_stay(tmp_path: Path) -> None:
    skills = ScriptedSkills({"next_claim": [MILL, None], "cite": [[0, 1]]})
    _, events = written(skills, tmp_path, simplifier=False)
    assert not [event for event in events if isinstance(event, Simplified)]


def test_without_diverse_queries_the_sentence_is_the_query(tmp_path: Path) -> None:
    skills = ScriptedSkills({"next_claim": [CROWS, None], "cite": [[0]]})
    _, events = written(skills, tmp_path, diverse=False, T=1)
    searched = [event for event in events if isinstance(event, Searched)]
    assert [(one.query, one.round) for one in searched[1:]] == [(CROWS, 1)]


def test_the_oldest_citation_is_forgotten_first_and_the_questions_passages_never(
    tmp_path: Path,
) -> None:
    skills = ScriptedSkills(
        {
            "next_claim": [CROWS, ROOF, "Cats hunt.", OWL, None],
            "cite": [[], [1], [], [2]],
            "queries": [["swallows"], ["owl"]],
        }
    )
    _, events = written(skills, tmp_path, k=1, N=1, remembered=1)
    assert held(events) == [[MILL], [MILL, ROOF], [MILL, ROOF], [MILL, ROOF, OWL], [MILL, OWL]]


def test_nothing_cited_is_remembered_where_the_bound_is_none(tmp_path: Path) -> None:
    skills = ScriptedSkills(
        {"next_claim": [CROWS, ROOF, None], "cite": [[], [1]], "queries": [["swallows"]]}
    )
    _, events = written(skills, tmp_path, k=1, N=1, remembered=0)
    longs = [one.long for one in events if isinstance(one, Remembered)]
    assert {len(long) for long in longs} == {1}


@pytest.mark.parametrize(
    ("preset", "values"),
    [
        ("multihop-table6", (5, 2, 5, 4)),
        ("asqa-table6", (2, 4, 5, 2)),
        ("webq-table7", (3, 3, 5, 3)),
        ("asqa-table7", (3, 2, 5, 4)),
    ],
)
def test_the_papers_values_have_names(preset: str, values: tuple[int, ...]) -> None:
    settings = with_values(VTG.settings(), VTG.presets[preset])
    assert (settings.T, settings.M, settings.k, settings.N) == values
