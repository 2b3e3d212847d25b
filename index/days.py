"""The days on which files were changed: what says which of two documents is the newer one."""

import os
from datetime import datetime


def changed(path: str) -> float:
    """When a file was changed, or the one that holds it, as seconds; 0 where nobody knows, as of a
    file that is gone or on another machine."""
    try:
        return os.stat(path).st_mtime
    except NotADirectoryError:
        return changed(os.path.dirname(path))
    except (OSError, ValueError):
        return 0


def day_of(path: str) -> str:
    """The day of that in the time of this machine, such as ``2024-12-31``; empty where nobody
    knows."""
    seconds = changed(path)
    return f"{datetime.fromtimestamp(seconds):%Y-%m-%d}" if seconds else ""
