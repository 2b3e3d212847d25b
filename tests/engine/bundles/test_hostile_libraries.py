"""Bundles of libraries from an enemy are refused, for the right reason, and leave nothing behind.

What is true of every bundle is shown in ``test_hostile_models``.
"""

import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from forging import Forge, Forgery, require_refused, tree, without
from indexing import ENCODER, open_library, synced

from veracite.engine.bundles.libraries import export_library, import_library
from veracite.engine.errors import USER_ERRORS
from veracite.engine.libraries import Libraries
from veracite.engine.paths import Paths
from veracite.index import portable
from veracite.index.progress import Encoded
from veracite.models.store import Copied

TEXT = "The Harrow mill burned down in 1904.\fIt was never rebuilt.\n"


def libraries(home: Path) -> Libraries:
    return Libraries(Paths(home / "data", home / "cache", home / "config.toml"))


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("good")
    (home / "documents").mkdir()
    for name in ("a.txt", "b.txt"):
        (home / "documents" / name).write_text(f"{name}: {TEXT}", encoding="utf-8")
    with open_library(libraries(home).create("mills"), home / "documents") as library:
        synced(library)
    list(export_library(libraries(home), "mills", home / "good"))
    return home / "good"


def about(**others: Any) -> Forge:
    return lambda bundle: bundle.said["about"].update(others)


def sql(*statements: str) -> Forge:
    """Another catalog, by statements that may leave it as no program would; ``text`` packs one."""

    def forge(bundle: Forgery) -> None:
        with TemporaryDirectory() as folder:
            path = Path(folder, "catalog.db")
            path.write_bytes(bundle.entries["catalog.db"])
            with closing(sqlite3.connect(path, isolation_level=None)) as catalog:
                catalog.create_function("packed", 1, lambda text: zlib.compress(text.encode()))
                for statement in statements:
                    catalog.execute(statement)
            bundle.entries["catalog.db"] = path.read_bytes()

    return forge


def damaged(bundle: Forgery) -> None:
    pages = bytearray(bundle.entries["catalog.db"])
    pages[4096:-4096] = bytes(len(pages) - 8192)
    bundle.entries["catalog.db"] = bytes(pages)


FIRST = "UPDATE documents SET {} WHERE id = (SELECT min(id) FROM documents)"
PASSAGE = "UPDATE passages SET {} WHERE id = (SELECT min(id) FROM passages)"
NO_PATH, NO_PLACE = "is no path of a file", "stands where none can"
FORGERIES: dict[str, tuple[Forge, str]] = {
    "nothing about the library": (lambda b: b.said.update(about={}), "does not say what library"),
    "name that leads upwards": (about(name="../up"), "cannot be the name of a library"),
    "no catalog": (without("catalog.db"), "does not say what library"),
    "a file more": (lambda b: b.entries.update({"lock": b""}), "or holds more"),
    "no database": (
        lambda b: b.entries.update({"catalog.db": bytes(99) * 99}),
        "catalog is damaged",
    ),
    "pages of nothing": (damaged, "catalog is damaged"),
    "older tables": (sql("PRAGMA user_version = 1"), "not one of this version"),
    "a trigger more": (
        sql("CREATE TRIGGER t AFTER DELETE ON meta BEGIN DELETE FROM sources; END"),
        "not one of this version",
    ),
    "passage of no document": (
        sql("PRAGMA foreign_keys = OFF", "UPDATE passages SET document = 99"),
        "catalog is damaged",
    ),
    "source that is no path": (sql("INSERT INTO sources VALUES (CAST('a' AS BLOB))"), NO_PATH),
    "source with a zero byte": (sql("INSERT INTO sources VALUES (x'2f6100')"), NO_PATH),
    "path that leads upwards": (sql(FIRST.format("path = CAST('/a/../b' AS BLOB)")), NO_PATH),
    "path that is too long": (
        sql(FIRST.format("path = x'2f' || zeroblob(5000)")),
        "no path|cannot",
    ),
    "path that is a text": (sql(FIRST.format("path = '/a'")), "a value of its documents"),
    "number beyond all": (sql(f"{PASSAGE.format(f'id = {2**63 - 1}')}"), "value of its passages"),
    "text that is not UTF-8": (sql(PASSAGE.format("heading = CAST(x'ff' AS TEXT)")), "damaged"),
    "hash that is none": (sql(FIRST.format("sha256 = 'x'")), "hash of .* is missing"),
    "no hash of a text": (sql(FIRST.format("sha256 = ''")), "hash of .* is missing"),
    "file that is read without a text": (sql(FIRST.format("text = NULL")), "read and not read"),
    "file that failed and has a text": (
        sql("DELETE FROM passages", FIRST.format("state = 'failed'")),
        "read and not read",
    ),
    "text that is not packed": (sql(FIRST.format("text = x'0102'")), "damaged"),
    "text that is cut off": (sql(FIRST.format("text = substr(text, 1, 9)")), "or cut off"),
    "text beyond all": (sql(FIRST.format("text = packed(hex(zeroblob(600)))")), "text is too long"),
    "another text": (
        sql(FIRST.format("text = packed(hex(zeroblob(90)))")),
        "read from it is damaged",
    ),
    "pages that are none": (sql(FIRST.format("pages = '{'")), "damaged"),
    "pages that are too deep": (sql(FIRST.format(f"pages = '{'[' * 99_999}'")), "damaged"),
    "page behind the text": (sql(FIRST.format("pages = '[9999]'")), NO_PLACE),
    "pages out of order": (sql(FIRST.format("pages = '[9, 3]'")), NO_PLACE),
    "passage on another page": (sql(PASSAGE.format("page = 7")), "on another page"),
    "row behind the text": (sql(FIRST.format("rows = '[[9999, 1, 1]]'")), NO_PLACE),
    "row without cells": (sql(FIRST.format("rows = '[[0, 1, 0]]'")), NO_PLACE),
    "passage behind the text": (sql(PASSAGE.format("stop = 9999")), NO_PLACE),
    "passage that ends before it starts": (sql(PASSAGE.format("stop = start")), "passage is empty"),
    "passage of other words": (sql(PASSAGE.format("text = 'A lie.'")), "read from it is damaged"),
    "passage of an archive": (
        sql(FIRST.format("extractor = 'containers/1'"), PASSAGE.format("text = 'A lie.'")),
        "passage of an archive",
    ),
    "encoder without a name": (sql("UPDATE encoders SET name = ''"), "encoder that cannot be"),
    "encoder that cannot be shown": (
        sql("UPDATE encoders SET name = char(27) || '[2J'"),
        "encoder that cannot be",
    ),
    "vector that is too long": (
        sql("UPDATE embeddings SET vector = replace(hex(zeroblob(32)), '00', 'zz') || ''"),
        "value of its embeddings",
    ),
    "vector of no numbers": (sql("UPDATE embeddings SET vector = x'007e007e'"), "vector of"),
    "vector that is cut off": (
        sql("UPDATE embeddings SET vector = substr(vector, 1, 3) WHERE id = 1"),
        "vector of",
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_bundle_leaves_nothing(
    name: str, good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(portable, "_LARGEST_TEXT", 1000)
    home = libraries(tmp_path)
    require_refused(*FORGERIES[name], good, tmp_path, lambda path: import_library(home, path, None))


def test_the_same_bundle_without_forgery_is_taken(good: Path, tmp_path: Path) -> None:
    Forgery.of(good).write(tmp_path / "bundle")
    *_, name = import_library(libraries(tmp_path), tmp_path / "bundle", None)
    with open_library(libraries(tmp_path).folder(str(name))) as library:
        assert synced(library).documents == 2
        assert library.status().embedded == library.status().passages == 2
        (first, _) = library.documents()
        assert library.raw_text(first) == f"a.txt: {TEXT}"


def test_embeddings_of_several_encoders_travel(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT)
    with open_library(libraries(tmp_path).create("mills"), tmp_path / "a.txt") as library:
        synced(library)
    with open_library(libraries(tmp_path).folder("mills"), encoder_id="other/1") as library:
        happening = library.sync()
        next(event for event in happening if isinstance(event, Encoded))
        happening.close()  # type: ignore[attr-defined]
    *written, _ = export_library(libraries(tmp_path), "mills", tmp_path / "bundle")
    steps = [(event.done, event.total) for event in written if isinstance(event, Copied)]
    assert steps == sorted(steps)
    assert steps[-1][0] == steps[-1][1]
    list(import_library(libraries(tmp_path), tmp_path / "bundle", "again"))
    for encoder in (ENCODER, "other/1"):
        with open_library(libraries(tmp_path).folder("again"), encoder_id=encoder) as library:
            assert library.status().embedded == 1


def test_a_library_that_changes_is_not_exported(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT)
    with open_library(libraries(tmp_path).create("mills"), tmp_path / "a.txt") as library:
        happening = library.sync(wait_seconds=0)
        next(happening)
        with pytest.raises(USER_ERRORS, match="Another process is changing"):
            list(export_library(libraries(tmp_path), "mills", tmp_path / "bundle"))
        list(happening)
    assert not (tmp_path / "bundle").exists()
    list(export_library(libraries(tmp_path), "mills", tmp_path / "bundle"))


def test_an_import_that_is_stopped_leaves_nothing(good: Path, tmp_path: Path) -> None:
    happening = import_library(libraries(tmp_path), good, None)
    next(happening)
    happening.close()  # type: ignore[attr-defined]
    assert tree(tmp_path) == {}
