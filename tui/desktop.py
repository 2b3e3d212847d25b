"""The system's clipboard, and its programs for documents."""

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from textual.app import App

from veracite.engine.errors import InputError
from veracite.tui.worker import apart

_TOOLS = (
    ("WAYLAND_DISPLAY", ("wl-copy",)),
    ("DISPLAY", ("xclip", "-selection", "clipboard")),
    ("DISPLAY", ("xsel", "--clipboard", "--input")),
    ("HOME", ("pbcopy",)),
)
"""What each needs in the environment, and how it is called; it reads standard input."""
_LONGEST = 5.0
"""Seconds that a tool may take."""


async def copy(app: App[None], text: str, what: str) -> None:
    """Copy a text by all means there are, and say what is known of it.

    Whether a terminal does as it is told cannot be known, so what is said depends on the system's
    own tool.

    Args:
        what: The text is, as in "the claim and its citations".
    """
    App.copy_to_clipboard(app, text)
    if await apart(partial(copied, text)):
        app.notify(f"Copied {what}.")
    else:
        app.notify(f"Sent {what} to the terminal. If it allows that, it is on the clipboard now.")


def copied(text: str) -> bool:
    """Whether a tool took the text; False where there is none, or it failed.

    Waits until the tool is done: to be called beside the screen.
    """
    for variable, (name, *options) in _TOOLS:
        tool = shutil.which(name) if variable in os.environ else None
        with suppress(OSError, subprocess.SubprocessError):
            if tool:
                _run([tool, *options], input=text.encode("utf-8", "replace"), timeout=_LONGEST)
                return True
    return False


def _run(command: list[str], **options: Any) -> None:
    """Runs a program that has nothing to do with this terminal; raises where it fails."""
    nowhere = subprocess.DEVNULL
    subprocess.run(
        command, stdout=nowhere, stderr=nowhere, start_new_session=True, check=True, **options
    )


async def show_document(app: App[None], file: str) -> None:
    """Open a document in its viewer; what stands against it is told."""
    try:
        await apart(partial(open_document, Path(file)))
    except InputError as error:
        app.notify(str(error), severity="error")


def open_document(path: Path) -> None:
    """Open a file in its viewer, which outlives the app.

    Waits until whoever starts the viewer is done, which with some is when the viewer is closed: to
    be called beside the screen.

    Raises:
        InputError: The file is gone, or nothing here opens it.
    """
    if not path.exists():
        raise InputError(f"{path} is not there any more.", "Check whether it was moved.")
    name = "open" if sys.platform == "darwin" else "xdg-open"
    opener = shutil.which(name)
    if opener is None:
        raise InputError(
            f"Files cannot be opened from here: there is no {name}.", f"Open it by hand: {path}"
        )
    try:
        _run([opener, os.path.abspath(path)], stdin=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError) as error:
        raise InputError(f"{name} could not open the file.", f"Open it by hand: {path}") from error
