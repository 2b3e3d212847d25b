"""``veracite library``: collections by name, never touching the documents."""

import json
import os
import shutil
import signal
import stat
import sys
from pathlib import Path

import pytest
from command_line import Commands, watching
from indexing import without_writing
from mill import DRAFT, TRUE, TWO, write_documents

from veracite.index.library import Library
from veracite.index.verify import Fault


def cited(out: str) -> set[str]:
    """Names of the documents that a report quotes."""
    return {
        Path(citation["file"]).name
        for claim in json.loads(out)["claims"]
        for citation in claim["citations"]
    }


def test_a_library_is_filled_checked_against_listed_and_removed(veracite: Commands) -> None:
    added = veracite("library", "add", veracite.documents, "--name", "mills")
    assert (added.code, added.out, added.err) == (0, "mills: 2 documents\n", "")
    checked = veracite("check", "-", "--against", "mills", "--json", stdin=TRUE.encode())
    assert cited(checked.out) == {"mill.md"}
    listed = veracite("library", "list").out
    assert listed == f"mills: 2 documents\n  follows {veracite.documents}\n"
    removed = veracite("library", "remove", "mills", "--yes")
    assert removed.out == "The library mills is removed; its documents are not.\n"
    assert veracite.facts("library", "list")["libraries"] == []
    assert (veracite.documents / "mill.md").exists()


def test_a_library_without_documents_says_what_to_do(veracite: Commands, tmp_path: Path) -> None:
    (folder := tmp_path / "empty").mkdir()
    added = veracite("library", "add", folder, "--name", "bare")
    assert added.code == 1
    assert "`veracite library sync bare`" in added.out


def test_status_says_everything_that_could_not_be_read(veracite: Commands) -> None:
    for number in range(8):
        (veracite.documents / f"broken-{number}.pdf").write_bytes(b"no pdf")
    (veracite.documents / "film.mp4").touch()
    added = veracite("library", "add", veracite.documents)  # the default library is meant
    assert cited(veracite("check", "-", "--json", stdin=TRUE.encode()).out) == {"mill.md"}
    why = "  8 files: The file is damaged or is not a PDF."
    assert f"default: 2 documents, 8 could not be read, 1 of other kinds\n{why}" in added.out
    status = veracite("library", "status").out
    assert status.count(why) == 1
    assert all(status.count(f"    {veracite.documents}/broken-{n}.pdf\n") == 1 for n in range(8))
    film = veracite.documents / "film.mp4"
    assert f"  {film}: Not of a kind that is read: .mp4 (1)." in status
    found = veracite.facts("library", "status")
    assert found["schema"] == "veracite.library/1"
    assert len(found["failed"]) == 8
    assert all(one["advice"] for one in found["failed"])
    assert found["other_kinds"] == [str(veracite.documents / "film.mp4")]
    assert found["passages"] == found["embedded"] > 0
    assert found["sources"] == [str(veracite.documents)]


def test_patterns_stay_with_a_library_and_hold_for_one_check_of_folders(
    veracite: Commands,
) -> None:
    (veracite.documents / "other.text").write_text("Nobody knows anything of it.\n")
    added = veracite.facts("library", "add", veracite.documents, "--exclude", "*.text,drafts/")
    assert (added["documents"], added["exclude"]) == (2, ["*.text", "drafts/"])
    assert veracite.facts("library", "sync")["documents"] == 2
    left = "2 documents, 1 file or folder left out by patterns\n"
    assert veracite("library", "sync").out == f"default: {left}"
    assert "\n  excludes *.text, drafts/\n" in veracite("library", "status").out
    assert veracite.facts("library", "sync", "--include", "*")["documents"] == 3
    check = ("check", "-", "--against", veracite.documents, "--json")
    only = veracite(*check, "--include", "*.text", stdin=TRUE.encode())
    assert json.loads(only.out)["documents"]["read"] == 1
    assert json.loads(only.out)["settings"]["include"] == "*.text"
    every = veracite(*check, stdin=TRUE.encode())
    assert json.loads(every.out)["documents"]["read"] == 3


def test_a_library_that_cannot_be_written_is_checked_asked_and_searched(
    veracite: Commands,
) -> None:
    veracite.facts("library", "add", veracite.documents, "--name", "mills")
    expected = veracite.facts("library", "status", "mills")
    script = """
import sys
from pathlib import Path
from command_line import Commands
from mill import TRUE
veracite = Commands(Path(sys.argv[1]))
veracite("library", "watch", "mills").fails(3, "cannot be written, so changes")
veracite("library", "sync", "mills").fails(3, "can be searched as it is")
for command in ("check -", "ask Who owned the mill?", "search mill", "library status", "list"):
    words = command.split(" ", 1) if command.startswith("ask") else command.split()
    name = ["mills"] if words[-1] == "status" else [] if command == "list" else ["-a", "mills"]
    ran = veracite(*(["library"] if command == "list" else []), *words, *name, stdin=TRUE.encode())
    print(ran.code in (0, 1), "used as it is" in ran.err, "mill" in ran.out)
"""
    said = without_writing(veracite.home, [sys.executable, "-c", script, str(veracite.home)])
    assert said.split("\n") == [*["True True True"] * 3, *["True False True"] * 2, ""]
    assert veracite.facts("library", "status", "mills") == expected


def test_watching_ends_cleanly_with_an_interrupt(veracite: Commands) -> None:
    veracite.facts("library", "add", veracite.documents)
    command = (sys.executable, "-m", "veracite.tui", "library", "watch")
    environ = {**os.environ, **veracite.environ}
    process = watching(*command, documents=veracite.documents, env=environ)
    process.send_signal(signal.SIGINT)
    assert process.communicate() == ("", "")
    assert process.returncode == 0


def empty_keyword_index(home: Path) -> None:
    """Put empty files in the place of some; this process may still have those mapped."""
    for path in (home / "data" / "libraries").glob("*/lexical-*/*.term"):
        path.unlink()
        path.touch()


def test_a_library_is_verified_and_repaired(veracite: Commands) -> None:
    veracite.facts("library", "add", veracite.documents)
    assert veracite("library", "verify").out == "default: right\n"
    empty_keyword_index(veracite.home)
    wrong = veracite("library", "verify")
    assert (wrong.code, wrong.out.splitlines()[0]) == (1, "default: 1 fault")
    repaired = veracite("library", "repair")
    assert "keyword index was damaged" in repaired.err
    assert (repaired.code, repaired.out) == (0, "default: 2 documents\n")
    assert veracite.facts("library", "verify")["faults"] == []


def test_what_is_beside_a_damaged_catalog_is_mended_and_the_catalog_is_not_promised(
    veracite: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    veracite.facts("library", "add", veracite.documents)
    found = Library.verify
    damaged = Fault("The database is damaged (wrong # of entries in index).")
    monkeypatch.setattr(Library, "verify", lambda library: [damaged, *found(library)])
    empty_keyword_index(veracite.home)
    assert "Remove the library" in veracite("library", "verify").out
    veracite("library", "repair").fails(3, "catalog cannot be mended", "Remove the library")
    monkeypatch.undo()
    assert veracite.facts("library", "sync")["documents"] == 2
    assert veracite("library", "verify").out == "default: right\n"


def test_one_damaged_library_does_not_hide_the_others(veracite: Commands, tmp_path: Path) -> None:
    veracite("library", "add", veracite.documents, "--name", "good")
    damaged = tmp_path / "data" / "libraries" / "bad"
    damaged.mkdir()
    (damaged / "catalog.db").write_bytes(b"no database" * 1000)
    listed = veracite.facts("library", "list")["libraries"]
    found = [(item["name"], item["problem"] is None) for item in listed]
    assert found == [("bad", False), ("good", True)]
    assert "good: 2 documents" in veracite("library", "list").out


def report(commands: Commands, library: str) -> str:
    ran = commands("check", "-", "--against", library, "--json", stdin=DRAFT.encode())
    assert ran.code == 1, ran.err
    return ran.out


@pytest.fixture
def here(tmp_path: Path) -> Commands:
    return Commands(tmp_path / "here")


@pytest.fixture
def there(tmp_path: Path) -> Commands:
    return Commands(tmp_path / "there")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_documents(tmp_path / "documents", {**TWO, "broken.pdf": "no pdf"})


@pytest.fixture
def bundle(here: Commands, folder: Path, tmp_path: Path) -> Path:
    here.facts("library", "add", folder, "--name", "mills")
    exported = here.facts("library", "export", "mills", "-o", tmp_path / "stick")
    assert exported["size"] == (tmp_path / "stick").stat().st_size
    return tmp_path / "stick"


def test_without_its_documents_a_library_gives_the_same_report_and_is_its_owners_alone(
    here: Commands, there: Commands, bundle: Path, folder: Path
) -> None:
    expected = report(here, "mills")
    shutil.rmtree(folder)
    there("models", "import", bundle).fails(3, "`veracite library import` takes it")
    ran = there("library", "import", bundle)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("mills: 2 documents, 1 could not be read\n")
    assert report(there, "mills") == expected
    status = there.facts("library", "status", "mills")
    assert (status["passages"], status["embedded"]) == (2, 2)
    assert status["elsewhere"] == [str(folder)]
    assert f"  holds what was in {folder} elsewhere\n" in there("library", "list").out
    library = there.home / "data" / "libraries" / "mills"
    assert stat.S_IMODE(bundle.stat().st_mode) == 0o600
    assert stat.S_IMODE(library.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in library.glob("catalog.db*")} == {0o600}


def test_an_imported_library_follows_folders_of_this_machine_too(
    there: Commands, bundle: Path, folder: Path, tmp_path: Path
) -> None:
    there.facts("library", "import", bundle)
    for path in folder.iterdir():
        path.write_text("Here is something else.\n")
    assert there.facts("library", "verify", "mills")["faults"] == []
    more = write_documents(tmp_path / "more", {"geese.txt": "Geese fly south in autumn.\n"})
    added = there.facts("library", "add", more, "--name", "mills")
    assert (added["documents"], added["elsewhere"]) == (3, [str(folder)])
    removed = there.facts("library", "remove", "mills", folder)
    assert (removed["documents"], removed["sources"]) == (1, [str(more)])
