"""Leaving the app at once, whatever it is doing."""

import os
import sys
import threading
from typing import NoReturn

from textual.driver import Driver

__all__ = ["end_process", "hasten"]

_PATIENCE = 0.1
"""Seconds that work gets to stop by itself, and to end the processes that it began."""


class _Once(threading.Event):
    """Set for good: the reader of keys ends although nobody waits for it."""

    def clear(self) -> None:
        """Do nothing."""


def hasten(driver: Driver | None) -> None:
    """Have Textual give the terminal back without waiting for its reader of keys, which looks up
    ten times a second, and waits two of these. For an app that is about to end."""
    if driver is not None and hasattr(driver, "_key_thread") and hasattr(driver, "exit_event"):
        driver._key_thread = None
        driver.exit_event = _Once()


def end_process(turn: threading.Lock, code: int) -> NoReturn:
    """End the process with this exit code.

    Closing models and taking the interpreter down takes up to seconds with native threads busy.
    Everything on the disk is made to survive this: databases commit as they go, and files are
    written beside their place and renamed.

    Args:
        turn: Held by work that still goes on.
        code: The exit code.
    """
    turn.acquire(timeout=_PATIENCE)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
