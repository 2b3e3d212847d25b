"""What the config file says of mending and asking holds in the app too; on the real engine."""

from pathlib import Path

import pytest

from veracite.engine.events import Event, Finished
from veracite.engine.methods.events import Proposed
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.tui.local_engine import LocalEngine

WRONG = "The mill of Harrow burned down in 1907."


@pytest.fixture
def papers(tmp_path: Path) -> tuple[Path, ...]:
    (tmp_path / "mill.md").write_text("The mill of Harrow burned down in 1904, on a Sunday.\n")
    return (tmp_path / "mill.md",)


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(tmp_path / "data", tmp_path / "cache", tmp_path / "config.toml")


def fixed(paths: Paths, papers: tuple[Path, ...]) -> list[Event]:
    engine = LocalEngine(CheckSettings(), paths)
    events = list(engine.fix(WRONG, papers))
    engine.close()
    return events


def test_only_the_labels_of_the_table_fix_are_mended(
    paths: Paths, papers: tuple[Path, ...]
) -> None:
    assert any(isinstance(event, Proposed) for event in fixed(paths, papers))
    paths.config.write_text('[fix]\nmend = "not_found"\n')
    assert not any(isinstance(event, Proposed) for event in fixed(paths, papers))


@pytest.mark.parametrize(
    ("question", "noted"),
    [
        ("When did the mill of Harrow burn down?", False),
        ("Wann ist die Mühle von Harrow eigentlich abgebrannt, und warum?", True),
    ],
)
def test_a_language_that_nobody_reads_is_noted(
    paths: Paths, papers: tuple[Path, ...], question: str, noted: bool
) -> None:
    engine = LocalEngine(CheckSettings(), paths)
    *_, last = engine.ask(question, papers, "retrieve-read")
    engine.close()
    assert isinstance(last, Finished)
    assert any("The question is in German" in note for note in last.report.notes) is noted
