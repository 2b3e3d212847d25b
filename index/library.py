"""A library: the documents of some files and folders, kept in step with them, and searchable."""

import heapq
import json
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import astuple, dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache, partial
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from veracite.index import embeddings
from veracite.index.catalog import Catalog
from veracite.index.dense import Dense
from veracite.index.documents import (
    Document,
    Encode,
    Evidence,
    FailedDocument,
    Passage,
    Sentence,
    lost,
)
from veracite.index.errors import SourceError, StorageError
from veracite.index.lexical import Kept, Names
from veracite.index.passages import sentences
from veracite.index.progress import FileRemoved, Scanned, Synced, SyncEvent, Waiting
from veracite.index.reading import DEFAULT_MEMORY, OF_MEMORY, Reader
from veracite.index.retrieval import Mode, best, depth
from veracite.index.sources import Patterns, scan, watched
from veracite.index.storage import FolderLock, make_private_folder, storage_errors
from veracite.index.sync import OpenReader, compare, encode_missing, read_all
from veracite.index.verify import Fault, mend, verify

LOCK_WAIT_SECONDS = 10.0
"""How long a sync waits for another process that is changing the same library."""
_FOR_EVER = -1.0
_TEXTS_KEPT = 4
_PATTERNS, _MEMORY, _MOUNTED = "patterns", "memory", "mounted"
_BUSY = "Another process is updating the library, so it is used as it is now."
_READ_ONLY = "The library's folder cannot be written, so the library is used as it is."

SearchKind = Literal["exact", "approximate", "bm25 only"]


@dataclass(frozen=True, slots=True)
class LibraryStatus:
    """What a library holds."""

    sources: tuple[Path, ...]
    documents: int
    """How many were read."""
    failed: tuple[FailedDocument, ...]
    """The files that could not be read, wholly or in part, and the sources and folders that could
    not be reached; what was read from there before is kept and found.
    """
    passages: int
    embedded: int
    """How many passages have an embedding of the encoder that the library was opened with."""
    search: SearchKind
    """How passages are found by meaning, if they are: not before all of them have an embedding."""
    bytes_on_disk: int
    last_sync: datetime | None
    """When a sync last came to its end, in UTC."""
    elsewhere: tuple[Path, ...] = ()
    """Those of the sources that are on another machine, from which the library was imported."""
    others: tuple[str, ...] = ()
    """The files of kinds that are not read, as the last sync met them."""
    patterns: Patterns = field(default_factory=Patterns)
    """Which files of its folders it reads."""
    left_out: int = 0
    """How many files and folders patterns left out, by the last sync."""
    shared: dict[str, int] = field(default_factory=dict)
    """Of a library on storage that several machines share, the version that is read, by name."""


class Library(AbstractContextManager["Library"]):
    """A folder with all that is kept of documents. Close it or use it in a ``with`` block.

    A library may be opened in one thread and used in another, by one thread at a time. Two
    processes may use the same folder: one of them changes it, the other searches what is there.

    Args:
        folder: Belongs to the library alone; where there is none, an empty library is made.
        encode: The sentence encoder; None for keyword search alone.
        encoder_id: Name and hash of the encoder. Embeddings are kept under it.
        memory: Bytes that reading one file may take; what needed more is tried again when this
            has changed.

    Raises:
        StorageError: The folder cannot be written, its disk is full, its catalog is damaged or
            was written by a newer version.
    """

    def __init__(
        self,
        folder: Path,
        *,
        encode: Encode | None = None,
        encoder_id: str | None = None,
        memory: int = DEFAULT_MEMORY,
    ) -> None:
        if (encode is None) != (encoder_id is None):
            raise ValueError("encode and encoder_id belong together")
        make_private_folder(folder)
        self._folder = folder
        self._catalog = Catalog(folder / "catalog.db")
        self._encode = encode
        self._encoder_id = encoder_id
        self._memory = memory
        self._open_reader: OpenReader = partial(Reader, memory=memory)
        self._lexical = Kept(self._catalog, folder)
        self._dense = None if encoder_id is None else Dense(self._catalog, folder, encoder_id)
        self._names: tuple[int, Names] | None = None
        """What documents were called at this generation of passages."""
        self._lock = FolderLock(folder)
        self._notes: list[str] = []
        # A text is unpacked as a whole, and evidence often comes from the same few documents.
        self._extraction = lru_cache(_TEXTS_KEPT)(self._catalog.extraction)

    @property
    def sources(self) -> tuple[Path, ...]:
        """The files and folders that the library follows."""
        return self._catalog.sources()

    def add(self, paths: Sequence[Path]) -> None:
        """Follow these files and folders too, from the next sync on.

        Raises:
            SourceError: One of them does not exist or cannot be listed; none is added.
        """
        for path in paths:
            try:
                if path.is_dir():
                    os.scandir(path).close()
                else:
                    path.stat()
            except OSError as error:
                raise SourceError(
                    f"{path} cannot be read ({error.strerror}).",
                    "Check the name and the permissions of this file or folder.",
                ) from error
        added = [Path(os.path.abspath(path)) for path in paths]
        away = self._catalog.elsewhere()
        if not set(added) <= set(self.sources) - set(away):
            self._catalog.add_sources(added)
            self._catalog.set_elsewhere(source for source in away if source not in added)

    def remove(self, paths: Sequence[Path]) -> None:
        """Follow these sources no longer; their documents go with the next sync.

        Raises:
            SourceError: One of them is no source; none is removed.
        """
        removed = [Path(os.path.abspath(path)) for path in paths]
        for path in removed:
            if path not in self.sources:
                raise SourceError(
                    f"{path} is not a source of this library.",
                    "`veracite library status` lists its sources.",
                )
        self._catalog.remove_sources(removed)

    @property
    def patterns(self) -> Patterns:
        """Which files of its folders the library reads."""
        return Patterns(*map(tuple, json.loads(self._catalog.meta(_PATTERNS) or "[]")))

    def choose(self, patterns: Patterns) -> None:
        """Read only these files of the folders, from the next sync on; the others are forgotten.

        Raises:
            SourceError: A pattern cannot be understood; those of before hold.
        """
        patterns.require_valid()
        if patterns != self.patterns:
            self._catalog.set_meta(_PATTERNS, json.dumps(astuple(patterns)))

    def sync(self, *, wait_seconds: float = LOCK_WAIT_SECONDS) -> Iterator[SyncEvent]:
        """Bring the library up to date with its sources; the last event is ``Synced``.

        Closing the generator, or an interrupt, leaves a library that opens and continues. If
        another process is changing the library, this says so (``Waiting``), waits, and then ends
        with a note in ``Synced``: what is there can be searched. So it ends, too, where nothing can
        be written.

        Raises:
            StorageError: The library cannot be written, or the disk is full. What was read so far
                is kept.
        """
        if self._catalog.read_only:
            yield replace(self._synced(_READ_ONLY), done=False)
            return
        with ExitStack() as stack:
            locked = stack.enter_context(self._lock.held())
            if not locked and wait_seconds:
                yield Waiting()
                locked = stack.enter_context(self._lock.held(wait_seconds))
            if locked:
                yield from self._synchronise()
            else:
                yield replace(self._synced(_BUSY), done=False)

    def _synchronise(self) -> Iterator[SyncEvent]:
        catalog = self._catalog
        away = catalog.elsewhere()
        here = [source for source in self.sources if source not in away]
        if catalog.meta(_MEMORY) != str(self._memory):
            for failed in catalog.failures():
                if failed.reason in OF_MEMORY:
                    catalog.forget_stamp(failed.file)
            catalog.set_meta(_MEMORY, str(self._memory))
        mounted = json.loads(catalog.meta(_MOUNTED) or "[]")
        listing = scan(here, self._folder, self.patterns, mounted)
        if listing.mounted != mounted:
            catalog.set_meta(_MOUNTED, json.dumps(listing.mounted))
        work = compare(listing, catalog.files(), away)
        yield Scanned(len(listing.files), len(work.read))
        unread = [*listing.failed, *work.unreached]
        catalog.set_unread(unread, listing.others, listing.left_out)
        notes = [f"{place.file}: {place.reason}" for place in work.unreached]
        if not away or catalog.meta("last sync"):  # an imported library comes without indexes
            notes += self._lexical.behind()
        if work.restamp:
            catalog.restamp(work.restamp)
        for path, twin, stamp in work.again:
            catalog.adopt(path, twin, stamp)
        for path in work.gone:
            catalog.remove(path)
            yield FileRemoved(path)
        yield from read_all(
            catalog,
            work.read,
            self._open_reader,
            listing.holders,
            self._encode,
            self._encoder_id or "",
        )
        notes += self._lexical.refresh(write=True)
        if self._encode is not None and self._encoder_id is not None:
            yield from encode_missing(catalog, self._encode, self._encoder_id)
            if self.other_encoders:
                embeddings.forget_others(catalog, self._encoder_id)
        embeddings.forget_unused(catalog)
        if self._dense:
            notes += self._dense.update()
        catalog.set_meta("last sync", str(time.time()))
        notes, self._notes = self._notes + notes, []
        yield self._synced(*notes)

    def watch(self) -> Iterator[SyncEvent]:
        """Sync, and again whenever a file of the sources has changed, until it is closed.

        Where another process is changing the library, it waits for as long as that takes.

        Raises:
            SourceError: The sources cannot be watched.
            StorageError: As ``sync``, or nothing can be written.
        """
        if self._catalog.read_only:
            raise StorageError(
                "The library's folder cannot be written, so changes cannot be followed.",
                "Change its permissions. Until then it can be searched as it is.",
            )
        away = self._catalog.elsewhere()
        changes = watched([s for s in self.sources if s not in away], self._folder)
        next(changes)  # from here on nothing that changes is missed
        yield from self.sync(wait_seconds=_FOR_EVER)
        for _ in changes:
            yield from self.sync(wait_seconds=_FOR_EVER)

    def verify(self) -> list[Fault]:
        """Everything that is not as it should be; nothing is changed.

        Raises:
            StorageError: The catalog cannot be read.
        """
        with storage_errors(self._folder):
            return list(verify(self._catalog, self._lexical, self._dense))

    def mend(self, faults: Iterable[Fault]) -> None:
        """Throw away what is wrong; the next sync makes it anew.

        Raises:
            StorageError: It is the catalog itself, it cannot be written, or is being changed.
        """
        with self._lock.held(LOCK_WAIT_SECONDS) as locked:
            if not locked:
                raise StorageError(
                    "The library is being changed by another process.",
                    "Wait until it has finished, then run the same command again.",
                )
            mend(faults)

    def _synced(self, *notes: str) -> Synced:
        documents, failed = self._catalog.count_documents(), lost(self._catalog.failures())
        return Synced(documents, failed, self._catalog.count_passages(), notes)

    @property
    def other_encoders(self) -> list[str]:
        """The other encoders whose embeddings are held.

        There are some while the library's encoder takes the place of another: the first sync that
        ends with everything encoded deletes theirs.
        """
        return embeddings.other_encoders(self._catalog, self._encoder_id or "")

    def search(
        self, query: str, *, k: int, mode: Mode = "hybrid", names: bool = False
    ) -> tuple[Evidence, ...]:
        """The k passages that fit a query best; fewer where fewer match.

        Args:
            query: Plain words; there is no query syntax.
            k: At least 1.
            mode: Which rankings take part. BM25 stands in for the dense one as long as any passage
                has no embedding: no ranking is over a part of the library.
            names: Whether what files are called, and the days on which they were changed, count
                too. A document that is found by them alone has its first passage found.
        """
        (found,) = self.search_many([query], k=k, mode=mode, names=names)
        return found

    def search_many(
        self, queries: Sequence[str], *, k: int, mode: Mode = "hybrid", names: bool = False
    ) -> list[tuple[Evidence, ...]]:
        """``search`` for each query, with the queries encoded together."""
        if k < 1:
            raise ValueError(f"k is {k}: at least one passage must be asked for")
        by_meaning = self._dense if queries and mode != "lexical" else None
        self._refresh(by_meaning)
        vectors: Sequence[NDArray[np.float32] | None] = [None] * len(queries)
        if self._encode is not None and by_meaning and by_meaning.ready:
            vectors = list(embeddings.encode(self._encode, queries))
        return [
            self._search(query, vector, k, mode, names) if query.strip() else ()
            for query, vector in zip(queries, vectors, strict=True)
        ]

    def _search(
        self, query: str, vector: NDArray[np.float32] | None, k: int, mode: Mode, names: bool
    ) -> tuple[Evidence, ...]:
        assert self._lexical.index is not None
        catalog, limit = self._catalog, depth(k)
        hits = self._lexical.index.search(query, limit)
        hashes = catalog.passage_hashes(passage for passage, _ in hits)
        bm25 = {hashes[passage]: score for passage, score in hits if passage in hashes}
        shares = self._called().search(query) if names else {}
        called = heapq.nlargest(limit, shares, key=lambda path: (shares[path], path))
        firsts = catalog.first_passages(called)
        near: dict[bytes, float] = {}
        cosines: dict[bytes, float] = {}
        if self._dense and vector is not None:
            near = self._dense.nearest(vector, limit)
            others = {*bm25, *firsts.values()} - near.keys()
            cosines = near | self._dense.cosines(vector, others)
        passages = catalog.passages({*near, *bm25, *firsts.values()})
        named = {key: shares.get(found.document.path, 0.0) for key, found in passages.items()}
        for path, key in firsts.items():  # of copies the one that is called so counts
            named[key] = max(named.get(key, 0.0), shares[path])
        named = {key: share for key, share in named.items() if share and key in passages}
        return best(passages, near, cosines, bm25, k=k, mode=mode, named=named)

    def _called(self) -> Names:
        """What the documents are called now."""
        generation = self._catalog.generation("passages")
        if self._names is None or self._names[0] != generation:
            self._names = generation, Names(self._catalog.names())
        return self._names[1]

    def _refresh(self, dense: Dense | None) -> None:
        """Have indexes, up to date unless someone is changing the library."""
        behind = [index for index in (self._lexical, dense) if index and not index.current]
        if not behind:
            return
        with ExitStack() as stack:
            write = False
            with suppress(StorageError):
                write = stack.enter_context(self._lock.held())
            for index in behind:
                try:
                    self._notes += index.refresh(write=write)
                except StorageError:
                    # A full disk is no reason not to search: the next sync will report it.
                    index.refresh(write=False)

    def copies(self, passage: Passage) -> list[Passage]:
        """The passage and those that say the same word for word, by document and place."""
        key = bytes.fromhex(passage.id)
        return self._catalog.copies([key]).get(key, [passage])

    def sentences(self, passage: Passage) -> tuple[Sentence, ...]:
        """The passage's sentences, each with its span in the document's raw text.

        Raises:
            ReadError: As ``raw_text``.
        """
        return tuple(sentences(self._extraction(passage.document), passage.start, passage.end))

    def raw_text(self, document: Document) -> str:
        """The document's extracted text, which every offset refers to.

        Raises:
            ReadError: The library does not hold this version of the document any more.
        """
        return self._extraction(document).text

    def status(self) -> LibraryStatus:
        """What the library holds now."""
        catalog, encoder = self._catalog, self._encoder_id
        embedded = 0 if encoder is None else embeddings.count_embedded(catalog, encoder)
        passages, last = catalog.count_passages(), catalog.meta("last sync")
        return LibraryStatus(
            catalog.sources(),
            catalog.count_documents(),
            tuple(catalog.failures()),
            passages,
            embedded,
            "exact" if embedded and embedded == passages else "bm25 only",
            _bytes_in(self._folder),
            None if last is None else datetime.fromtimestamp(float(last), UTC),
            catalog.elsewhere(),
            catalog.others(),
            self.patterns,
            catalog.left_out,
        )

    def documents(self) -> list[Document]:
        """The documents that were read, by path."""
        return self._catalog.documents()

    def passages(self) -> list[Passage]:
        """Each distinct passage once, by document and place."""
        hashes = (key for (key,) in self._catalog.query("SELECT DISTINCT hash FROM passages"))
        found = self._catalog.passages(hashes).values()
        return sorted(found, key=lambda passage: (passage.document.path, passage.start))

    def extractors(self) -> dict[str, str]:
        """Which readers read each format, such as {"pdf": "pdf/1, pdf/1 with Tesseract"}."""
        read: dict[str, set[str]] = {}
        for document in self.documents():
            suffix = Path(document.path).suffix.lower().lstrip(".")
            read.setdefault(suffix, set()).add(document.extractor)
        return {suffix: ", ".join(sorted(readers)) for suffix, readers in read.items()}

    def close(self) -> None:
        """Close the catalog and the indexes. A closed library cannot be used."""
        self._extraction.cache_clear()
        self._lexical.release()
        if self._dense:
            self._dense.release()
        self._catalog.close()

    def __exit__(self, *_: object) -> None:
        self.close()


def _bytes_in(folder: Path) -> int:
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            # Another process may be at work: files come and go.
            with suppress(OSError):
                total += os.stat(os.path.join(parent, name)).st_size
    return total
