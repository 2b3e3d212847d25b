"""Work beside the screen: a thread that reads the engine's events and posts them as messages.

A thread of our own and not one of Textual's workers: those run on the event loop's executor, which
is waited for when the app closes. This one is a daemon, so quitting never waits for a model.
"""

import asyncio
import contextlib
import threading
import traceback
from collections.abc import Callable, Generator
from typing import TypeVar

from textual.message import Message

from veracite.engine.errors import USER_ERRORS
from veracite.engine.events import Event
from veracite.tui.service import advice

Result = TypeVar("Result")


class Latest(Message):
    """A message of which, of several in a row, the last is enough."""

    def can_replace(self, message: Message) -> bool:
        """Whether this one makes the other superfluous."""
        return type(message) is type(self)


class Runner:
    """Runs one piece of work at a time, and none while another runner of the same lock does.

    Args:
        cancel: Cuts short what the engine is working on.
        post: Takes the messages; called from the thread.
        turn: Held while the engine works: it does one thing at a time.
    """

    class Happened(Message):
        """An event arrived."""

        def __init__(self, event: Event) -> None:
            super().__init__()
            self.event = event

    class Failed(Message):
        """The work ended with an error."""

        def __init__(self, message: str, advice: str, details: str = "") -> None:
            super().__init__()
            self.message = message
            self.advice = advice
            self.details = details
            """Of a failure that nobody foresaw; for the log."""

        @classmethod
        def of(cls, error: Exception) -> "Runner.Failed":
            """What there is to tell of an error, whatever it was."""
            if isinstance(error, USER_ERRORS):
                return cls(error.message, advice(error))
            return cls(
                f"That failed unexpectedly ({type(error).__name__}: {error}).",
                "Nothing on the screen is lost; the log (F9) says more.",
                "".join(traceback.format_exception(error)),
            )

    class Ended(Message):
        """The work is over, whether it finished, failed or was stopped; nothing follows."""

        def __init__(self, stopped: bool) -> None:
            super().__init__()
            self.stopped = stopped

    def __init__(
        self,
        cancel: Callable[[], None],
        post: Callable[[Message], object],
        turn: threading.Lock,
    ) -> None:
        self._cancel = cancel
        self._post = post
        self._turn = turn
        self._stop = threading.Event()
        self._at_work = False
        self._thread: threading.Thread | None = None

    def start(self, begin: Callable[[], Generator[Event, None, None]]) -> None:
        """Begin something. What was begun before must have posted ``Ended``."""
        self._stop = threading.Event()
        self._thread = threading.Thread(
            target=self._work, args=(begin, self._stop), name="engine", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Stop after the step that is being worked on, or in the midst of it; returns at once."""
        self._stop.set()
        if self._at_work:
            self._cancel()

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
            with self._turn:
                self._at_work = True
                self._follow(begin, stop)
        except Exception as error:  # whatever it was, what is on the screen must survive it
            self._tell(self.Failed.of(error))
        finally:
            self._at_work = False
        self._tell(self.Ended(stop.is_set()))

    def _follow(
        self, begin: Callable[[], Generator[Event, None, None]], stop: threading.Event
    ) -> None:
        if stop.is_set():
            return
        with contextlib.closing(begin()) as events:
            for event in events:
                if stop.is_set():
                    break
                self._tell(self.Happened(event))

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
