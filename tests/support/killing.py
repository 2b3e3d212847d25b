"""What the tests that kill a process do in it: something with a library, up to a chosen step.

A step is a statement for a database, or a file of the library that is opened, renamed or removed.
"""

import os
import shutil
import signal
import sqlite3
import sys
from itertools import count
from pathlib import Path

from indexing import ENCODER, open_library, synced

from veracite.engine.bundles.libraries import import_library
from veracite.engine.libraries import Libraries
from veracite.engine.paths import Paths

EVENTS = {"open", "os.rename", "os.remove", "os.rmdir", "os.mkdir"}
OTHER = "hashed/2"
"""An encoder whose vectors take the place of the first one's, which are deleted then."""


def home_of(folder: Path) -> Paths:
    """A home that keeps a library of the name of this folder in it."""
    return Paths(folder.parent.parent, folder.parent.parent / "cache", folder.parent / "none")


def work(operation: str, folder: Path, corpus: Path) -> None:
    """Do one thing with a library to the end."""
    if operation == "import":
        list(import_library(Libraries(home_of(folder)), corpus.parent / "bundle", folder.name))
    with open_library(folder, encoder_id=OTHER if operation == "encode" else ENCODER) as library:
        if operation == "remove" and corpus in library.sources:
            library.remove([corpus])
            library.add([corpus / "document-01.txt"])
        if operation == "sync":
            library.add([corpus])
        synced(library)


def main(operation: str, folder: str, corpus: str, share: str) -> None:
    """Do it with a copy of the library and count the steps, then with the library up to one."""
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
        return connection  # type: ignore[no-any-return]

    connect, sqlite3.connect = sqlite3.connect, traced  # type: ignore[assignment]
    sys.addaudithook(hook)
    work(operation, places[0], Path(corpus))
    steps, last = count(), int(total * float(share))
    shutil.rmtree(places[0])
    steps = count()
    work(operation, places[1], Path(corpus))


if __name__ == "__main__":
    main(*sys.argv[1:])
