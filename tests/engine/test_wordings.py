"""The papers' own wordings, chosen from outside."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import tiny_gguf
from reports import report_of

from veracite.engine.events import Asked
from veracite.engine.methods.catalogue import named
from veracite.engine.paths import Paths
from veracite.engine.settings import AskSettings, CheckSettings
from veracite.engine.workbench import Workbench

QUESTION = "When did the mill burn down?"
METHOD = named("retrieve-read")
SHORT = METHOD.settings(k=1, short=True, retrieval="lexical")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wordings")
    (folder / "documents").mkdir()
    (folder / "documents" / "mill.txt").write_text("The Harrow mill burned down in 1904.")
    return folder


@pytest.fixture(scope="module")
def bench(folder: Path) -> Iterator[Workbench]:
    paths = Paths(folder / "data", folder / "cache", folder / "config.toml")
    model = tiny_gguf.make(folder / "tiny.gguf", context=4096)
    settings = CheckSettings(
        model=str(model), judge="gguf", context=4096, gpu_layers=0, retrieval="lexical", threads=1
    )
    with Workbench(settings, paths) as bench:
        yield bench


@pytest.mark.parametrize(
    ("wording", "used"),
    [
        ("refeed", {"answer_short.refeed", "judge.veracite"}),
        ("ceg", {"answer_short.veracite", "judge.ceg"}),
    ],
)
def test_a_papers_prompts_are_used_where_it_has_them_and_ours_elsewhere(
    bench: Workbench, folder: Path, wording: str, used: set[str]
) -> None:
    against = (folder / "documents",)
    events = list(
        bench.ask(QUESTION, METHOD, SHORT, against=against, written=AskSettings(wording=wording))
    )
    assert {e.prompt.split("/")[0] for e in events if isinstance(e, Asked)} == used
    assert report_of(events).settings["retrieve-read.wording"] == wording
