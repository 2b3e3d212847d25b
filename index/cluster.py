"""A library on storage that several machines share, searched as the one on a disk is.

It stays with the version of the dataset that it was opened at. Up to where an index by nearness is
made, dense search compares every embedding, as in a library on a disk; words are found by Lance's
own BM25. Rankings are fused and cut as in ``veracite.index.retrieval``.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from veracite.index import embeddings
from veracite.index.catalog import MEMBER, unpacked
from veracite.index.dataset import FILE, PASSAGE, Dataset, among
from veracite.index.documents import (
    Cut,
    Document,
    Encode,
    Evidence,
    Extraction,
    FailedDocument,
    Passage,
    lost,
)
from veracite.index.errors import StorageError
from veracite.index.library import Library, LibraryStatus, SearchKind
from veracite.index.progress import Synced, SyncEvent
from veracite.index.readers import NOT_KNOWN
from veracite.index.retrieval import Mode, best, depth
from veracite.index.sources import Patterns

_TEXTS_KEPT = 16
_DOCUMENT = ("path", "sha256", "extractor", "title")
_CUT = [field.name for field in fields(Cut)]
_PASSAGE = (*_DOCUMENT, *_CUT)
_FOUND = (*_PASSAGE, "vector")
_Rows = dict[str, dict[str, Any]]
"""Passages with their embeddings and scores, by id."""
_READ = "extractor IS NOT NULL AND extractor NOT LIKE 'containers/%'"


class ClusterLibrary(Library):
    """A dataset that is searched and quoted from wherever a library is; only builds change it.

    Args:
        address: As ``Dataset``.
        version: As ``Dataset``.
        encode: The sentence encoder; None for keyword search alone.
        encoder_id: Name and hash of the encoder.

    Raises:
        StorageError: From every method: it cannot be reached or read.
    """

    def __init__(
        self, address: str, version: int | None, *, encode: Encode | None, encoder_id: str | None
    ) -> None:
        self.dataset = Dataset(address, version)
        self._encode, self._encoder_id = encode, encoder_id
        self._is_exact = not self.dataset.indexed
        self._extraction = lru_cache(_TEXTS_KEPT)(self._read_extraction)

    @property
    def sources(self) -> tuple[Path, ...]:
        """The files and folders that the library follows."""
        return tuple(map(Path, self.dataset.head.sources))

    @property
    def other_encoders(self) -> list[str]:
        """The encoder of the dataset, if it is not the one in use."""
        own = self.dataset.head.encoder
        return [] if self._encoder_id in (None, own) else [own]

    def _refuse(self, *_: Any, **__: Any) -> Any:
        """Raises StorageError: what is searched here is changed by a build."""
        raise StorageError(
            "This library is on storage that several machines share; it is not changed from here.",
            "Change it with `veracite library build`, which says more with --help.",
        )

    add = remove = choose = watch = verify = mend = _refuse

    def sync(self, *, wait_seconds: float = 0.0) -> Iterator[SyncEvent]:
        """Nothing is read here: what is searched is what the last build committed."""
        held = self.status()
        yield Synced(held.documents, lost(held.failed), held.passages)

    def status(self) -> LibraryStatus:
        """What the library holds at this version."""
        return self._status

    @cached_property
    def _status(self) -> LibraryStatus:
        head, passages = self.dataset.head, self.dataset.count(f"kind = {PASSAGE}")
        is_read = bool(passages and self._encoder_id == head.encoder)
        near: SearchKind = "exact" if self._is_exact else "approximate"
        others = self.dataset.rows(FILE, ["path"], f"reason = '{NOT_KNOWN}'")
        return LibraryStatus(
            self.sources,
            self.dataset.count(f"kind = {FILE} AND {_READ}"),
            tuple(self._failures()),
            passages,
            passages if is_read else 0,
            near if is_read else "bm25 only",
            self.dataset.bytes,
            None if head.built is None else datetime.fromtimestamp(head.built, UTC),
            others=(*head.others, *(row["path"] for row in others)),
            patterns=Patterns(*map(tuple, head.patterns)),
            left_out=head.left_out,
            shared={"dataset": self.dataset.version},
        )

    def _failures(self) -> list[FailedDocument]:
        columns = ["path", "reason", "advice", "extractor"]
        where = f"reason IS NOT NULL AND NOT (reader = '{MEMBER}' AND reason = '{NOT_KNOWN}')"
        found = [FailedDocument(*one) for one in self.dataset.head.unread]
        for row in self.dataset.rows(FILE, columns, where):
            partly = row["extractor"] is not None
            found.append(FailedDocument(row["path"], row["reason"], row["advice"] or "", partly))
        return sorted(found, key=lambda one: one.file)

    def documents(self) -> list[Document]:
        """The documents that were read, by path."""
        return list(self._documents)

    @cached_property
    def _documents(self) -> tuple[Document, ...]:
        rows = self.dataset.rows(FILE, _DOCUMENT, _READ)
        return tuple(sorted((Document(**row) for row in rows), key=lambda one: one.path))

    def passages(self) -> list[Passage]:
        """Each distinct passage once, by document and place."""
        found = map(_passage, self.dataset.rows(PASSAGE, _PASSAGE))
        firsts: dict[str, Passage] = {}
        for passage in sorted(found, key=_place):
            firsts.setdefault(passage.id, passage)
        return list(firsts.values())

    def copies(self, passage: Passage) -> list[Passage]:
        """The passage and those that say the same word for word, by document and place."""
        found = self.dataset.rows(PASSAGE, _PASSAGE, f"id = '{passage.id}'")
        return sorted(map(_passage, found), key=_place) or [passage]

    def _read_extraction(self, document: Document) -> Extraction:
        (where,) = among("path", [document.path])
        held = (
            (row["raw"], row["pages"], row["rows"])
            for row in self.dataset.rows(FILE, (*_DOCUMENT, "raw", "pages", "rows"), where)
            if (row["sha256"], row["extractor"]) == (document.sha256, document.extractor)
        )
        return unpacked(document, next(held, None))

    def search_many(
        self, queries: Sequence[str], *, k: int, mode: Mode = "hybrid", names: bool = False
    ) -> list[tuple[Evidence, ...]]:
        """As ``Library.search_many``; the names of files do not count, and all queries go through
        the embeddings together.

        Raises:
            StorageError: Besides: the passages were encoded by another encoder.
        """
        asked, limit = [query for query in dict.fromkeys(queries) if query.strip()], depth(k)
        vectors, near = dict[str, Any](), dict[str, _Rows]()
        if self._encode is not None and mode != "lexical" and asked:
            for other in self.other_encoders:
                raise StorageError(
                    f"The passages in {self.dataset.address} were encoded by {other}.",
                    "Choose this encoder with `veracite models use`, or search by words alone.",
                )
            encoded = embeddings.encode(self._encode, asked)
            vectors = dict(zip(asked, encoded.astype(np.float64), strict=True))
            ask = partial(self.dataset.nearest, encoded, columns=_FOUND, exact=self._is_exact)
            near = dict(zip(asked, _distinct(ask, limit), strict=True))
        found: dict[str, tuple[Evidence, ...]] = {}
        for query in asked:
            # Where everything has an embedding, words do not count for "dense".
            worded: _Rows = {}
            if mode != "dense" or not vectors:
                (worded,) = _distinct(partial(self.dataset.worded, query, columns=_FOUND), limit)
            rows = {**worded, **near.get(query, {})}
            found[query] = best(
                {key: _passage(row) for key, row in rows.items()},
                near.get(query, {}),
                {key: _cosine(row, vectors[query]) for key, row in rows.items() if vectors},
                {key: row["_score"] for key, row in worded.items()},
                k=k,
                mode=mode,
            )
        return [found.get(query, ()) for query in queries]

    def close(self) -> None:
        """Let go of what was read. A closed library cannot be used."""
        self._extraction.cache_clear()


def _distinct(ask: Callable[[int], list[list[dict[str, Any]]]], limit: int) -> list[_Rows]:
    """The first so many passages of each ranking by id, of copies the one first by path.

    Copies have one embedding and one score, so they stand together; those of the last row may go
    on behind it.

    Args:
        ask: Gives the rows of each ranking, as many as are asked for, best first.
    """
    asked, found = limit, list[_Rows]()
    while not found:
        asked *= 2
        for rows in ask(asked):
            firsts: _Rows = {}
            for row in rows:
                held = firsts.setdefault(row["id"], row)
                firsts[row["id"]] = min(row, held, key=lambda one: (one["path"], one["start"]))
            if len(rows) >= asked:
                firsts.popitem()
            if len(rows) >= asked and len(firsts) < limit:
                found.clear()
                break
            found.append(dict(list(firsts.items())[:limit]))
    return found


def _cosine(row: Mapping[str, Any], vector: Any) -> float:
    return float(np.dot(np.asarray(row["vector"], np.float64), vector))


def _place(passage: Passage) -> tuple[str, int]:
    return passage.document.path, passage.start


def _passage(row: Mapping[str, Any]) -> Passage:
    document = Document(*(row[name] for name in _DOCUMENT))
    return Passage(document, **{name: row[name] for name in _CUT})
