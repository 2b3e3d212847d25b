"""The catalog: one SQLite database that is the truth about a library.

What Tantivy and hnswlib hold is derived from it. Every change is one transaction, so a crash at any
moment leaves a catalog that opens. The derived indexes remember the generations (see
``veracite.index.database``) that they were made from.
"""

import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from veracite.index.database import Database
from veracite.index.documents import Document, Extraction, Passage
from veracite.index.records import Derived, FileRecord, FileStamp, NewPassage

_UNREAD = "unread"


class Catalog(Database):
    """What a library holds: its sources, documents and passages, and where its indexes live.

    Raises:
        StorageError: From every method: the folder cannot be written, is full or damaged; from the
            constructor also for a catalog that a newer version of Veracite has written.
    """

    # Derived indexes

    def derived(self, name: str) -> Derived | None:
        """Where a derived index lives; None if there is none."""
        row = self.query(
            "SELECT generation, file, sha256, made_with FROM derived WHERE name = ?", (name,)
        ).fetchone()
        return None if row is None else Derived(*row)

    def set_derived(self, name: str, derived: Derived) -> None:
        """Record a derived index that is completely on the disk."""
        with self.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO derived VALUES (?, ?, ?, ?, ?)",
                (name, derived.generation, derived.file, derived.sha256, derived.made_with),
            )

    def drop_derived(self, name: str) -> None:
        """Forget a derived index."""
        with self.transaction() as connection:
            connection.execute("DELETE FROM derived WHERE name = ?", (name,))

    # Sources

    def sources(self) -> tuple[Path, ...]:
        """The files and folders that the library follows, in order."""
        rows = self.query("SELECT path FROM sources ORDER BY path")
        return tuple(Path(os.fsdecode(path)) for (path,) in rows)

    def add_sources(self, paths: Iterable[Path]) -> None:
        """Follow these absolute paths too."""
        with self.transaction() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO sources VALUES (?)", [(os.fsencode(p),) for p in paths]
            )

    def remove_sources(self, paths: Iterable[Path]) -> None:
        """Follow these absolute paths no longer."""
        with self.transaction() as connection:
            connection.executemany(
                "DELETE FROM sources WHERE path = ?", [(os.fsencode(p),) for p in paths]
            )

    # Documents

    def files(self) -> dict[str, FileRecord]:
        """Every file that was read or failed, by path."""
        rows = self.query("SELECT path, size, mtime_ns, sha256, reader FROM documents")
        return {
            os.fsdecode(path): FileRecord(FileStamp(size, mtime_ns, sha256), reader)
            for path, size, mtime_ns, sha256, reader in rows
        }

    def store(
        self,
        path: str,
        stamp: FileStamp,
        reader: str,
        found: Extraction,
        passages: Iterable[NewPassage],
    ) -> None:
        """Put a document in, or another version in its place."""
        with self.transaction("passages") as connection:
            document = _insert(
                connection,
                path,
                stamp,
                reader,
                state="read",
                extractor=found.extractor,
                title=found.title and _storable(found.title),
                text=zlib.compress(found.text.encode("utf-8", "surrogatepass")),
                pages=json.dumps(found.pages),
            )
            connection.executemany(
                "INSERT INTO passages (document, start, stop, page, heading, text, hash)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    (
                        *(document, p.start, p.end, p.page, p.heading and _storable(p.heading)),
                        *(_storable(p.text), bytes.fromhex(p.id)),
                    )
                    for p in passages
                ),
            )

    def store_failure(self, path: str, stamp: FileStamp, reader: str, reason: str) -> None:
        """List a file as failed; an earlier version of it goes."""
        with self.transaction("passages") as connection:
            _insert(
                connection,
                path,
                stamp,
                reader,
                state="failed",
                reason=_storable(reason),
            )

    def restamp(self, stamps: Iterable[tuple[str, FileStamp]]) -> None:
        """Note new times of files whose bytes have not changed."""
        with self.transaction() as connection:
            connection.executemany(
                "UPDATE documents SET mtime_ns = ? WHERE path = ?",
                [(stamp.mtime_ns, os.fsencode(path)) for path, stamp in stamps],
            )

    def remove(self, path: str) -> None:
        """Forget a file and its passages."""
        with self.transaction("passages") as connection:
            connection.execute("DELETE FROM documents WHERE path = ?", (os.fsencode(path),))

    def documents(self) -> list[Document]:
        """Every document that was read, by path."""
        rows = self.query(
            "SELECT path, sha256, extractor, title FROM documents"
            " WHERE state = 'read' ORDER BY path"
        )
        return [Document(os.fsdecode(path), *rest) for path, *rest in rows]

    def set_unread(self, reasons: dict[str, str]) -> None:
        """Note the paths that the last scan met and could not look into, each with the reason.

        Documents read from there before stay: this is a fact about the place, not about them.
        """
        self.set_meta(_UNREAD, json.dumps(reasons))

    def failures(self) -> list[tuple[str, str]]:
        """Path and reason of all that could not be read, by path: files, and sources or folders
        that are out of reach.
        """
        rows = self.query("SELECT path, reason FROM documents WHERE state = 'failed'")
        failed = {os.fsdecode(path): str(reason) for path, reason in rows}
        failed |= json.loads(self.meta(_UNREAD) or "{}")
        return sorted(failed.items(), key=lambda item: os.fsencode(item[0]))

    def text_and_pages(self, document: Document) -> tuple[str, tuple[int, ...]] | None:
        """A document's raw text and where its pages start; None if this version is gone."""
        row = self.query(
            "SELECT text, pages FROM documents WHERE path = ? AND sha256 = ? AND extractor = ?",
            (os.fsencode(document.path), document.sha256, document.extractor),
        ).fetchone()
        if row is None:
            return None
        text = zlib.decompress(row[0]).decode("utf-8", "surrogatepass")
        return text, tuple(json.loads(row[1]))

    # Passages

    def count_passages(self) -> int:
        """How many passages there are, copies counted each time."""
        (count,) = self.query("SELECT count(*) FROM passages").fetchone()
        return int(count)

    def distinct_passages(self) -> set[int]:
        """One id for each distinct passage: of several copies the one that came first."""
        return {row[0] for row in self.query("SELECT min(id) FROM passages GROUP BY hash")}

    def passage_words(self, ids: Iterable[int]) -> Iterator[tuple[int, str | None, str]]:
        """Id, heading and text of passages."""
        rows = self.query_many("SELECT id, heading, text FROM passages WHERE id IN ({keys})", ids)
        yield from ((number, heading, text) for number, heading, text in rows)

    def passage_hashes(self, ids: Iterable[int]) -> dict[int, bytes]:
        """The hash of each passage; ids that are gone are left out."""
        rows = self.query_many("SELECT id, hash FROM passages WHERE id IN ({keys})", ids)
        return {number: digest for number, digest in rows}

    def passages(self, hashes: Iterable[bytes]) -> dict[bytes, Passage]:
        """One passage for each hash: of several copies the one first by path, then by position."""
        rows = self.query_many(
            "SELECT p.hash, p.start, p.stop, p.page, p.heading, p.text,"
            " d.path, d.sha256, d.extractor, d.title"
            " FROM passages p JOIN documents d ON d.id = p.document WHERE p.hash IN ({keys})"
            " ORDER BY d.path, p.start",
            hashes,
        )
        found: dict[bytes, Passage] = {}
        for digest, start, end, page, heading, text, path, *rest in rows:
            if digest not in found:
                document = Document(os.fsdecode(path), *rest)
                found[digest] = Passage(document, start, end, page, heading, text, digest.hex())
        return found


def _insert(
    connection: sqlite3.Connection, path: str, stamp: FileStamp, reader: str, **more: object
) -> int | None:
    """Put a row into ``documents`` in place of the one with the same path."""
    row: dict[str, object] = {"path": os.fsencode(path), **asdict(stamp), "reader": reader, **more}
    connection.execute("DELETE FROM documents WHERE path = ?", (row["path"],))
    names = ", ".join(row)
    marks = ", ".join("?" * len(row))
    return connection.execute(
        f"INSERT INTO documents ({names}) VALUES ({marks})", list(row.values())
    ).lastrowid


def _storable(text: str) -> str:
    """Without lone surrogates, which SQLite's UTF-8 cannot hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
