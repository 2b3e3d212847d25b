"""What happens while a library is brought up to date, one event after the other."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Waiting:
    """Another process is changing the library; this one waits for it, but not for long."""


@dataclass(frozen=True, slots=True)
class Scanned:
    """The sources were listed."""

    files: int
    """Files of a known format that the sources hold."""
    to_read: int
    """Of these, new or changed since the last time."""


@dataclass(frozen=True, slots=True)
class FileRead:
    """A document was read and its passages are in the catalog."""

    path: str
    passages: int
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class FileFailed:
    """A document could not be read; it is listed as failed with this reason."""

    path: str
    reason: str
    done: int
    total: int
    advice: str = ""


@dataclass(frozen=True, slots=True)
class FileRemoved:
    """A document that the library held is gone from its sources."""

    path: str


@dataclass(frozen=True, slots=True)
class Encoded:
    """So many of the passages that had no embedding now have one."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Synced:
    """The library stands as its sources do now."""

    documents: int
    failed: int
    passages: int
    notes: tuple[str, ...] = ()
    """What was out of the ordinary: an index rebuilt, and why; an encoder missing."""
    done: bool = True
    """False where nothing could be brought up to date: another process is at it, or the library
    cannot be written."""


SyncEvent = Waiting | Scanned | FileRead | FileFailed | FileRemoved | Encoded | Synced
