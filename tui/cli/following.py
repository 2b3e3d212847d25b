"""Running a piece of work: its progress, its ``--trace`` file, and interrupting it."""

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from veracite.engine.errors import CheckError
from veracite.tui import console
from veracite.tui.console import OutputError

if TYPE_CHECKING:
    from veracite.engine.events import Event
    from veracite.engine.types import Answer, Report

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
    from veracite.engine.trace import Writer

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
            "Name a file in a folder that you may write to, on a disk with free space.",
        ) from error


_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_END = b"\xff"
"""No signal has this number."""


@contextmanager
def interrupting(cancel: Callable[[], None]) -> Iterator[None]:
    """Calls ``cancel`` as soon as a signal arrives that Python handles.

    Python runs its handlers between two of its own instructions, so not before a call into native
    code has returned, which may take a language model a minute. The number of the signal is
    written to a pipe at once (``signal.set_wakeup_fd``); a thread waits for it there.

    Raises:
        KeyboardInterrupt: There was a signal, and whatever the work ended with came of that.
    """
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    cancelled = threading.Event()

    def wait() -> None:
        if os.read(reading, 1) != _END:
            cancelled.set()
            cancel()

    thread = threading.Thread(target=wait, name="interrupts", daemon=True)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    thread.start()
    try:
        yield
    except Exception as error:
        if cancelled.is_set():
            raise KeyboardInterrupt from error
        raise
    finally:
        signal.set_wakeup_fd(before)
        os.write(writing, _END)
        thread.join()
        os.close(reading)
        os.close(writing)


@contextmanager
def stopping(cancel: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """Calls ``cancel`` at the first signal and goes on; the second one ends at once.

    Yields:
        Whether there was a first signal.

    Raises:
        KeyboardInterrupt: There was a second signal, or the work failed after the first.
    """
    asked = threading.Event()
    before = {number: signal.getsignal(number) for number in _SIGNALS}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def note(_signal: int, _frame: FrameType | None) -> None:
        asked.set()
        restore()

    with interrupting(cancel):
        for number in _SIGNALS:
            signal.signal(number, note)
        try:
            yield asked.is_set
        finally:
            restore()


class Stopped(KeyboardInterrupt):
    """Somebody asked to stop before there was anything to report."""


def follow(
    events: "Generator[Event]",
    record: Record,
    *,
    quiet: bool,
    notes_follow: bool,
    drafts: bool = False,
    settled: "Callable[[Answer], None] | None" = None,
    stopped: Callable[[], bool] = lambda: False,
) -> "Report":
    """The report that the events end with.

    Args:
        events: Of the workbench; closed at the end, whatever happens.
        record: Takes note of each.
        quiet: Tell nothing.
        notes_follow: The report's notes will be read next: no need to say them twice.
        drafts: Show what is written while it is written.
        settled: Gets each answer as it stands, when every sentence of it is verified.
        stopped: Whether somebody has asked to stop. A method ends with what it has verified; what
            comes before it ends at once.

    Raises:
        Stopped: ``stopped`` said so, and there is nothing to report.
    """
    from veracite.engine.events import Finished
    from veracite.engine.methods.events import Began, Settled
    from veracite.tui.progress import Progress, warnings

    held: list[str] = []
    begun = False
    try:
        with contextlib.closing(events), Progress(quiet=quiet, drafts=drafts) as progress:
            for event in events:
                record(event)
                progress.update(event)
                held += () if quiet else warnings(event)
                if held and not notes_follow:
                    progress.clear()
                    _say_all(held)
                if isinstance(event, Settled) and settled is not None:
                    progress.clear()
                    settled(event.answer)
                if isinstance(event, Finished):
                    held = [warning for warning in held if warning not in event.report.notes]
                    if not (event.report.complete or event.report.verdicts):
                        break
                    return event.report
                begun = begun or isinstance(event, Began)
                if stopped() and not begun:
                    break
    finally:
        _say_all(held)
    if stopped():
        raise Stopped
    raise CheckError("The work ended without a report.", "Please report this.")


def _say_all(warnings: list[str]) -> None:
    for warning in warnings:
        console.say(warning)
    warnings.clear()
