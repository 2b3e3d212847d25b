"""What the Library room needs: the libraries; ``veracite.tui.local_shelf`` is the real one."""

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from veracite.engine.events import Event

if TYPE_CHECKING:  # the app's first frame waits for none of this
    from veracite.engine.surroundings import Surroundings
    from veracite.index.documents import Evidence, Passage
    from veracite.index.retrieval import Mode
    from veracite.index.status import LibraryStatus

__all__ = ["Found", "Holding", "Shelf"]

Found = Mapping["Mode", tuple["Evidence", ...]]
"""The passages of one search by the way of ranking, the best first."""


@dataclass(frozen=True, slots=True)
class Holding:
    """A library and what it holds."""

    name: str
    status: "LibraryStatus | None"
    """None if it cannot be opened."""
    note: str | None = None
    """Why it cannot, or why it is searched by words alone."""


class Shelf(Protocol):
    """The named libraries.

    Everything may be called from any thread, also while the engine works; what is a generator is
    work of its own, which runs and is closed in one thread. Every method may raise USER_ERRORS.
    """

    def holdings(self) -> tuple[Holding, ...]:
        """Every library, the default one first."""

    def behind(self, name: str) -> Mapping[Path, int]:
        """How many files of each source on this machine are new, changed or gone since the last
        sync; a source that cannot be reached is left out."""

    def require_new(self, name: str) -> None:
        """Raises InputError unless a library can be made under this name."""

    def add(self, name: str, path: Path) -> None:
        """Have a library, made if need be, follow a file or folder from its next sync on."""

    def sync(self, name: str) -> Generator[Event, None, None]:
        """The events of bringing a library up to date; closing keeps what was read."""

    def remove(self, name: str, source: Path) -> Generator[Event, None, None]:
        """Have a library follow a source no longer; the events of the sync after that."""

    def delete(self, name: str) -> Generator[Event, None, None]:
        """Delete a library's index; no events."""

    def search(self, name: str, query: str) -> Found:
        """The best passages by every way of ranking."""

    def cancel(self) -> None:
        """Cut short what a sync is encoding, from another thread; its events then just end."""

    def around(self, name: str, passage: "Passage") -> "Surroundings":
        """What stands around a passage."""
