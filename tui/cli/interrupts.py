"""Ctrl-C and SIGTERM while a model computes."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["interrupting", "stopping"]

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
