"""Folders in which models are put together, out of sight until they are complete."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from veracite.models.errors import ModelError
from veracite.models.store.names import is_name

__all__ = ["STAGING", "Staging"]

STAGING = ".staging"
"""The folder of a store in which all of them are."""
_FILES = "files"
_PRIVATE = ".tmp-"
"""No model's name begins so."""


class Staging:
    """The folders below one folder, each kept by the process that works in it.

    Methods raise OSError where the disk refuses.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def private(self) -> Iterator[Path]:
        """A new empty folder, which is gone at the end with the one around it."""
        self._create()
        around = Path(tempfile.mkdtemp(dir=self.folder, prefix=_PRIVATE))
        with _held(around):
            try:
                yield _files_in(around)
            finally:
                shutil.rmtree(around, ignore_errors=True)

    @contextmanager
    def named(self, name: str) -> Iterator[Path]:
        """The folder for a model's files, with what was left in it; it is left again.

        Raises:
            ModelError: Another process has it.
        """
        self._create()
        with _held(self.folder / name):
            yield _files_in(self.folder / name)

    def discard(self, name: str) -> None:
        """Delete what was left in a named folder, if there is one.

        Raises:
            ModelError: Another process has it.
        """
        if (self.folder / name).exists():
            with _held(self.folder / name):
                shutil.rmtree(self.folder / name)

    def sizes(self) -> dict[str, int]:
        """Bytes of the files in each named folder."""
        if not self.folder.is_dir():
            return {}
        names = sorted(folder.name for folder in self.folder.iterdir() if is_name(folder.name))
        return {name: _bytes_in(self.folder / name / _FILES) for name in names}

    def _create(self) -> None:
        """The folder, without what processes that are no more left in private ones."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for folder in self.folder.glob(f"{_PRIVATE}*"):
            with suppress(ModelError, OSError), _held(folder):
                shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Create a folder and keep it for this process alone.

    Raises:
        ModelError: Another process has it.
    """
    descriptor = _locked(folder)
    try:
        yield
    finally:
        os.close(descriptor)


def _locked(folder: Path) -> int:
    """An open descriptor of the folder that holds its lock."""
    while True:
        folder.mkdir(mode=0o700, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise ModelError(
                f"Another process is already fetching {folder.name}.",
                "Wait until it has finished, then try again.",
            ) from None
        # Whoever had it may have deleted it between our opening and our locking.
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(descriptor), os.stat(folder)):
                return descriptor
        os.close(descriptor)


def _files_in(around: Path) -> Path:
    files = around / _FILES
    files.mkdir(mode=0o700, exist_ok=True)
    return files


def _bytes_in(folder: Path) -> int:
    total = 0
    with suppress(FileNotFoundError):  # it is finished, or given up, at this moment
        for file in folder.rglob("*"):
            total += file.stat().st_size if file.is_file() else 0
    return total
