"""Whatever happens to a library on the disk, it opens, continues, and finds the same."""

import resource
import shutil
import signal
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path

import indexing
import numpy as np
import pytest
from command_line import process
from damage import cut_short

from veracite.index import lexical, verify
from veracite.index.catalog import _MIGRATIONS, Catalog
from veracite.index.documents import Evidence
from veracite.index.errors import StorageError
from veracite.index.library import Library
from veracite.index.progress import Scanned, Synced

Found = list[tuple[Evidence, ...]]
Damage = Callable[[Path], None]


@pytest.fixture(scope="module")
def undisturbed(synced_once: Path, corpus: list[Path]) -> Found:
    """What a library finds that was synced in one go."""
    with indexing.open_library(synced_once) as library:
        assert library.status().passages == 144
        return library.search_many(indexing.queries(corpus), k=5)


def continues(folder: Path, corpus: list[Path], expected: Found) -> None:
    with indexing.open_library(folder, corpus[0].parent) as library:
        done = indexing.synced(library)
        assert (done.documents, done.failed, done.passages) == (12, 0, 144)
        assert library.status().embedded == 144
        assert library.search_many(indexing.queries(corpus), k=5) == expected


def test_a_file_size_limit_stops_with_advice_and_loses_nothing(
    tmp_path: Path, corpus: list[Path], undisturbed: Found
) -> None:
    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))

    command = (sys.executable, indexing.__file__, tmp_path / "library", corpus[0].parent)
    done = process(*command, preexec_fn=limit)
    assert done.returncode == 3
    assert "StorageError: " in done.stdout
    assert "not full" in done.stdout or "disk is full" in done.stdout
    continues(tmp_path / "library", corpus, undisturbed)


FILL = """
import subprocess
import sys
from pathlib import Path
from indexing import open_library, queries, synced
from veracite.index.errors import StorageError
disk, *paths = map(Path, sys.argv[1:])
for size in range(40, 4_000, 80):
    subprocess.run(["mount", "-o", f"remount,size={size}k", disk], check=True)
    try:
        with open_library(disk / "library", paths[0].parent) as library:
            print(synced(library).passages, library.verify())
            print([[hit.passage.text for hit in library.search(q, k=5)] for q in queries(paths)])
            break
    except StorageError as error:
        print(error)
"""


def test_however_early_a_disk_is_full_what_was_read_is_kept_until_there_is_room(
    tmp_path: Path, corpus: list[Path], undisturbed: Found
) -> None:
    script = [sys.executable, "-c", FILL, str(tmp_path), *map(str, corpus)]
    said = indexing.mounted('mount -t tmpfs tmpfs "$0"', tmp_path, script)
    *full, held, found, _ = said.split("\n")
    assert len(full) > 5
    assert all(said.startswith("The disk is full: ") for said in full)
    assert held == "144 []"
    assert found == repr([[hit.passage.text for hit in hits] for hits in undisturbed])


@pytest.fixture(scope="module")
def synced_once(corpus: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a synced library that is closed."""
    folder = tmp_path_factory.mktemp("synced") / "library"
    with indexing.open_library(folder, corpus[0].parent) as library:
        indexing.synced(library)
    return folder


@pytest.fixture
def complete(synced_once: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return shutil.copytree(synced_once, tmp_path / "library")


def flip_bits(path: Path) -> None:
    content = bytearray(path.read_bytes())
    for at in range(40, len(content), 1009):
        content[at] ^= 0x80
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("damage", "pattern", "search_first"),
    [
        (flip_bits, "lexical-*/*.idx", False),
        (flip_bits, "lexical-*/*.idx", True),
        (flip_bits, "lexical-*/*.json", False),
        (cut_short, "lexical-*/*.idx", False),
        (Path.unlink, "lexical-*/*.idx", False),
    ],
)
def test_a_damaged_index_is_built_again_with_a_note(
    complete: Path,
    corpus: list[Path],
    undisturbed: Found,
    damage: Damage,
    pattern: str,
    search_first: bool,
) -> None:
    assert list(complete.glob(pattern))
    for path in complete.glob(pattern):
        damage(path)
    with indexing.open_library(complete) as library:
        if search_first:
            assert library.search_many(indexing.queries(corpus), k=5) == undisturbed
        (note,) = indexing.synced(library).notes
        assert note.endswith("and was built again.")
        assert library.search_many(indexing.queries(corpus), k=5) == undisturbed
    with indexing.open_library(complete) as library:
        assert indexing.synced(library).notes == ()


def test_without_the_right_to_repair_search_goes_on_in_memory(
    complete: Path, corpus: list[Path], undisturbed: Found
) -> None:
    with indexing.open_library(complete) as busy:
        under_way = busy.sync()
        next(under_way)
        for path in complete.glob("lexical-*/*.idx"):
            flip_bits(path)
        with indexing.open_library(complete) as library:
            assert library.search_many(indexing.queries(corpus), k=5) == undisturbed
            list(under_way)
            assert len(indexing.synced(library).notes) == 0
            assert library.search_many(indexing.queries(corpus), k=5) == undisturbed


def spoil(statement: str, *values: object) -> Damage:
    def change(folder: Path) -> None:
        with closing(sqlite3.connect(folder / "catalog.db")) as connection, connection:
            assert connection.execute(statement, values).rowcount == 1

    return change


ONE = "WHERE id = (SELECT min(id) FROM"
WRONG = [
    ("is damaged", spoil(f"UPDATE documents SET text = x'00' {ONE} documents)")),
    ("is damaged", spoil(f"UPDATE passages SET text = text || '.' {ONE} passages)")),
    ("is damaged", spoil(f"UPDATE passages SET heading = 'Other' {ONE} passages)")),
    ("has changed", spoil(f"UPDATE documents SET sha256 = ? {ONE} documents)", "0" * 64)),
    ("vector", spoil(f"UPDATE embeddings SET vector = zeroblob(64) {ONE} embeddings)")),
    ("vector", spoil(f"UPDATE embeddings SET vector = x'00' {ONE} embeddings)")),
    ("keyword index", lambda folder: flip_bits(next(folder.glob("lexical-*/*.idx")))),
]


@pytest.mark.parametrize(("says", "damage"), WRONG)
def test_what_is_damaged_is_found_and_mended(
    complete: Path, corpus: list[Path], undisturbed: Found, says: str, damage: Damage
) -> None:
    with indexing.open_library(complete) as library:
        assert library.verify() == []
    damage(complete)
    with indexing.open_library(complete) as library:
        (fault,) = library.verify()
        assert says in fault.what
        library.mend([fault])
    continues(complete, corpus, undisturbed)
    with indexing.open_library(complete) as library:
        assert library.verify() == []


def test_what_another_process_changes_meanwhile_is_no_fault(
    complete: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changing, numbers = indexing.write_corpus(tmp_path / "changing", 3), count()

    def change() -> None:
        """Have another process edit, add and remove files, and encode all of them otherwise."""
        number = next(numbers)
        changing[0].write_text(f"Edited {number} times.")
        changing[1].write_text(changing[1].read_text() + f"\n\nEdited {number} times.")
        changing[2].with_name(f"new-{number}.txt").write_text(f"New {number}.")
        changing[2].with_name(f"new-{number - 3}.txt").unlink(missing_ok=True)
        with indexing.open_library(complete, encoder_id=f"hashed/{number}") as other:
            indexing.synced(other)

    with indexing.open_library(complete, changing[0].parent) as library:
        indexing.synced(library)
        for place, name in ((Catalog, "query"), (verify, "digest_of"), (lexical, "digest")):
            inner = getattr(place, name)

            def first(
                asked: object, *given: object, inner: Callable[..., object] = inner
            ) -> object:
                if asked in (library._catalog, changing[0]):
                    change()
                elif isinstance(asked, Path) and asked.parent == complete:
                    monkeypatch.undo()
                    change()
                return inner(asked, *given)

            monkeypatch.setattr(place, name, first)
            assert library.verify() == []
            monkeypatch.undo()
    assert next(numbers) > 40


def test_a_catalog_that_cannot_be_read_is_told_of(complete: Path) -> None:
    with (complete / "catalog.db").open("r+b") as file:
        file.seek(6000)
        file.write(b"\xff" * 9000)
    with pytest.raises(StorageError, match="damaged"), indexing.open_library(complete) as library:
        library.verify()


def test_an_emptied_catalog_is_no_new_library(complete: Path) -> None:
    (complete / "catalog.db").write_bytes(b"")
    with pytest.raises(StorageError, match=r"damaged \(it is empty\)"):
        Library(complete)


LOOK = """
import sys
from pathlib import Path
from indexing import open_library, queries, synced
folder, *paths = map(Path, sys.argv[1:])
with open_library(folder, paths[0].parent) as library:
    print(synced(library).notes)
    print([hit.passage.text for found in library.search_many(queries(paths), k=5) for hit in found])
    print(library.status().documents, library.status().last_sync is None, library.verify())
"""


def of_version(folder: Path, version: int = 1) -> None:
    """Have a library be one of the first version that has come to this one."""
    now, catalog = folder / "now.db", folder / "catalog.db"
    catalog.rename(now)
    with closing(sqlite3.connect(catalog)) as connection:
        connection.executescript(_MIGRATIONS[0])
        connection.execute("ATTACH ? AS now", (str(now),))
        for table in ("meta", "sources", "documents", "passages"):
            names = [row[1] for row in connection.execute(f"PRAGMA main.table_info({table})")]
            fields = ", ".join(names)
            connection.execute(f"INSERT INTO {table} ({fields}) SELECT {fields} FROM now.{table}")
        connection.executemany(
            "INSERT INTO embeddings (hash, encoder, vector) VALUES (?, ?, ?)",
            [
                (digest, indexing.ENCODER, indexing.hashed([text]).astype(np.float16).tobytes())
                for digest, text in connection.execute("SELECT hash, text FROM now.passages")
            ],
        )
        connection.commit()
        connection.execute("DETACH now")
        for migration in _MIGRATIONS[1:version]:
            connection.executescript(migration)
        connection.execute(f"PRAGMA user_version = {version}")
    now.unlink()


def left_in_the_log(folder: Path) -> None:
    """Have the last change of a library be in its log alone, as after a loss of power."""
    catalog, log = folder / "catalog.db", folder / "catalog.db-wal"
    whole = catalog.read_bytes()
    with closing(sqlite3.connect(catalog)) as connection:
        connection.execute("DELETE FROM meta WHERE key = 'last sync'")
        connection.commit()
        change = log.read_bytes()
    catalog.write_bytes(whole)
    log.write_bytes(change)


@pytest.mark.parametrize("change", [None, of_version, left_in_the_log])
def test_a_library_that_cannot_be_written_is_read_as_it_is(
    complete: Path, corpus: list[Path], undisturbed: Found, change: Damage | None
) -> None:
    if change:
        change(complete)
    script = [sys.executable, "-c", LOOK, str(complete), *map(str, corpus)]
    before = sorted(complete.rglob("*"))
    notes, found, held, _ = indexing.without_writing(complete, script).split("\n")
    assert "cannot be written, so the library is used as it is" in notes
    assert found == repr([hit.passage.text for hits in undisturbed for hit in hits])
    assert held == f"12 {change is left_in_the_log} []"
    assert sorted(complete.rglob("*")) == before


@pytest.mark.parametrize("version", range(1, len(_MIGRATIONS) + 1))
def test_of_a_library_of_any_version_nothing_is_lost_or_made_again(
    complete: Path, corpus: list[Path], undisturbed: Found, version: int
) -> None:
    of_version(complete, version)
    with indexing.open_library(complete) as library:
        assert indexing.events(library) == [Scanned(12, 0), Synced(12, 0, 144)]
        assert library.search_many(indexing.queries(corpus), k=5) == undisturbed
        assert library.verify() == []


def test_a_library_of_a_newer_version_is_left_alone(complete: Path) -> None:
    with sqlite3.connect(complete / "catalog.db") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StorageError, match="newer version"):
        Library(complete)


@pytest.mark.parametrize("swapped", ["lexical-*", "dense-*", "*"])
def test_what_is_another_librarys_is_not_taken_for_its_own(tmp_path: Path, swapped: str) -> None:
    """The indexes are built again; with the catalog, which is the truth, all else is that one's."""
    found = {}
    for name in ("own", "other"):
        corpus = indexing.write_corpus(tmp_path / f"{name} texts")
        for path in corpus if name == "other" else ():
            path.write_text(path.read_text("utf-8")[::-1], "utf-8")
        with indexing.open_library(tmp_path / name, **indexing.LARGE) as library:
            library.add([corpus[0].parent])
            indexing.synced(library)
            found[name] = library.search_many(indexing.queries(corpus), k=5)
    own, other = tmp_path / "own", tmp_path / "other"
    mine, theirs = (sorted(folder.glob(swapped)) for folder in (own, other))
    assert len(mine) == len(theirs) > 0
    for path, foreign in zip(mine, theirs, strict=True):
        (shutil.rmtree if path.is_dir() else Path.unlink)(path)
        put = own / (foreign.name if swapped == "*" else path.name)
        (shutil.copytree if foreign.is_dir() else shutil.copy)(foreign, put)
    name = "other" if swapped == "*" else "own"
    with indexing.open_library(own, **indexing.LARGE) as library:
        asked = indexing.queries(sorted((tmp_path / f"{name} texts").iterdir()))
        assert library.search_many(asked, k=5) == found[name]
        notes = indexing.synced(library).notes
        assert [note.endswith("built again.") for note in notes] == [True] * (swapped != "*")
        assert library.search_many(asked, k=5) == found[name]
        assert library.verify() == []
