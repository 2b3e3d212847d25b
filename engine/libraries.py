"""Which libraries there are, which one is meant, and whether it holds anything to go by."""

import hashlib
import json
import os
import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from veracite.engine.display import neutralise
from veracite.engine.errors import CheckError, InputError, SettingsError, disk_errors
from veracite.engine.failures import Unread, by_reason, kinds
from veracite.engine.paths import Paths, absolute
from veracite.models.files import private_folder, write_whole

if TYPE_CHECKING:
    from veracite.index.library import Library
    from veracite.models.encoder import Encoder

DEFAULT_LIBRARY = "default"

Against = tuple[Path, ...] | str | None
"""Files and folders, a named library, or the default library."""

_PLACE = "cluster.json"
_VALID_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_MOST_REASONS = 10
"""Why documents could not be read, in an error."""


@dataclass(frozen=True, slots=True)
class Documents:
    """What is checked against, as it is kept in a file: files and folders, else a library."""

    library: str | None = None
    """Its name; None is the default library."""
    sources: tuple[str, ...] = ()
    """Absolute paths."""

    @classmethod
    def of(cls, against: Against) -> "Documents":
        """Of what a check or a question is given."""
        if isinstance(against, tuple):
            return cls(sources=tuple(map(os.path.abspath, against)))
        return cls(library=against)

    @property
    def against(self) -> Against:
        """To be given to a check or a question; nothing says that it is still there."""
        return tuple(map(Path, self.sources)) or self.library

    @property
    def missing(self) -> tuple[str, ...]:
        """The files and folders that cannot be found now, such as those on a drive."""
        return tuple(source for source in self.sources if not os.path.exists(source))


class Libraries:
    """Named libraries, kept until they are deleted, and those of files and folders."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths

    def names(self) -> tuple[str, ...]:
        """The named libraries there are, sorted.

        Raises:
            InputError: The folder that holds them cannot be listed.
        """
        folder = self._paths.libraries
        with _usable(folder), suppress(FileNotFoundError):
            there = (f.name for f in folder.iterdir() if f.is_dir())
            return tuple(sorted(name for name in there if _VALID_NAME.fullmatch(name)))
        return ()

    def require(self, name: str | None) -> None:
        """Raises InputError unless there is a library of this name; None is the default one."""
        names = self.names()
        if (name or DEFAULT_LIBRARY) not in names:
            raise InputError(*no_library(name, names), "no library")

    def folder(self, meant: Against) -> Path:
        """Where a library keeps its index; it need not exist.

        Files and folders share one index, whatever their order.

        Raises:
            InputError: This cannot be the name of a library.
        """
        if isinstance(meant, tuple):
            named = sorted({str(path.expanduser().resolve()) for path in meant})
            digest = hashlib.sha256("\0".join(named).encode("utf-8", "surrogateescape"))
            return self._paths.folders / digest.hexdigest()[:32]
        name = DEFAULT_LIBRARY if meant is None else meant
        if not _VALID_NAME.fullmatch(name):
            raise InputError(
                f"{name!r} cannot be the name of a library.",
                "Use up to 64 letters, digits, dots, hyphens and underscores.",
                "wrong name",
            )
        return self._paths.libraries / name

    def create(self, meant: Against) -> Path:
        """The folder of a library, made if need be.

        Raises:
            InputError: The name is not valid or the folder cannot be made.
        """
        folder = self.folder(meant)
        with _usable(folder):
            return private_folder(folder)

    def dataset(self, name: str | None) -> tuple[str, int | None] | None:
        """The address of a library that several machines share, and the version that is read if it
        is not the newest; None where there is none, or it is kept on this machine.

        Raises:
            InputError: What is known of it cannot be read.
        """
        place = self.folder(name) / _PLACE
        try:
            with _usable(place), suppress(FileNotFoundError):
                known = json.loads(place.read_bytes())
                return str(known["address"]), known["version"]
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(
                f"{place} is damaged: it does not say where the library lies.",
                f"Give it up with `veracite library remove {name}`, and name its place anew with "
                f"`veracite library build {name} --storage PLACE`.",
            ) from error
        return None

    def require_own(self, against: Against) -> None:
        """Raises InputError for a library that several machines share: it is not brought up to date
        or exported from here."""
        name = against or DEFAULT_LIBRARY
        if not isinstance(name, tuple) and self.dataset(name) is not None:
            raise InputError(
                f"The library {name} is on storage that several machines share.",
                f"Bring it up to date with `veracite library build {name} --ray ADDRESS`; to take "
                "it elsewhere, copy its folder.",
            )

    def register(self, name: str, address: str, version: int | None = None) -> None:
        """Note where the dataset of a library lies that several machines share.

        Raises:
            InputError: The name is taken by a library of this machine, or nothing can be written.
        """
        if name in self.names() and self.dataset(name) is None:
            raise InputError(
                f"The library {name} is kept on this machine, and not on shared storage.",
                "Give the new library another name.",
                "wrong name",
            )
        place = self.create(name) / _PLACE
        with _usable(place):
            write_whole(place, json.dumps({"address": address, "version": version}))

    @contextmanager
    def still(self, name: str) -> Iterator[Path]:
        """The folder of a named library, which no other process changes meanwhile.

        Raises:
            InputError: There is no such library, or another process is changing it.
            StorageError: Its folder cannot be used.
        """
        from veracite.index.storage import FolderLock

        folder = self.folder(name)
        self.require(name)
        with FolderLock(folder).held() as locked:
            if not locked:
                raise InputError(
                    f"Another process is changing the library {name}.",
                    "Wait until it has finished, then run the same command again.",
                )
            yield folder

    def delete(self, name: str) -> None:
        """Delete a named library's index. The documents it was made from are not touched.

        Raises:
            InputError: There is no such library or it cannot be deleted.
            StorageError: As ``still``.
        """
        from veracite.models.store import staging

        # Moved first: a library of which half is gone would be taken for one.
        place = self._paths.libraries / ".staging"
        with self.still(name) as folder, _usable(folder), staging(place) as doomed:
            os.rename(folder, doomed / name)


def documents(named: Sequence[str], libraries: Libraries) -> Against:
    """Files and folders, the name of a library, or None for the default library.

    A name that is both is the file or folder.

    Raises:
        InputError: Something is neither, or a library is named beside other sources.
    """
    if not named:
        return None
    missing = [name for name in named if not (name and Path(name).expanduser().exists())]
    if not missing:
        return tuple(map(absolute, named))
    names = libraries.names()
    if len(named) == 1 and named[0] in names:
        return named[0]
    if unknown := [name for name in missing if name not in names]:
        raise InputError(*no_library(unknown[0], names), "no library")
    raise InputError(
        f"The library {missing[0]!r} cannot be combined with other sources.",
        "Name one library, or files and folders.",
        "wrong name",
    )


def require_folders(against: Against, given: Collection[str]) -> None:
    """Patterns among the settings that are given need files and folders to choose among.

    Raises:
        SettingsError: A library is checked against.
    """
    if {"include", "exclude"} & {*given} and not isinstance(against, tuple):
        raise SettingsError(
            "--include and --exclude choose among files and folders, and a library is checked "
            "against.",
            "Change what it reads with `veracite library sync NAME --exclude PATTERNS`.",
        )


class Permitted:
    """The files, folders and libraries that another program may have read.

    Args:
        usual: What is read where the other program names nothing, as for ``documents``.
        others: What it may name too; of folders all that is in them.
        libraries: Those that have names.

    Raises:
        InputError: One of them does not exist.
    """

    def __init__(self, usual: Sequence[str], others: Sequence[str], libraries: Libraries) -> None:
        self.usual = documents(usual, libraries)
        meant = [self.usual, *(documents([one], libraries) for one in others)]
        self.libraries = [one or DEFAULT_LIBRARY for one in meant if not isinstance(one, tuple)]
        """By name."""
        self.places = [path for one in meant if isinstance(one, tuple) for path in one]
        """Files and folders."""
        for one in meant:
            if not isinstance(one, tuple):
                libraries.require(one)

    def named(self, name: str | None) -> Against:
        """The documents that the other program names; None means the usual ones.

        Raises:
            InputError: They may not be read, whether or not they exist.
        """
        if name is None:
            return self.usual
        if name in self.libraries and not os.path.exists(name):  # else it is meant as a path
            return None if name == DEFAULT_LIBRARY else name
        # Links are followed first: one that leads out of a folder leads to what may not be read.
        with suppress(OSError, ValueError):
            real = Path(os.path.realpath(os.path.expanduser(name)))
            if any(real.is_relative_to(os.path.realpath(place)) for place in self.places):
                return (real,)
        may = ", ".join([*self.libraries, *map(str, self.places)])
        raise InputError(f"{name!r} may not be read here.", f"What may be read is: {may}.")


def open_library(
    against: Against, libraries: Libraries, encoder: "Encoder | None" = None, megabytes: int = 1024
) -> "Library":
    """Opens the library that is meant; the caller closes it.

    Args:
        against: Which one.
        libraries: Those that have names.
        encoder: None for search by words alone.
        megabytes: Of memory, that reading one file may take.

    Raises:
        InputError: There is no such library.
        LibraryError: Its folder cannot be used, or a source does not exist.
    """
    from veracite.index.library import Library

    encode, encoder_id = (encoder.encode, encoder.id) if encoder else (None, None)
    opened = partial(Library, encode=encode, encoder_id=encoder_id, memory=megabytes * 1024**2)
    if not isinstance(against, tuple):
        libraries.require(against)
        if (dataset := libraries.dataset(against)) is not None:
            require_cluster()
            from veracite.index.cluster import ClusterLibrary

            return ClusterLibrary(*dataset, encode=encode, encoder_id=encoder_id)
        return opened(libraries.folder(against))
    library = opened(libraries.create(against))
    try:
        library.add(against)
    except BaseException:
        library.close()
        raise
    return library


def require_cluster() -> None:
    """Raises InputError unless the libraries of the extra ``cluster`` are installed."""
    if not all(map(find_spec, ("lance", "ray"))):
        raise InputError(
            "Libraries that several machines share need libraries that are not installed.",
            "Install them with `pip install 'veracite[cluster]'`.",
        )


def own_documents(path: str | None, library: "Library") -> frozenset[str]:
    """The paths under which the library holds the very text that is checked: several, if that is
    of an archive."""
    if path is None:
        return frozenset()
    own = Path(path).resolve()
    places = {document.path: Path(document.path).resolve() for document in library.documents()}
    found = {path for path, place in places.items() if place == own}
    return frozenset(found or {path for path, place in places.items() if own in place.parents})


def require_documents(library: "Library", own: Collection[str]) -> None:
    """A verdict without documents would mean nothing.

    Raises:
        CheckError: Nothing could be read.
    """
    status = library.status()
    if status.documents > len(own):
        return
    if status.failed:
        raise _all_failed(by_reason(status.failed, status.others))
    where = ", ".join(str(source) for source in library.sources)
    if own:
        raise CheckError(
            "The only document there is the text itself.", "Name the folder of its sources."
        )
    others = f" {kinds(status.others)}." if status.others else ""
    left_out = (
        f" Patterns (--include, --exclude, .veraciteignore) leave {status.left_out:,} out."
        if status.left_out
        else ""
    )
    raise CheckError(
        f"There are no documents in {where or 'this library'}.{others}{left_out}",
        "Name a folder with text, PDF, HTML, office or e-mail files.",
    )


def _usable(folder: Path) -> AbstractContextManager[None]:
    return disk_errors(
        f"{folder} cannot be used",
        "Change its permissions, or name other folders in VERACITE_DATA_DIR, VERACITE_CACHE_DIR.",
    )


def no_library(name: str | None, names: Sequence[str]) -> tuple[str, str]:
    """That there is no such library, and what to do about it.

    Args:
        name: None is the default library.
        names: Of those that there are.
    """
    if name is None:
        return (
            "There is no default library yet.",
            "Name documents with --against FOLDER, or make the library with "
            "`veracite library add FOLDER`.",
        )
    known = f" The libraries are: {', '.join(names)}." if names else ""
    made = "" if "/" in name else f", or make it with `veracite library add FOLDER --name {name}`"
    return (
        f"There is neither a file or folder nor a library named {name!r}.",
        f"Check the spelling{made}.{known}",
    )


def _all_failed(unread: Sequence[Unread]) -> CheckError:
    """That no document could be read, with the most frequent reasons."""
    lines = ["None of the documents could be read:"]
    lines += [f"  {neutralise(group.said())}" for group in unread[:_MOST_REASONS]]
    if (more := len(unread) - _MOST_REASONS) > 0:
        lines.append(f"  ... and for {more} other reasons")
    advice = (
        "Repair or replace them, or check against another folder. `veracite library status` with "
        "the same folder or name lists them all."
    )
    return CheckError("\n".join(lines), advice, "all unreadable")
