"""Libraries with a script: what they hold is given, the pace of a sync is the test's."""

import threading
from collections.abc import Generator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from veracite.engine.errors import InputError
from veracite.engine.events import Event
from veracite.engine.surroundings import Surroundings
from veracite.index.documents import Document, Evidence, FailedDocument, Passage
from veracite.index.library import LibraryStatus
from veracite.index.progress import Encoded, FileFailed, FileRead, Scanned, Synced
from veracite.tui.local_engine import LocalLibraries
from veracite.tui.service import Holding

LOCKED = FailedDocument("/papers/locked.pdf", "It is encrypted.")
PAPERS = Path("/papers")
GONE = frozenset({Path("/gone")})
"""Cannot be reached."""
SYNC: tuple[Event, ...] = (
    Scanned(2, 2),
    FileRead("/papers/mill.pdf", 4, 1, 2),
    FileFailed(LOCKED.file, LOCKED.reason, 2, 2),
    Encoded(4, 4),
    Synced(1, 1, 4, ("The keyword index was missing and was built again.",)),
)
"""What a sync says."""


def status(*sources: Path, embedded: int = 4) -> LibraryStatus:
    """A library of two documents, one of which could not be read."""
    moment = datetime(2026, 1, 31, tzinfo=UTC)
    return LibraryStatus(sources, 1, (LOCKED,), 4, embedded, "exact", 40_960, moment)


def evidence(text: str, rank: int, cosine: float | None, bm25: float | None) -> Evidence:
    """A passage of page 3 of a document."""
    document = Document("/papers/mill.pdf", "0" * 64, "pdf/1")
    passage = Passage(document, 10, 10 + len(text), 3, "Harrow > The mill", text, text)
    return Evidence(passage, rank, 1 / (60 + rank), cosine, bm25)


@dataclass
class Paced:
    """Before the step ``wait_at`` it sets ``reached`` and waits for ``go_on``."""

    wait_at: int | None = None
    error: Exception | None = None
    """How it ends."""
    closed: list[str] = field(default_factory=list)
    """What ended each work: "finished", "stopped" or "failed"."""
    cancelled: int = 0
    """How often a step was to be cut short."""
    reached: threading.Event = field(default_factory=threading.Event)
    go_on: threading.Event = field(default_factory=threading.Event)

    def pause(self, step: int | None) -> None:
        if step == self.wait_at:
            self.reached.set()
            self.go_on.wait()

    def cancel(self) -> None:
        self.cancelled += 1


@dataclass
class ScriptedLibraries(Paced, LocalLibraries):
    """Libraries for the app; the steps of a sync are its events. A search for "slow" waits too."""

    held: dict[str, LibraryStatus | None] = field(default_factory=dict)
    events: tuple[Event, ...] = SYNC
    queries: list[tuple[str, str]] = field(default_factory=list)
    """What was looked for, with the library."""

    def holdings(self) -> tuple[Holding, ...]:
        return tuple(
            Holding(name, held, None if held else "It is damaged. Delete it.", GONE)
            for name, held in self.held.items()
        )

    def require_new(self, name: str) -> str:
        if not name or name in self.held:
            raise InputError(f"There is a library {name!r} already.", "Choose another name.")
        return name

    def add(self, name: str, path: Path) -> None:
        before = self.held.get(name)
        self.held[name] = status(*(before.sources if before else ()), path)

    def sync(self, name: str) -> Generator[Event, None, None]:
        end = "stopped"
        try:
            for index, event in enumerate(self.events):
                self.pause(index)
                if index == 2 and self.error:
                    raise self.error
                yield event
            end = "finished"
        finally:
            self.closed.append(end)

    def remove(self, name: str, source: Path) -> Generator[Event, None, None]:
        before = self.held[name]
        assert before
        self.held[name] = status(*(path for path in before.sources if path != source))
        yield from self.sync(name)

    def delete(self, name: str) -> Generator[Event, None, None]:
        del self.held[name]
        yield from ()

    def search(self, name: str, query: str) -> tuple[Evidence, ...]:
        self.queries.append((name, query))
        if query == "slow":
            self.pause(self.wait_at)
        both = evidence(f"Of [red]{query}[/] and the mill.", 1, 0.81, 12.5)
        return both, evidence("Only the meaning.", 2, 0.5, None)

    def around(self, name: str, passage: Passage) -> Surroundings:
        before = "What stood before.\n\n"
        return Surroundings(
            f"{before}{passage.text}\n\nWhat came after.",
            len(before),
            len(before) + len(passage.text),
        )
