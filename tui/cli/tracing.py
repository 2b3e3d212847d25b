"""``--trace``: everything that happens, as JSON lines in a file."""

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from veracite.tui.console import OutputError

if TYPE_CHECKING:
    from veracite.engine.events import Event

__all__ = ["Record", "tracing"]

Record = Callable[["Event"], None]
"""Takes note of an event."""


@contextlib.contextmanager
def tracing(path: Path | None) -> Iterator[Record]:
    """Opens the trace, readable by its owner only; without a path, events are not noted.

    Raises:
        OutputError: The file cannot be written.
    """
    if path is None:
        yield _nowhere
        return
    from veracite.engine.tracing.trace import Writer

    writer = Writer()
    with _explained(path):
        file = open(path, "w", encoding="utf-8", opener=_private)  # noqa: SIM115
    with file:

        def record(event: "Event") -> None:
            with _explained(path):
                file.write(writer.line(event))
                file.flush()

        yield record


def _nowhere(_event: "Event") -> None:
    return


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(
            f"The trace cannot be written to {path} ({error.strerror or error}).",
            "Name a file in a folder of yours with room on its disk.",
        ) from error
