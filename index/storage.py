"""The folder that holds a library: private, locked while it changes, honest when it fails.

Everything in it comes from the user's documents, so folders are created 0700 and files 0600.
"""

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from veracite.index.errors import StorageError

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_DENIED = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST, errno.ELOOP}


def make_private_folder(folder: Path) -> None:
    """Create ``folder`` and its missing parents, readable by this user only.

    Raises:
        StorageError: It cannot be created, or a file is in the way.
    """
    with storage_errors(folder):
        folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder.mkdir(exist_ok=True, mode=0o700)


def make_private_file(path: Path) -> None:
    """Create an empty file that only this user can read, or leave the one that is there."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))


def sync_file(path: Path) -> None:
    """Have the bytes of a file, or the entries of a folder, on the disk before returning."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def storage_errors(folder: Path) -> Iterator[None]:
    """Turn what the disk, SQLite and the operating system say into one sentence and advice.

    Raises:
        StorageError: In place of ``OSError`` and ``sqlite3.DatabaseError``.
    """
    try:
        yield
    except OSError as error:
        raise _from_os(error, folder) from error
    except sqlite3.DatabaseError as error:
        raise _from_sqlite(error, folder) from error


def disk_full(folder: Path) -> StorageError:
    """What to tell the user when nothing more fits."""
    return StorageError(
        f"The disk is full: the library in {folder} could not be written.",
        "Free some space and run the same command again; what was read so far is kept.",
    )


def _not_writable(folder: Path, reason: str) -> StorageError:
    return StorageError(
        f"The library folder {folder} cannot be written ({reason}).",
        "Choose a folder that you may write to, or change the permissions of this one.",
    )


def _from_os(error: OSError, folder: Path) -> StorageError:
    if error.errno in _FULL:
        return disk_full(folder)
    reason = os.strerror(error.errno) if error.errno else str(error)
    if error.errno in _DENIED:
        return _not_writable(folder, reason)
    return StorageError(
        f"The library in {folder} could not be read or written ({reason}).",
        "Check the disk, then run the same command again.",
    )


def _from_sqlite(error: sqlite3.DatabaseError, folder: Path) -> StorageError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return disk_full(folder)
    if code == sqlite3.SQLITE_IOERR:
        return StorageError(
            f"The library in {folder} could not be read or written ({error}).",
            "Check that the disk works and is not full, then run the same command again.",
        )
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return _not_writable(folder, str(error))
    if code == sqlite3.SQLITE_BUSY:
        return StorageError(
            f"The library in {folder} is in use by another process.",
            "Wait until it has finished, then run the same command again.",
        )
    return StorageError(
        f"The library's catalog in {folder} is damaged ({error}).",
        "Delete that folder: your documents are untouched, and the next run reads them again.",
    )


class FolderLock:
    """At most one process changes a library at a time; a dead process holds no lock."""

    def __init__(self, path: Path) -> None:
        # Not thread-local: a library opened in one thread may be used in another.
        self._lock = FileLock(path, mode=0o600, thread_local=False)

    def acquire(self, wait_seconds: float = 0.0) -> bool:
        """Take the lock; False if it is held, by another process for so long or by this object.

        Raises:
            OSError: The lock file cannot be opened.
        """
        if self._lock.is_locked:
            return False
        try:
            self._lock.acquire(timeout=wait_seconds)
        except Timeout:
            return False
        return True

    def release(self) -> None:
        """Give the lock back; nothing happens where it is not held."""
        self._lock.release()
