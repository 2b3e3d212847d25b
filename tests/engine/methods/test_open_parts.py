"""Of several questions in one, those that an answer leaves open are named."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from asking import ScriptedSkills, run
from asking import tools as scripted

from veracite.engine.evaluation.models import Models
from veracite.engine.judge.cache import Memory
from veracite.engine.judge.checking import Checking
from veracite.engine.methods.base import Tools
from veracite.engine.methods.catalogue import named
from veracite.engine.methods.events import Settled
from veracite.engine.methods.running import nearest
from veracite.engine.methods.running import run as ask
from veracite.engine.retrieve import Search
from veracite.engine.skills.base import Draft, Sufficiency
from veracite.engine.skills.extractive import ExtractiveSkills
from veracite.engine.types import Answer
from veracite.index.documents import Passage
from veracite.index.memory import MemoryLibrary, Text, Vectors

TEXTS = (
    Text(
        "tower",
        "Marrow Tower is a lighthouse on the island of Brae. It was designed by Ada Lindqvist. "
        "The lighthouse was lit for the first time on 4 May 1871. It is 38 metres tall.",
        "Marrow Tower",
    ),
    Text(
        "bridge",
        "Osk Bridge crosses the river Tarn. Construction of the bridge began in 1902 and cost "
        "90,000 crowns.",
        "Osk Bridge",
    ),
)
LIT = "When was Marrow Tower lit for the first time?"
BOTH = "When was Marrow Tower lit for the first time and who designed the Fennel Gate?"
MILL = "The mill burned down in 1904."
TWO = "When did the mill burn down and who rebuilt it?"


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tools]:
    models = Models(threads=1)
    library = MemoryLibrary(TEXTS, Vectors(models.encoder.encode))
    judge = replace(models.judge(0.6), sentences=library.sentences, raw_text=library.raw_text)

    def search(query: str) -> list[Passage]:
        (found,) = library.search_many([query], k=6)
        return [item.passage for item in found]

    with Memory(tmp_path_factory.mktemp("verdicts") / "verdicts.sqlite") as memory:
        checking = Checking(Search(library, 6, None, "hybrid"), judge, memory)
        yield Tools(ExtractiveSkills(models.encoder, judge, search), library, checking)
    models.close()


def asked(tools: Tools, question: str, method: str = "retrieve-read") -> Answer:
    chosen = named(method)
    answer, events = run(ask(chosen, question, tools, chosen.settings()))
    assert events[-1] == Settled(answer)
    return answer


@pytest.mark.parametrize("method", ["retrieve-read", "vtg", "ceg", "llatrieval", "refeed"])
def test_what_no_quote_answers_is_named(tools: Tools, method: str) -> None:
    answer = asked(tools, BOTH, method)
    assert answer.unanswered == ("who designed the Fennel Gate?",)
    assert "4 May 1871" in answer.text


def test_the_probability_is_of_the_parts_that_are_answered(tools: Tools) -> None:
    alone, both = asked(tools, LIT), asked(tools, BOTH)
    assert alone.unanswered == ()
    assert alone.probability == pytest.approx(both.probability, abs=0.05)


def test_where_every_part_is_answered_none_is_named(tools: Tools) -> None:
    answer = asked(tools, "When was Marrow Tower lit and who designed Marrow Tower?")
    assert "4 May 1871" in answer.text
    assert "Ada Lindqvist" in answer.text
    assert answer.unanswered == ()


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
def test_one_question_and_an_answer_that_nothing_supports_are_left_alone(
    question: str, said: str, tmp_path: Path
) -> None:
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


def test_where_nothing_answers_the_nearest_sentences_are_shown_none_twice(tools: Tools) -> None:
    answer, _ = run(nearest(Answer("Who paid for the lighthouse?", "", ()), tools))
    assert {quote.file for quote in answer.nearest} == {"bridge", "tower"}
    assert len({quote.quote for quote in answer.nearest}) == len(answer.nearest) <= 3
