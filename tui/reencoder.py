"""Encoding a library anew beside everything else, in a thread of its own."""

import threading
import traceback
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from veracite.engine.errors import USER_ERRORS
from veracite.engine.libraries import DEFAULT_LIBRARY
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.tui.advice import advice
from veracite.tui.documents import described
from veracite.tui.engine import Against

if TYPE_CHECKING:
    from veracite.engine.reencoding import Reencoding

__all__ = ["EncodesAnew", "Reencoder", "State", "Told"]

_PATIENCE = 0.3
"""Seconds that a batch gets to stop."""


@dataclass(frozen=True, slots=True)
class State:
    """How far the work is."""

    library: str
    encoder: str
    done: int
    total: int
    """Passages; those of an earlier run are not counted."""


@dataclass(frozen=True, slots=True)
class Told:
    """What came of it."""

    message: str
    advice: str
    failed: bool = True
    details: str = ""
    """Of a failure that nobody foresaw; for the log."""


class Reencoder:
    """Encodes one library at a time, if another encoder is to take it over.

    Everything may be called from any thread and returns at once, but for ``join``, ``at_rest`` and
    ``close``.

    Args:
        settings: Of every check.
        paths: Where the libraries and the models are.
    """

    def __init__(self, settings: CheckSettings, paths: Paths) -> None:
        self._settings = settings
        self._paths = paths
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._reencoding: Reencoding | None = None
        self._stop = threading.Event()
        self._rests = False
        self._now: Against = None
        self._cancelled: set[Against] = set()
        self._told: list[Told] = []
        self.state: State | None = None
        """None while nothing is encoded."""

    def begin(self, against: Against) -> None:
        """Encode a library unless that is done, was cancelled, or another one is being encoded."""
        meant = against or DEFAULT_LIBRARY
        with self._lock:
            if self._rests or self._thread is not None or meant in self._cancelled:
                return
            self._now, self._stop = meant, threading.Event()
            self._thread = threading.Thread(
                target=self._work, args=(meant, self._stop), name="encode", daemon=True
            )
            self._thread.start()

    def resume(self, against: Against) -> None:
        """As ``begin``, also after ``cancel``."""
        self._cancelled.discard(against or DEFAULT_LIBRARY)
        self.begin(against)

    def cancel(self) -> None:
        """Stop; what was encoded is kept, what is left waits for ``resume``."""
        self._cancelled.add(self._now)
        self._end()

    def told(self) -> list[Told]:
        """What there is to tell since the last time."""
        news, self._told = self._told, []
        return news

    def join(self, seconds: float | None = None) -> None:
        """Wait until nothing is encoded."""
        if (thread := self._thread) is not None:
            thread.join(seconds)

    @contextmanager
    def at_rest(self) -> Generator[None, None, None]:
        """Nothing is encoded meanwhile, and no library held open; ``begin`` does nothing."""
        with self._lock:
            self._rests = True
        try:
            self._end()
            self.join()
            yield
        finally:
            self._rests = False

    def close(self) -> None:
        """Stop, for another encoder or for good; with ``begin`` it goes on."""
        self._cancelled.clear()
        self._end()
        self.join(_PATIENCE)

    def _end(self) -> None:
        self._stop.set()
        if (reencoding := self._reencoding) is not None:
            reencoding.stop()

    def _work(self, against: Against, stop: threading.Event) -> None:
        try:
            self._encode(against, stop)
        except USER_ERRORS as error:
            self._told.append(Told(error.message, advice(error)))
        except Exception as error:  # whatever it was, the app goes on
            said = f"Encoding failed unexpectedly ({type(error).__name__}: {error})."
            details = "".join(traceback.format_exception(error))
            self._told.append(Told(said, "The log (F9) says more.", details=details))
        finally:
            with self._lock:
                self.state = self._reencoding = self._thread = None

    def _encode(self, against: Against, stop: threading.Event) -> None:
        from veracite.engine.reencoding import Reencoding

        with closing(Reencoding(self._settings, self._paths)) as reencoding:
            self._reencoding = reencoding
            name, encoder = described(against), (reencoding.encoder or "").partition("@")[0]
            with closing(reencoding.run(against)) as events:
                for event in events:
                    self.state = State(name, encoder, event.done, event.total)
                    if stop.is_set():
                        return
        if self.state is not None and self.state.done == self.state.total:
            done = f"Encoded {name} with {encoder}."
            self._told.append(Told(done, "What comes next is searched by it.", failed=False))


@runtime_checkable
class EncodesAnew(Protocol):
    """A shelf whose libraries are encoded anew where another encoder is to take them over."""

    @property
    def reencoder(self) -> Reencoder:
        """Does so."""
