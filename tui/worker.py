"""Work beside the screen: a thread that reads the engine's events and posts them as messages.

A thread of our own and not one of Textual's workers: those run on the event loop's executor, which
is waited for when the app closes. This one is a daemon, so quitting never waits for a model.
"""

import asyncio
import concurrent.futures
import contextlib
import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, TypeVar

from textual.message import Message

from veracite.engine.errors import USER_ERRORS
from veracite.engine.paths import Paths
from veracite.tui.console import keep_details
from veracite.tui.service import advice

Result = TypeVar("Result")
Work = Callable[[], Generator[Any, None, None]]
"""Begins something that yields events."""


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

    @dataclass
    class Happened(Message):
        """An event arrived."""

        event: Any

    @dataclass
    class Failed(Message):
        """The work ended with an error."""

        message: str
        advice: str

        @classmethod
        def of(cls, error: Exception) -> "Runner.Failed":
            """What there is to tell of an error, whatever it was."""
            if isinstance(error, USER_ERRORS):
                return cls(error.message, advice(error))
            return cls(
                f"That failed unexpectedly ({type(error).__name__}: {error}).",
                f"Nothing on the screen is lost. {keep_details(error, Paths.resolve().crashes)}",
            )

        @property
        def said(self) -> str:
            """What happened, and what to do about it."""
            return f"{self.message} {self.advice}"

    @dataclass
    class Ended(Message):
        """The work is over, whether it finished, failed or was stopped; nothing follows."""

        stopped: bool

    def __init__(
        self, cancel: Callable[[], None], post: Callable[[Message], object], turn: threading.Lock
    ) -> None:
        self._cancel = cancel
        self._post = post
        self._turn = turn
        self._stop = threading.Event()
        self._at_work = False

    def start(self, begin: Work) -> None:
        """Begin something. What was begun before must have posted ``Ended``."""
        self._stop = threading.Event()
        threading.Thread(target=self._work, args=(begin, self._stop), daemon=True).start()

    def stop(self) -> None:
        """Stop after the step that is being worked on, or in the midst of it; returns at once."""
        self._stop.set()
        if self._at_work:
            self._cancel()

    def _work(self, begin: Work, stop: threading.Event) -> None:
        try:
            with self._turn:
                self._at_work = True
                if not stop.is_set():
                    self._follow(begin, stop)
        except Exception as error:  # whatever it was, what is on the screen must survive it
            self._tell(self.Failed.of(error))
        finally:
            self._at_work = False
        self._tell(self.Ended(stop.is_set()))

    def _follow(self, begin: Work, stop: threading.Event) -> None:
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
    future: concurrent.futures.Future[Result] = concurrent.futures.Future()
    future.set_running_or_notify_cancel()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(future)
