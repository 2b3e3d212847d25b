"""A sentence is contested by what was found and is not cited, with the real judge."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from asking import ScriptedSkills, run

from veracite.engine.events import Finished, Judged
from veracite.engine.judge.cache import Memory
from veracite.engine.judge.checking import Checking
from veracite.engine.methods.base import StepsEvent, Tools
from veracite.engine.methods.catalogue import named
from veracite.engine.methods.events import Settled
from veracite.engine.methods.running import run as ask
from veracite.engine.models import OpenModels
from veracite.engine.paths import Paths
from veracite.engine.report import html, markdown
from veracite.engine.report import json as as_json
from veracite.engine.retrieve import Search
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Answer, Label, Report
from veracite.engine.workbench import Workbench
from veracite.index.memory import MemoryLibrary, Text

FOUNDED = "Meridian Optics was founded in 1957 in Jena by Karl Brandt."
BOATHOUSE = "The boathouse was built in 1887 by the brothers Tunstall."
READ = named("retrieve-read")


@pytest.fixture(scope="module")
def models() -> Iterator[OpenModels]:
    opened = OpenModels(CheckSettings(threads=1), Paths.resolve())
    yield opened
    opened.close()


def answered(
    said: str, other: str, models: OpenModels, folder: Path
) -> tuple[Answer, list[StepsEvent]]:
    """What becomes of a sentence that the first of two documents says."""
    library = MemoryLibrary([Text("/one.txt", said), Text("/two.txt", other)], None)
    judge = models.judge(library)
    skills = ScriptedSkills({"answer": [f"{said.removesuffix('.')} [1]."]})
    with Memory(folder / "verdicts.sqlite") as memory:
        checking = Checking(Search(library, 6, None, "lexical"), judge, memory)
        settings = replace(READ.settings(), retrieval="lexical")
        return run(ask(READ, said, Tools(skills, library, checking), settings))


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("The Brandt mill employed 40 people.", "The Brandt mill employed 55 people."),
        (
            "The museum at Penmouth is open on Mondays.",
            "The museum at Penmouth is closed on Mondays.",
        ),
    ],
)
def test_what_another_document_contradicts_is_uncertain_and_shows_both(
    said: str, other: str, models: OpenModels, tmp_path: Path
) -> None:
    answer, events = answered(said, other, models, tmp_path)
    (verdict,) = answer.verdicts
    assert verdict.label is Label.UNCERTAIN
    assert verdict.explanation == "One document supports this, another document contradicts it."
    quotes = [(quote.relation, quote.file, quote.quote) for quote in verdict.citations]
    assert quotes == [("supports", "/one.txt", said), ("contradicts", "/two.txt", other)]
    assert verdict.scores is not None
    assert verdict.probability == max(verdict.scores.supported, verdict.scores.contradicted) < 0.65
    assert not answer.nearest  # a document does say so
    assert events[-1] == Settled(answer)
    assert [e.verdict.label for e in events if isinstance(e, Judged)] == [
        Label.SUPPORTED,
        Label.UNCERTAIN,
    ]


@pytest.mark.parametrize(
    ("said", "other"),
    [
        (FOUNDED, FOUNDED.replace("in Jena", "at Jena")),
        (FOUNDED, "Meridian Optics Japan was founded in 1974 in Osaka."),
        (
            "In 2015 the yard at Corran employed 62 people.",
            "In 2019 the yard at Corran employed 40 people.",
        ),
    ],
)
def test_what_is_said_of_something_else_contests_nothing(
    said: str, other: str, models: OpenModels, tmp_path: Path
) -> None:
    answer, events = answered(said, other, models, tmp_path)
    assert [verdict.label for verdict in answer.verdicts] == [Label.SUPPORTED]
    assert sum(isinstance(event, Judged) for event in events) == 1


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """An answer from two real files, without a language model."""
    home = tmp_path_factory.mktemp("contested")
    library = home / "library"
    library.mkdir()
    (library / "one.txt").write_text(f"{BOATHOUSE} Ferries leave from the pier.")
    (library / "two.txt").write_text(f"{BOATHOUSE.replace('1887', '1891')} The roof is new.")
    paths = Paths(home / "data", home / "cache", home / "config.toml")
    with Workbench(CheckSettings(), paths) as bench:
        last = list(bench.ask("When was the boathouse built?", READ, against=(library,)))[-1]
    assert isinstance(last, Finished)
    return last.report


def test_every_report_of_an_answer_shows_the_disagreement(report: Report) -> None:
    assert report.counts[Label.UNCERTAIN] == len(report.verdicts) == 2
    told = json.loads(as_json.render(report))
    assert [one["supported_by"] for one in told["answer"]["sentences"]] == [[1], [2]]
    assert [one["contradicted_by"] for one in told["answer"]["sentences"]] == [[2], [1]]
    for text in (markdown.render(report), html.render(report)):
        assert "The library disagrees with itself on 2 claims." in text
        assert "One document supports this, another document contradicts it." in text
        assert "support no sentence" not in text
