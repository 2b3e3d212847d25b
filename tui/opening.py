"""Opens a document in the program that the system has for it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from veracite.engine.errors import InputError

__all__ = ["open_document"]


def open_document(path: Path) -> None:
    """Open a file in its viewer, which outlives the app.

    Waits until whoever starts the viewer is done, which with some is when the viewer is closed: to
    be called beside the screen.

    Raises:
        InputError: The file is gone, or nothing here opens it.
    """
    if not path.exists():
        raise InputError(f"{path} is not there any more.", "Look where it was moved.")
    if sys.platform == "win32":
        os.startfile(path)
        return
    name = "open" if sys.platform == "darwin" else "xdg-open"
    opener = shutil.which(name)
    if opener is None:
        raise InputError(
            f"Nothing here opens files: there is no {name}.", f"Open it by hand: {path}"
        )
    try:
        subprocess.run(
            [opener, os.path.abspath(path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError) as error:
        raise InputError(f"{name} could not open the file.", f"Open it by hand: {path}") from error
