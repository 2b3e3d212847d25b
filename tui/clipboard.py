"""Puts text on the system's clipboard with the tool that the system has for it."""

import os
import shutil
import subprocess
import sys
from contextlib import suppress

__all__ = ["copied"]

_TOOLS = (
    ("WAYLAND_DISPLAY", ("wl-copy",)),
    ("DISPLAY", ("xclip", "-selection", "clipboard")),
    ("DISPLAY", ("xsel", "--clipboard", "--input")),
)
"""What each needs in the environment, and how it is called; it reads standard input."""
_LONGEST = 5.0
"""Seconds that a tool may take."""


def copied(text: str) -> bool:
    """Whether a tool took the text; False where there is none, or it failed.

    Waits until the tool is done: to be called beside the screen.
    """
    encoding = "utf-16" if sys.platform == "win32" else "utf-8"
    for command in _commands():
        if tool := shutil.which(command[0]):
            with suppress(OSError, subprocess.SubprocessError):
                subprocess.run(
                    [tool, *command[1:]],
                    input=text.encode(encoding, "replace"),
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                    timeout=_LONGEST,
                    check=True,
                )
                return True
    return False


def _commands() -> list[tuple[str, ...]]:
    if sys.platform == "darwin":
        return [("pbcopy",)]
    if sys.platform == "win32":
        return [("clip",)]
    return [command for variable, command in _TOOLS if os.environ.get(variable)]
