"""Remembered verdicts: one SQLite file, keyed by the hash of all a verdict depends on."""

import json
import os
import sqlite3
from dataclasses import asdict
from pathlib import Path

from veracite.engine.paths import private_folder
from veracite.engine.types import Citation, Claim, Label, Scores, Verdict

_KEPT = 100_000
"""Verdicts kept; the oldest go first. About 2 KB each."""


class VerdictCache:
    """Verdicts by key. Losing it loses time, nothing else.

    Args:
        path: The file; made, readable by its owner alone, if missing. A damaged one is replaced.

    Raises:
        OSError: The file cannot be made.
        sqlite3.Error: The file cannot be used even after replacing it.
    """

    def __init__(self, path: Path) -> None:
        private_folder(path.parent)
        try:
            self._connection = _connect(path)
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            for leftover in path.parent.glob(path.name + "*"):
                leftover.unlink()
            self._connection = _connect(path)

    def get(self, key: str, claim: Claim) -> Verdict | None:
        """The verdict under this key, on ``claim``; None if there is none."""
        row = self._connection.execute(
            "SELECT verdict FROM verdicts WHERE key = ?", (key,)
        ).fetchone()
        return _restored(row[0], claim) if row else None

    def put(self, key: str, verdict: Verdict) -> None:
        """Remember a verdict.

        Raises:
            sqlite3.OperationalError: The disk is full or the file has become read-only.
        """
        content = {name: value for name, value in asdict(verdict).items() if name != "claim"}
        with self._connection:
            self._connection.execute(
                "INSERT OR REPLACE INTO verdicts VALUES (?, ?)", (key, json.dumps(content))
            )

    def close(self) -> None:
        """Give the file back."""
        self._connection.close()

    def __enter__(self) -> "VerdictCache":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Memory:
    """The verdict cache, or none where it cannot be kept: a check goes on without it.

    Args:
        path: As ``VerdictCache``.
    """

    def __init__(self, path: Path) -> None:
        self.problem: str | None = None
        """Why verdicts are not remembered, and what to do about it."""
        self._cache: VerdictCache | None = None
        try:
            self._cache = VerdictCache(path)
        except (OSError, sqlite3.Error) as error:
            self.problem = (
                f"Verdicts are not remembered for the next run ({error}). "
                "Name a folder that can be written in VERACITE_CACHE_DIR."
            )

    def get(self, key: str, claim: Claim) -> Verdict | None:
        """As ``VerdictCache.get``; None without a cache."""
        return self._cache.get(key, claim) if self._cache else None

    def put(self, key: str, verdict: Verdict) -> None:
        """As ``VerdictCache.put``; a cache that cannot grow any more is given up."""
        if self._cache:
            try:
                self._cache.put(key, verdict)
            except sqlite3.OperationalError:
                self._cache.close()
                self._cache = None

    def __enter__(self) -> "Memory":
        return self

    def __exit__(self, *_: object) -> None:
        if self._cache:
            self._cache.close()


def _connect(path: Path) -> sqlite3.Connection:
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    connection = sqlite3.connect(path, timeout=10, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        with connection:
            connection.execute(
                "CREATE TABLE IF NOT EXISTS verdicts (key TEXT PRIMARY KEY, verdict TEXT NOT NULL)"
            )
            connection.execute(
                "DELETE FROM verdicts WHERE rowid <= (SELECT max(rowid) FROM verdicts) - ?",
                (_KEPT,),
            )
    except BaseException:
        connection.close()
        raise
    return connection


def _restored(content: str, claim: Claim) -> Verdict:
    data = json.loads(content)
    return Verdict(
        claim=claim,
        label=Label(data["label"]),
        probability=data["probability"],
        scores=Scores(**data["scores"]) if data["scores"] else None,
        judge=data["judge"],
        explanation=data["explanation"],
        citations=tuple(Citation(**citation) for citation in data["citations"]),
    )
