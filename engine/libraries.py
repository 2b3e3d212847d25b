"""Which libraries there are, and in which folder each keeps its index."""

import hashlib
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from veracite.engine.errors import InputError
from veracite.engine.paths import Paths, private_folder

DEFAULT_LIBRARY = "default"

_VALID_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class Libraries:
    """Named libraries, kept until they are deleted, and those of folders named ad hoc."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths

    def names(self) -> tuple[str, ...]:
        """The named libraries there are, sorted.

        Raises:
            InputError: The folder that holds them cannot be listed.
        """
        try:
            return tuple(sorted(f.name for f in self._paths.libraries.iterdir() if _is_library(f)))
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise _unusable(self._paths.libraries, error) from error

    def folder(self, name: str) -> Path:
        """Where a named library keeps its index; it need not exist.

        Raises:
            InputError: This cannot be the name of a library.
        """
        if not _VALID_NAME.fullmatch(name):
            raise InputError(
                f"{name!r} cannot be the name of a library.",
                "Use up to 64 letters, digits, dots, hyphens and underscores.",
            )
        return self._paths.libraries / name

    def create(self, name: str) -> Path:
        """The folder of a named library, made if need be.

        Raises:
            InputError: The name is not valid or the folder cannot be made.
        """
        return _create(self.folder(name))

    def delete(self, name: str) -> None:
        """Delete a named library's index. The documents it was made from are not touched.

        Raises:
            InputError: There is no such library or it cannot be deleted.
        """
        folder = self.folder(name)
        if not _is_library(folder):
            raise InputError(f"There is no library named {name!r}.", self._which())
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise _unusable(folder, error) from error

    def adhoc_folder(self, paths: Iterable[Path]) -> Path:
        """Where the index of these sources is kept, whatever their order; it need not exist."""
        named = sorted({str(path.expanduser().resolve()) for path in paths})
        digest = hashlib.sha256("\0".join(named).encode("utf-8", "surrogateescape")).hexdigest()
        return self._paths.folders / digest[:32]

    def adhoc(self, paths: Iterable[Path]) -> Path:
        """The folder of ``adhoc_folder``, made if need be.

        Raises:
            InputError: The folder cannot be made.
        """
        return _create(self.adhoc_folder(paths))

    def indexed(self, meant: tuple[Path, ...] | str | None) -> Path | None:
        """The folder of these sources' index, or of a named library's; None if there is none yet.

        Args:
            meant: Files and folders, a name, or None for the default library.

        Raises:
            InputError: This cannot be the name of a library.
        """
        if isinstance(meant, tuple):
            folder = self.adhoc_folder(meant)
        else:
            folder = self.folder(meant or DEFAULT_LIBRARY)
        return folder if folder.is_dir() else None

    def _which(self) -> str:
        names = self.names()
        if not names:
            return "There are none yet: make one with `veracite library add FOLDER`."
        return f"There are: {', '.join(names)}."


def _is_library(folder: Path) -> bool:
    return folder.is_dir() and _VALID_NAME.fullmatch(folder.name) is not None


def _create(folder: Path) -> Path:
    try:
        return private_folder(folder)
    except OSError as error:
        raise _unusable(folder, error) from error


def _unusable(folder: Path, error: OSError) -> InputError:
    return InputError(
        f"{folder} cannot be used ({error.strerror or error}).",
        "Mend its permissions, or name other folders in VERACITE_DATA_DIR, VERACITE_CACHE_DIR.",
    )
