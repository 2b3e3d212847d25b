"""The workbench: opens a library and the models, and runs a check as a stream of events."""

import hashlib
from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from veracite.engine.cache import Memory
from veracite.engine.checking import judge_all
from veracite.engine.claims import segment
from veracite.engine.decision import bundled_decision
from veracite.engine.display import neutralise
from veracite.engine.errors import CheckError, InputError
from veracite.engine.events import Event, Finished, Judged, Segmented, Warned
from veracite.engine.evidence import Search
from veracite.engine.libraries import DEFAULT_LIBRARY, Libraries
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.tuning import Tuning, read_tuning
from veracite.engine.unread import unread_note
from veracite.engine.verify import Judge
from veracite.engine.words import Claim, FailedDocument, Report, Verdict
from veracite.index.library import Library
from veracite.models.bundled import bundled_encoder, bundled_verifier
from veracite.models.errors import ModelError

if TYPE_CHECKING:
    from veracite.models.encoder import Encoder
    from veracite.models.entailment import Verifier

__all__ = ["Against", "Workbench"]

Against = tuple[Path, ...] | str | None
"""What a text is checked against: files and folders, a named library, or the default library."""

_MOST_FAILED = 10
_ITSELF = "The text itself lies among the documents; it is no evidence for its own claims."


class Workbench:
    """Everything a check needs, opened when it is first needed and kept until ``close``.

    One thread at a time. Models stay loaded from one check to the next.
    """

    def __init__(self, settings: CheckSettings, paths: Paths) -> None:
        self._settings = settings
        self._paths = paths
        self._encoder: Encoder | None = None
        self._verifier: Verifier | None = None
        self._tuning: Tuning | None = None

    def check(
        self, text: str, *, path: str | None = None, against: Against = None
    ) -> Generator[Event, None, None]:
        """Judges every claim of a text by a library, which is first brought up to date.

        Closing the generator stops the work; what was read, encoded and judged is kept.

        Args:
            text: What is checked.
            path: Where it came from, for the report; None for standard input.
            against: The documents that decide.

        Yields:
            ``Segmented``, the library's own events, then ``Retrieved`` and ``Judged`` for each
            claim; last ``Finished``.

        Raises:
            EngineError, LibraryError, ModelError: With a message and advice for the user.
        """
        if not text.strip():
            raise InputError("The text is empty.", "Give a text with at least one sentence.")
        claims = segment(text, markdown=self._settings.markdown)
        yield Segmented(claims)
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
                search = Search(
                    library, self._settings.k, self._threshold, self._settings.retrieval, own
                )
                for event in judge_all(claims, search, self._judge(library), memory):
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
        encoder = self._try_encoder(notes if notes is not None else [])
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
        for model in (self._encoder, self._verifier):
            if model is not None:
                model.close()
        self._encoder = self._verifier = None

    def __enter__(self) -> "Workbench":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _try_encoder(self, notes: list[str]) -> "Encoder | None":
        if self._settings.retrieval == "lexical":
            return None
        if self._encoder is None:
            try:
                self._encoder = bundled_encoder(threads=self._settings.threads)
            except ModelError as error:
                notes.append(f"Search goes by words alone: {error.message} {error.advice}")
        return self._encoder

    def _judge(self, library: Library) -> Judge:
        if self._verifier is None:
            self._verifier = bundled_verifier(threads=self._settings.threads)
        judge = Judge(
            verifier=self._verifier,
            decision=bundled_decision(),
            uncertain_below=self._settings.uncertain_below,
            sentences=library.sentences,
            raw_text=library.raw_text,
        )
        if self._settings.calibration is None:
            return judge
        self._tuning = read_tuning(Path(self._settings.calibration), judge.models)
        return replace(judge, tuning=self._tuning)

    @property
    def _threshold(self) -> float | None:
        """CEG's t: as set, or the encoder's own."""
        if self._settings.threshold is not None or self._encoder is None:
            return self._settings.threshold
        return self._encoder.threshold

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
        settings = {
            name: value
            for name, value in self._settings.as_mapping().items()
            if name != "threads"  # changes no verdict
        }
        settings |= {"threshold": self._threshold, "search": status.search}
        settings["calibration"] = self._tuning.id if self._tuning else None
        ordered = tuple(verdicts[index] for index in range(len(claims)))
        unread = unread_note(ordered)
        models = [m.id for m in (self._encoder, self._verifier) if m is not None]
        if self._verifier is not None:
            models.append(bundled_decision().id)
        return Report(
            path=path,
            source=text,
            sha256=hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
            verdicts=ordered,
            documents_read=status.documents,
            failed=tuple(FailedDocument(file, reason) for file, reason in status.failed),
            models=tuple(models),
            extractors=library.extractors(),
            settings=settings,
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
