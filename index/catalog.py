"""The catalog: one SQLite database that is the truth about a library.

What search looks in is derived from it. Every change is one transaction, so a crash at any
moment leaves a catalog that opens. *Generations* count the changes to passages and to embeddings,
each in the transaction that makes the change; the indexes remember which they were made from.
"""

import json
import os
import shutil
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from veracite.index.documents import Cut, Document, Extraction, FailedDocument, Passage, Row
from veracite.index.errors import ReadError, StorageError
from veracite.index.readers import NOT_KNOWN
from veracite.index.storage import is_writable, make_private_file, storage_errors

Changes = Literal["passages", "embeddings"]

MEMBER = "member"
_CHUNK = 500
_BUSY_SECONDS = 10.0
_DERIVED = "lexical-*"
_LEFT_OUT = "left out"
_UNREAD, _OTHERS, _ELSEWHERE = "unread places", "other kinds", "elsewhere"
READ = "FROM documents WHERE state = 'read' AND extractor NOT LIKE 'containers/%'"
_HELD = "(path = ? OR (path > ? AND path < ? AND reader = ?))"
"""A file's row and those of what it holds."""

_MIGRATIONS = (
    """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
-- Paths are bytes: a file name need not be valid UTF-8.
CREATE TABLE sources (path BLOB PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path BLOB NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    reader TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('read', 'failed')),
    reason TEXT,
    extractor TEXT,
    title TEXT,
    text BLOB,
    pages TEXT
);
-- AUTOINCREMENT: the keyword index knows passages by id, so an id that was given up must never
-- come back with other content.
CREATE TABLE passages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    page INTEGER,
    heading TEXT,
    text TEXT NOT NULL,
    hash BLOB NOT NULL
);
CREATE INDEX passages_document ON passages (document);
CREATE INDEX passages_hash ON passages (hash);
CREATE TABLE embeddings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    hash BLOB NOT NULL,
    encoder TEXT NOT NULL,
    vector BLOB NOT NULL,
    UNIQUE (hash, encoder)
);
""",
    "ALTER TABLE documents ADD COLUMN advice TEXT",
    "ALTER TABLE documents ADD COLUMN rows TEXT NOT NULL DEFAULT '[]'",
    """
-- Passages up to the id `complete` have an embedding, as far as they are still there.
CREATE TABLE encoders (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    complete INTEGER NOT NULL DEFAULT 0
);
INSERT INTO encoders (name) SELECT DISTINCT encoder FROM embeddings;
ALTER TABLE embeddings RENAME TO before;
CREATE TABLE embeddings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    hash BLOB NOT NULL,
    encoder INTEGER NOT NULL REFERENCES encoders (id) ON DELETE CASCADE,
    vector BLOB NOT NULL,
    UNIQUE (encoder, hash)
);
INSERT INTO embeddings
    SELECT b.id, hash, e.id, vector FROM before AS b JOIN encoders AS e ON name = encoder;
DROP TABLE before;
-- Of passages that were deleted: their embeddings may be of no more use.
CREATE TABLE deleted (hash BLOB PRIMARY KEY) WITHOUT ROWID;
INSERT OR IGNORE INTO deleted SELECT hash FROM embeddings;
CREATE TRIGGER passage_deleted AFTER DELETE ON passages BEGIN
    INSERT OR IGNORE INTO deleted VALUES (old.hash); END;
-- What veracite.index.dense keeps in files: the embeddings of an encoder from one id to another.
CREATE TABLE segments (
    file TEXT PRIMARY KEY,
    encoder INTEGER NOT NULL REFERENCES encoders (id) ON DELETE CASCADE,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    size INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    stale INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TRIGGER embedding_deleted AFTER DELETE ON embeddings BEGIN
    UPDATE segments SET stale = 1 WHERE encoder = old.encoder AND old.id BETWEEN first AND last; END
""",
)
"""What makes the tables of each ``PRAGMA user_version`` out of those of the one before. A statement
ends with the line that ends with a semicolon; those within a trigger end within a line."""

_KEPT_PAGES = "PRAGMA cache_size = -32000"
"""So many KB: pages that a transaction changes are written once."""
_LOGGED_PAGES = "PRAGMA wal_autocheckpoint = 16000"
"""A page that changes again and again moves from the log to its place every 64 MB."""


@dataclass(frozen=True, slots=True)
class FileStamp:
    """What a file looked like when it was read."""

    size: int
    """In bytes; 0 until all that a file holds is stored, so that it counts as changed."""
    mtime_ns: int
    """-1 where a later change could leave it as it is: such a file is hashed again next time."""
    sha256: str
    reader: str
    """Name and version of the reader that read it or failed to; ``MEMBER`` for what a file holds,
    which comes and goes with the file."""


class Catalog:
    """What a library holds: its sources, documents and passages, and where its indexes live.

    Used by one thread at a time, not bound to the one that opened it.

    Raises:
        StorageError: From every method: the folder cannot be written, is full or damaged; from the
            constructor also for a catalog that a newer version of Veracite has written.
    """

    def __init__(self, path: Path) -> None:
        self._folder = path.parent
        self.read_only = path.exists() and not is_writable(path)
        """Whether it lies where nothing can be written, such as on a disc."""
        self._copied: TemporaryDirectory[str] | None = None
        with storage_errors(self._folder):
            _require_content(path)
            if not self.read_only:
                make_private_file(path)
            self._connection = self._open_unchanged(path) if self.read_only else _connect(path)
            try:
                self._prepare()
            except BaseException:
                self.close()
                raise

    def _open_unchanged(self, path: Path) -> sqlite3.Connection:
        """Open a catalog that cannot be written: as it is, if all of it is in that one file and of
        this version, else a copy."""
        connection = _connect(f"{path.absolute().as_uri()}?immutable=1")
        log = path.with_name(f"{path.name}-wal")
        if _version(connection) >= len(_MIGRATIONS) and not (log.exists() and log.stat().st_size):
            return connection
        connection.close()
        self._copied = TemporaryDirectory()
        for part in (path, log):
            if part.exists():
                shutil.copyfile(part, Path(self._copied.name, part.name))
        return _connect(Path(self._copied.name, path.name))

    def _prepare(self) -> None:
        version = _version(self._connection)
        if version > len(_MIGRATIONS):
            raise StorageError(
                f"The library in {self._folder} was written by a newer version of Veracite.",
                "Install that version or a later one, or use another library folder.",
            )
        if not self.read_only or self._copied:
            self._connection.execute("PRAGMA journal_mode = WAL")
        for setting in (_KEPT_PAGES, _LOGGED_PAGES, "PRAGMA synchronous = NORMAL"):
            self._connection.execute(setting)
        self._connection.execute("PRAGMA foreign_keys = ON")
        # What the user takes out of a library is to be gone from the disk.
        self._connection.execute("PRAGMA secure_delete = ON")
        if version < len(_MIGRATIONS):
            with self.transaction() as connection:
                # Asked again under the lock: another process may have come first.
                for statement in ";\n".join(_MIGRATIONS[_version(connection) :]).split(";\n"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {len(_MIGRATIONS)}")

    def close(self) -> None:
        """Close the database. Calling it twice does no harm."""
        self._connection.close()
        if self._copied:
            self._copied.cleanup()

    def compact(self) -> None:
        """Give the room of what was deleted back to the disk; left out where that fails."""
        # It takes room itself, and nobody else at work.
        with suppress(sqlite3.OperationalError):
            self._connection.execute("VACUUM")

    @contextmanager
    def transaction(self, changes: Changes | None = None) -> Iterator[sqlite3.Connection]:
        """All or nothing; ``changes`` names what the indexes have to follow.

        One within another is a part of it.
        """
        with storage_errors(self._folder):
            connection = self._connection
            outer = not connection.in_transaction
            try:
                if outer:
                    connection.execute("BEGIN IMMEDIATE")
                yield connection
                if changes is not None:
                    self.set_meta(f"generation of {changes}", str(self.generation(changes) + 1))
                if outer:
                    connection.execute("COMMIT")
            except BaseException:
                if outer and connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """What is read meanwhile is of one moment, whatever other processes write."""
        self.query("BEGIN")
        try:
            yield
        finally:
            self.query("ROLLBACK")

    def query(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """Run a statement that only reads."""
        with storage_errors(self._folder):
            return self._connection.execute(statement, values)

    def number(self, statement: str, values: Sequence[object] = ()) -> int:
        """Run a statement that only reads one number."""
        (found,) = self.query(statement, values).fetchone()
        return int(found)

    def query_many(self, statement: str, keys: Iterable[object]) -> Iterator[tuple[Any, ...]]:
        """Run a statement whose ``{keys}`` stands for a list, however long the list is."""
        wanted = list(keys)
        for at in range(0, len(wanted), _CHUNK):
            chunk = wanted[at : at + _CHUNK]
            marks = ",".join("?" * len(chunk))
            # All at once: a reader that stops early must not leave a statement open.
            yield from self.query(statement.replace("{keys}", marks), chunk).fetchall()

    def generation(self, *of: Changes) -> int:
        """How many times passages or embeddings or either have changed."""
        return sum(int(self.meta(f"generation of {changes}") or 0) for changes in of)

    def meta(self, key: str) -> str | None:
        """A stored fact, or None."""
        row = self.query("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def set_meta(self, key: str, value: str) -> None:
        """Store a fact that is no part of the content."""
        with self.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    # Sources

    def sources(self) -> tuple[Path, ...]:
        """The files and folders that the library follows, in order."""
        rows = self.query("SELECT path FROM sources ORDER BY path")
        return tuple(Path(os.fsdecode(path)) for (path,) in rows)

    def add_sources(self, paths: Iterable[Path]) -> None:
        """Follow these absolute paths too."""
        self._for_each("INSERT OR IGNORE INTO sources VALUES (?)", paths)

    def remove_sources(self, paths: Iterable[Path]) -> None:
        """Follow these absolute paths no longer."""
        self._for_each("DELETE FROM sources WHERE path = ?", paths)

    def elsewhere(self) -> tuple[Path, ...]:
        """The sources that are on another machine, in order."""
        marked = set(json.loads(self.meta(_ELSEWHERE) or "[]"))
        return tuple(source for source in self.sources() if str(source) in marked)

    def set_elsewhere(self, sources: Iterable[Path]) -> None:
        """Note that these of the sources, and no others, are on another machine."""
        self.set_meta(_ELSEWHERE, json.dumps([str(source) for source in sources]))

    def _for_each(self, statement: str, paths: Iterable[Path]) -> None:
        with self.transaction() as connection:
            connection.executemany(statement, [(os.fsencode(path),) for path in paths])

    # Documents

    def files(self) -> dict[str, FileStamp]:
        """Every file that was read or failed, by path, without what files hold."""
        rows = self.query(
            "SELECT path, size, mtime_ns, sha256, reader FROM documents WHERE reader != ?",
            (MEMBER,),
        )
        return {os.fsdecode(path): FileStamp(*rest) for path, *rest in rows}

    def store(
        self, path: str, stamp: FileStamp, found: Extraction, passages: Iterable[Cut]
    ) -> None:
        """Put a document in, or another version in its place."""
        with self.transaction("passages") as connection:
            document = _insert(
                connection,
                path,
                stamp,
                state="read",
                extractor=found.extractor,
                title=storable(found.title),
                text=zlib.compress(found.text.encode("utf-8", "surrogatepass")),
                pages=json.dumps(found.pages),
                rows=json.dumps(found.rows),
                reason=storable(found.unread or None),
                advice=storable(found.advice or None),
            )
            for cut in passages:
                heading, text = storable(cut.heading), storable(cut.text)
                connection.execute(
                    "INSERT INTO passages (document, start, stop, page, heading, text, hash)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (document, cut.start, cut.end, cut.page, heading, text, bytes.fromhex(cut.id)),
                )

    def store_failure(self, failed: FailedDocument, stamp: FileStamp) -> None:
        """List a file as failed; an earlier version of it goes."""
        said = {"reason": storable(failed.reason), "advice": storable(failed.advice)}
        with self.transaction("passages") as connection:
            _insert(connection, failed.file, stamp, state="failed", **said)

    def forget_stamp(self, path: str) -> None:
        """Have a file, or the one that holds this document, read again with the next sync."""
        with self.transaction() as connection:
            connection.executemany(
                "UPDATE documents SET reader = '' WHERE path = ? AND reader != ?",
                [(bytes(place), MEMBER) for place in (Path(path), *Path(path).parents)],
            )

    def adopt(self, path: str, twin: str, stamp: FileStamp) -> None:
        """Put a file in of whose bytes all is known: they were read under another path.

        What it holds, such as the files of an archive, comes with it.
        """
        new, old = os.fsencode(path), os.fsencode(twin)
        of = "size, sha256, reader, state, reason, advice, extractor, title, text, pages, rows"
        cut = "start, stop, page, heading, text, hash"
        with self.transaction("passages") as connection:
            rows = connection.execute(
                f"SELECT id, path FROM documents WHERE {_HELD}", _held(old)
            ).fetchall()
            for number, known in rows:
                copy = connection.execute(
                    f"INSERT OR REPLACE INTO documents (path, mtime_ns, {of})"
                    f" SELECT ?, ?, {of} FROM documents WHERE id = ?",
                    (new + known[len(old) :], stamp.mtime_ns if known == old else -1, number),
                ).lastrowid
                connection.execute(
                    f"INSERT INTO passages (document, {cut})"
                    f" SELECT ?, {cut} FROM passages WHERE document = ? ORDER BY id",
                    (copy, number),
                )

    def restamp(self, stamps: Iterable[tuple[str, FileStamp]]) -> None:
        """Note the size and time of files whose content is held."""
        with self.transaction() as connection:
            connection.executemany(
                "UPDATE documents SET size = ?, mtime_ns = ? WHERE path = ?",
                [(stamp.size, stamp.mtime_ns, os.fsencode(path)) for path, stamp in stamps],
            )

    def remove(self, path: str) -> None:
        """Forget a file, what it holds, and their passages."""
        with self.transaction("passages") as connection:
            connection.execute(f"DELETE FROM documents WHERE {_HELD}", _held(os.fsencode(path)))

    def documents(self) -> list[Document]:
        """Every document that was read, by path, without the archives that hold some."""
        rows = self.query(f"SELECT path, sha256, extractor, title {READ} ORDER BY path")
        return [Document(os.fsdecode(path), *rest) for path, *rest in rows]

    def count_documents(self) -> int:
        """How many documents were read, as ``documents`` lists them."""
        return self.number(f"SELECT count(*) {READ}")

    def names(self) -> Iterator[tuple[str, int]]:
        """Path and time of change (in ns; -1 where it says nothing) of every document."""
        rows = self.query("SELECT path, mtime_ns FROM documents WHERE state = 'read' ORDER BY path")
        return ((os.fsdecode(path), changed) for path, changed in rows)

    def set_unread(
        self, places: Iterable[FailedDocument], others: Iterable[str], left_out: int
    ) -> None:
        """Note what the last scan met and could not look into, the files of other kinds, and how
        many files and folders patterns left out.

        Documents read from a place before stay: this is a fact about the place, not about them.
        """
        unread, of_kinds = list(map(astuple, places)), list(others)
        for key, found in ((_UNREAD, unread), (_OTHERS, of_kinds), (_LEFT_OUT, [left_out])):
            if (told := json.dumps(found)) != self.meta(key):
                self.set_meta(key, told)

    def failures(self) -> list[FailedDocument]:
        """All that was not read, by path: files or parts of them, places that are out of reach."""
        rows = self.query(
            "SELECT path, reason, ifnull(advice, ''), state = 'read' FROM documents"
            " WHERE reason NOT NULL AND NOT (reader = ? AND reason = ?)",
            (MEMBER, NOT_KNOWN),
        )
        said = [(os.fsdecode(path), *why, bool(partly)) for path, *why, partly in rows]
        failed = {one[0]: FailedDocument(*one) for one in said + self._noted(_UNREAD)}
        return [failed[path] for path in sorted(failed, key=os.fsencode)]

    def others(self) -> tuple[str, ...]:
        """The files of kinds that are not read, as the last scan met them or files hold them."""
        rows = self.query(
            "SELECT path FROM documents WHERE reader = ? AND reason = ? ORDER BY path",
            (MEMBER, NOT_KNOWN),
        )
        return (*self._noted(_OTHERS), *(os.fsdecode(path) for (path,) in rows))

    @property
    def left_out(self) -> int:
        """How many files and folders patterns left out, by the last scan."""
        return sum(self._noted(_LEFT_OUT))

    def _noted(self, key: str) -> list[Any]:
        found: list[Any] = json.loads(self.meta(key) or "[]")
        return found

    def extraction(self, document: Document) -> Extraction:
        """What was read from a document.

        Raises:
            ReadError: As ``unpacked``.
        """
        rows = self.query(
            "SELECT text, pages, rows FROM documents"
            " WHERE path = ? AND sha256 = ? AND extractor = ?",
            (os.fsencode(document.path), document.sha256, document.extractor),
        )
        return unpacked(document, rows.fetchone())

    # Passages

    def count_passages(self) -> int:
        """How many passages there are, copies counted each time."""
        return self.number("SELECT count(*) FROM passages")

    def distinct_passages(self, after: int = 0) -> Iterator[tuple[int, str | None, str]]:
        """Id, heading and text of each distinct passage: of several copies the one that came
        first.

        Args:
            after: Only of those whose id is greater.
        """
        yield from self.query(
            "SELECT id, heading, text FROM passages WHERE id IN"
            " (SELECT min(id) FROM passages GROUP BY hash HAVING min(id) > ?) ORDER BY id",
            (after,),
        )

    def count_distinct(self, up_to: int) -> int:
        """How many distinct passages came first under an id up to this one."""
        return self.number(
            "SELECT count(*) FROM (SELECT 1 FROM passages GROUP BY hash HAVING min(id) <= ?)",
            (up_to,),
        )

    def last_passage(self) -> int:
        """The greatest id of a passage; 0 while there is none. Later ones have greater ids."""
        return self.number("SELECT ifnull(max(id), 0) FROM passages")

    def first_passages(self, paths: Iterable[str]) -> dict[str, bytes]:
        """The hash of the first passage of each of these documents, by path."""
        rows = self.query_many(
            "SELECT d.path, p.hash FROM documents d JOIN passages p ON p.id ="
            " (SELECT min(id) FROM passages WHERE document = d.id) WHERE d.path IN ({keys})",
            map(os.fsencode, paths),
        )
        return {os.fsdecode(path): digest for path, digest in rows}

    def passage_hashes(self, ids: Iterable[int]) -> dict[int, bytes]:
        """The hash of each passage; ids that are gone are left out."""
        return dict(self.query_many("SELECT id, hash FROM passages WHERE id IN ({keys})", ids))

    def passages(self, hashes: Iterable[bytes]) -> dict[bytes, Passage]:
        """One passage for each hash: of several copies the one first by path, then by position."""
        return {digest: found[0] for digest, found in self.copies(hashes).items()}

    def copies(self, hashes: Iterable[bytes]) -> dict[bytes, list[Passage]]:
        """Every place that each of these passages stands in, by path, then by position."""
        rows = self.query_many(
            "SELECT p.hash, p.start, p.stop, p.page, p.heading, p.text,"
            " d.path, d.sha256, d.extractor, d.title"
            " FROM passages p JOIN documents d ON d.id = p.document WHERE p.hash IN ({keys})"
            " ORDER BY d.path, p.start",
            hashes,
        )
        found: dict[bytes, list[Passage]] = {}
        for digest, start, end, page, heading, text, path, *rest in rows:
            document = Document(os.fsdecode(path), *rest)
            passage = Passage(document, start, end, page, heading, text, digest.hex())
            found.setdefault(digest, []).append(passage)
        return found


def _require_content(path: Path) -> None:
    """Raises sqlite3.DatabaseError for a catalog that is empty though there are indexes of it."""
    files = (path, path.with_name(f"{path.name}-wal"))
    is_empty = path.exists() and not any(file.exists() and file.stat().st_size for file in files)
    if is_empty and next(path.parent.glob(_DERIVED), None) is not None:
        raise sqlite3.DatabaseError("it is empty")


def _connect(path: Path | str) -> sqlite3.Connection:
    return sqlite3.connect(
        path,
        timeout=_BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        uri=isinstance(path, str),
    )


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def _insert(
    connection: sqlite3.Connection, path: str, stamp: FileStamp, **more: object
) -> int | None:
    """Put a row into ``documents`` in place of the one with the same path; its id."""
    row: dict[str, object] = {"path": os.fsencode(path), **asdict(stamp), **more}
    connection.execute(f"DELETE FROM documents WHERE {_HELD}", _held(os.fsencode(path)))
    names, marks = ", ".join(row), ", ".join("?" * len(row))
    statement = f"INSERT INTO documents ({names}) VALUES ({marks})"
    return connection.execute(statement, list(row.values())).lastrowid


def _held(path: bytes) -> tuple[bytes, bytes, bytes, str]:
    """What ``_HELD`` asks for."""
    return path, path + b"/", path + b"0", MEMBER  # "0" comes after "/"


def unpacked(document: Document, held: tuple[bytes, str, str] | None) -> Extraction:
    """What was read from a document, without its blocks.

    Args:
        held: Its text, pages and rows, as they are kept.

    Raises:
        ReadError: Nothing is kept of this version of the document any more.
    """
    if held is None:
        raise ReadError(
            f"{document.path} has changed or is gone since it was searched.",
            "Run the same command again.",
        )
    text = zlib.decompress(held[0]).decode("utf-8", "surrogatepass")
    pages, rows = map(json.loads, held[1:])
    return Extraction(
        text, (), document.extractor, document.title, tuple(pages), tuple(map(Row._make, rows))
    )


def storable(text: str | None) -> str | None:
    """Without lone surrogates, which SQLite's UTF-8 cannot hold."""
    return text and text.encode("utf-8", "replace").decode("utf-8")
