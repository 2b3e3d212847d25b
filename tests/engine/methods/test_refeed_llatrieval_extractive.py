"""REFEED and LLatrieval without a language model, with the real judge."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from asking import run

from veracite.engine.evaluation.models import Models
from veracite.engine.judge.cache import Memory
from veracite.engine.judge.checking import Checking
from veracite.engine.methods.base import Method, Tools
from veracite.engine.methods.events import Assessed, Chosen, Drafted, Searched, Selected
from veracite.engine.methods.llatrieval import LLATRIEVAL
from veracite.engine.methods.refeed import REFEED
from veracite.engine.methods.running import run as ask
from veracite.engine.retrieve import Search
from veracite.engine.settings import with_values
from veracite.engine.skills.extractive import ExtractiveSkills
from veracite.engine.types import Answer, Label
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
    Text("cheese", "Fennel cheese ripens for six weeks in a cool cellar.", "Fennel cheese"),
)
LIT = "When was Marrow Tower lit for the first time?"
ASTRAY = "What is the boiling point of mercury?"


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tools]:
    models = Models(threads=1)
    library = MemoryLibrary(TEXTS, Vectors(models.encoder.encode))
    judge = replace(models.judge(0.6), sentences=library.sentences, raw_text=library.raw_text)

    def search(query: str) -> list[Passage]:
        (found,) = library.search_many([query], k=6)
        return [item.passage for item in found]

    folder: Path = tmp_path_factory.mktemp("verdicts")
    with Memory(folder / "verdicts.sqlite") as memory:
        checking = Checking(Search(library, 6, None, "hybrid"), judge, memory)
        yield Tools(ExtractiveSkills(models.encoder, judge, search), library, checking)
    models.close()


def asked(
    method: Method, question: str, tools: Tools, **values: object
) -> tuple[Answer, list[Any]]:
    return run(ask(method, question, tools, with_values(method.settings(), values)))


@pytest.mark.parametrize("method", [REFEED, LLATRIEVAL])
def test_the_answer_is_quoted_and_supported_by_its_quote(method: Method, tools: Tools) -> None:
    answer, _ = asked(method, LIT, tools)
    assert "4 May 1871" in answer.text
    assert {verdict.label for verdict in answer.verdicts} == {Label.SUPPORTED}
    assert "4 May 1871" in answer.verdicts[0].citations[0].quote


@pytest.mark.parametrize("method", [REFEED, LLATRIEVAL])
def test_what_the_library_does_not_say_is_not_answered(method: Method, tools: Tools) -> None:
    answer, _ = asked(method, ASTRAY, tools)
    assert answer.text == ""
    assert answer.nearest, "something is always near"


def test_refeed_searches_with_different_first_answers(tools: Tools) -> None:
    _, events = asked(REFEED, "What is known of Marrow Tower?", tools)
    queries = [event.query for event in events if isinstance(event, Searched)]
    assert len(set(queries)) == len(queries) == 3
    assert [e.kind for e in events if isinstance(e, Drafted)] == ["sample"] * 3 + ["refined"]
    assert sum(isinstance(event, Selected) for event in events) == 1


def test_refeed_answers_in_a_few_words_where_asked_to(tools: Tools) -> None:
    answer, events = asked(REFEED, LIT, tools, style="short", samples=1)
    assert answer.text == "4 May 1871"
    assert not [event for event in events if isinstance(event, Chosen)]


def test_llatrieval_looks_once_more_for_what_is_not_there(tools: Tools) -> None:
    answer, events = asked(LLATRIEVAL, ASTRAY, tools)
    assert [event.sufficient for event in events if isinstance(event, Assessed)] == [False] * 2
    queries = [event.query for event in events if isinstance(event, Searched)]
    assert queries[0] != queries[1]
    assert (answer.rounds, answer.sufficient) == (2, False)
    assert asked(LLATRIEVAL, LIT, tools)[0].sufficient is True
