"""The catalog's tables, and how a database gets them.

``PRAGMA user_version`` holds the version. A change to the tables adds a step to ``MIGRATIONS``;
the steps that exist are never edited, so a library of any age is brought up to date.
"""

import sqlite3

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
        # Paths are bytes: a file name need not be valid UTF-8.
        "CREATE TABLE sources (path BLOB PRIMARY KEY) WITHOUT ROWID",
        """
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
        )
        """,
        # AUTOINCREMENT: the derived indexes know passages and embeddings by id, so an id that was
        # given up must never come back with other content.
        """
        CREATE TABLE passages (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
            start INTEGER NOT NULL,
            stop INTEGER NOT NULL,
            page INTEGER,
            heading TEXT,
            text TEXT NOT NULL,
            hash BLOB NOT NULL
        )
        """,
        "CREATE INDEX passages_document ON passages (document)",
        "CREATE INDEX passages_hash ON passages (hash)",
        """
        CREATE TABLE embeddings (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            hash BLOB NOT NULL,
            encoder TEXT NOT NULL,
            vector BLOB NOT NULL,
            UNIQUE (hash, encoder)
        )
        """,
        """
        CREATE TABLE derived (
            name TEXT PRIMARY KEY,
            generation INTEGER NOT NULL,
            file TEXT NOT NULL,
            sha256 TEXT NOT NULL,
            made_with TEXT NOT NULL
        ) WITHOUT ROWID
        """,
    ),
)

SCHEMA_VERSION = len(MIGRATIONS)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a database of an older (or no) version up to date, in one transaction."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        # Asked again under the lock: another process may have come first.
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        for step in MIGRATIONS[version:]:
            for statement in step:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
