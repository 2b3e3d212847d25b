"""The files and folders that a library follows, and which files they hold; none is opened.

A place that cannot be looked at is not an empty place: a drive may be unplugged, a share offline.
What was read below it before stays in the library and in use, and the place is listed as failed.

A library that was imported has sources *elsewhere*, on another machine. Nothing is looked for at
their paths here, where something else may lie. What was read from them stays until the source is
removed, or added again, which means the place of that name on this machine.
"""

import json
import os
import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from veracite.index.catalog import Catalog
from veracite.index.errors import SourceError
from veracite.index.readers import known

_Place = tuple[int, int]

_ELSEWHERE = "elsewhere"
_LEFT_OUT = (".", "~$")
"""How hidden files begin, and the lock files of office programs."""
_NO_FILE = "This is not a regular file."
_NO_TARGET = "This is a link to a file that does not exist."


def follow(catalog: Catalog, paths: Sequence[Path]) -> None:
    """Follow these files and folders too.

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
    catalog.add_sources(added)
    set_elsewhere(catalog, [source for source in elsewhere(catalog) if source not in added])


def unfollow(catalog: Catalog, paths: Sequence[Path]) -> None:
    """Follow these sources no longer; the next sync forgets what was read from them.

    Raises:
        SourceError: One of them is no source; none is removed.
    """
    removed = [Path(os.path.abspath(path)) for path in paths]
    held = catalog.sources()
    for path in removed:
        if path not in held:
            raise SourceError(
                f"{path} is not a source of this library.",
                "`veracite library status` lists its sources.",
            )
    catalog.remove_sources(removed)
    catalog.set_meta("forget", "yes")


def elsewhere(catalog: Catalog) -> tuple[Path, ...]:
    """The sources that are on another machine, in order."""
    marked = set(json.loads(catalog.meta(_ELSEWHERE) or "[]"))
    return tuple(source for source in catalog.sources() if str(source) in marked)


def set_elsewhere(catalog: Catalog, sources: Iterable[Path]) -> None:
    """Note that these of the sources, and no others, are on another machine."""
    catalog.set_meta(_ELSEWHERE, json.dumps([str(source) for source in sources]))


def is_below(path: str, places: Iterable[Path]) -> bool:
    """Whether a path is one of some places or lies below one."""
    return any(Path(path).is_relative_to(place) for place in places)


@dataclass(slots=True)
class Listing:
    """What a scan found."""

    files: dict[str, os.stat_result] = field(default_factory=dict)
    """Files to read by absolute path, in order of sources and, within one, of names."""
    others: Counter[str] = field(default_factory=Counter)
    """How many files there are of formats that are not read, by what their names end with."""
    unreached: dict[str, str] = field(default_factory=dict)
    """Sources and folders that cannot be looked at, each with the operating system's reason."""
    failed: dict[str, str] = field(default_factory=dict)
    """Files that are no files to read, such as links that lead nowhere, each with the reason."""

    def may_still_hold(self, path: str) -> bool:
        """Whether the path lies in a place that could not be looked at."""
        return is_below(path, map(Path, self.unreached))


def scan(sources: Iterable[Path], leave_out: Path) -> Listing:
    """List the sources' files.

    A file that is a source itself is always listed. Within folders, hidden files and folders and
    formats that cannot be read are left out; links to files are followed; links to folders are
    followed after all real folders, and no folder is entered twice, so that a loop of links ends.

    Args:
        sources: Absolute paths of files and folders.
        leave_out: The library's own folder.
    """
    listing = Listing()
    entered: set[_Place] = {_place(os.stat(leave_out))} if leave_out.exists() else set()
    for source in sources:
        try:
            status = os.stat(source)
        except OSError as error:
            listing.unreached[str(source)] = error.strerror or "no reason given"
            continue
        if stat.S_ISDIR(status.st_mode):
            for path, found in _walk(source, status, entered, listing):
                listing.files.setdefault(path, found)
        elif stat.S_ISREG(status.st_mode):
            listing.files.setdefault(str(source), status)
        else:
            listing.failed[str(source)] = _NO_FILE
    return listing


def _walk(
    top: Path, status: os.stat_result, entered: set[_Place], listing: Listing
) -> Iterator[tuple[str, os.stat_result]]:
    folders = [(str(top), _place(status))]
    links: list[tuple[str, _Place]] = []
    while folders or links:
        folder, place = folders.pop() if folders else links.pop(0)
        if place in entered:
            continue
        entered.add(place)
        below: list[tuple[str, _Place]] = []
        for entry, found in _entries(folder, folder == str(top), listing):
            if stat.S_ISDIR(found.st_mode):
                (links if entry.is_symlink() else below).append((entry.path, _place(found)))
            elif not known(Path(entry.name)):
                listing.others[Path(entry.name).suffix.lower()] += 1
            elif not stat.S_ISREG(found.st_mode):
                listing.failed[entry.path] = _NO_FILE
            else:
                yield entry.path, found
        folders += reversed(below)


def _entries(
    folder: str, is_source: bool, listing: Listing
) -> Iterator[tuple[os.DirEntry[str], os.stat_result]]:
    try:
        with os.scandir(folder) as entries:
            visible = [entry for entry in entries if not entry.name.startswith(_LEFT_OUT)]
    except OSError as error:
        # A folder below a source that has just gone is gone; a source is only out of reach.
        if is_source or not isinstance(error, FileNotFoundError | NotADirectoryError):
            listing.unreached[folder] = error.strerror or "no reason given"
        return
    for entry in sorted(visible, key=lambda entry: entry.name):
        try:
            found = entry.stat()
        except OSError as error:
            # A file that has just gone is no failure; a link that is there is.
            if known(Path(entry.name)) and entry.is_symlink():
                listing.failed[entry.path] = (
                    _NO_TARGET
                    if isinstance(error, FileNotFoundError)
                    else f"The link cannot be followed ({error.strerror})."
                )
            continue
        yield entry, found


def _place(status: os.stat_result) -> _Place:
    return status.st_dev, status.st_ino
