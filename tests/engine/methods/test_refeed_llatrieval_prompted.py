"""REFEED and LLatrieval on a real runtime: a tiny model of random weights, which writes noise."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import tiny_gguf
from asking import ScriptedSkills, run, tools

from veracite.engine.events import Asked
from veracite.engine.methods.base import Method, Tools
from veracite.engine.methods.events import Assessed, Searched, Selected, Settled
from veracite.engine.methods.llatrieval import LLATRIEVAL
from veracite.engine.methods.refeed import REFEED
from veracite.engine.settings import with_values
from veracite.engine.skills.prompted import PromptedSkills
from veracite.engine.skills.prompts import Prompts
from veracite.models.generator import Generator

ASKED = "When did the mill burn down?"
TEXTS = [f"The mill at Harrow burned down in {year}." for year in range(1900, 1908)]


@pytest.fixture(scope="module")
def prompted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tools]:
    folder = tmp_path_factory.mktemp("model")
    path = tiny_gguf.make(folder / "tiny.gguf", context=4096)
    with (
        Generator.open(path, context=4096, gpu_layers=0, threads=1, verified=folder) as generator,
        tools(ScriptedSkills(), TEXTS, folder) as (given, _),
    ):
        papers = PromptedSkills(generator, Prompts.load(), wordings=("refeed", "llatrieval"))
        yield replace(given, skills=papers)


@pytest.mark.parametrize(
    ("method", "values"),
    [
        (REFEED, {"samples": 2, "style": "short"}),
        (
            LLATRIEVAL,
            {
                "retrieval": "lexical",
                "k": 2,
                "window": 5,
                "verify": "score",
                "tau": 10,
                "rounds": 2,
            },
        ),
    ],
)
def test_noise_is_answered_or_not_but_never_fails(
    method: Method, values: dict[str, Any], prompted: Tools
) -> None:
    settings = with_values(method.settings(), values)
    answer, events = run(method.run(ASKED, prompted, settings))
    assert events[-1] == Settled(answer)
    assert any(isinstance(event, Asked) for event in events)
    found = {i.passage.id for e in events if isinstance(e, Searched) for i in e.evidence}
    assert found
    if method is LLATRIEVAL:
        assert all(1 <= len(e.kept) <= settings.k for e in events if isinstance(e, Selected))
        assert sum(isinstance(event, Assessed) for event in events) == answer.rounds
