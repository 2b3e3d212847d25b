"""Brings a library up to date with its sources: only what changed, appeared or vanished is touched.

A file is unchanged if size and modification time are; else its SHA-256 decides. The documents that
were read within some seconds are one transaction, one batch of embeddings is another, and what is
derived from the catalog comes after it. An event about a file comes after its transaction: stopping
between two events loses nothing that was told of, and being killed at any moment no more than what
was read in the last five seconds or is being read. While files are read, those before are encoded.

What was read from a source that is out of reach is kept: it stays searchable, nothing needs to be
read again when the source is back, and until then the source is listed as failed. What an imported
library holds from sources on another machine is kept, too (see ``veracite.index.sources``).
"""

import hashlib
import os
import stat
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, count
from pathlib import Path
from threading import Event
from typing import TypeVar

from veracite.index import embeddings
from veracite.index.catalog import MEMBER, Catalog, FileStamp
from veracite.index.documents import Encode, FailedDocument, Part
from veracite.index.errors import ReadError
from veracite.index.progress import Encoded, FileFailed, FileRead, SyncEvent
from veracite.index.readers import LARGEST_FILE, NOT_KNOWN, open_file, reader_version
from veracite.index.readers.programs import found
from veracite.index.reading import Reader
from veracite.index.sources import Holder, Listing, is_below

BATCH = 64
"""Passages encoded and stored at a time: as many, and more of short ones."""
BATCH_CHARACTERS = 40_000
ROUND_SECONDS = 2.0
"""How long files are read whose documents are stored together; in a long sync up to five."""
_ROUND_CHARACTERS = 20_000_000
_ROUNDS_AHEAD = 2

_SETTLED_NS = 2_000_000_000
"""The coarsest clock of a file system ticks every two seconds."""
_ATTEMPTS = 2
_BACK = "Connect the drive or mend its permissions, then run the same command again."
_WITHOUT = " without "
"""Between a reader and the programs that it lacked."""


Key = TypeVar("Key")
OpenReader = Callable[[], Reader]
"""Makes what reads files."""


@dataclass(frozen=True, slots=True)
class Work:
    """What a scan asks for."""

    read: list[str]
    again: list[tuple[str, str, FileStamp]]
    """New paths of bytes that were read before, and the path of then: moved and copied files."""
    restamp: list[tuple[str, FileStamp]]
    gone: list[str]
    unreached: list[FailedDocument]
    """Places that cannot be looked at, and what that means for the documents below them."""


def compare(listing: Listing, held: dict[str, FileStamp], away: tuple[Path, ...]) -> Work:
    """What has to be done so that the files held are those listed.

    Args:
        away: Sources on another machine, of which everything is kept.
    """
    kept = [*map(Path, listing.unreached), *away]
    gone = [path for path in held if path not in listing.files and not is_below(path, kept)]
    work = Work([], [], [], gone, [])

    @cache
    def twins() -> dict[tuple[int | str, ...], str]:
        return {_bytes(path, stamp): path for path, stamp in held.items() if stamp.sha256}

    replaced = set(map(Path, gone))  # with what they held, even where a folder took their place
    sizes = {stamp.size for stamp in held.values()}
    for path, status in listing.files.items():
        known, holder = held.get(path), listing.holders.get(path)
        is_new = known is None and replaced.isdisjoint(Path(path).parents)
        new = _stamp(path, holder) if is_new and status.st_size in sizes else None
        if new and (twin := twins().get(_bytes(path, new))):
            work.again.append((path, twin, new))
        elif known is None or not _is_current(known.reader, path, holder):
            work.read.append(path)
        elif (known.size, known.mtime_ns) != (status.st_size, status.st_mtime_ns):
            stamp = _stamp(path, holder) if status.st_size == known.size else None
            if stamp is None or stamp.sha256 != known.sha256:
                work.read.append(path)
            elif stamp != known:
                work.restamp.append((path, stamp))
    for place, why in listing.unreached.items():
        used = any(is_below(path, [Path(place)]) for path in held)
        still = "what was read from it before is still used" if used else "nothing was read from it"
        reason = f"It cannot be reached ({why}); {still}."
        work.unreached.append(FailedDocument(place, reason, _BACK))
    return work


def _bytes(path: str, stamp: FileStamp) -> tuple[int | str, ...]:
    """What two files have in common that say the same: what a name ends with chooses a reader."""
    return stamp.size, stamp.sha256, stamp.reader, Path(path).suffix.lower()


def _is_current(reader: str, path: str, holder: Holder | None) -> bool:
    """Whether a file would be read in the same way again."""
    version, _, lacking = reader.partition(_WITHOUT)
    return version == _version(path, holder) and not found(lacking)


def _version(path: str, holder: Holder | None) -> str:
    return reader_version(path) + (holder.version if holder else "")


@dataclass(frozen=True, slots=True)
class Told:
    """What the reader says, about one file after the other."""

    file: str
    path: str
    """Of the file itself, or of what it holds."""
    stamp: FileStamp
    part: Part | int
    """The file itself, what it holds, one by one, and at its end how many passages that was."""


def read_all(
    catalog: Catalog,
    paths: list[str],
    open_reader: OpenReader,
    holders: Mapping[str, Holder],
    encode: Encode | None = None,
    encoder: str = "",
) -> Iterator[SyncEvent]:
    """Read files into the catalog; one that cannot be read is listed as failed.

    Args:
        holders: As ``Listing.holders``.
        encode: Encodes passages meanwhile, without an event; what is left is for
            ``encode_missing``.
        encoder: The id of the encoder.
    """
    if not paths:
        return
    waiting: dict[bytes, int] = {}
    stopped, done = Event(), dict(zip(paths, count(1)))
    with open_reader() as reader, ThreadPoolExecutor(1) as thread:
        told = read_files(reader, paths, stopped, holders)
        begun = time.monotonic()
        ahead = deque(thread.submit(_round, told, begun) for _ in range(_ROUNDS_AHEAD))
        try:
            while True:
                while encode and not ahead[0].done():
                    if (batch := next(batches(waiting, _is_batch, rest=False), None)) is None:
                        break
                    _encode(catalog, encode, encoder, batch)
                    for digest in batch:
                        del waiting[digest]
                if not (read := ahead.popleft().result()):
                    return
                ahead.append(thread.submit(_round, told, begun))
                events: list[SyncEvent] = []
                with catalog.transaction():
                    for one in read:
                        if isinstance(one.part, Part):
                            for cut in one.part.passages:
                                waiting[bytes.fromhex(cut.id)] = len(cut.text)
                        events += _store(catalog, one, done[one.file], len(paths))
                yield from events
        finally:
            stopped.set()
            reader.close()


def _round(told: Iterator[Told], begun: float) -> list[Told]:
    """What is read in some time; empty at the end."""
    read, size, now = [], 0, time.monotonic()
    end = now + ROUND_SECONDS * min(2.5, max(1.0, (now - begun) / 20))
    for one in told:
        read.append(one)
        if isinstance(one.part, Part) and one.part.found:
            size += len(one.part.found.text)
        if time.monotonic() >= end or size >= _ROUND_CHARACTERS:
            break
    return read


def read_files(
    reader: Reader, paths: list[str], stopped: Event, holders: Mapping[str, Holder]
) -> Iterator[Told]:
    """What the reader says about these files, one after the other, until it is stopped."""
    for path in paths:
        if stopped.is_set():
            return
        holder = holders.get(path)
        stamp = _stamp(path, holder)
        try:
            stamp, first, members = _read(reader, path, stamp, holder)
        except ReadError as error:
            lost = stamp or FileStamp(0, -1, "", _version(path, holder))
            if error.lacking:
                lost = replace(lost, reader=f"{lost.reader}{_WITHOUT}{error.lacking}")
            yield Told(path, path, lost, Part("", "", None, (), error.message, error.advice))
            continue
        inner = next(members, None)
        # Until all that it holds is stored, the file counts as changed.
        yield Told(path, path, stamp if inner is None else replace(stamp, size=0), first)
        passages = len(first.passages)
        for member in chain(filter(None, [inner]), members):
            passages += len(member.passages)
            own = FileStamp(0, -1, member.sha256, MEMBER)
            yield Told(path, f"{path}/{member.name}", own, member)
        yield Told(path, path, stamp, passages)


def _store(catalog: Catalog, told: Told, done: int, total: int) -> Iterator[SyncEvent]:
    """Put what was read into the catalog."""
    path, part = told.path, told.part
    if isinstance(part, int):
        catalog.restamp([(path, told.stamp)])
        yield FileRead(path, part, done, total)
    elif part.found is not None:
        catalog.store(path, told.stamp, part.found, part.passages)
    else:
        catalog.store_failure(FailedDocument(path, part.reason, part.advice), told.stamp)
        if not part.name or part.reason != NOT_KNOWN:
            yield FileFailed(path, part.reason, done, total, part.advice)


def _read(
    reader: Reader, path: str, stamp: FileStamp | None, holder: Holder | None
) -> tuple[FileStamp, Part, Iterator[Part]]:
    """What a file says and what it holds, and the stamp of exactly the bytes that it came from."""
    for _ in range(_ATTEMPTS):
        parts = reader.read(Path(path))
        first = next(parts)
        after = _stamp(path, holder)
        if after is None:
            raise ReadError(
                "The file was removed while it was read.",
                "Run the same command again when it is back.",
            )
        if stamp is not None and after.sha256 == stamp.sha256:
            return after, first, (p for p in parts if holder is None or holder.admits(p.name))
        stamp = after
    raise ReadError(
        "The file changed while it was read.",
        "Run the same command again when no other program writes to it.",
    )


def _stamp(path: str, holder: Holder | None = None) -> FileStamp | None:
    """What the file is now; None if it cannot be read (the reader will say why)."""
    now = time.time_ns()
    try:
        with open_file(Path(path)) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                return None
            # A file that no reader takes need not be hashed.
            small = status.st_size <= LARGEST_FILE
            sha256 = hashlib.file_digest(file, "sha256").hexdigest() if small else ""
    except OSError:
        return None
    # A file this young could change again within the same tick of its clock.
    settled = status.st_mtime_ns < now - _SETTLED_NS
    mtime_ns = status.st_mtime_ns if settled else -1
    return FileStamp(status.st_size, mtime_ns, sha256, _version(path, holder))


def digest_of(path: Path) -> str | None:
    """The SHA-256 of a file; None where it cannot be read now."""
    stamp = _stamp(str(path))
    return stamp.sha256 if stamp else None


def encode_missing(catalog: Catalog, encode: Encode, encoder: str) -> Iterator[Encoded]:
    """Encode the passages that have no embedding, one transaction a batch."""
    last = catalog.last_passage()
    missing = embeddings.missing_embeddings(catalog, encoder)
    done = 0
    for batch in batches(missing, _is_batch):
        _encode(catalog, encode, encoder, batch)
        done += len(batch)
        yield Encoded(done, len(missing))
    embeddings.remember_complete(catalog, encoder, last)


def batches(
    sizes: Mapping[Key, int], is_full: Callable[[int, int], bool], *, rest: bool = True
) -> Iterator[list[Key]]:
    """Keys in this order, as many as make a batch by their number and size, and what remains."""
    batch: list[Key] = []
    size = 0
    for key, own in sizes.items():
        batch.append(key)
        size += own
        if is_full(len(batch), size):
            yield batch
            batch, size = [], 0
    if batch and rest:
        yield batch


def _is_batch(passages: int, characters: int) -> bool:
    """Whether so many are encoded at a time."""
    return passages >= BATCH and characters >= BATCH_CHARACTERS


def _encode(catalog: Catalog, encode: Encode, encoder: str, batch: list[bytes]) -> None:
    if texts := embeddings.texts_to_encode(catalog, encoder, batch):
        found = embeddings.encode(encode, list(texts.values()))
        embeddings.add_embeddings(catalog, encoder, list(texts), found)
