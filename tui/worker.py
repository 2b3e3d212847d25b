"""Checks beside the screen: a thread that reads the engine's events and posts them as messages.

A thread of our own and not one of Textual's workers: those run on the event loop's executor, which
is waited for when the app closes. This one is a daemon, so quitting never waits for a model.
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from textual.message import Message

from veracite.engine.errors import USER_ERRORS
from veracite.engine.events import Event

__all__ = ["Against", "Check", "Checker", "apart"]

Result = TypeVar("Result")

Against = tuple[Path, ...] | str | None
"""The documents: folders and files, the name of a library, or None for the default library."""


class Check(Protocol):
    """What carries a check out.

    A check runs in a thread of its own, from the first event to the last, and is closed there when
    the user stops it.
    """

    def __call__(
        self, text: str, against: Against, path: Path | None, markdown: bool
    ) -> Generator[Event, None, None]:
        """The events of a check.

        Args:
            text: What is checked.
            against: By what.
            path: The file it was opened from.
            markdown: Whether markup in it may be read as structure.
        """

    def require(self, against: Against) -> None:
        """Raises InputError unless these documents, or this library, exist."""

    def cancel(self) -> None:
        """Cut short what is being worked on, from another thread; the check then just ends."""


class Checker:
    """Runs one check at a time.

    Args:
        check: Yields the events.
        post: Takes the messages; called from the thread.
    """

    class Happened(Message):
        """An event arrived."""

        def __init__(self, event: Event) -> None:
            super().__init__()
            self.event = event

    class Failed(Message):
        """The check ended with an error."""

        def __init__(self, message: str, advice: str) -> None:
            super().__init__()
            self.message = message
            self.advice = advice

    class Ended(Message):
        """The check is over, whether it finished, failed or was stopped; nothing follows."""

        def __init__(self, stopped: bool) -> None:
            super().__init__()
            self.stopped = stopped

    def __init__(self, check: Check, post: Callable[[Message], object]) -> None:
        self._check = check
        self._post = post
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, text: str, against: Against, path: Path | None, markdown: bool) -> None:
        """Begin a check. The one before must have posted ``Ended``."""
        self._stop = threading.Event()
        begin = partial(self._check, text, against, path, markdown)
        self._thread = threading.Thread(
            target=self._work, args=(begin, self._stop), name="check", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Stop after the step that is being worked on, or in the midst of it; returns at once."""
        self._stop.set()
        self._check.cancel()

    def join(self, seconds: float | None = None) -> bool:
        """Wait for the thread; True if it is over."""
        if self._thread is None:
            return True
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _work(
        self, begin: Callable[[], Generator[Event, None, None]], stop: threading.Event
    ) -> None:
        try:
            with contextlib.closing(begin()) as events:
                for event in events:
                    if stop.is_set():
                        break
                    self._tell(self.Happened(event))
        except USER_ERRORS as error:
            self._tell(self.Failed(error.message, error.advice))
        except Exception as error:  # whatever it was, the text on the screen must survive it
            self._tell(
                self.Failed(
                    f"The check failed unexpectedly ({type(error).__name__}: {error}).",
                    "Your text is unharmed; `veracite check` on the command line says more.",
                )
            )
        self._tell(self.Ended(stop.is_set()))

    def _tell(self, message: Message) -> None:
        # The event loop is closed once the user has quit: then there is nobody to tell.
        with contextlib.suppress(RuntimeError):
            self._post(message)


async def apart(work: Callable[[], Result]) -> Result:
    """What the work returns or raises; nobody waits for its thread when the app closes."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()

    def settle(result: Result | None, error: BaseException | None) -> None:
        if future.done():  # nobody waits any more
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]  # None only where Result is

    def run() -> None:
        result, failed = None, None
        try:
            result = work()
        except BaseException as error:
            failed = error
        with contextlib.suppress(RuntimeError):  # the user has quit
            loop.call_soon_threadsafe(settle, result, failed)

    threading.Thread(target=run, name="apart", daemon=True).start()
    return await future
