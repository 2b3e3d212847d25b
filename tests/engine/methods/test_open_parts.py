"""Of several questions in one, those that an answer leaves open are named."""

from pathlib import Path

import pytest
from asking import ScriptedSkills, run
from asking import tools as scripted

from veracite.engine.events import Settled
from veracite.engine.methods.base import Tools
from veracite.engine.methods.catalogue import named
from veracite.engine.methods.running import run as ask
from veracite.engine.skills.base import Draft, Sufficiency
from veracite.engine.types import Answer

MILL = "The mill burned down in 1904."
TWO = "When did the mill burn down and who rebuilt it?"


def asked(tools: Tools, question: str, method: str = "retrieve-read") -> Answer:
    chosen = named(method)
    answer, events = run(ask(chosen, question, tools, chosen.settings()))
    assert events[-1] == Settled(answer)
    return answer


def test_each_part_is_asked_of_the_passages_that_are_quoted(tmp_path: Path) -> None:
    skills = ScriptedSkills({"answer": [f"{MILL[:-1]} [1]."], "sufficient": [True, False]})
    with scripted(skills, [MILL, "Bees live in the mill."], tmp_path) as (given, _):
        answer = asked(given, TWO)
    assert [(call["question"], call["passages"]) for call in skills.of("sufficient")] == [
        ("When did the mill burn down", [MILL]),
        ("who rebuilt it mill burn down", [MILL]),
    ]
    assert answer.unanswered == ("who rebuilt it?",)  # without what was added to search for it


@pytest.mark.parametrize(
    ("question", "said"),
    [("When did the mill burn down?", f"{MILL[:-1]} [1]."), (TWO, "Nobody knows."), (TWO, "")],
)
def test_an_unsupported_answer_has_no_open_parts(question: str, said: str, tmp_path: Path) -> None:
    skills = ScriptedSkills({"answer": [said]})
    with scripted(skills, [MILL], tmp_path) as (given, _):
        assert asked(given, question).unanswered == ()
    assert not skills.of("sufficient")


def test_what_a_passage_says_and_no_quote_speaks_of_is_open(tmp_path: Path) -> None:
    for part, unanswered, probability in (
        ("who painted the roof in 1904?", (), 0.6),
        ("who painted the roof?", ("who painted the roof?",), 0.95),  # of the part that is not
    ):
        said = Draft(f"{MILL[:-1]} [1].", probability=0.6)
        replies = [Sufficiency(True, 0.95), Sufficiency(True, 0.8)]
        skills = ScriptedSkills({"answer": [said], "sufficient": replies})
        with scripted(skills, [MILL], tmp_path) as (given, _):
            answer = asked(given, f"When did the mill burn down and {part}")
        assert (answer.unanswered, answer.probability) == (unanswered, probability)
