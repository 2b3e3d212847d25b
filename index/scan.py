"""Which files the sources hold, without opening any of them."""

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from veracite.index.readers import known

__all__ = ["Listing", "scan"]

_Place = tuple[int, int]

_LEFT_OUT = (".", "~$")
"""How hidden files begin, and the lock files of office programs."""


@dataclass(slots=True)
class Listing:
    """What a scan found."""

    files: dict[str, os.stat_result] = field(default_factory=dict)
    """Files to read by absolute path, in order of sources and, within one, of names."""
    other: int = 0
    """How many files there are of formats that are not read."""
    notes: list[str] = field(default_factory=list)
    """Sources that are gone, folders that could not be listed."""


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
            listing.notes.append(f"{source} could not be found ({error.strerror}).")
            continue
        if stat.S_ISDIR(status.st_mode):
            for path, found in _walk(source, status, entered, listing):
                listing.files.setdefault(path, found)
        else:
            listing.files.setdefault(str(source), status)
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
        for entry, found in _entries(folder, listing):
            if stat.S_ISDIR(found.st_mode):
                (links if entry.is_symlink() else below).append((entry.path, _place(found)))
            elif not stat.S_ISREG(found.st_mode) or not known(Path(entry.name)):
                listing.other += 1
            else:
                yield entry.path, found
        folders += reversed(below)


def _entries(folder: str, listing: Listing) -> Iterator[tuple[os.DirEntry[str], os.stat_result]]:
    try:
        with os.scandir(folder) as entries:
            visible = [entry for entry in entries if not entry.name.startswith(_LEFT_OUT)]
    except OSError as error:
        listing.notes.append(f"{folder} could not be listed ({error.strerror}).")
        return
    for entry in sorted(visible, key=lambda entry: entry.name):
        try:
            found = entry.stat()
        except OSError:
            # A link that leads nowhere, or a file that has just gone: nothing to read.
            continue
        yield entry, found


def _place(status: os.stat_result) -> _Place:
    return status.st_dev, status.st_ino
