"""The SQLite database of a library: one connection, transactions, and a few stored facts.

*Generations* count the changes to passages and to embeddings, each in the transaction that makes
the change.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Literal

from veracite.index.errors import StorageError
from veracite.index.schema import SCHEMA_VERSION, migrate
from veracite.index.storage import make_private_file, storage_errors

Changes = Literal["passages", "embeddings"]

_CHUNK = 500
_BUSY_SECONDS = 10.0


class Database:
    """An open database. Used by one thread at a time, not bound to the one that opened it.

    Raises:
        StorageError: From every method: the folder cannot be written, is full or damaged; from the
            constructor also for a catalog that a newer version of Veracite has written.
    """

    def __init__(self, path: Path) -> None:
        self._folder = path.parent
        with storage_errors(self._folder):
            make_private_file(path)
            self._connection = sqlite3.connect(
                path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            try:
                self._prepare()
            except BaseException:
                self._connection.close()
                raise

    def _prepare(self) -> None:
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        if version > SCHEMA_VERSION:
            raise StorageError(
                f"The library in {self._folder} was written by a newer version of Veracite.",
                "Install that version or a later one, or use another library folder.",
            )
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.execute("PRAGMA foreign_keys = ON")
        # What the user takes out of a library is to be gone from the disk.
        self._connection.execute("PRAGMA secure_delete = ON")
        if version < SCHEMA_VERSION:
            migrate(self._connection)

    def close(self) -> None:
        """Close the database. Calling it twice does no harm."""
        self._connection.close()

    def compact(self) -> None:
        """Give the room of what was deleted back to the disk; left out where that fails."""
        # It takes room itself, and nobody else at work.
        with suppress(sqlite3.OperationalError):
            self._connection.execute("VACUUM")

    @contextmanager
    def transaction(self, changes: Changes | None = None) -> Iterator[sqlite3.Connection]:
        """All or nothing; ``changes`` names what the derived indexes have to follow."""
        with storage_errors(self._folder):
            connection = self._connection
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                if changes is not None:
                    self._put_meta(f"generation of {changes}", str(self.generation(changes) + 1))
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def query(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """Run a statement that only reads."""
        with storage_errors(self._folder):
            return self._connection.execute(statement, values)

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
        with self.transaction():
            self._put_meta(key, value)

    def _put_meta(self, key: str, value: str) -> None:
        self._connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))
