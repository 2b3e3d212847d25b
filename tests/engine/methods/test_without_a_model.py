"""Every method without a language model, with the real judge: quotes, each verified, and an end."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any

import pytest
from asking import run
from marrow import ASTRAY, LIT, TEXTS

from veracite.engine.events import Assessed, Searched, Settled
from veracite.engine.judge.cache import Memory
from veracite.engine.judge.checking import Checking
from veracite.engine.methods.base import Tools
from veracite.engine.methods.catalogue import named
from veracite.engine.methods.running import run as ask
from veracite.engine.models import OpenModels
from veracite.engine.retrieve import Search
from veracite.engine.settings import METHOD_NAMES, with_values
from veracite.engine.skills.extractive import ExtractiveSkills
from veracite.engine.types import Answer, Label
from veracite.index.memory import MemoryLibrary, Vectors

BOTH = f"{LIT[:-1]} and who designed the Fennel Gate?"
Opened = Callable[[float], AbstractContextManager[Tools]]


@pytest.fixture(scope="module")
def opened(models: OpenModels, tmp_path_factory: pytest.TempPathFactory) -> Opened:
    """The bundled models over the texts; whoever judges calls less probable verdicts uncertain."""
    library = MemoryLibrary(TEXTS, Vectors(models.open_encoder().encode))

    @contextmanager
    def tools(uncertain_below: float) -> Iterator[Tools]:
        judge = replace(models.judge(library), uncertain_below=uncertain_below)
        skills = ExtractiveSkills(
            models.open_encoder(),
            judge,
            lambda query: [item.passage for item in library.search_many([query], k=3)[0]],
        )
        with Memory(tmp_path_factory.mktemp("verdicts") / "verdicts.sqlite") as memory:
            checking = Checking(Search(library, 3, None, "hybrid"), judge, memory)
            yield Tools(skills, library, checking)

    return tools


@pytest.fixture
def tools(opened: Opened) -> Iterator[Tools]:
    with opened(0.5) as given:
        yield given


def asked(method: str, question: str, given: Tools, **values: object) -> tuple[Answer, list[Any]]:
    chosen = named(method)
    answer, events = run(ask(chosen, question, given, with_values(chosen.settings(), values)))
    assert events[-1] == Settled(answer)
    return answer, events


@pytest.mark.parametrize("method", METHOD_NAMES)
def test_the_answer_is_quoted_and_supported_by_its_quote(method: str, tools: Tools) -> None:
    answer, _ = asked(method, LIT, tools)
    assert answer.text.count("4 May 1871") == 1
    for verdict in answer.verdicts:
        assert verdict.label is Label.SUPPORTED
        assert verdict.citations[0].quote in "".join(text.text for text in TEXTS)


@pytest.mark.parametrize("method", METHOD_NAMES)
def test_what_the_library_does_not_say_is_not_answered(method: str, tools: Tools) -> None:
    answer, _ = asked(method, ASTRAY, tools)
    assert answer.text == ""
    assert 0 < len({quote.quote for quote in answer.nearest}) == len(answer.nearest) <= 3


@pytest.mark.parametrize("method", ["retrieve-read", "vtg"])
def test_a_part_of_the_question_that_no_quote_answers_is_named(method: str, tools: Tools) -> None:
    answer, _ = asked(method, BOTH, tools)
    assert answer.unanswered == ("who designed the Fennel Gate?",)
    assert "4 May 1871" in answer.text
    alone, _ = asked(method, LIT, tools)
    assert alone.unanswered == ()
    assert 0.5 <= (alone.probability or 0) < 1
    assert answer.probability == pytest.approx(alone.probability, abs=0.1)


@pytest.mark.parametrize("drop", [False, True])
def test_vtg_ends_also_where_no_quote_passes(opened: Opened, drop: bool) -> None:
    with opened(1.0) as given:
        answer, _ = asked("vtg", LIT, given, T=2, k=1, N=2, drop_unsupported=drop)
    assert Label.SUPPORTED not in [verdict.label for verdict in answer.verdicts]
    assert answer.text.count("4 May 1871") == (not drop)
    assert answer.rounds > 1


def test_llatrieval_looks_once_more_for_what_is_not_there(tools: Tools) -> None:
    answer, events = asked("llatrieval", ASTRAY, tools)
    assert [event.sufficient for event in events if isinstance(event, Assessed)] == [False] * 2
    queries = [event.query for event in events if isinstance(event, Searched)]
    assert queries[0] != queries[1]
    assert (answer.rounds, answer.sufficient) == (2, False)
