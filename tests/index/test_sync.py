"""A sync touches what changed, appeared or vanished, and nothing else."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from indexing import Counting, DirectReader, OpenLibrary, events, synced, texts

from veracite.index.documents import Part
from veracite.index.library import Library
from veracite.index.progress import Encoded, FileFailed, FileRead, Scanned, Synced


def age(path: Path) -> None:
    """Make a file look an hour old, so that its time says that it is at rest."""
    long_ago = path.stat().st_mtime_ns - 3_600_000_000_000
    os.utime(path, ns=(long_ago, long_ago))


def test_the_first_sync_tells_what_it_does(opened: OpenLibrary, source: Path) -> None:
    made = opened()
    made.add([source])
    assert events(made) == [
        Scanned(3, 3),
        FileRead(str(source / "dogs.txt"), 1, 1, 3),
        FileRead(str(source / "paint.txt"), 1, 2, 3),
        FileRead(str(source / "tower.txt"), 1, 3, 3),
        Encoded(3, 3),
        Synced(3, 0, 3),
    ]


def test_a_second_sync_touches_nothing(library: Library, source: Path, tmp_path: Path) -> None:
    for path in source.iterdir():
        age(path)
    os.utime(source / "paint.txt", ns=(1, 1))
    synced(library)
    derived = [p for p in (tmp_path / "library").rglob("*") if "catalog" not in p.name]
    before = {path: path.stat().st_mtime_ns for path in derived}
    assert events(library) == [Scanned(3, 0), Synced(3, 0, 3)]
    assert {path: path.stat().st_mtime_ns for path in derived} == before


def test_a_changed_file_replaces_what_it_was(library: Library, source: Path) -> None:
    (source / "dogs.txt").write_text("Wolves howl at the moon.", encoding="utf-8")
    assert FileRead(str(source / "dogs.txt"), 1, 1, 1) in events(library)
    assert texts(library.search("wolves howl", k=1)) == ["Wolves howl at the moon."]
    assert library.search("dogs bark", k=3, mode="lexical") == ()


def test_a_change_that_keeps_size_and_time_is_seen_while_the_file_is_young(
    library: Library, source: Path
) -> None:
    path = source / "dogs.txt"
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
    assert events(library) == [
        Scanned(0, 0),
        Synced(3, 1, 3, (f"{source}: {STILL_USED}",)),
    ]
    assert library.status().failed == ((str(source), STILL_USED),)
    (found,) = library.search("red paint", k=1, mode="lexical")
    assert library.raw_text(found.passage.document).startswith("Painters")
    away.rename(source)
    assert events(library) == [Scanned(3, 0), Synced(3, 0, 3)]
    assert library.status().failed == ()


def test_nothing_is_encoded_twice(opened: OpenLibrary, source: Path) -> None:
    encode = Counting()
    library = opened(encode=encode)
    library.add([source])
    synced(library)
    assert len(encode.texts) == 3
    (source / "paint.txt").rename(source / "moved.txt")
    (source / "copy.txt").write_bytes((source / "dogs.txt").read_bytes())
    synced(library)
    assert len(encode.texts) == 3
    assert library.search("red paint", k=1)[0].cosine is not None


def test_how_a_library_came_to_be_changes_nothing(
    library: Library, opened: OpenLibrary, source: Path, tmp_path: Path
) -> None:
    (source / "dogs.txt").unlink()
    (source / "cats.txt").write_text("Cats sleep by day in the tower.", encoding="utf-8")
    synced(library)
    (source / "paint.txt").write_text("Red paint is dear.", encoding="utf-8")
    synced(library)
    fresh = opened(tmp_path / "fresh")
    fresh.add([source])
    synced(fresh)
    for query in ("red tower", "sleep by day", "paint"):
        assert library.search(query, k=5) == fresh.search(query, k=5)


def test_a_failed_file_is_tried_again_when_it_changes(opened: OpenLibrary, source: Path) -> None:
    bad = source / "bad.txt"
    bad.touch()
    library = opened()
    library.add([source])
    assert FileFailed(str(bad), "The file is empty.", 1, 4) in events(library)
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
    library = opened(open_reader=lambda: Meddling(change))
    library.add([source])
    done = synced(library)
    assert (done.documents, done.failed) == (2, 1)
    ((path, reason),) = library.status().failed
    assert path.endswith("dogs.txt")
    assert reason


def test_folders_are_walked_without_hidden_and_unknown_files(
    opened: OpenLibrary, source: Path
) -> None:
    (source / "deeper" / "down").mkdir(parents=True)
    (source / "deeper" / "down" / "cats.txt").write_text("Cats purr.", encoding="utf-8")
    (source / ".hidden.txt").write_text("Hidden.", encoding="utf-8")
    (source / ".git").mkdir()
    (source / ".git" / "notes.txt").write_text("Hidden too.", encoding="utf-8")
    (source / "~$report.docx").write_bytes(b"lock")
    (source / "picture.png").write_bytes(b"\x89PNG")
    library = opened()
    library.add([source])
    assert events(library)[0] == Scanned(4, 4)
    library.add([source / ".hidden.txt", source / ".git"])
    assert events(library)[0] == Scanned(6, 2)


def test_links_are_followed_and_a_loop_of_them_ends(
    library: Library, source: Path, tmp_path: Path
) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "cats.txt").write_text("Cats purr.", encoding="utf-8")
    (tmp_path / "single.txt").write_text("Fish swim.", encoding="utf-8")
    (source / "again").symlink_to(source, target_is_directory=True)
    (source / "before").symlink_to("real", target_is_directory=True)
    (source / "link").symlink_to(tmp_path / "outside", target_is_directory=True)
    (source / "fish.txt").symlink_to(tmp_path / "single.txt")
    (source / "real").mkdir()
    (source / "real" / "up").symlink_to("..", target_is_directory=True)
    (source / "real" / "owls.txt").write_text("Owls hoot.", encoding="utf-8")
    assert synced(library).documents == 6
    for word, place in (("purr", "link/cats.txt"), ("hoot", "real/owls.txt")):
        (found,) = library.search(word, k=1, mode="lexical")
        assert found.passage.document.path == str(source / place)


def test_a_link_that_leads_nowhere_is_a_failure(library: Library, source: Path) -> None:
    (source / "gone.txt").symlink_to(source / "nowhere.txt")
    (source / "round.txt").symlink_to("round.txt")
    (source / "picture.png").symlink_to(source / "nowhere.png")
    assert synced(library).failed == 2
    too_many = "The link cannot be followed (Too many levels of symbolic links)."
    assert library.status().failed == (
        (str(source / "gone.txt"), "This is a link to a file that does not exist."),
        (str(source / "round.txt"), too_many),
    )
    (source / "nowhere.txt").write_text("Cats purr.", encoding="utf-8")
    (source / "round.txt").unlink()
    assert synced(library) == Synced(5, 0, 5)


@pytest.mark.parametrize("also_a_source", [False, True])
def test_what_is_no_regular_file_fails_without_hanging(
    opened: OpenLibrary, source: Path, also_a_source: bool
) -> None:
    pipe = source / "pipe.txt"
    os.mkfifo(pipe)
    library = opened()
    library.add([source, *([pipe] if also_a_source else [])])
    done = synced(library)
    assert (done.documents, done.failed) == (3, 1)
    assert library.status().failed == ((str(pipe), "This is not a regular file."),)


def test_files_of_other_formats_are_counted(library: Library, source: Path) -> None:
    (source / "plan.dwg").write_bytes(b"PK")
    assert synced(library).notes == ("1 file is of a format that is not read (.dwg).",)
    for name in ("a.png", "b.PNG", "c.xyz", "d.mp3", "e.mov", "noname"):
        (source / name).write_bytes(b"?")
    (note,) = synced(library).notes
    assert note.startswith("7 files are of formats that are not read (.png, ")
    assert note.endswith(", and others).")


def test_the_sync_after_an_interrupted_one_says_what_it_caught_up_with(
    opened: OpenLibrary, source: Path
) -> None:
    library = opened()
    library.add([source])
    for event in library.sync():
        if isinstance(event, FileRead):
            break
    assert (
        "The keyword index lacked the newest changes and was brought up to date."
        in synced(library).notes
    )
    assert synced(library).notes == ()
