"""The papers' own wordings, chosen from outside."""

from pathlib import Path

import pytest
from reports import report_of

from veracite.engine.events import Asked
from veracite.engine.methods.catalogue import named
from veracite.engine.paths import Paths
from veracite.engine.settings import AskSettings, CheckSettings
from veracite.engine.workbench import Workbench

QUESTION = "When did the mill burn down?"
METHOD = named("retrieve-read")
SHORT = METHOD.settings(k=1, short=True, retrieval="lexical")


@pytest.mark.parametrize(
    ("wording", "used"),
    [
        ("refeed", {"answer_short.refeed", "judge.veracite"}),
        ("ceg", {"answer_short.veracite", "judge.ceg"}),
    ],
)
def test_a_papers_prompts_are_used_where_it_has_them_and_ours_elsewhere(
    paths: Paths, model: Path, documents: Path, wording: str, used: set[str]
) -> None:
    settings = CheckSettings(model=str(model), judge="gguf", retrieval="lexical", threads=1)
    written = AskSettings(wording=wording)
    with Workbench(settings, paths) as bench:
        events = list(bench.ask(QUESTION, METHOD, SHORT, against=(documents,), written=written))
    assert {e.prompt.split("/")[0] for e in events if isinstance(e, Asked)} == used
    assert report_of(events).settings["retrieve-read.wording"] == wording
