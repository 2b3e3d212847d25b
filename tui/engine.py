"""What the app needs of the engine; ``veracite.tui.local_engine`` is the real one."""

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from veracite.engine.events import Event
from veracite.engine.words import Citation

if TYPE_CHECKING:
    from veracite.engine.surroundings import Surroundings
    from veracite.tui.shelf import Shelf

__all__ = ["Against", "Engine"]

Against = tuple[Path, ...] | str | None
"""The documents: folders and files, the name of a library, or None for the default library."""


class Engine(Protocol):
    """What carries out what the user asks for.

    Each piece of work is a generator of events that runs in a thread of its own, from the first
    event to the last, and is closed there when the user stops it. One runs at a time.
    """

    def check(
        self, text: str, against: Against, path: Path | None, markdown: bool, *, place: int = 0
    ) -> Generator[Event, None, None]:
        """The events of a check.

        Args:
            text: What is checked.
            against: By what.
            path: The file it was opened from.
            markdown: Whether markup in it may be read as structure.
            place: A character of the text; the claims from there on come first.
        """

    def ask(
        self, question: str, against: Against, method: str, settings: Any
    ) -> Generator[Event, None, None]:
        """The events of a question.

        Args:
            question: What is asked.
            against: What answers it.
            method: Its name.
            settings: Of the method; None takes its defaults.
        """

    def fix(
        self, text: str, against: Against, path: Path | None, markdown: bool
    ) -> Generator[Event, None, None]:
        """The events of mending a text; as ``check``."""

    def around(self, citation: Citation, against: Against) -> "Surroundings":
        """What stands around a quote; raises one of USER_ERRORS where that is gone.

        From any thread, also while something else is worked on.
        """

    @property
    def shelf(self) -> "Shelf":
        """The libraries; to be had at any time and from any thread."""

    def require(self, against: Against) -> None:
        """Raises InputError unless these documents, or this library, exist."""

    def cancel(self) -> None:
        """Cut short what is being worked on, from another thread; its events then just end."""

    def close(self) -> None:
        """Let go of the models; nothing may be running."""
