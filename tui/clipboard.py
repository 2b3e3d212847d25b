"""Puts text on the system's clipboard with the tool that the system has for it."""

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from functools import partial

from textual.app import App

from veracite.tui.worker import apart

__all__ = ["Copying", "copied", "copy"]

_TOOLS = (
    ("WAYLAND_DISPLAY", ("wl-copy",)),
    ("DISPLAY", ("xclip", "-selection", "clipboard")),
    ("DISPLAY", ("xsel", "--clipboard", "--input")),
)
"""What each needs in the environment, and how it is called; it reads standard input."""
_LONGEST = 5.0
"""Seconds that a tool may take."""


class Copying(App[None]):
    """The part of the app that is about what is selected and copied, in whatever widget."""

    def copy_to_clipboard(self, text: str) -> None:
        """Copy what is selected."""
        self.run_worker(copy(self, text, "the selection"))


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
        app.notify(f"Sent {what} to the terminal, which may copy that.")


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
