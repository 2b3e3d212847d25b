"""VTG, step by step as Algorithm 1 has it, its ablations, and the papers' values by name."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from asking import Says, ScriptedJudge, ScriptedSkills, labels, of, run, stands_in, tools

from veracite.engine import events as kinds
from veracite.engine.methods.base import StepsEvent
from veracite.engine.methods.vtg import VTG, continued, next_claim_of
from veracite.engine.types import Answer, Label

MILL = "The mill burned down in 1904."
BEES = "Bees live in the mill at Harrow."
ROOF = "Swallows nest under a roof."
OWL = "An owl hunts by night."
QUESTION = "When did the mill burn down?"
LIBRARY = (MILL, BEES, ROOF, OWL)


def written(
    skills: ScriptedSkills,
    folder: Path,
    *,
    texts: Sequence[str] = LIBRARY,
    says: Says = stands_in,
    **settings: Any,
) -> tuple[Answer, list[StepsEvent], ScriptedJudge]:
    with tools(skills, texts, folder, says=says) as (given, judge):
        answer, events = run(VTG.run(QUESTION, given, VTG.settings(**settings)))
    return answer, events, judge


def texts_of(evidence: Sequence[Any]) -> list[str]:
    return [item.passage.text for item in evidence]


def test_sentences_are_written_cited_verified_and_settled_one_by_one(tmp_path: Path) -> None:
    skills = ScriptedSkills({"next_claim": [MILL, BEES, None], "cite": [[0], [1]]})
    answer, events, judge = written(skills, tmp_path)
    held = [MILL, BEES]
    assert [call.skill for call in skills.calls] == [
        "next_claim", "cite", "next_claim", "cite", "next_claim"
    ]  # fmt: skip
    assert [given["passages"] for given in skills.of("next_claim")] == [held] * 3
    assert [given["so_far"] for given in skills.of("next_claim")] == [[], [MILL], [MILL, BEES]]
    assert skills.of("cite")[1] == {"claim": BEES, "passages": held, "most": 3}
    assert judge.judged == [(MILL, [MILL]), (BEES, [BEES])]
    assert answer.text == f"{MILL} {BEES}"
    assert labels(answer) == [Label.SUPPORTED, Label.SUPPORTED]
    assert [v.claim.start for v in answer.verdicts] == [0, len(MILL) + 1]
    assert [event.answer.text for event in of(events, kinds.Settled)] == [MILL, answer.text]
    assert answer.rounds == 1
    assert of(events, kinds.Searched)[0].query == QUESTION


def test_what_memory_supports_is_cited_from_memory(tmp_path: Path) -> None:
    skills = ScriptedSkills({"next_claim": [BEES, None], "cite": [[0]]})
    answer, events, judge = written(skills, tmp_path)
    assert judge.judged[:2] == [(BEES, [MILL]), (BEES, [MILL, BEES])]
    attempts = of(events, kinds.Attempted)
    assert [one.by for one in attempts] == ["citations", "memory"]
    assert [one.verdict.label for one in attempts] == [Label.NOT_FOUND, Label.SUPPORTED]
    (simplified,) = of(events, kinds.Simplified)
    assert texts_of(simplified.kept) == [BEES]
    assert texts_of(simplified.dropped) == [MILL]
    assert [citation.quote for citation in answer.verdicts[0].citations] == [BEES]
    assert len(of(events, kinds.Searched)) == 1


def test_what_memory_does_not_support_is_written_anew_from_new_passages(tmp_path: Path) -> None:
    said, queries = [MILL, CROWS, ROOF, None], [["swallows nest", "owl hunts", "mill"]]
    skills = ScriptedSkills({"next_claim": said, "cite": [[0], [0], [2]], "queries": queries})
    answer, events, judge = written(skills, tmp_path, k=2, M=2, N=1)
    held = {"question": QUESTION, "passages": [MILL, BEES], "so_far": [MILL]}
    assert skills.of("queries") == [{**held, "claim": CROWS, "count": 2}]
    searched = of(events, kinds.Searched)[1:]
    found = [(one.query, one.kind, texts_of(one.evidence)) for one in searched]
    assert found == [("swallows nest", "claim", [ROOF]), ("owl hunts", "claim", [OWL])]
    assert [given["passages"] for given in skills.of("next_claim")][2] == [MILL, BEES, ROOF, OWL]
    assert [given["so_far"] for given in skills.of("next_claim")] == [
        [], [MILL], [MILL], [MILL, ROOF]
    ]  # fmt: skip
    assert (CROWS, [MILL, BEES]) in judge.judged
    assert answer.text == f"{MILL} {ROOF}"
    assert labels(answer) == [Label.SUPPORTED, Label.SUPPORTED]
    assert answer.rounds == 2
    drafted = [(one.text, one.round) for one in of(events, kinds.Drafted)]
    assert drafted == [(MILL, 1), (CROWS, 1), (ROOF, 2)]


def test_what_passed_stays_in_memory_and_short_term_memory_is_replaced(tmp_path: Path) -> None:
    said = ["Crows nest.", ROOF, "Cats hunt.", "Dogs hunt.", OWL, None]
    queries = [["swallows nest"], ["bees live"], ["owl hunts"]]
    cited: list[list[int]] = [[], [1], [], [], []]
    skills = ScriptedSkills({"next_claim": said, "cite": cited, "queries": queries})
    answer, events, _ = written(skills, tmp_path, k=1, N=1, texts=[MILL, "A bee flies.", ROOF, OWL])
    held = [(texts_of(one.long), texts_of(one.short)) for one in of(events, kinds.Remembered)]
    assert held == [
        ([MILL], []), ([MILL], [ROOF]), ([MILL, ROOF], []), ([MILL, ROOF], ["A bee flies."]),
        ([MILL, ROOF], [OWL]), ([MILL, ROOF, OWL], []),
    ]  # fmt: skip
    assert answer.text == f"{ROOF} {OWL}"


CROWS, AGAIN, ASKS = "Crows nest there.", "Crows nest on it.", "But who set the fire?"
NO, YES = Label.NOT_FOUND, Label.SUPPORTED


@pytest.mark.parametrize(
    ("settings", "said", "text", "labelled", "rounds"),
    [
        # What passes in no version is kept unsupported after T regenerations,
        ({"T": 0}, [CROWS, MILL, None], f"{CROWS} {MILL}", [NO, YES], 1),
        ({"T": 1}, [CROWS, AGAIN, MILL, None], f"{AGAIN} {MILL}", [NO, YES], 2),
        ({"T": 0, "most": 1}, [CROWS], CROWS, [NO], 1),
        # or left out, and ends the answer where it comes again.
        ({"T": 1, "drop_unsupported": True}, [CROWS, CROWS, MILL, CROWS], MILL, [YES], 2),
        ({"verifier": False}, [CROWS, MILL, None], f"{CROWS} {MILL}", [NO, YES], 1),
        # What says nothing new ends it, and a question is kept as one.
        ({}, [MILL, MILL], MILL, [YES], 1),
        ({}, [MILL, "the mill burned down"], MILL, [YES], 1),
        ({}, [MILL, "[1]"], MILL, [YES], 1),
        ({}, [ASKS, MILL, None], f"{ASKS} {MILL}", [Label.NOT_CHECKABLE, YES], 1),
    ],
)
def test_what_passes_and_what_does_not_make_the_answer_by_its_settings(
    tmp_path: Path,
    settings: dict[str, Any],
    said: list[str | None],
    text: str,
    labelled: list[Label],
    rounds: int,
) -> None:
    skills = ScriptedSkills({"next_claim": [*said], "cite": [[0]] * 4, "queries": [["bees"]]})
    answer, events, _ = written(skills, tmp_path, **settings)
    assert (answer.text, labels(answer), answer.rounds) == (text, labelled, rounds)
    assert not skills.replies["next_claim"]
    assert " ".join(skills.of("next_claim")[-1]["so_far"]) in (text, "")
    for verdict, label in zip(answer.verdicts, labelled, strict=True):
        relations = {NO: {"nearest"}, YES: {"supports"}, Label.NOT_CHECKABLE: set()}
        assert {citation.relation for citation in verdict.citations} == relations[label]
    assert of(events, kinds.Settled)[-1].answer == answer
    assert len(of(events, kinds.Searched)) == rounds
    if settings.get("verifier") is False:
        assert {one.by for one in of(events, kinds.Attempted)} == {"citations"}


@pytest.mark.parametrize(("most", "cited"), [(1, [MILL]), (2, [MILL, BEES])])
def test_citations_that_cannot_be_are_ignored(tmp_path: Path, most: int, cited: list[str]) -> None:
    skills = ScriptedSkills({"next_claim": [CROWS, None], "cite": [[7, -1, 0, 0, 1]]})
    _, events, _ = written(skills, tmp_path, citations=most, T=0)
    assert [texts_of(one.evidence) for one in of(events, kinds.Attempted)] == [cited, [MILL, BEES]]


def test_without_the_simplifier_needless_citations_stay(tmp_path: Path) -> None:
    skills = ScriptedSkills({"next_claim": [MILL, None], "cite": [[0, 1]]})
    _, events, _ = written(skills, tmp_path, simplifier=False)
    assert not of(events, kinds.Simplified)


def test_without_diverse_queries_the_sentence_is_the_query(tmp_path: Path) -> None:
    skills = ScriptedSkills({"next_claim": [CROWS, None], "cite": [[0]]})
    _, events, _ = written(skills, tmp_path, diverse=False, T=1)
    assert [(one.query, one.round) for one in of(events, kinds.Searched)[1:]] == [(CROWS, 1)]


def test_without_memory_every_sentence_starts_from_the_question(tmp_path: Path) -> None:
    script: dict[str, list[Any]] = {"next_claim": [CROWS, ROOF, None], "cite": [[0], [2]]}
    skills = ScriptedSkills(script | {"queries": [["swallows"]]})
    answer, events, _ = written(skills, tmp_path, memory=False)
    assert answer.text == ROOF
    held = [texts_of(event.long + event.short) for event in of(events, kinds.Remembered)]
    assert held == [[MILL, BEES], [MILL, BEES, ROOF], [MILL, BEES]]
    assert [given["passages"] for given in skills.of("next_claim")] == held


def test_a_claim_is_read_in_the_context_of_the_answer_so_far() -> None:
    before = "Ada Brown was a painter."
    claim = next_claim_of(QUESTION, before, "She moved to Oslo in 1904.")
    assert claim is not None
    assert claim.hypothesis == "Ada Brown moved to Oslo in 1904."
    assert (claim.start, claim.end) == (len(before) + 1, len(before) + 27)


def test_a_sentence_gets_a_full_stop_where_it_has_none() -> None:
    for text, ended in (("It burned", "It burned."), ("It is ` no . ''", "It is ` no . ''")):
        assert continued(text, BEES) == f"{ended} {BEES}"
