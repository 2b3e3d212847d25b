"""A sentence is contested by what was found and is not cited, with the real judge."""

from dataclasses import replace
from pathlib import Path

import pytest
from asking import ScriptedSkills, run

from veracite.engine.events import Judged, Settled
from veracite.engine.judge.cache import Memory
from veracite.engine.judge.checking import Checking
from veracite.engine.methods.base import StepsEvent, Tools
from veracite.engine.methods.catalogue import named
from veracite.engine.methods.running import run as ask
from veracite.engine.models import OpenModels
from veracite.engine.retrieve import Search
from veracite.engine.types import Answer, Label
from veracite.index.memory import MemoryLibrary, Text

FOUNDED = "Meridian Optics was founded in 1957 in Jena by Karl Brandt."
READ = named("retrieve-read")


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
    assert verdict.probability == max(verdict.scores.supported, verdict.scores.contradicted) < 0.7
    assert not answer.nearest  # a document does say so
    assert events[-1] == Settled(answer)
    judged = [event.verdict.label for event in events if isinstance(event, Judged)]
    assert judged == [Label.SUPPORTED, Label.UNCERTAIN]


def test_what_speaks_of_something_else_is_no_contest(models: OpenModels, tmp_path: Path) -> None:
    other = "Meridian Optics Japan was founded in 1974 in Osaka."
    answer, events = answered(FOUNDED, other, models, tmp_path)
    assert [verdict.label for verdict in answer.verdicts] == [Label.SUPPORTED]
    assert sum(isinstance(event, Judged) for event in events) == 1
