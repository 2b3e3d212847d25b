"""A library does what its words promise: it finds what is there, and only that."""

import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from indexing import OpenLibrary, synced, texts

from veracite.index.library import Library
from veracite.index.progress import Synced, Waiting
from veracite.index.storage import make_private_folder

RED = "Painters covered the tower in red paint in 1890."


def test_removing_a_source_takes_its_documents_and_embeddings(
    library: Library, source: Path, tmp_path: Path
) -> None:
    library.remove([source])
    assert synced(library).documents == 0
    assert library.search("tower", k=3) == ()
    library.close()
    files = [path for path in (tmp_path / "library").rglob("*") if path.is_file()]
    assert not [path for path in files if b"Painters" in path.read_bytes()]


@pytest.mark.usefixtures("library")
def test_everything_in_the_folder_is_private(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    files = list(folder.rglob("*"))
    assert {p.name for p in files} >= {"catalog.db", "catalog.db-wal"}
    assert list(folder.glob("lexical-*"))
    for path in files:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    make_private_folder(tmp_path / "on" / "the" / "way")
    on_the_way = [path for path in (tmp_path / "on", *(tmp_path / "on").rglob("*"))]
    assert {stat.S_IMODE(path.stat().st_mode) for path in on_the_way} == {0o700}


def test_a_library_opened_in_one_thread_works_in_another(library: Library) -> None:
    found: list[str] = []

    def work() -> None:
        synced(library)
        found.extend(texts(library.search("red", k=1)))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [RED]
    assert texts(library.search("red", k=1)) == [RED]


def test_a_library_that_is_opened_twice_here_is_in_use_for_another_process(
    library: Library, opened: OpenLibrary, tmp_path: Path
) -> None:
    opened().close()
    script = (
        "from pathlib import Path; from veracite.index.library import Library; Library(Path({!r}))"
    )
    subprocess.run([sys.executable, "-c", script.format(str(tmp_path / "library"))], check=True)
    log = tmp_path / "library" / "catalog.db-wal"
    assert log.exists(), "whoever closes a database last deletes its log, in which we write"
    assert texts(library.search("red", k=1)) == [RED]


def test_while_another_process_syncs_the_library_can_be_searched(
    library: Library, opened: OpenLibrary, source: Path
) -> None:
    (source / "cats.txt").write_text("Cats purr.", encoding="utf-8")
    under_way = library.sync()
    next(under_way)
    second = opened()
    busy = "Another process is updating the library, so it is used as it is now."
    assert list(second.sync(wait_seconds=0.1)) == [Waiting(), Synced(3, 0, 3, (busy,), done=False)]
    assert texts(second.search("red", k=1)) == [RED]
    for event in under_way:
        assert texts(second.search("red", k=1)) == [RED], event
    assert texts(second.search("purr", k=1)) == ["Cats purr."]
    assert second.search("purr", k=3) == library.search("purr", k=3)
