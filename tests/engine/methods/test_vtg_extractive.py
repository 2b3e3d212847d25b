"""VTG and the baselines without a language model: quotes, each verified, none twice, and an end."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any

import pytest
from asking import run

from veracite.engine.evaluation.models import Models
from veracite.engine.judge.cache import Memory
from veracite.engine.judge.checking import Checking
from veracite.engine.methods.base import Tools
from veracite.engine.methods.baselines import BASELINES
from veracite.engine.methods.catalogue import METHODS
from veracite.engine.methods.running import run as ask
from veracite.engine.methods.vtg import VTG
from veracite.engine.retrieve import Search
from veracite.engine.settings import with_values
from veracite.engine.skills.extractive import ExtractiveSkills
from veracite.engine.types import Answer, Label
from veracite.index.memory import MemoryLibrary, Text, Vectors

TEXTS = (
    Text(
        "tower",
        "Marrow Tower is a lighthouse on the island of Brae. It was designed by Ada Lindqvist. "
        "The lighthouse was lit for the first time on 4 May 1871. It is 38 metres tall. "
        "Two keepers lived there until 1983.",
        "Marrow Tower",
    ),
    Text(
        "bridge",
        "Osk Bridge crosses the river Tarn. Construction of the bridge began in 1902. "
        "Marrow Tower was lit for the first time on 4 May 1871.",
        "Osk Bridge",
    ),
    Text("cheese", "Fennel cheese ripens for six weeks in a cool cellar.", "Fennel cheese"),
)
LIT = "When was Marrow Tower lit for the first time?"
ASTRAY = "What is the boiling point of mercury?"
Opened = Callable[[float], AbstractContextManager[Tools]]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """The bundled models over the texts; whoever judges calls less probable verdicts uncertain."""
    models = Models(threads=1)
    library = MemoryLibrary(TEXTS, Vectors(models.encoder.encode))

    @contextmanager
    def tools(uncertain_below: float) -> Iterator[Tools]:
        judge = replace(
            models.judge(uncertain_below), sentences=library.sentences, raw_text=library.raw_text
        )
        skills = ExtractiveSkills(
            models.encoder,
            judge,
            lambda query: [item.passage for item in library.search_many([query], k=3)[0]],
        )
        with Memory(tmp_path_factory.mktemp("verdicts") / "verdicts.sqlite") as memory:
            checking = Checking(Search(library, 3, None, "hybrid"), judge, memory)
            yield Tools(skills, library, checking)

    yield tools
    models.close()


def answered(given: Tools, question: str, **settings: Any) -> Answer:
    return run(ask(VTG, question, given, VTG.settings(**settings)))[0]


def test_quotes_answer_with_what_supports_them_and_none_comes_twice(opened: Opened) -> None:
    with opened(0.6) as given:
        answer = answered(given, LIT)
    assert "4 May 1871" in answer.text
    assert answer.text.count("4 May 1871") == 1
    assert 0 < len(answer.verdicts) <= 3
    for verdict in answer.verdicts:
        assert verdict.label is Label.SUPPORTED
        assert verdict.citations[0].quote in "".join(text.text for text in TEXTS)


def test_where_nothing_answers_nothing_is_written_and_the_nearest_is_shown(
    opened: Opened,
) -> None:
    with opened(0.6) as given:
        answer = answered(given, ASTRAY)
    assert answer.text == ""
    assert answer.nearest


@pytest.mark.parametrize("drop", [False, True])
def test_it_ends_also_where_no_quote_passes(opened: Opened, drop: bool) -> None:
    with opened(1.0) as given:
        answer = answered(given, LIT, T=2, k=1, N=2, drop_unsupported=drop)
    assert Label.SUPPORTED not in [verdict.label for verdict in answer.verdicts]
    assert bool(answer.text) is not drop
    assert answer.text.count("4 May 1871") == (not drop)
    assert answer.rounds > 1


@pytest.mark.parametrize("name", [method.name for method in BASELINES])
def test_the_baselines_answer_too_and_say_nothing_where_nothing_answers(
    opened: Opened, name: str
) -> None:
    (method,) = [one for one in BASELINES if one.name == name]
    with opened(0.6) as given:
        answer, _ = run(ask(method, LIT, given, method.settings()))
        nothing, _ = run(ask(method, ASTRAY, given, method.settings()))
    assert "4 May 1871" in answer.text
    assert {verdict.label for verdict in answer.verdicts} == {Label.SUPPORTED}
    assert nothing.text == ""


def test_how_likely_it_answers_is_told_as_of_an_answer_that_is_read(opened: Opened) -> None:
    (other,) = [one for one in BASELINES if one.name == "retrieve-read"]
    with opened(0.6) as given:
        answer = answered(given, LIT, k=3, retrieval="hybrid")
        read, _ = run(ask(other, LIT, given, other.settings(k=3)))
    assert answer.probability == read.probability
    assert 0.5 <= (answer.probability or 0) < 1


@pytest.mark.parametrize("name", [method.name for method in METHODS])
def test_every_method_keeps_to_what_is_set_for_quotes(opened: Opened, name: str) -> None:
    (method,) = [one for one in METHODS if one.name == name]
    asked = "What is known of Marrow Tower?"
    with opened(0.6) as given:
        low = with_values(method.settings(), {"bar": 0.01, "enough": 1.0})
        some, _ = run(ask(method, asked, given, low))
        one, _ = run(ask(method, asked, given, with_values(low, {"sentences": 1})))
        soon, _ = run(ask(method, asked, given, with_values(low, {"enough": 0.0})))
        none, _ = run(ask(method, LIT, given, with_values(low, {"bar": 1.0})))
    if name != "refeed":  # which answers in a few words
        assert len(some.verdicts) > 1
        assert len(one.verdicts) == 1
        assert len(soon.verdicts) <= 1
    assert some.verdicts
    assert not none.verdicts
