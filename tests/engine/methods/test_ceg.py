"""CEG, paragraph by paragraph of the paper's section 3."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from asking import ScriptedSkills, labels, of, run, stands_in, tools

from veracite.engine.errors import SettingsError
from veracite.engine.events import Chosen, Drafted, Retrieved, Segmented, Settled
from veracite.engine.methods.base import StepsEvent
from veracite.engine.methods.ceg import CEG, CegSettings
from veracite.engine.methods.running import run as ask
from veracite.engine.settings import with_values
from veracite.engine.skills.base import Writing
from veracite.engine.types import Answer, Label

ASKED = "When did the mill burn down?"
MILL = "The mill burned down in 1904."
WRONG = "The mill burned down in 1911."
BEES = "Bees live in the mill."
OTHER = "Rain fell on the mill in spring."


def says(statement: str, texts: Sequence[str]) -> Label:
    if statement == WRONG and MILL in texts:
        return Label.CONTRADICTED
    return stands_in(statement, texts)


def played(
    folder: Path,
    replies: dict[str, list[Any]],
    settings: CegSettings,
    texts: Sequence[str] = (MILL, BEES, OTHER),
) -> tuple[Answer, list[StepsEvent], ScriptedSkills]:
    skills = ScriptedSkills(replies)
    with tools(skills, texts, folder, says=says) as (given, _):
        answer, events = run(ask(CEG, ASKED, given, settings))
    return answer, events, skills


LEXICAL = CegSettings(retrieval="lexical")


def test_a_draft_without_documents_is_looked_up_sentence_by_sentence(tmp_path: Path) -> None:
    replies = {"answer": [f"{MILL} {BEES}"]}
    answer, events, skills = played(tmp_path, replies, CegSettings(k=2, retrieval="lexical"))
    (asked,) = skills.of("answer")
    assert (asked["passages"], asked["writing"]) == ([], Writing("plain"))
    assert [claim.text for claim in of(events, Segmented)[0].claims] == [MILL, BEES]
    found = {e.index: [i.passage.text for i in e.evidence] for e in of(events, Retrieved)}
    assert {index: texts[0] for index, texts in found.items()} == {0: MILL, 1: BEES}
    assert all(len(texts) <= 2 for texts in found.values())
    assert labels(answer) == [Label.SUPPORTED, Label.SUPPORTED]
    assert answer.rounds == 1, "nothing is nonfactual, so nothing is written anew"


def test_it_is_regenerated_from_wrong_claims_and_their_passages(tmp_path: Path) -> None:
    replies = {"answer": [f"{WRONG} {BEES}"], "revise": [f"{MILL} {BEES}"]}
    answer, events, skills = played(tmp_path, replies, LEXICAL)
    (given,) = skills.of("revise")
    assert (given["question"], given["text"]) == (ASKED, f"{WRONG} {BEES}")
    assert given["wrong"] == [WRONG]
    assert given["passages"][0] == MILL
    assert len(set(given["passages"])) == len(given["passages"])
    assert (answer.text, answer.rounds) == (f"{MILL} {BEES}", 2)
    assert [e.kind for e in of(events, Drafted)] == ["first", "revised"]
    (chosen,) = of(events, Chosen)
    assert (chosen.text, chosen.rejected) == (f"{MILL} {BEES}", f"{WRONG} {BEES}")
    assert [e.answer.text for e in of(events, Settled)] == [chosen.rejected, chosen.text]


def test_who_only_repeats_the_answer_writes_anew_from_the_passages(tmp_path: Path) -> None:
    replies = {"answer": [WRONG, MILL], "revise": [WRONG]}
    answer, _, skills = played(tmp_path, replies, LEXICAL)
    anew = skills.of("answer")[1]
    assert (anew["passages"][0], anew["writing"]) == (MILL, Writing("plain"))
    assert (answer.text, answer.rounds) == (MILL, 2)


def test_an_answer_that_is_not_better_is_rejected_and_yet_gone_on_from(tmp_path: Path) -> None:
    first = f"{BEES} Hens fly."
    replies = {"answer": [first], "revise": [WRONG, MILL]}
    answer, events, skills = played(tmp_path, replies, CegSettings(T=2, retrieval="lexical"))
    assert [e.text for e in of(events, Chosen)] == [first, MILL]
    assert [call["text"] for call in skills.of("revise")] == [first, WRONG]
    assert answer.text == MILL


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        (f"{MILL} Hens fly.", f"{MILL} {BEES} Hens fly.", 2),  # a larger share is supported
        (f"{BEES} {WRONG}", f"{BEES} Bees fly.", 2),  # as many, and fewer contradicted
        (f"{BEES} Hens fly.", f"{BEES} Hens swim.", 1),  # no better
        (f"{BEES} Hens fly.", WRONG, 1),
    ],
)
def test_better_is_more_supported(tmp_path: Path, first: str, second: str, kept: int) -> None:
    for keep, text in (("best", (first, second)[kept - 1]), ("last", second)):
        settings = with_values(LEXICAL, {"keep": keep})
        answer, _, _ = played(tmp_path, {"answer": [first], "revise": [second]}, settings)
        assert answer.text == text


def test_regeneration_stops_after_t_attempts_and_reports_what_is_left(tmp_path: Path) -> None:
    drafts = ["Hens fly.", "Hens swim.", "Hens sing."]
    replies = {"answer": drafts[:1], "revise": drafts[1:]}
    answer, events, skills = played(tmp_path, replies, CegSettings(T=2, retrieval="lexical"))
    assert len(skills.of("revise")) == 2
    assert (answer.text, labels(answer), answer.rounds) == (drafts[0], [Label.NOT_FOUND], 3)
    assert [e.text for e in of(events, Drafted)] == drafts, "all rounds are in the trace"


def test_what_counts_as_nonfactual_is_a_setting(tmp_path: Path) -> None:
    felm = CegSettings(nonfactual="contradicted", retrieval="lexical")
    _, _, skills = played(tmp_path, {"answer": ["Hens fly."]}, felm)
    assert not skills.of("revise"), "not found is no error there"
    _, _, skills = played(tmp_path, {"answer": [WRONG], "revise": [MILL]}, felm)
    assert skills.of("revise")[0]["wrong"] == [WRONG]
    with pytest.raises(SettingsError, match="need no mending"):
        CegSettings(nonfactual="supported")
