"""What other programs may count on: ``import veracite`` hands out the names that stand here.

``veracite.__all__`` lists them. Nothing of Textual or click is loaded, nothing is printed, and the
guard against network connections is not put around the whole process unless
``refuse_network`` is called: that is for the program to decide.
"""

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Self

from veracite.engine.errors import USER_ERRORS, CheckError, InputError
from veracite.engine.events import Event, Finished
from veracite.engine.libraries import Libraries, documents, require_documents, require_folders
from veracite.engine.methods.catalogue import configured, default_method
from veracite.engine.offline import install as refuse_network
from veracite.engine.overrides import Overrides
from veracite.engine.paths import Paths
from veracite.engine.report.json import as_json
from veracite.engine.settings import load
from veracite.engine.types import Answer, Citation, Claim, Label, Report, Verdict
from veracite.engine.version import __version__
from veracite.engine.workbench import Workbench
from veracite.index.documents import Document, Evidence, Passage
from veracite.index.library import Library as Index
from veracite.index.sources import Patterns

__all__ = [
    "ERRORS",
    "Answer",
    "Citation",
    "Claim",
    "Document",
    "Evidence",
    "Label",
    "Library",
    "Passage",
    "Report",
    "Verdict",
    "__version__",
    "as_json",
    "ask",
    "check",
    "refuse_network",
    "search",
]

ERRORS = USER_ERRORS
"""What every call may raise; each has a ``message`` (what happened) and an ``advice``."""

_MOST_FOUND = 10_000
Named = str | os.PathLike[str]
Sources = Named | Sequence[Named] | None
"""A file or folder, several of them, or the name of a library; None is the default library."""


class Library:
    """Documents that texts are checked against, with models that stay loaded until ``close``.

    Any thread may call it; one call at a time is carried out. Each call first reads what is new or
    changed in the files and folders.

    Args:
        against: The documents.
        settings: By name, as docs/settings.md lists them; the others are as the environment and the
            config file have them, as for the command line.

    Raises:
        ERRORS: There are no such documents, or a setting is unknown or cannot have its value.
    """

    def __init__(
        self, against: Sources = None, *, settings: Mapping[str, object] | None = None
    ) -> None:
        paths = Paths.resolve()
        named = [against] if isinstance(against, str | os.PathLike) else against or ()
        _require("against", named, Sequence, "the path of files or folders, or a library's name")
        for name in named:
            _require("against", name, str | os.PathLike, "paths or the name of a library")
        _require("settings", settings or {}, Mapping, "settings by their names")
        for name in settings or {}:
            _require("settings", name, str, "settings by their names")
        if against is not None and not named:
            raise InputError("No document is named.", "Name files, folders or a library.")
        self._against = documents([os.fspath(name) for name in named], Libraries(paths))
        require_folders(self._against, settings or {})
        self._config = load(paths, settings)
        self._patterns = Patterns(self._config.check.include, self._config.check.exclude)
        self._patterns.require_valid()
        self._overrides = paths.overrides
        self._bench = Workbench(self._config.check, paths)
        self._lock = threading.Lock()
        self._is_closed = False

    def check(self, text: str, *, path: Named | None = None) -> Report:
        """What the documents say about each claim of a text.

        Args:
            text: What is checked.
            path: The file that it comes from, if it does: it is no evidence for itself.

        Returns:
            With verdicts that a person overrode in the app as they stand then.

        Raises:
            ERRORS: The text is empty, or no document could be read.
        """
        _require("text", text, str, "a text")
        _require("path", path, str | os.PathLike | None, "a path or None")
        origin = None if path is None else os.fspath(path)
        with self._open():
            events = self._bench.check(text, path=origin, against=self._against)
            return Overrides(self._overrides).told(_finished(events), self._against)

    def ask(self, question: str) -> Report:
        """An answer from the documents, by the method that is set; its ``answer`` is not None.

        Raises:
            ERRORS: The question is empty, or no document could be read.
        """
        _require("question", question, str, "a text")
        with self._open():
            (method,) = configured([default_method(self._config)], self._config)
            how, written = (method.method, method.settings), self._config.ask
            events = self._bench.ask(question, *how, against=self._against, written=written)
            return _finished(events)

    def search(self, query: str, *, number: int = 10) -> tuple[Evidence, ...]:
        """The passages that are nearest to some words, by words and by meaning, best first.

        Args:
            query: Plain words.
            number: How many, at most; 1 to 10,000.

        Raises:
            ERRORS: No document could be read, or there is no such number.
        """
        _require("query", query, str, "plain words")
        _require("number", number, int, "a whole number")
        if not 1 <= number <= _MOST_FOUND:
            raise InputError(f"number is {number!r:.20}.", f"Give 1 to {_MOST_FOUND:,}.")
        with self._opened() as index:
            list(index.sync())
            require_documents(index, ())
            return index.search(query, k=number, names=True)

    def documents(self) -> tuple[Document, ...]:
        """What was read when it was last brought up to date, by path.

        Raises:
            ERRORS: The index cannot be read.
        """
        with self._opened() as index:
            return tuple(index.documents())

    def text(self, file: Named, start: int = 0, end: int | None = None) -> str:
        """A part of the extracted text of a document, which the offsets of quotes refer to.

        Args:
            file: Its path, as a citation or a passage names it.
            start: The first character.
            end: The character after the last one; None is the end of the document.

        Raises:
            ERRORS: The library holds no such document.
        """
        _require("file", file, str | os.PathLike, "a path")
        _require("start", start, int, "a whole number")
        _require("end", end, int | None, "a whole number or None")
        name = os.fspath(file)
        with self._opened() as index:
            for document in index.documents():
                if document.path == name:
                    return index.raw_text(document)[max(0, start) : end]
        raise InputError(
            f"The library holds no document {name}.", "Name one as a citation or a passage does."
        )

    def close(self) -> None:
        """Let go of the models; what is asked afterwards is refused."""
        with self._lock:
            self._is_closed = True
            self._bench.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _open(self) -> Iterator[None]:
        """One call at a time, while the library is not closed."""
        with self._lock:
            if self._is_closed:
                raise InputError("The library is closed.", "Make another Library.")
            yield

    @contextmanager
    def _opened(self) -> Iterator[Index]:
        with self._open(), self._bench.library(self._against) as index:
            if isinstance(self._against, tuple):
                index.choose(self._patterns)
            yield index


def check(
    text: str, *, against: Sources = None, settings: Mapping[str, object] | None = None
) -> Report:
    """What documents say about each claim of a text; for several texts, use a ``Library``.

    Raises:
        ERRORS: As ``Library`` and its ``check``.
    """
    with Library(against, settings=settings) as library:
        return library.check(text)


def ask(
    question: str, *, against: Sources = None, settings: Mapping[str, object] | None = None
) -> Report:
    """An answer from documents, each sentence with its quotes; as ``check`` does."""
    with Library(against, settings=settings) as library:
        return library.ask(question)


def search(
    query: str,
    *,
    against: Sources = None,
    number: int = 10,
    settings: Mapping[str, object] | None = None,
) -> tuple[Evidence, ...]:
    """The passages of documents that are nearest to some words; as ``check`` does."""
    with Library(against, settings=settings) as library:
        return library.search(query, number=number)


def _require(name: str, value: object, kind: Any, told: str) -> None:
    """Raises InputError for an argument of another type."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise InputError(f"{name} is {value!r:.80}.", f"Give {told}.")


def _finished(events: Iterator[Event]) -> Report:
    """The report that events end with."""
    for event in events:
        if isinstance(event, Finished):
            return event.report
    raise CheckError("The work ended without a report.", "Please report this.")
