"""Remembered verdicts: one SQLite file, keyed by the hash of all a verdict depends on."""

import json
import sqlite3
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from pathlib import Path
from typing import cast

import msgspec

from veracite.engine.types import Claim, Verdict
from veracite.index.storage import make_private_file
from veracite.models.files import private_folder

_KEPT = 100_000
"""Verdicts kept; the oldest go first. About 2 KB each."""


class Memory(AbstractContextManager["Memory"]):
    """Verdicts by key, or none where they cannot be kept: losing them loses time, nothing else.

    Args:
        path: The file; made, readable by its owner alone, if missing. A damaged one is replaced.
    """

    def __init__(self, path: Path) -> None:
        self.problem: str | None = None
        """Why verdicts are not remembered, and what to do about it."""
        self._path = path
        self._connection: sqlite3.Connection | None = None
        try:
            private_folder(path.parent)
            self._connection = _connect(path)
        except (OSError, sqlite3.Error) as error:
            self.problem = (
                f"Verdicts are not remembered for the next run ({error}). "
                "Name a folder that can be written in VERACITE_CACHE_DIR."
            )

    def get(self, key: str, claim: Claim) -> Verdict | None:
        """The verdict under this key, on ``claim``; None if there is none."""
        row = self._asked("SELECT verdict FROM judged WHERE key = ?", key)
        with suppress(ValueError, msgspec.MsgspecError):  # damaged where SQLite cannot see it
            if row:
                return replace(msgspec.convert(json.loads(row[0]), Verdict), claim=claim)
        return None

    def put(self, key: str, verdict: Verdict) -> None:
        """Remember a verdict."""
        # The standard library's JSON: names of files may be no UTF-8.
        told = json.dumps(msgspec.to_builtins(verdict))
        self._asked("INSERT OR REPLACE INTO judged VALUES (?, ?)", key, told)

    def _asked(self, statement: str, *values: str) -> tuple[bytes] | None:
        """The first row; a file that cannot grow is given up, a damaged one besides removed."""
        if self._connection is None:
            return None
        try:
            with self._connection:
                return cast("tuple[bytes]", self._connection.execute(statement, values).fetchone())
        except sqlite3.DatabaseError as error:
            self.__exit__()
            with suppress(OSError):
                _remove_damaged(self._path, error)
            return None

    def __exit__(self, *_: object) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _remove_damaged(path: Path, error: sqlite3.DatabaseError) -> bool:
    """Whether what was wrong with a file is gone with it."""
    is_damaged = not isinstance(error, sqlite3.OperationalError)
    for leftover in path.parent.glob(path.name + "*") if is_damaged else ():
        leftover.unlink()
    return is_damaged


def _connect(path: Path) -> sqlite3.Connection:
    make_private_file(path)
    connection = sqlite3.connect(path, timeout=10, check_same_thread=False)
    connection.text_factory = bytes  # what is damaged is no UTF-8
    try:
        connection.executescript(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; DROP TABLE IF EXISTS verdicts;"
            "CREATE TABLE IF NOT EXISTS judged (key TEXT PRIMARY KEY, verdict TEXT NOT NULL);"
            f"DELETE FROM judged WHERE rowid <= (SELECT max(rowid) FROM judged) - {_KEPT}"
        )
    except sqlite3.DatabaseError as error:
        connection.close()
        if _remove_damaged(path, error):
            return _connect(path)
        raise
    return connection
