"""What the app needs of the engine, the libraries and the models; the real ones are in
``local_engine``, ``local_libraries`` and ``model_service``."""

import os
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from veracite.engine.display import neutralise
from veracite.engine.errors import USER_ERRORS
from veracite.engine.events import Event
from veracite.engine.types import Citation

if TYPE_CHECKING:
    from veracite.engine.surroundings import Surroundings
    from veracite.index.documents import Evidence, Passage
    from veracite.index.library import LibraryStatus
    from veracite.index.retrieval import Mode
    from veracite.tui.local_libraries import Reencoder

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


class LibraryService(Protocol):
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
    def libraries(self) -> "LibraryService":
        """The libraries; to be had at any time and from any thread."""

    def require(self, against: Against) -> None:
        """Raises InputError unless these documents, or this library, exist."""

    def cancel(self) -> None:
        """Cut short what is being worked on, from another thread; its events then just end."""

    def close(self) -> None:
        """Let go of the models; nothing may be running."""


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
class ModelTold:
    """What came of it."""

    words: str
    good: bool = True
    arrived: str | None = None
    """The name of a model that is new in the store."""


ModelEvent = Doing | Moved | Asks | ModelTold
ModelWork = Generator[ModelEvent, None, None]
"""A long piece of work on models, such as a download."""


@runtime_checkable
class ChangesModel(Protocol):
    """An engine that can go on with another language model."""

    @property
    def model(self) -> str | None:
        """The GGUF file in use; None without one."""

    def use_model(self, file: str | None) -> None:
        """Take this one from the next piece of work on."""


@runtime_checkable
class EncodesAnew(Protocol):
    """Libraries that are encoded anew where another encoder is to take them over."""

    @property
    def reencoder(self) -> "Reencoder":
        """Does so."""


def against_from(value: str) -> Against:
    """A path, the name of a library, or nothing for the default library.

    What exists or looks like a path is a path; a library named like a folder that is here can still
    be had by the command line.
    """
    value = value.strip()
    if not value:
        return None
    path = Path(os.path.abspath(os.path.expanduser(value)))
    if path.exists() or os.sep in value or value.startswith(("~", ".")):
        return (path,)
    return value


def written(against: Against) -> str:
    """What to put into the input for it."""
    if isinstance(against, tuple):
        return str(against[0]) if len(against) == 1 else ""
    return against or ""


def described(against: Against) -> str:
    """Such as ``~/papers``, ``3 folders and files`` or ``library law``, harmless."""
    if against is None:
        return "the default library"
    if isinstance(against, str):
        return f"library {neutralise(against)}"
    if len(against) == 1:
        return short_path(against[0])
    return f"{len(against)} folders and files"


def described_now(against: Against, engine: Engine) -> str:
    """The same, or that the library that is meant is not there."""
    if not isinstance(against, tuple):
        try:
            engine.require(against)
        except USER_ERRORS:
            return f"{described(against)} (gone)" if against else "no library yet"
    return described(against)


def short_path(path: Path) -> str:
    """A path with the home folder as ``~``, harmless."""
    try:
        text = f"~/{path.relative_to(Path.home())}"
    except ValueError:
        text = str(path)
    return neutralise(text)
