"""Fix with the bundled models and a library on disk."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from veracite.engine.events import Event, Finished
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Label, Report
from veracite.engine.workbench import Workbench

DRAFT = """# The mill

The **Harrow mill** burned down in 1911 [1]. It was never rebuilt.

- The Harrow mill burned down in 1904.
- The mayor of Lisbon collects stamps.

| Owner     | Since |
|-----------|-------|
| Anna Berg | 1898  |
"""


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("bench")
    paths = Paths(folder / "data", folder / "cache", folder / "config.toml")
    with Workbench(CheckSettings(threads=1), paths) as opened:
        yield opened


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "mill.md").write_text(
        "# The Harrow mill\n\nThe Harrow mill burned down in 1904. It was never rebuilt.\n\n"
        "## Owners\n\n| Owner | Since |\n|---|---|\n| Anna Berg | 1889 |\n"
    )
    (folder / "bees.txt").write_text("Bees sleep at night. A hive holds up to 60,000 bees.\n")
    return folder


def report_of(events: list[Event]) -> Report:
    last = events[-1]
    assert isinstance(last, Finished)
    return last.report


def test_a_text_is_mended_and_the_report_is_on_the_result(
    bench: Workbench, documents: Path
) -> None:
    report = report_of(list(bench.fix(DRAFT, against=(documents,))))
    fix = report.fix
    assert fix is not None
    assert (report.method, report.complete, fix.source) == ("fix", True, DRAFT)
    assert report.source == fix.text == DRAFT.replace("1911", "1904").replace("1898", "1889")
    labels = {v.claim.statement: v.label for v in report.verdicts}
    assert labels["The Harrow mill burned down in 1904."] is Label.SUPPORTED
    assert labels["The mayor of Lisbon collects stamps."] is Label.NOT_FOUND
    assert sum(change.kept for change in fix.changes) == 2
    assert fix.changes[0].reason == "The documents say “1904”, not “1911”."
    assert report.settings["fix.T"] == 2


def test_what_the_documents_dispute_is_left_to_the_reader(bench: Workbench, tmp_path: Path) -> None:
    folder = tmp_path / "disputed"
    folder.mkdir()
    (folder / "a.txt").write_text("The harbour at Ledmoor cost 42,000 pounds.\n")
    (folder / "b.txt").write_text("The harbour at Ledmoor cost 45,000 pounds.\n")
    text = "The harbour at Ledmoor cost 42,000 pounds.\n"
    report = report_of(list(bench.fix(text, against=(folder,))))
    assert report.fix is not None
    assert report.fix.text == text
    (verdict,) = report.verdicts
    assert verdict.disagreement is not None


def test_a_text_among_the_documents_does_not_mend_itself(bench: Workbench, documents: Path) -> None:
    draft = documents / "draft.md"
    draft.write_text(DRAFT)
    report = report_of(list(bench.fix(DRAFT, path=str(draft), against=(documents,))))
    assert "1904 [1]" in report.source
    assert draft.read_text() == DRAFT
