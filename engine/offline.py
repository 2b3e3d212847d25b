"""Offline is enforced: from ``install`` on, this process cannot open a network connection.

The guard is an audit hook of the interpreter, which cannot be taken out again. Whatever Python
code, of whichever library, makes a socket of any family but AF_UNIX, connects one or looks up a
name meets ``OfflineError``. The exceptions are ``lifted``.
Libraries that phone home unasked are told not to by the environment variables they honour, which
child processes inherit.
"""

import os
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from veracite.engine.errors import OfflineError

QUIET = {
    "DO_NOT_TRACK": "1",
    "HF_HUB_DISABLE_IMPLICIT_TOKEN": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_OFFLINE": "1",
    "JOBLIB_MULTIPROCESSING": "0",
    "ORT_DISABLE_TELEMETRY": "1",
    "TRANSFORMERS_OFFLINE": "1",
}
"""Environment variables that switch off the ecosystems' own network use; joblib, which comes with
others, would besides try out semaphores in a folder that all users share."""

_LOOK_UPS = {
    f"socket.{name}" for name in "getaddrinfo gethostbyaddr gethostbyname getnameinfo".split()
}
_USES = {"socket.bind", "socket.connect", "socket.sendmsg", "socket.sendto"}
_UNKNOWN_FAMILY = -1
"""What the interpreter reports for a socket made from a file descriptor; its use is checked."""

_installed = False
_this_thread = threading.local()


def install() -> None:
    """Refuse network sockets and name look-ups for the rest of this process's life.

    Telemetry and downloads of the libraries underneath are switched off, here and in children.
    """
    global _installed
    os.environ.update(QUIET)
    if not _installed:
        _installed = True
        sys.addaudithook(_refuse)


@contextmanager
def lifted() -> Iterator[None]:
    """Let this thread, and no other, open network connections meanwhile.

    For ``veracite models pull``, around each of its requests, and for one connection to the address
    that ``--ray`` names. What Ray and Lance open then they open in native code, which no hook of
    the interpreter sees: they are given no other addresses than the user's.
    """
    before = getattr(_this_thread, "lifted", False)
    _this_thread.lifted = True
    try:
        yield
    finally:
        _this_thread.lifted = before


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if not event.startswith("socket.") or getattr(_this_thread, "lifted", False):
        return
    if event in _LOOK_UPS:
        raise _offline("looked up a name on the network")
    if event == "socket.__new__" and arguments[1] not in (socket.AF_UNIX, _UNKNOWN_FAMILY):
        raise _offline("opened a network socket")
    if event in _USES and arguments[0].family != socket.AF_UNIX:
        raise _offline("used a network socket")


def _offline(what: str) -> OfflineError:
    return OfflineError(
        f"Something {what}, and Veracite works offline.",
        "Nothing was sent; please report this with what `veracite --debug ...` says.",
    )
