"""Which files the sources hold, without opening any of them.

A place that cannot be looked at is not an empty place: a drive may be unplugged, a share offline.
What was read below it before stays in the library and in use, and the place is listed as failed.
"""

import os
import stat
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from veracite.index.readers import known

_Place = tuple[int, int]

_LEFT_OUT = (".", "~$")
"""How hidden files begin, and the lock files of office programs."""
_NO_FILE = "This is not a regular file."
_NO_TARGET = "This is a link to a file that does not exist."


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
        if not self.unreached:
            return False
        return any(str(place) in self.unreached for place in (Path(path), *Path(path).parents))


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
