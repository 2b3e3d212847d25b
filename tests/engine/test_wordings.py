"""The papers' own wordings, chosen from outside."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import tiny_gguf

from veracite.engine.events import Asked, Event, Finished
from veracite.engine.methods.catalogue import named
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.workbench import Workbench

MILL = "The Harrow mill burned down in 1904."
QUESTION = "When did the mill burn down?"
METHOD = named("retrieve-read")
SHORT = METHOD.settings(k=1, short=True, retrieval="lexical")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wordings")
    (folder / "documents").mkdir()
    (folder / "documents" / "mill.txt").write_text(MILL)
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


def asked(bench: Workbench, folder: Path, wording: str | None) -> tuple[set[str], list[Event]]:
    """The prompts that were used, without their versions; and all events."""
    against = (folder / "documents",)
    events = list(bench.ask(QUESTION, METHOD, SHORT, against=against, wording=wording))
    prompts = {event.prompt.split("/")[0] for event in events if isinstance(event, Asked)}
    return prompts, events


def test_a_paper_s_prompts_are_used_where_it_has_them_and_ours_elsewhere(
    bench: Workbench, folder: Path
) -> None:
    used, events = asked(bench, folder, "refeed")
    assert "answer_short.refeed" in used
    assert used <= {"answer_short.refeed", "judge.veracite"}
    last = events[-1]
    assert isinstance(last, Finished)
    assert last.report.settings["retrieve-read.wording"] == "refeed"


def test_a_language_model_judges_in_the_wording_too(bench: Workbench, folder: Path) -> None:
    used, _ = asked(bench, folder, "ceg")
    assert used <= {"answer_short.veracite", "judge.ceg"}
    assert "judge.ceg" in used
