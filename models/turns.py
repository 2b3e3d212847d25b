"""Calls on one model take turns, and end when they are cancelled."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from veracite.models.errors import Cancelled
from veracite.models.gguf import Model

__all__ = ["Turns"]


class Turns:
    """Who may use a model now."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._turn = Lock()
        self._state = Lock()
        self._cancellations = 0

    def begin(self) -> int:
        """A number to be remembered by a call that begins: a cancellation makes it stale."""
        return self._cancellations

    @contextmanager
    def taken(self, begun: int) -> Iterator[None]:
        """The model, undisturbed by other calls.

        Raises:
            Cancelled: ``cancel`` was called since ``begun``.
        """
        with self._turn:
            with self._state:
                if begun != self._cancellations:
                    raise Cancelled
                self._model.resume()
            yield

    def cancel(self) -> None:
        """Stop the call whose turn it is, and those that wait; later ones are not affected."""
        with self._state:
            self._cancellations += 1
            self._model.stop()
