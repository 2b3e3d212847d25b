"""A check from text to report, with the real library and the bundled models."""

import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest
from mill import DRAFT, FALSE, TRUE, UNFOUNDED, write_documents
from reports import report_of

from veracite.engine.errors import CheckError
from veracite.engine.events import Judged, Retrieved, Warned
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Label, Report, Verdict
from veracite.engine.workbench import Workbench
from veracite.index.progress import Synced


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """One for all, so that the models are opened once; each test has documents of its own."""
    home = tmp_path_factory.mktemp("home")
    paths = Paths(home / "data", home / "cache", home / "config.toml")
    with Workbench(CheckSettings(), paths) as bench:
        yield bench


def labels(report: Report) -> list[Label]:
    return [verdict.label for verdict in report.verdicts]


def test_a_verdict_does_not_depend_on_its_neighbours(paths: Paths, documents: Path) -> None:
    def verdict_in(text: str, cache: str) -> Verdict:
        own = Paths(paths.data, paths.cache / cache, paths.config)
        with Workbench(CheckSettings(), own) as bench:
            report = report_of(list(bench.check(text, against=(documents,))))
        found = next(v for v in report.verdicts if v.claim.text == FALSE)
        return replace(found, claim=replace(found.claim, start=0, end=len(FALSE)))

    alone = verdict_in(FALSE, "one")
    among = verdict_in(f"{UNFOUNDED} {UNFOUNDED} Bees sleep at night.\n\n{FALSE}", "two")
    assert alone == among


def test_a_cache_that_cannot_be_written_costs_no_verdicts(paths: Paths, documents: Path) -> None:
    paths.verdicts.mkdir(parents=True)  # a folder where the file should be
    with Workbench(CheckSettings(), paths) as bench:
        events = list(bench.check(TRUE, against=(documents,)))
    assert any(isinstance(e, Warned) and "not remembered" in e.message for e in events)
    assert labels(report_of(events)) == [Label.SUPPORTED]


@pytest.mark.parametrize("name", ["draft.md", "draft.zip"])
def test_a_text_is_not_checked_against_nothing_but_itself(
    bench: Workbench, tmp_path: Path, name: str
) -> None:
    draft = tmp_path / "draft.md"
    draft.write_text(TRUE)
    if name != draft.name:
        with ZipFile(tmp_path / name, "w") as archive:
            archive.write(draft, draft.name)
        draft = tmp_path / name
    with pytest.raises(CheckError, match="the text itself"):
        list(bench.check(TRUE, path=str(draft), against=(draft,)))


def test_claims_are_looked_at_by_words_while_the_library_is_encoded(
    bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_documents(tmp_path / "documents")
    for number in range(200):
        (folder / f"{number}.txt").write_text(f"House {number} was painted in {1700 + number}.")
    draft = folder / "draft.txt"
    draft.write_text(DRAFT)
    monkeypatch.setattr("veracite.engine.workbench._MANY", 100)
    monkeypatch.setattr("veracite.index.sync.BATCH_CHARACTERS", 0)
    monkeypatch.setattr("veracite.index.sync.ROUND_SECONDS", 600.0)  # however slowly it is read
    events = list(bench.check(DRAFT, path=str(draft), against=(folder,), early=True))
    judged = [event for event in events if isinstance(event, Judged)]
    early = [event for event in judged if event.early]
    assert early
    assert events.index(early[-1]) < next(i for i, e in enumerate(events) if isinstance(e, Synced))
    first = next(event.verdict for event in early if event.index == 0)
    assert first.label is Label.SUPPORTED
    assert all(quote.file.endswith("mill.md") for quote in first.citations)
    assert [event.index for event in judged if not event.early] == [3, 0, 1, 2]
    assert {event.index for event in events if isinstance(event, Retrieved)} == {0, 1, 2}
    late = list(bench.check(DRAFT, path=str(draft), against=(folder,)))
    assert report_of(events) == report_of(late)


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text elsewhere")
def test_a_document_whose_name_is_no_text_is_evidence(bench: Workbench, tmp_path: Path) -> None:
    folder = write_documents(tmp_path / "documents", {os.fsdecode(b"caf\xe9.txt"): TRUE})
    first, again = (list(bench.check(TRUE, against=(folder,))) for _ in range(2))
    assert labels(report_of(first)) == [Label.SUPPORTED]
    assert report_of(again) == report_of(first)
    assert [event.cached for event in again if isinstance(event, Judged)] == [True]
