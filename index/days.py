"""The days that documents are of: what a library goes by where the newest of them counts."""

import os
from datetime import datetime
from typing import Literal, NamedTuple

DayOf = Literal["document", "file"]


class Day(NamedTuple):
    """The day that a document is of."""

    day: str
    """Such as ``2024-12-31``."""
    of: DayOf
    """Whether the document itself states it, or it is the day on which the file was changed."""


def changed(path: str) -> float:
    """When a file was changed, or the one that holds it, as seconds; 0 where nobody knows, as of a
    file that is gone or on another machine."""
    try:
        return os.stat(path).st_mtime
    except NotADirectoryError:
        return changed(os.path.dirname(path))
    except (OSError, ValueError):
        return 0


def day_of_file(path: str) -> Day | None:
    """The day on which a file was changed, or the one that holds it, in the time of this machine;
    None where nobody knows."""
    seconds = changed(path)
    return Day(f"{datetime.fromtimestamp(seconds):%Y-%m-%d}", "file") if seconds else None
