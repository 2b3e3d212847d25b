"""The workbench: opens a library and the models, and runs a check as a stream of events."""

import hashlib
from collections.abc import Generator, Sequence
from contextlib import suppress
from pathlib import Path

from veracite.engine.cache import Memory
from veracite.engine.checking import Checking
from veracite.engine.claims import segment
from veracite.engine.display import neutralise
from veracite.engine.errors import CheckError, InputError
from veracite.engine.events import Event, Finished, Judged, Segmented, Warned
from veracite.engine.evidence import Search
from veracite.engine.instruments import Instruments
from veracite.engine.libraries import DEFAULT_LIBRARY, Libraries
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.unread import unread_note
from veracite.engine.words import Claim, FailedDocument, Report, Verdict
from veracite.index.library import Library
from veracite.models.errors import Cancelled

__all__ = ["Against", "Workbench"]

Against = tuple[Path, ...] | str | None
"""What a text is checked against: files and folders, a named library, or the default library."""

_MOST_FAILED = 10
_ITSELF = "The text itself lies among the documents; it is no evidence for its own claims."


class Workbench:
    """Everything a check needs, opened when it is first needed and kept until ``close``.

    One thread at a time, ``cancel`` aside. Models stay loaded from one check to the next.

    Args:
        settings: Of every check.
        paths: Where indexes, verdicts and prompts are kept.
        verbose: Let llama.cpp write its log to standard error.
    """

    def __init__(self, settings: CheckSettings, paths: Paths, *, verbose: bool = False) -> None:
        self._settings = settings
        self._paths = paths
        self._instruments = Instruments(settings, paths, verbose=verbose)

    def check(
        self, text: str, *, path: str | None = None, against: Against = None
    ) -> Generator[Event, None, None]:
        """Judges every claim of a text by a library, which is first brought up to date.

        Closing the generator stops the work, and so does ``cancel``; what was read, encoded and
        judged is kept.

        Args:
            text: What is checked.
            path: Where it came from, for the report; None for standard input.
            against: The documents that decide.

        Yields:
            ``Segmented``, ``Opening`` if a language model is loaded, the library's own events, then
            ``Retrieved`` and ``Judged`` for each claim and what a language model was asked; last
            ``Finished``, unless cancelled.

        Raises:
            EngineError, LibraryError, ModelError: With a message and advice for the user.
        """
        with suppress(Cancelled):
            yield from self._check(text, path, against)

    def cancel(self) -> None:
        """Stops a language model in the middle of its work; from any thread."""
        self._instruments.cancel()

    def _check(self, text: str, path: str | None, against: Against) -> Generator[Event, None, None]:
        if not text.strip():
            raise InputError("The text is empty.", "Give a text with at least one sentence.")
        claims = segment(text, markdown=self._settings.markdown)
        yield Segmented(claims)
        # Before anything slow, for it may be unusable.
        yield from self._instruments.open_generator()
        notes: list[str] = []
        with self.library(against, notes) as library:
            for warning in notes:
                yield Warned(warning)
            yield from library.sync()
            own = _own_document(path, library)
            if own is not None:
                notes.append(_ITSELF)
                yield Warned(_ITSELF)
            _require_documents(library, own)
            verdicts: dict[int, Verdict] = {}
            with Memory(self._paths.verdicts) as memory:
                if memory.problem:
                    yield Warned(memory.problem)
                for event in self._checking(library, own, memory).judge_all(claims):
                    if isinstance(event, Judged):
                        verdicts[event.index] = event.verdict
                    yield event
            yield Finished(self._report(text, path, claims, verdicts, library, notes))

    def library(self, against: Against, notes: list[str] | None = None) -> Library:
        """Opens the library that ``against`` means; the caller closes it.

        Args:
            against: See ``check``.
            notes: Gets a sentence if the encoder cannot be used and search goes by words alone.

        Raises:
            InputError: There is no such library.
            LibraryError: Its folder cannot be used, or a source does not exist.
        """
        libraries = Libraries(self._paths)
        encoder = self._instruments.encoder(notes if notes is not None else [])
        if isinstance(against, tuple):
            folder = libraries.adhoc(against)
        else:
            name = against or DEFAULT_LIBRARY
            if name not in libraries.names():
                raise InputError(*_no_library(name, against is None, libraries.names()))
            folder = libraries.folder(name)
        library = Library.open(
            folder,
            encode=encoder.encode if encoder else None,
            encoder_id=encoder.id if encoder else None,
        )
        if isinstance(against, tuple):
            try:
                library.add(against)
            except BaseException:
                library.close()
                raise
        return library

    def close(self) -> None:
        """Lets go of the models."""
        self._instruments.close()

    def __enter__(self) -> "Workbench":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _checking(self, library: Library, own: str | None, memory: Memory) -> Checking:
        settings, instruments = self._settings, self._instruments
        search = Search(library, settings.k, instruments.threshold, settings.retrieval, own)
        judge = instruments.judge(library)
        return Checking(search, judge, memory, instruments.second(judge))

    def _report(
        self,
        text: str,
        path: str | None,
        claims: Sequence[Claim],
        verdicts: dict[int, Verdict],
        library: Library,
        notes: Sequence[str],
    ) -> Report:
        status = library.status()
        ordered = tuple(verdicts[index] for index in range(len(claims)))
        unread = unread_note(ordered)
        return Report(
            path=path,
            source=text,
            sha256=hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
            verdicts=ordered,
            documents_read=status.documents,
            failed=tuple(FailedDocument(file, reason) for file, reason in status.failed),
            models=self._instruments.ids,
            extractors=library.extractors(),
            settings=self._instruments.settings() | {"search": status.search},
            notes=(*notes, unread) if unread else tuple(notes),
        )


def _no_library(name: str, default: bool, names: Sequence[str]) -> tuple[str, str]:
    if default:
        return (
            "There is no default library yet.",
            "Name documents with --against FOLDER, or make the library with "
            "`veracite library add FOLDER`.",
        )
    known = f" The libraries are: {', '.join(names)}." if names else ""
    return (
        f"There is neither a file or folder nor a library named {name!r}.",
        f"Check the spelling, or make it with `veracite library add FOLDER --name {name}`.{known}",
    )


def _all_failed(failed: Sequence[tuple[str, str]]) -> str:
    count = "The only document" if len(failed) == 1 else f"None of the {len(failed)} documents"
    lines = [f"{count} could {'not ' if len(failed) == 1 else ''}be read:"]
    lines += [
        f"  {neutralise(file)}: {neutralise(reason)}" for file, reason in failed[:_MOST_FAILED]
    ]
    if (more := len(failed) - _MOST_FAILED) > 0:
        lines.append(
            f"  ... and {more} more (`veracite library status` with the same folder or name "
            "lists them all)"
        )
    return "\n".join(lines)


def _own_document(path: str | None, library: Library) -> str | None:
    """The path under which the library holds the very text that is checked, if it does."""
    if path is None:
        return None
    own = str(Path(path).resolve())
    return next((d.path for d in library.documents() if str(Path(d.path).resolve()) == own), None)


def _require_documents(library: Library, own: str | None) -> None:
    """A verdict without documents would mean nothing.

    Raises:
        CheckError: Nothing could be read.
    """
    status = library.status()
    if status.documents > (own is not None):
        return
    if status.failed:
        raise CheckError(
            _all_failed(status.failed), "Mend or replace them, or check against another folder."
        )
    where = ", ".join(str(source) for source in library.sources)
    if own is not None:
        raise CheckError(
            "The only document there is the text itself.", "Name the folder of its sources."
        )
    raise CheckError(
        f"There are no documents in {where or 'this library'}.",
        "Name a folder with .txt, .md, .pdf, .docx or .html files.",
    )
