"""The folder that holds a library: private, locked while it changes, honest when it fails.

Everything in it comes from the user's documents, so folders are created 0700 and files 0600.
"""

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from veracite.index.errors import StorageError

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_DENIED = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST, errno.ELOOP}
_DENIED_SQLITE = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}


def make_private_folder(folder: Path) -> None:
    """Create ``folder`` and its missing parents, readable by this user only.

    Raises:
        StorageError: It cannot be created, or a file is in the way.
    """
    with storage_errors(folder):
        for missing in reversed([f for f in (folder, *folder.parents) if not f.exists()]):
            missing.mkdir(exist_ok=True, mode=0o700)
        folder.mkdir(exist_ok=True)  # fails where a file is in the way


def make_private_file(path: Path) -> None:
    """Create an empty file that only this user can read, or leave the one that is there.

    That one is not even opened: a process that closes a file drops all locks that it has on it
    (POSIX). Another one would then take a database that is in use here for one that nobody uses,
    and delete its log (https://www.sqlite.org/howtocorrupt.html, section 2.2).
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600))


def is_writable(path: Path) -> bool:
    """Whether a file and the folder that it lies in can be changed."""
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


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
    except (OSError, sqlite3.DatabaseError) as error:
        raise _storage_error(error, folder) from error


def disk_full(folder: Path) -> StorageError:
    """What to tell the user when nothing more fits."""
    return StorageError(
        f"The disk is full: the library in {folder} could not be written.",
        "Free some space and run the same command again; what was read so far is kept.",
    )


def _storage_error(error: OSError | sqlite3.DatabaseError, folder: Path) -> StorageError:
    number = error.errno if isinstance(error, OSError) else None
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    reason = os.strerror(number) if number else str(error)
    if number in _FULL or code == sqlite3.SQLITE_FULL:
        return disk_full(folder)
    if number in _DENIED or code in _DENIED_SQLITE:
        return StorageError(
            f"The library folder {folder} cannot be written ({reason}).",
            "Choose a folder that you may write to, or change the permissions of this one.",
        )
    if code == sqlite3.SQLITE_BUSY:
        return StorageError(
            f"The library in {folder} is in use by another process.",
            "Wait until it has finished, then run the same command again.",
        )
    if isinstance(error, OSError) or code == sqlite3.SQLITE_IOERR:
        return StorageError(
            f"The library in {folder} could not be read or written ({reason}).",
            "Check that the disk works and is not full, then run the same command again.",
        )
    return StorageError(
        f"The library's catalog in {folder} is damaged ({reason}).",
        "Delete that folder; your documents are untouched. The next run reads a folder again, and"
        " `veracite library add` says anew what a library with a name follows.",
    )


class FolderLock:
    """At most one process changes a library at a time; a dead process holds no lock.

    Args:
        folder: What is changed; the lock is a file in it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # Not thread-local: a library opened in one thread may be used in another.
        self._lock = FileLock(folder / "lock", mode=0o600, thread_local=False)

    @contextmanager
    def held(self, wait_seconds: float = 0.0) -> Iterator[bool]:
        """Hold the lock meanwhile; gives False if it is held, by another process for so long or by
        this object.

        Args:
            wait_seconds: Less than 0 waits for ever.

        Raises:
            StorageError: The lock file cannot be opened.
        """
        is_ours = False
        with storage_errors(self._folder), suppress(Timeout):
            if not self._lock.is_locked:
                self._lock.acquire(timeout=wait_seconds)
                is_ours = True
        try:
            yield is_ours
        finally:
            if is_ours:
                self._lock.release()
