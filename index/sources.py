"""The files and folders that a library follows, and which files they hold; none is opened.

A place that cannot be looked at is not an empty place: a drive may be unplugged, a share offline.
What was read below it before stays in the library and in use, and the place is listed as failed.

A library that was imported has sources *elsewhere*, on another machine. Nothing is looked for at
their paths here, where something else may lie. What was read from them stays until the source is
removed, or added again, which means the place of that name on this machine.
"""

import os
import stat
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from veracite.index.readers import LEFT_OUT, known

_Place = tuple[int, int]

_NO_FILE = "This is not a regular file."
_NO_TARGET = "This is a link to a file that does not exist."


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
            for path, found in _walk(source, entered, listing):
                listing.files.setdefault(path, found)
        elif stat.S_ISREG(status.st_mode):
            listing.files.setdefault(str(source), status)
        else:
            listing.failed[str(source)] = _NO_FILE
    return listing


def _walk(
    source: Path, entered: set[_Place], listing: Listing
) -> Iterator[tuple[str, os.stat_result]]:
    def cannot_list(error: OSError) -> None:
        # A folder below a source that has just gone is gone; a source is only out of reach.
        if error.filename == str(source) or not isinstance(
            error, FileNotFoundError | NotADirectoryError
        ):
            listing.unreached[error.filename] = error.strerror or "no reason given"

    tops = [str(source)]
    for top in tops:
        for folder, folders, names in os.walk(top, onerror=cannot_list):
            try:
                place = _place(os.stat(folder))
            except OSError:  # it has just gone
                continue
            folders[:] = sorted(name for name in folders if not name.startswith(LEFT_OUT))
            if place in entered:
                folders.clear()
                continue
            entered.add(place)
            paths = [os.path.join(folder, name) for name in folders]
            tops += filter(os.path.islink, paths)
            for name in sorted(name for name in names if not name.startswith(LEFT_OUT)):
                path = os.path.join(folder, name)
                if (found := _file(path, listing)) is not None:
                    yield path, found


def _file(path: str, listing: Listing) -> os.stat_result | None:
    """What a file within a folder is, if it is to be read."""
    try:
        found = os.stat(path)
    except OSError as error:
        # A file that has just gone is no failure; a link that is there is.
        if known(Path(path)) and os.path.islink(path):
            gone = isinstance(error, FileNotFoundError)
            cannot = f"The link cannot be followed ({error.strerror})."
            listing.failed[path] = _NO_TARGET if gone else cannot
        return None
    if not known(Path(path)):
        listing.others[Path(path).suffix.lower()] += 1
    elif not stat.S_ISREG(found.st_mode):
        listing.failed[path] = _NO_FILE
    else:
        return found
    return None


def _place(status: os.stat_result) -> _Place:
    return status.st_dev, status.st_ino
