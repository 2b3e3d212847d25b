"""What happens while the Models room's desk (``veracite.tui.model_desk``) is at work."""

from collections.abc import Generator
from dataclasses import dataclass

__all__ = ["Asks", "DeskEvent", "Doing", "Moved", "Told", "Work"]


@dataclass(frozen=True, slots=True)
class Doing:
    """Something is being done of which nobody knows how long it takes."""

    words: str


@dataclass(frozen=True, slots=True)
class Moved:
    """So many bytes are done."""

    what: str
    """What is done with them: ``Downloading``."""
    name: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Asks:
    """The download is large and does not begin before somebody says yes."""

    address: str
    size: int
    question: str


@dataclass(frozen=True, slots=True)
class Told:
    """What came of it."""

    words: str
    good: bool = True
    arrived: str | None = None
    """The name of a model that is new in the store."""


DeskEvent = Doing | Moved | Asks | Told
Work = Generator[DeskEvent, None, None]
