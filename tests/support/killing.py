"""What the tests that kill a process do in it: something with a library, up to a chosen moment.

A moment is a step (a statement for a database, some hundred instructions within one, a file of the
library that is opened, renamed or removed), or a time, which strikes within native code, too.
"""

import os
import shutil
import signal
import sqlite3
import sys
from itertools import count
from pathlib import Path
from time import monotonic

from indexing import ENCODER, LARGE, open_library, synced

from veracite.engine.bundles.libraries import import_library
from veracite.engine.libraries import Libraries
from veracite.engine.paths import Paths
from veracite.index.lexical import Lexical

EVENTS = {"open", "os.rename", "os.remove", "os.rmdir", "os.mkdir"}
INSTRUCTIONS = 500
"""Of SQLite's machine, between two steps."""
OTHER = "hashed/2"
"""An encoder whose vectors take the place of the first one's, which are deleted then."""


def home_of(folder: Path) -> Paths:
    """A home that keeps a library of the name of this folder in it."""
    return Paths(folder.parent.parent, folder.parent.parent / "cache", folder.parent / "none")


def work(operation: str, folder: Path, corpus: Path) -> None:
    """Do one thing with a library to the end."""
    if operation == "import":
        list(import_library(Libraries(home_of(folder)), corpus.parent / "bundle", folder.name))
    if operation == "delete":
        return Libraries(home_of(folder)).delete(folder.name)
    encoder = OTHER if operation == "encode" else ENCODER
    with open_library(folder, encoder_id=encoder, **LARGE) as library:
        if operation == "remove":
            library.remove([corpus] if corpus in library.sources else [])
            library.add([corpus / "document-01.txt"])
        if operation == "sync":
            library.add([corpus])
        synced(library)


def main(operation: str, folder: str, corpus: str, way: str, share: str) -> None:
    """Do it with a copy of the library and count the steps, then with the library up to one.

    Args:
        way: "step", or "time" for a share of the seconds that it took.
    """
    places = [Path(folder).with_name("counted"), Path(folder)]
    if places[1].exists():
        shutil.copytree(places[1], places[0])
    steps, last, total = count(), -1, 0

    def step(*_: object) -> None:
        nonlocal total
        total = next(steps)
        if total == last:
            os.kill(os.getpid(), signal.SIGKILL)

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event in EVENTS and str(arguments[0]).startswith(str(Path(folder).parent)):
            step()

    def traced(*arguments: object, **options: object) -> sqlite3.Connection:
        connection = connect(*arguments, **options)  # type: ignore[call-overload]
        connection.set_trace_callback(step)
        connection.set_progress_handler(step, INSTRUCTIONS)
        return connection  # type: ignore[no-any-return]

    connect, sqlite3.connect = sqlite3.connect, traced  # type: ignore[assignment]
    sys.addaudithook(hook)
    Lexical(None)  # loads what would take most of the time
    began = monotonic()
    work(operation, places[0], Path(corpus))
    seconds = monotonic() - began
    counted = total
    shutil.rmtree(places[0], ignore_errors=True)
    steps = count()
    if way == "step":
        last = int(counted * float(share))
    else:
        # Nobody handles this signal: it ends the process where it stands, as SIGKILL does.
        signal.setitimer(signal.ITIMER_REAL, seconds * float(share))
    work(operation, places[1], Path(corpus))
    if way == "step":  # there were fewer steps this time
        os.kill(os.getpid(), signal.SIGKILL)
    signal.pause()


if __name__ == "__main__":
    main(*sys.argv[1:])
