"""Two real encoders, one after the other: what a check goes by before, meanwhile and after."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import checkpoints
import pytest
from indexing import write_corpus
from mill import TRUE, write_documents

from veracite.engine.events import Event, Finished, Warned
from veracite.engine.libraries import Against, Libraries
from veracite.engine.models import Reencoding
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Report
from veracite.engine.workbench import Workbench
from veracite.index import embeddings
from veracite.index.catalog import Catalog
from veracite.index.progress import Encoded
from veracite.models.bundled import encoder_id
from veracite.models.store import Choices, Store
from veracite.models.store.bringing import bring

CORPUS = 144
"""Passages; with the mill's documents, three batches."""


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two encoders that pool in different ways."""
    folder = tmp_path_factory.mktemp("encoders")
    for name, family, pooling in (
        ("old", "bert", "mean_tokens"),
        ("new", "mpnet", "cls_token"),
    ):
        checkpoints.write_folder(folder / name, family)
        checkpoints.write_modules(folder / name, pooling)
        list(bring(Store(folder / "store"), folder / name))
    return folder / "store"


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory, models: Path) -> tuple[Path, Against]:
    """A home whose documents are encoded with the old encoder, the new one chosen; and these."""
    home = tmp_path_factory.mktemp("home")
    documents = (write_documents(tmp_path_factory.mktemp("corpus") / "documents"),)
    write_corpus(documents[0])
    paths = paths_in(home)
    shutil.copytree(models, paths.models)
    choose(paths, "old")
    with Workbench(CheckSettings(), paths) as bench:
        assert report_of(bench.check(TRUE, against=documents)).notes == ()
    choose(paths, "new")
    return home, documents


@pytest.fixture
def paths(tmp_path: Path, prepared: tuple[Path, Against]) -> Paths:
    shutil.copytree(prepared[0], tmp_path / "home")
    return paths_in(tmp_path / "home")


@pytest.fixture
def against(prepared: tuple[Path, Against]) -> Against:
    return prepared[1]


def paths_in(home: Path) -> Paths:
    return Paths(home / "data", home / "cache", home / "config.toml")


def choose(paths: Paths, name: str) -> None:
    Choices(Store(paths.models)).choose("encoder", name)


def identity(paths: Paths, name: str) -> str:
    return encoder_id(Store(paths.models).path(name))


def report_of(events: Iterator[Event]) -> Report:
    *_, last = events
    assert isinstance(last, Finished)
    return last.report


def test_the_old_encoder_stands_in_and_the_new_one_takes_over(
    paths: Paths, against: Against
) -> None:
    old, new = identity(paths, "old"), identity(paths, "new")
    begun: list[Against] = []
    with Workbench(CheckSettings(), paths, encode_beside=begun.append) as bench:
        events = list(bench.check(TRUE, against=against))
        meanwhile = report_of(iter(events))
        assert begun == [against]
        assert not any(isinstance(event, Encoded) for event in events)
        (note,) = meanwhile.notes
        assert note == (
            f"The library is not completely encoded with {new} yet; until it is, search goes by "
            f"the encoder before, {old}."
        )
        assert Warned(note) in events
        assert (old in meanwhile.models, new in meanwhile.models) == (True, False)
        assert meanwhile.settings["search"] == "exact"

        assert [event.total for event in Reencoding(CheckSettings(), paths).run(against)]
        after = report_of(bench.check(TRUE, against=against))
        assert begun == [against]
        assert after.notes == ()
        assert (old in after.models, new in after.models) == (False, True)
        assert after.settings["threshold"] != meanwhile.settings["threshold"]


def test_without_the_old_encoder_words_alone_stand_in(paths: Paths, against: Against) -> None:
    Store(paths.models).remove("old")
    with Workbench(CheckSettings(), paths, encode_beside=lambda _: None) as bench:
        report = report_of(bench.check(TRUE, against=against))
    (note,) = report.notes
    assert note.endswith("until it is, search goes by words alone.")
    assert (report.settings["search"], report.settings["threshold"]) == ("bm25 only", None)
    assert not any("new" in model for model in report.models)


def test_the_command_line_encodes_everything_before_it_checks(
    paths: Paths, against: Against
) -> None:
    under_way = Reencoding(CheckSettings(), paths).run(against)
    first = next(under_way)
    under_way.close()
    with Workbench(CheckSettings(), paths) as bench:
        events = list(bench.check(TRUE, against=against))
        again = list(bench.check(TRUE, against=against))
    encoded = [event for event in events if isinstance(event, Encoded)]
    assert encoded[-1] == Encoded(first.total - first.done, first.total - first.done)
    assert report_of(iter(events)).settings["search"] == "exact"
    assert not any(isinstance(event, Encoded) for event in again)


def test_encoding_stops_and_goes_on(paths: Paths, against: Against) -> None:
    work = Reencoding(CheckSettings(), paths)
    under_way = work.run(against)
    (first,) = islice(under_way, 1)
    work.stop()
    assert list(under_way) == []
    work.close()
    left = list(Reencoding(CheckSettings(), paths).run(against))
    assert first.total > CORPUS
    assert left[-1] == Encoded(first.total - 64, first.total - 64)
    assert list(Reencoding(CheckSettings(), paths).run(against)) == []


def test_another_choice_meanwhile_ends_it(paths: Paths, against: Against) -> None:
    new = identity(paths, "new")
    under_way = Reencoding(CheckSettings(), paths).run(against)
    next(under_way)
    choose(paths, "old")
    assert list(under_way) == []
    with closing(Catalog(Libraries(paths).folder(against) / "catalog.db")) as catalog:
        assert embeddings.count_embedded(catalog, new) == 64


def test_where_nothing_is_to_be_done_nothing_is_made(paths: Paths, tmp_path: Path) -> None:
    work = Reencoding(CheckSettings(), paths)
    assert list(work.run("law")) == []
    assert list(work.run((tmp_path,))) == []
    assert Libraries(paths).names() == ()
    assert list(Reencoding(CheckSettings(retrieval="lexical"), paths).run(None)) == []
