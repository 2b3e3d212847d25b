"""Brings a dataset up to date with its sources, file by file, on as many machines as take part.

One process lists the files and commits; others read, cut and encode batches of them and write
fragments (``Writer``), as a library on one machine does it (``veracite.index.sync``). Who spreads
the batches is not known here. A commit follows some seconds of work: a build that is killed and
started again goes on with what was not committed.
"""

import json
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np

from veracite.index.catalog import MEMBER, FileStamp, storable
from veracite.index.dataset import FILE, OF_FILES, PASSAGE, Dataset, Head, among
from veracite.index.documents import Encode, FailedDocument, Part
from veracite.index.embeddings import encode, encoder_text
from veracite.index.progress import FileFailed, FileRead, FileRemoved, Scanned, SyncEvent
from veracite.index.readers import NOT_KNOWN
from veracite.index.reading import Reader
from veracite.index.sources import Holder, Patterns, scan
from veracite.index.sync import Told, batches, compare, read_files

_FILES, _BYTES = 64, 16_000_000
"""How much of them is a batch."""
_COMMIT_SECONDS = 10.0
_NO_NAME = FailedDocument(
    "", "Its name is no valid text, which a dataset cannot hold.", "Give the file another name."
)


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a batch of files."""

    fragments: tuple[str, ...]
    """As ``Dataset.commit`` takes them."""
    events: tuple[FileRead | FileFailed, ...]
    """Their numbers are still to be counted."""


Spread = Callable[[Sequence[Sequence[str]], Mapping[str, Holder]], Iterable[Written]]
"""Has each batch of paths written by a ``Writer``, in whatever order."""


class Writer:
    """Reads, cuts and encodes files, and writes what they say into fragments of a dataset.

    Args:
        dataset: What it is for.
        run: The encoder of that dataset.
    """

    def __init__(self, dataset: Dataset, run: Encode) -> None:
        self._dataset, self._encode = dataset, run
        self._reader = Reader(memory=dataset.head.memory)

    def write(self, paths: Sequence[str], holders: Mapping[str, Holder]) -> Written:
        """Write a batch of files.

        Args:
            holders: As ``Listing.holders``.

        Raises:
            StorageError: The dataset cannot be written.
        """
        rows: list[dict[str, Any]] = []
        events: list[FileRead | FileFailed] = []
        firsts: dict[str, dict[str, Any]] = {}
        for told in read_files(self._reader, list(paths), Event(), holders):
            part = told.part
            if isinstance(part, int):
                # All that it holds is there: now it counts as read.
                firsts[told.file] |= {"size": told.stamp.size}
                events.append(FileRead(told.path, part, 0, 0))
                continue
            found = list(_rows(told, part))
            firsts.setdefault(told.file, found[0])
            rows += found
            if part.found is None and part.reason != NOT_KNOWN:
                events.append(FileFailed(told.path, part.reason, 0, 0, part.advice))
        texts = {row["id"]: encoder_text(row["heading"], row["text"]) for row in _passages(rows)}
        vectors = np.empty((0, self._dataset.head.dimension), np.float16)
        if texts:
            # A text's vector depends on the text alone (``veracite.models.encoder``).
            made = encode(self._encode, list(texts.values())).astype(np.float16)
            places = {key: place for place, key in enumerate(texts)}
            vectors = made[[places[row["id"]] for row in _passages(rows)]]
        return Written(tuple(self._dataset.write(rows, vectors)) if rows else (), tuple(events))


def _passages(rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    return (row for row in rows if row["kind"] == PASSAGE)


def _rows(told: Told, part: Part) -> Iterator[dict[str, Any]]:
    """The row of a document, and those of its passages."""
    own: dict[str, Any] = {"file": told.file, "path": told.path, "sha256": told.stamp.sha256}
    row = {"kind": FILE, **own, **asdict(told.stamp)}
    if (found := part.found) is None:
        yield row | {"reason": part.reason, "advice": part.advice}
        return
    own |= {"extractor": found.extractor, "title": found.title}
    row |= {"pages": json.dumps(found.pages), "rows": json.dumps(found.rows)}
    row |= {"reason": found.unread or None, "advice": found.advice or None}
    raw = zlib.compress(found.text.encode("utf-8", "surrogatepass"))
    yield {**row, **own, "raw": raw}
    yield from ({"kind": PASSAGE, **own, **asdict(cut)} for cut in part.passages)


def build(dataset: Dataset, folder: Path, head: Head, spread: Spread) -> Iterator[SyncEvent]:
    """Bring a dataset up to date with what the head says that it follows.

    An event about a file comes after the commit that it is in.

    Args:
        folder: What is no source: where it is, if it is a folder.
        head: The one that it is to have.

    Raises:
        StorageError: It cannot be written, or another build is at it. What was committed is kept.
    """
    patterns = Patterns(*map(tuple, head.patterns))
    listing = scan(map(Path, head.sources), folder, patterns, head.mounted)
    held = files(dataset)
    unnamed = [path for path in listing.files if storable(path) != path]
    for path in unnamed:
        del listing.files[path]
    work = compare(listing, held, ())
    read = [*work.read, *(path for path, *_ in work.again)]
    yield Scanned(len(listing.files), len(read))
    failed = [*listing.failed, *work.unreached]
    failed += [replace(_NO_NAME, file=storable(path) or "") for path in unnamed]
    head = replace(
        head,
        mounted=listing.mounted,
        unread=[(one.file, one.reason, one.advice, one.partly) for one in failed],
        others=[storable(path) or "" for path in listing.others],
        left_out=listing.left_out,
    )
    if work.gone or work.restamp:
        restamped = list(_restamped(dataset, dict(work.restamp)))
        touched = among("path", [path for path, _ in work.restamp])
        stale = [*among("file", work.gone), *(f"kind = {FILE} AND {one}" for one in touched)]
        dataset.commit(dataset.write(restamped) if restamped else (), stale, head)
        yield from map(FileRemoved, work.gone)
    sizes = {path: status.st_size for path, status in listing.files.items()}
    fragments: list[str] = []
    events: list[FileRead | FileFailed] = []
    done, since = 0, time.monotonic()

    def committed() -> Iterator[SyncEvent]:
        nonlocal done, since
        dataset.commit(fragments, among("file", {one.path for one in events} & held.keys()), head)
        for event in events:
            done += event.path in sizes
            yield replace(event, done=done, total=len(read))
        fragments.clear()
        events.clear()
        since = time.monotonic()

    work_sizes = {path: sizes[path] for path in read}
    parts = batches(work_sizes, lambda number, size: number >= _FILES or size >= _BYTES)
    for written in spread(list(parts), listing.holders) if read else ():
        fragments += written.fragments
        events += written.events
        if time.monotonic() - since >= _COMMIT_SECONDS:
            yield from committed()
    head = replace(head, built=time.time())
    yield from committed()
    dataset.follow()


def files(dataset: Dataset) -> dict[str, FileStamp]:
    """Every file that was read or failed, by path, without what files hold."""
    columns = ["path", *(field.name for field in fields(FileStamp))]
    rows = dataset.rows(FILE, columns, f"reader != '{MEMBER}'")
    return {row.pop("path"): FileStamp(**row) for row in rows}


def _restamped(dataset: Dataset, stamps: Mapping[str, FileStamp]) -> Iterator[dict[str, Any]]:
    """The rows of files whose content is as before, with their new sizes and times."""
    for where in among("path", stamps):
        for row in dataset.rows(FILE, OF_FILES, where):
            stamp = stamps[row["path"]]
            yield row | {"kind": FILE, "size": stamp.size, "mtime_ns": stamp.mtime_ns}
