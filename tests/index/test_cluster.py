"""A library on shared storage finds, quotes and says what one on a disk does.

Without the extra ``cluster`` there is none, and these tests are skipped.
"""

import os
import shutil
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from indexing import (
    DIMENSION,
    ENCODER,
    DirectReader,
    OpenLibrary,
    hashed,
    queries,
    synced,
    texts,
    write_corpus,
)

from veracite.index.documents import Evidence
from veracite.index.errors import ReadError, StorageError
from veracite.index.progress import FileRead, FileRemoved, Scanned, SyncEvent
from veracite.index.retrieval import Mode
from veracite.index.sources import Holder

pytest.importorskip("lance", reason="the extra `cluster` is not installed")

from veracite.index import building
from veracite.index.building import Writer, Written, build
from veracite.index.cluster import ClusterLibrary
from veracite.index.dataset import PASSAGE, Dataset, Head, lance_errors, require_address


class Lost(Exception):
    """The machine that builds is gone."""


class Shared:
    """A dataset that is built here, where others would read and encode on several machines."""

    def __init__(self, folder: Path, source: Path) -> None:
        self.address = str(folder)
        Dataset.create(self.address, Head(ENCODER, DIMENSION, 2**30, sources=[str(source)]))

    def build(self, *, from_version: int | None = None, lost_after: int = 1000) -> list[SyncEvent]:
        dataset = Dataset(self.address, from_version)

        def spread(
            batches: Sequence[Sequence[str]], holders: Mapping[str, Holder]
        ) -> Iterator[Written]:
            writer = Writer(dataset, hashed)
            writer._reader = DirectReader()
            for number, batch in enumerate(batches):
                if number == lost_after:
                    raise Lost
                yield writer.write(batch, holders)

        return list(build(dataset, Path(self.address), dataset.head, spread))

    def opened(
        self, version: int | None = None, *, exact: bool = False, encoder_id: str = ENCODER
    ) -> ClusterLibrary:
        library = ClusterLibrary(self.address, version, encode=hashed, encoder_id=encoder_id)
        library._is_exact |= exact
        return library


@pytest.fixture
def shared(tmp_path: Path, source: Path) -> Shared:
    """A dataset of ``source``, built."""
    made = Shared(tmp_path / "shared", source)
    made.build()
    return made


def kinds(events: Sequence[SyncEvent]) -> list[tuple[type, str]]:
    return [(type(e), Path(e.path).name) for e in events if isinstance(e, FileRead | FileRemoved)]


def held(library: ClusterLibrary) -> dict[str, list[str]]:
    """The passages of each file by its name, every copy."""
    rows = library.dataset.rows(PASSAGE, ["path", "text"])
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(Path(row["path"]).name, []).append(row["text"])
    return found


@pytest.mark.parametrize("mode", ["dense", "lexical", "hybrid", "pooled"])
def test_what_is_found_and_quoted_is_what_a_library_on_a_disk_finds(
    tmp_path: Path, opened: OpenLibrary, mode: Mode
) -> None:
    source = tmp_path / "many"
    paths = write_corpus(source)
    shutil.copy(paths[3], source / "a copy.txt")
    (source / "half.txt").write_text(paths[5].read_text()[:9000])
    (source / "broken.pdf").write_bytes(b"%PDF-1.4 no more")
    made = Shared(tmp_path / "shared", source)
    made.build()
    library, other = made.opened(), opened(source)
    synced(other)
    asked = [*queries(paths), "nothing of the kind", " "]

    def ids(found: Sequence[Evidence]) -> set[str]:
        return {item.passage.id for item in found}

    for mine, theirs in zip(
        library.search_many(asked, k=10, mode=mode, names=True),
        other.search_many(asked, k=10, mode=mode, names=True),
        strict=True,
    ):
        if mode == "dense":
            assert mine == theirs
        else:  # another BM25: the scores differ a little, and with them who is last
            assert len(ids(mine) & ids(theirs)) >= 0.8 * len(theirs)
            assert [item.passage for item in mine[:1]] == [item.passage for item in theirs[:1]]
        for item in mine[:2]:
            assert library.copies(item.passage) == other.copies(item.passage)
            assert library.sentences(item.passage) == other.sentences(item.passage)
    assert library.documents() == other.documents()
    assert library.passages() == other.passages()
    assert library.extractors() == other.extractors()
    assert library.status().failed == other.status().failed != ()


def test_only_what_changed_is_read_again(shared: Shared, source: Path) -> None:
    before = held(shared.opened())
    assert kinds(shared.build()) == []
    (source / "tower.txt").write_text("The tower stands in Lyon. It was finished in 1889.")
    (source / "dogs.txt").unlink()
    os.utime(source / "paint.txt", (1, 1))
    assert kinds(shared.build()) == [(FileRemoved, "dogs.txt"), (FileRead, "tower.txt")]
    after = held(shared.opened())
    assert after.pop("tower.txt") == ["The tower stands in Lyon. It was finished in 1889."]
    assert after == {"paint.txt": before["paint.txt"]}
    assert kinds(shared.build()) == []


def test_what_an_archive_holds_comes_and_goes_with_it(shared: Shared, source: Path) -> None:
    with tarfile.open(source / "all.tar", "w") as archive:
        archive.add(source / "dogs.txt", "inner/dogs.txt")
        archive.add(source / "dogs.txt", "inner/strange.bin")
    shared.build()
    library = shared.opened()
    assert str(source / "all.tar/inner/dogs.txt") in [one.path for one in library.documents()]
    assert library.status().others == (str(source / "all.tar/inner/strange.bin"),)
    assert len(library.copies(library.search("dogs bark", k=1)[0].passage)) == 2
    (source / "all.tar").unlink()
    shared.build()
    assert set(held(shared.opened())) == {"tower.txt", "paint.txt", "dogs.txt"}


def test_a_build_that_was_killed_goes_on_and_has_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "_FILES", 2)
    monkeypatch.setattr(building, "_COMMIT_SECONDS", 0.0)
    paths = write_corpus(tmp_path / "many")
    made = Shared(tmp_path / "shared", tmp_path / "many")
    with pytest.raises(Lost):
        made.build(lost_after=4)
    assert len(held(made.opened())) == 8
    assert Scanned(12, 4) in made.build()
    assert {name: len(cut) for name, cut in held(made.opened()).items()} == {
        path.name: 12 for path in paths
    }


def test_of_two_builds_at_once_the_second_is_refused(shared: Shared, source: Path) -> None:
    version = Dataset(shared.address).version
    (source / "new.txt").write_text("Cats sleep by night and by day.")
    shared.build()
    with pytest.raises(StorageError, match="Another build") as refused:
        shared.build(from_version=version)
    assert "again" in refused.value.advice
    assert [len(cut) for cut in held(shared.opened()).values()] == [1, 1, 1, 1]


def test_a_reader_stays_with_its_version(shared: Shared, source: Path) -> None:
    library = shared.opened()
    (before,) = library.search("dogs bark at night", k=1)
    (source / "dogs.txt").write_text("Dogs bark at noon.")
    shared.build()
    assert library.search("dogs bark at night", k=1) == (before,)
    assert library.raw_text(before.passage.document).startswith("Dogs bark at night")
    newer = shared.opened()
    assert newer.status().shared["dataset"] > library.status().shared["dataset"]
    with pytest.raises(ReadError, match="has changed"):
        newer.raw_text(before.passage.document)


def test_another_encoder_is_told_and_words_are_still_found(shared: Shared) -> None:
    library = shared.opened(encoder_id="another/1")
    assert library.status().search == "bm25 only"
    with pytest.raises(StorageError, match=ENCODER):
        library.search("dogs", k=1)
    found = library.search("barking dogs", k=1, mode="lexical")
    assert texts(found) == ["Dogs bark at night and sleep by day."]


def test_it_is_not_changed_but_by_a_build(shared: Shared, source: Path) -> None:
    library = shared.opened()
    for change in (lambda: library.add([source]), library.verify, lambda: list(library.watch())):
        with pytest.raises(StorageError, match="several machines"):
            change()


@pytest.mark.long
def test_an_approximate_index_is_used_when_it_was_asked_for(tmp_path: Path) -> None:
    paths = write_corpus(tmp_path / "many", documents=100)
    made = Shared(tmp_path / "shared", tmp_path / "many")
    made.build()
    wanted = [texts(found) for found in made.opened().search_many(queries(paths), k=1)]
    dataset = Dataset(made.address)
    dataset.index()
    dataset.compact()
    near, exact = made.opened(), made.opened(exact=True)
    assert (near.status().search, exact.status().search) == ("approximate", "exact")
    assert [texts(found) for found in exact.search_many(queries(paths), k=1)] == wanted
    found = [texts(found) for found in near.search_many(queries(paths), k=1)]
    assert sum(map(list.__eq__, found, wanted)) >= 0.9 * len(wanted)


def test_keys_are_never_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI")
    monkeypatch.setenv("SOME_TOKEN_SWITCH", "4")
    with pytest.raises(StorageError) as told, lance_errors("s3://bucket/news"):
        raise OSError("403 Forbidden for wJalrXUtnFEMI at s3://bucket")
    assert "403 Forbidden" in str(told.value)
    assert "wJalrXUtnFEMI" not in str(told.value)
    assert told.value.__suppress_context__
    with pytest.raises(StorageError, match="holds keys"):
        require_address("s3://name:password@bucket/news")


def test_a_store_is_readable_by_its_owner_only(shared: Shared) -> None:
    assert Path(shared.address).stat().st_mode & 0o777 == 0o700
