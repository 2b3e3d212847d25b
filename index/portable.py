"""A catalog that travels: SQLite's own copy of it, and what shows on arrival that it can be one.

Nobody vouches for what was written in between. So the tables have to be those of this version, and
everything in them what a library can hold: what is quoted and what is searched always agree. What
is derived, and what is true of the other machine alone, is left out.
"""

import json
import os
import re
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import msgspec

from veracite.index.catalog import READ, Catalog
from veracite.index.documents import Row
from veracite.index.passages import page_of
from veracite.index.storage import make_private_file
from veracite.index.verify import of_catalog

_LONGEST_PATH = 4096
_LONGEST_NAME = 200
"""Characters of an encoder's name."""
_LARGEST_TEXT = 400_000_000
"""Bytes that a text may take: four for each of the characters that are read of a file."""
_LARGEST_NUMBER = 2**62
_KINDS = {"INTEGER": int, "TEXT": str, "BLOB": bytes}
_HASH = re.compile(r"([0-9a-f]{64})?")
"""Empty where a file could not be read at all."""
_TABLES = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"
_UNREAD = f"SELECT 1 FROM passages WHERE document NOT IN (SELECT id {READ})"
_OF_HERE = """
DELETE FROM meta;
DELETE FROM segments;
DELETE FROM deleted;
DELETE FROM sqlite_sequence;
DELETE FROM embeddings WHERE hash NOT IN (SELECT hash FROM passages);
UPDATE encoders SET complete = 0;
UPDATE documents SET mtime_ns = -1
"""
"""Leaves out what says nothing on another machine, or cannot be relied on."""

_Pages = tuple[Annotated[int, msgspec.Meta(ge=0)], ...]


class NotPortable(ValueError):
    """What arrived cannot be what was sent; says why in a few words."""


def write_copy(catalog: Catalog, target: Path) -> None:
    """Write a copy of a catalog, without what was deleted, into a new file.

    Raises:
        StorageError: The disk refuses, or the catalog is damaged.
    """
    make_private_file(target)
    catalog.query("VACUUM INTO ?", (str(target),))


def adopt(path: Path) -> None:
    """Make a copy that arrived the catalog of a library, whose sources are elsewhere.

    Raises:
        NotPortable: It can be none.
        StorageError: The disk refuses.
    """
    try:
        _require_tables(path)
    except sqlite3.DatabaseError as error:
        raise NotPortable(f"its catalog is damaged ({error})") from error
    with closing(Catalog(path)) as catalog:
        _require_content(catalog)
        with catalog.transaction("passages") as connection, catalog.transaction("embeddings"):
            for statement in _OF_HERE.split(";"):
                connection.execute(statement)
            catalog.set_elsewhere(catalog.sources())


def _require_tables(path: Path) -> None:
    """A whole database with the tables of this version, in which every value is of its kind."""
    beside = path.parent.parent
    with TemporaryDirectory(dir=beside) as folder, closing(Catalog(Path(folder, "c.db"))) as ours:
        expected = ours.query(_TABLES).fetchall(), ours.number("PRAGMA user_version")
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True)) as sent:
        (version,) = sent.execute("PRAGMA user_version").fetchone()
        if (sent.execute(_TABLES).fetchall(), version) != expected:
            raise NotPortable("its catalog is not one of this version of Veracite")
        for check in ("integrity_check", "foreign_key_check"):
            if (said := sent.execute(f"PRAGMA {check}").fetchall()) not in ([], [("ok",)]):
                raise NotPortable(f"its catalog is damaged ({said[0]})")
        for kind, table, *_ in expected[0]:
            if kind == "table" and not table.startswith("sqlite_"):
                columns = sent.execute(f"PRAGMA table_info({table})").fetchall()
                kinds = [_KINDS[column[2]] for column in columns]
                for row in sent.execute(f"SELECT * FROM {table}"):
                    if not all(map(_is_plain, row, kinds)):
                        raise NotPortable(f"a value of its {table} cannot be one")


def _is_plain(value: object, kind: type) -> bool:
    if isinstance(value, int) and not -1 <= value <= _LARGEST_NUMBER:
        return False
    return value is None or isinstance(value, kind)


def _require_content(catalog: Catalog) -> None:
    """Texts, passages and embeddings that agree with each other, of files that can be named."""
    for source in catalog.sources():
        _require_path(str(source))
    for (name,) in catalog.query("SELECT name FROM encoders"):
        if not (name.isprintable() and 0 < len(name) <= _LONGEST_NAME):
            raise NotPortable("it names an encoder that cannot be shown")
    if catalog.query("SELECT 1 FROM passages WHERE start >= stop OR text = ''").fetchone():
        raise NotPortable("a passage is empty")
    if catalog.query(_UNREAD).fetchone():
        raise NotPortable("there is a passage of an archive, or of a file that failed")
    known = "id, path, sha256, state, extractor, text, pages, rows"
    for number, path, digest, state, *read in catalog.query(f"SELECT {known} FROM documents"):
        _require_path(os.fsdecode(path))
        is_read = state == "read"
        if not _HASH.fullmatch(digest) or (is_read and not digest):
            raise NotPortable(f"the hash of {os.fsdecode(path)!a} is missing")
        if any((value is None) == is_read for value in read[:3]):
            raise NotPortable("a file is both read and not read")
        held = "SELECT start, stop, page FROM passages WHERE document = ? ORDER BY start"
        _require_places(catalog.query(held, (number,)).fetchall(), *read[1:])
    for fault in of_catalog(catalog):
        raise NotPortable(fault.what)


def _require_places(
    passages: list[tuple[int, int, int | None]], packed: bytes | None, pages: str | None, rows: str
) -> None:
    """Pages, rows and passages are within the text, in order."""
    unpacking = zlib.decompressobj()
    try:
        raw = unpacking.decompress(packed, _LARGEST_TEXT) if packed else b""
        length = len(raw.decode("utf-8", "surrogatepass"))
        starts = msgspec.convert(json.loads(pages or "[]"), _Pages)
        lines = msgspec.convert(json.loads(rows), tuple[Row, ...])
    except (zlib.error, ValueError, RecursionError) as error:
        raise NotPortable(f"what was read of a file is damaged ({error})") from error
    if packed and not unpacking.eof:
        raise NotPortable("a text is too long, or cut off")
    spans = [place for start, stop, _ in passages for place in (start, stop)]
    for what, places in (
        ("page", [*starts]), ("row", [row.start for row in lines]), ("passage", spans)
    ):  # fmt: skip
        if (within := [0, *places, length]) != sorted(within):
            raise NotPortable(f"a {what} stands where none can")
    if any(row.columns <= 0 for row in lines):
        raise NotPortable("a row stands where none can")
    if any(page != page_of(starts, start) for start, _, page in passages):
        raise NotPortable("a passage is on another page")


def _require_path(path: str) -> None:
    """An absolute path that means nothing but itself, so that it can be listed and cited."""
    is_short = len(path) <= _LONGEST_PATH and "\0" not in path
    if not (is_short and os.path.isabs(path) and os.path.normpath(path) == path):
        raise NotPortable(f"{path[:100]!a} is no path of a file")
