"""A sync touches what changed, appeared or vanished, and nothing else."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from indexing import (
    Counting,
    DirectReader,
    OpenLibrary,
    events,
    failures,
    hashed,
    mounted,
    require_as_new,
    synced,
    write_corpus,
)
from numpy.typing import NDArray

from veracite.index.documents import FailedDocument, Part
from veracite.index.library import Library
from veracite.index.progress import (
    Encoded,
    FileFailed,
    FileRead,
    FileRemoved,
    Scanned,
    Synced,
    Waiting,
)
from veracite.index.storage import FolderLock


def age(path: Path) -> None:
    """Make a file look an hour old, so that its time says that it is at rest."""
    long_ago = path.stat().st_mtime_ns - 3_600_000_000_000
    os.utime(path, ns=(long_ago, long_ago))


def test_the_first_sync_tells_what_it_does(opened: OpenLibrary, source: Path) -> None:
    names = enumerate(("dogs.txt", "paint.txt", "tower.txt"), start=1)
    read = [FileRead(str(source / name), 1, number, 3) for number, name in names]
    assert events(opened(source)) == [Scanned(3, 3), *read, Encoded(3, 3), Synced(3, 0, 3)]


def test_a_second_sync_touches_nothing(library: Library, source: Path, tmp_path: Path) -> None:
    for path in source.iterdir():
        age(path)
    os.utime(source / "paint.txt", ns=(1, 1))
    synced(library)
    derived = [p for p in (tmp_path / "library").rglob("*") if "catalog" not in p.name]
    before = {path: path.stat().st_mtime_ns for path in derived}
    assert events(library) == [Scanned(3, 0), Synced(3, 0, 3)]
    assert {path: path.stat().st_mtime_ns for path in derived} == before


@pytest.mark.parametrize("ahead", [0, 10**15], ids=["young", "of a clock that was set back since"])
def test_a_change_that_keeps_size_and_time_is_seen_where_the_time_says_nothing(
    library: Library, source: Path, ahead: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("veracite.index.sync._SETTLED_NS", 10**13)  # on a busy machine, too
    path = source / "dogs.txt"
    os.utime(path, ns=(0, path.stat().st_mtime_ns + ahead))
    synced(library)
    status = path.stat()
    path.write_text(path.read_text(encoding="utf-8").replace("Dogs", "Cats"), encoding="utf-8")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert events(library)[0] == Scanned(3, 1)


STILL_USED = (
    "It cannot be reached (No such file or directory); what was read from it before is still used."
)


def test_what_was_read_from_a_source_out_of_reach_is_kept_and_said(
    library: Library, source: Path
) -> None:
    for path in source.iterdir():
        age(path)
    synced(library)
    away = source.with_name("elsewhere")
    source.rename(away)
    assert events(library) == [Scanned(0, 0), Synced(3, 1, 3, (f"{source}: {STILL_USED}",))]
    assert failures(library) == {source.name: STILL_USED}
    (found,) = library.search("red paint", k=1, mode="lexical")
    assert library.raw_text(found.passage.document).startswith("Painters")
    away.rename(source)
    assert events(library) == [Scanned(3, 0), Synced(3, 0, 3)]
    assert library.status().failed == ()


UNPLUG = """
import subprocess
import sys
from pathlib import Path
from indexing import failures, open_library, synced
drive = Path(sys.argv[1])
with open_library(drive.parent / "library") as library:
    for source, place in ((drive, drive), (drive.parent, drive / "deep")):
        place.mkdir(exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", place], check=True)
        (place / "dogs.txt").write_text("Dogs bark.")
        library.add([source])
        print(synced(library).documents, failures(library))
        subprocess.run(["umount", place], check=True)
        print(synced(library).documents, synced(library).documents, failures(library))
        (place / "here.txt").write_text("Cats purr.")
        print(synced(library).documents, failures(library))
"""


def test_the_empty_folder_of_a_drive_that_was_taken_out_is_out_of_reach(tmp_path: Path) -> None:
    (tmp_path / "drive").mkdir()
    said = mounted(
        "true", tmp_path / "drive", [sys.executable, "-c", UNPLUG, str(tmp_path / "drive")]
    )
    still = "no drive is mounted there any more); what was read from it before is still used."
    lost = {name: f"It cannot be reached ({still}" for name in ("drive", "deep")}
    assert said.splitlines() == [
        *("1 {}", f"1 1 {{'drive': {lost['drive']!r}}}", "1 {}"),
        *("2 {}", f"2 2 {{'deep': {lost['deep']!r}}}", "2 {}"),
    ]


def test_of_an_edited_file_only_the_new_passages_are_encoded(
    opened: OpenLibrary, tmp_path: Path
) -> None:
    encode = Counting()
    path, *_ = write_corpus(tmp_path / "corpus", documents=1)
    library = opened(path, encode=encode)
    synced(library)
    encode.texts.clear()
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(text[:40], "Another beginning of the first paragraph"))
    synced(library)
    assert len(encode.texts) == 1


def test_what_was_moved_or_copied_is_neither_read_nor_encoded_again(
    opened: OpenLibrary, source: Path, tmp_path: Path
) -> None:
    encode = Counting()
    library = opened(source, encode=encode)
    (source / "void.txt").touch()
    synced(library)
    (source / "paint.txt").rename(source / "moved.txt")
    (source / "void.txt").rename(source / "empty.txt")
    (source / "copy.txt").write_bytes((source / "dogs.txt").read_bytes())
    (source / "dogs.md").write_bytes((source / "dogs.txt").read_bytes())  # another reader's
    gone = [FileRemoved(str(source / name)) for name in ("paint.txt", "void.txt")]
    read = FileRead(str(source / "dogs.md"), 1, 1, 1)
    assert events(library) == [Scanned(6, 1), *gone, read, Synced(5, 1, 5)]
    assert len(encode.texts) == 3
    assert failures(library) == {"empty.txt": "The file is empty."}
    fresh = opened(folder=tmp_path / "fresh")
    require_as_new(library, fresh, ("red paint", "dogs", "tower"), source)
    assert library.documents() == fresh.documents()


def test_what_was_told_of_is_kept_and_no_more_than_a_round_is_lost(
    opened: OpenLibrary, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Dying(DirectReader):
        def read(self, path: Path) -> Iterator[Part]:
            if path.name == "tower.txt":
                raise KeyboardInterrupt
            return super().read(path)

    def follow(library: Library, other: Library) -> None:
        for event in library.sync():
            told.extend([event.path] if isinstance(event, FileRead) else [])
            assert {document.path for document in other.documents()} >= set(told)

    for seconds, kept in ((60.0, 0), (0.0, 2)):
        monkeypatch.setattr("veracite.index.sync.ROUND_SECONDS", seconds)
        library, other, told = opened(source, open_reader=Dying), opened(), list[str]()
        with pytest.raises(KeyboardInterrupt):
            follow(library, other)
        assert len(told) == len(other.documents()) == kept
    assert events(opened())[0] == Scanned(3, 1)


def test_what_was_read_is_encoded_while_the_rest_is_read(
    opened: OpenLibrary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("veracite.index.sync.ROUND_SECONDS", 0.0)
    encoded = Event()

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        encoded.set()
        return hashed(texts)

    class Waiting(DirectReader):
        def read(self, path: Path) -> Iterator[Part]:
            assert path.name != "document-11.txt" or encoded.wait(60)
            return super().read(path)

    write_corpus(tmp_path / "corpus")
    library = opened(tmp_path / "corpus", encode=encode, open_reader=Waiting)
    happened = events(library)
    (rest,) = {event.total for event in happened if isinstance(event, Encoded)}
    assert rest <= 144 - 64
    assert happened[-1] == Synced(12, 0, 144)
    assert library.status().embedded == 144


def test_watching_follows_changes(opened: OpenLibrary, source: Path) -> None:
    library = opened(source)
    (source / ".veraciteignore").write_text("owls*")
    with closing(library.watch()) as happening:  # type: ignore[type-var]
        assert next(event for event in happening if isinstance(event, Synced)).documents == 3
        (source / "owls.txt").write_text("Owls hoot.")
        (source / "deep").mkdir()
        (source / "deep" / "cats.txt").write_text("Cats purr.")
        read = next(event for event in happening if isinstance(event, FileRead))
        assert read.path == str(source / "deep" / "cats.txt")


def test_watching_waits_for_another_process_and_misses_nothing(
    opened: OpenLibrary, source: Path, tmp_path: Path
) -> None:
    library = opened(source)
    with closing(library.watch()) as happening:  # type: ignore[type-var]
        with FolderLock(tmp_path / "library").held() as locked:
            assert locked
            assert next(happening) == Waiting()
        assert next(happening) == Scanned(3, 3)


def test_what_is_added_is_indexed_beside_what_is_there(
    library: Library, opened: OpenLibrary, source: Path, tmp_path: Path
) -> None:
    def parts() -> set[str]:
        return {path.stem for path in (tmp_path / "library").glob("lexical-*/*.idx")}

    before = parts()
    (source / "cats.txt").write_text("Cats sleep by day in the tower.", encoding="utf-8")
    (source / "again.txt").write_bytes((source / "dogs.txt").read_bytes())
    synced(library)
    assert before < parts()
    fresh = opened(folder=tmp_path / "fresh")
    require_as_new(library, fresh, ("red tower", "sleep by day", "dogs"), source)
    (source / "cats.txt").unlink()
    synced(library)
    assert not before & parts()
    assert library.search("cats", k=1, mode="lexical") == ()


def test_a_failed_file_is_tried_again_when_it_changes(opened: OpenLibrary, source: Path) -> None:
    bad = source / "bad.txt"
    bad.touch()
    library = opened(source)
    why = "The file is empty.", 1, 4, "Restore it from a backup if it should hold something."
    assert FileFailed(str(bad), *why) in events(library)
    assert library.status().failed == (FailedDocument(str(bad), why[0], why[-1]),)
    assert events(library)[0] == Scanned(4, 0)
    bad.write_text("Now there is something.", encoding="utf-8")
    assert synced(library).failed == 0


def test_a_new_version_of_a_reader_reads_again(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("veracite.index.readers.plain.EXTRACTOR", "plain/next")
    assert events(library)[0] == Scanned(3, 3)
    assert events(library)[0] == Scanned(3, 0)
    assert library.extractors() == {"txt": "plain/next"}


class Meddling(DirectReader):
    """Does something to ``dogs.txt`` just before or after reading it."""

    def __init__(self, change: str) -> None:
        super().__init__()
        self.change, self.times = change, 0

    def read(self, path: Path) -> Iterator[Part]:
        change = self.change if path.name == "dogs.txt" else ""
        if change == "removed before":
            path.unlink()
        found = [*super().read(path)]
        if change == "removed after":
            path.unlink()
        if change == "written always":
            self.times += 1
            path.write_text(f"Wolves howl {self.times} times.", encoding="utf-8")
        return iter(found)


@pytest.mark.parametrize("change", ["removed before", "removed after", "written always"])
def test_a_file_that_will_not_hold_still_is_a_failure(
    opened: OpenLibrary, source: Path, change: str
) -> None:
    library = opened(source, open_reader=lambda: Meddling(change))
    done = synced(library)
    assert (done.documents, done.failed) == (2, 1)
    assert failures(library)["dogs.txt"]


def test_the_sync_after_an_interrupted_one_says_what_it_caught_up_with(
    opened: OpenLibrary, source: Path
) -> None:
    library = opened(source)
    for event in library.sync():
        if isinstance(event, FileRead):
            break
    told = "The keyword index lacked the newest changes and was brought up to date."
    assert told in synced(library).notes
    assert synced(library).notes == ()
