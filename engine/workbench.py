"""The workbench: opens a library and the models, and runs a check as a stream of events."""

import hashlib
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from veracite.engine.against import Against, open_library, own_document, require_documents
from veracite.engine.cache import Memory
from veracite.engine.checking import Checking
from veracite.engine.claims import segment
from veracite.engine.errors import InputError
from veracite.engine.events import Event, Finished, Judged, Segmented, Warned
from veracite.engine.evidence import Search
from veracite.engine.instruments import Instruments
from veracite.engine.libraries import Libraries
from veracite.engine.paths import Paths
from veracite.engine.reencoding import is_changing, stand_in
from veracite.engine.settings import CheckSettings
from veracite.engine.unread import unread_note, unread_question
from veracite.engine.words import FailedDocument, Report, Verdict
from veracite.index.library import Library
from veracite.models.errors import Cancelled

if TYPE_CHECKING:
    from veracite.engine.methods.base import Method, Tools
    from veracite.engine.methods.fixing import FixSettings
    from veracite.engine.skills.base import SkillSet

__all__ = ["Against", "Workbench"]

_Value = str | int | float | bool | None
_ITSELF = "The text itself lies among the documents; it is no evidence for its own claims."


class Workbench:
    """Everything a check needs, opened when it is first needed and kept until ``close``.

    One thread at a time, ``cancel`` aside. Models stay loaded from one check to the next.

    Args:
        settings: Of every check.
        paths: Where indexes, verdicts and prompts are kept.
        verbose: Let llama.cpp write its log to standard error.
        encode_beside: Told the documents whose library another encoder is to take over, so that
            this is done beside the work, which goes by what is there. Without it the work waits
            until everything is encoded anew.
    """

    def __init__(
        self,
        settings: CheckSettings,
        paths: Paths,
        *,
        verbose: bool = False,
        encode_beside: Callable[[Against], None] | None = None,
    ) -> None:
        self._settings = settings
        self._paths = paths
        self._instruments = Instruments(settings, paths, verbose=verbose)
        self._encode_beside = encode_beside
        self._stop = threading.Event()

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

    def ask(
        self,
        question: str,
        method: "Method",
        settings: Any = None,
        *,
        against: Against = None,
        skills: "SkillSet | None" = None,
        wording: str | None = None,
    ) -> Generator[Event, None, None]:
        """Answers a question from a library, every sentence with its verdict.

        Args:
            question: What is asked.
            method: How; see ``veracite.engine.methods.catalogue``.
            settings: Of the method; None takes the papers' values.
            against: The documents that answer.
            skills: Who writes; None is the language model if there is one, else the bundled models.
            wording: Whose prompts a language model is given, such as "vtg"; skills that they lack,
                and None, take ours.

        Yields:
            As ``check``, and what the method does. After ``cancel`` the report holds what was
            verified until then; there is none if that is nothing.

        Raises:
            EngineError, LibraryError, ModelError: With a message and advice for the user.
        """
        self._stop.clear()
        chosen = method.settings() if settings is None else settings
        with suppress(Cancelled):
            yield from self._ask(question, method, chosen, against, skills, wording)

    def fix(
        self,
        text: str,
        settings: "FixSettings | None" = None,
        *,
        path: str | None = None,
        against: Against = None,
        skills: "SkillSet | None" = None,
        wording: str | None = None,
    ) -> Generator[Event, None, None]:
        """Mends the claims of a text that no document supports; the file stays as it is.

        Args:
            text: What is mended.
            settings: Of mending; None takes the usual ones.
            path: As ``check``.
            against: The documents that decide.
            skills: As ``ask``.
            wording: As ``ask``.

        Yields:
            As ``ask``. The report is on the text as it is mended, its ``fix`` holds the changes.

        Raises:
            EngineError, LibraryError, ModelError: With a message and advice for the user.
        """
        from veracite.engine.methods.fixing import FixSettings

        self._stop.clear()
        with suppress(Cancelled):
            yield from self._fix(text, settings or FixSettings(), path, against, skills, wording)

    def cancel(self) -> None:
        """Stops an answer or a fix between two events, and a language model in its work.

        From any thread.
        """
        self._stop.set()
        self._instruments.cancel()

    def _check(self, text: str, path: str | None, against: Against) -> Generator[Event, None, None]:
        _require_text(text)
        claims = segment(text, markdown=self._settings.markdown)
        yield Segmented(claims)
        # Before anything slow, for it may be unusable.
        yield from self._instruments.open_generator()
        with self._opened(against) as (library, notes, memory):
            own = yield from self._prepared(library, path, notes, memory)
            verdicts: dict[int, Verdict] = {}
            for event in self._checking(library, own, memory).judge_all(claims):
                if isinstance(event, Judged):
                    verdicts[event.index] = event.verdict
                yield event
            ordered = tuple(verdicts[index] for index in range(len(claims)))
            yield Finished(self._report(text, path, ordered, library, notes))

    def _ask(
        self,
        question: str,
        method: "Method",
        settings: Any,
        against: Against,
        skills: "SkillSet | None",
        wording: str | None,
    ) -> Generator[Event, None, None]:
        from veracite.engine.methods.options import as_mapping
        from veracite.engine.methods.running import ask

        if not question.strip():
            raise InputError("The question is empty.", "Ask something.")
        yield from self._instruments.open_generator(writes=skills != "extractive", wording=wording)
        with self._opened(against) as (library, notes, memory):
            yield from self._prepared(library, None, notes, memory)
            if unread := unread_question(question):
                notes.insert(0, unread)
            tools = self._tools(library, None, memory, skills, wording)
            answer, complete = yield from ask(method, question, tools, settings, self._stop.is_set)
            if answer is None:
                return
            report = self._report(answer.text, None, answer.verdicts, library, notes)
            worded: dict[str, _Value] = {} if wording is None else {"wording": wording}
            own = as_mapping(settings) | worded
            yield Finished(
                replace(
                    report,
                    settings=dict(report.settings) | _of_method(method.name, own),
                    method=method.name,
                    answer=answer,
                    complete=complete,
                )
            )

    def _fix(
        self,
        text: str,
        settings: "FixSettings",
        path: str | None,
        against: Against,
        skills: "SkillSet | None",
        wording: str | None,
    ) -> Generator[Event, None, None]:
        from veracite.engine.methods.fixing import fix
        from veracite.engine.methods.options import as_mapping

        _require_text(text)
        yield from self._instruments.open_generator(writes=skills != "extractive", wording=wording)
        with self._opened(against) as (library, notes, memory):
            own = yield from self._prepared(library, path, notes, memory)
            mended = yield from fix(
                text,
                self._tools(library, own, memory, skills, wording),
                settings,
                markdown=self._settings.markdown,
                stopped=self._stop.is_set,
            )
            if mended is None:
                return
            report = self._report(mended.fix.text, path, mended.verdicts, library, notes)
            yield Finished(
                replace(
                    report,
                    settings=dict(report.settings) | _of_method("fix", as_mapping(settings)),
                    method="fix",
                    fix=mended.fix,
                    complete=mended.complete,
                )
            )

    def _tools(
        self,
        library: Library,
        own: str | None,
        memory: Memory,
        skills: "SkillSet | None",
        wording: str | None,
    ) -> "Tools":
        from veracite.engine.methods.base import Tools

        checking = self._checking(library, own, memory, wording)
        searchable = self._instruments.searchable(library)
        return Tools(self._instruments.skills(skills, library, wording), searchable, checking)

    @contextmanager
    def _opened(self, against: Against) -> Iterator[tuple[Library, list[str], Memory]]:
        """The library, what is to be noted about it, and the verdicts that are remembered."""
        notes: list[str] = []
        with self.library(against, notes) as library, Memory(self._paths.verdicts) as memory:
            if self._encode_beside is not None and is_changing(library):
                self._encode_beside(against)
                notes.append(stand_in(library, self._instruments))
            yield library, notes, memory

    def _prepared(
        self, library: Library, path: str | None, notes: list[str], memory: Memory
    ) -> Generator[Event, None, str | None]:
        """Brings the library up to date; returns the text's own path in it, if it lies there."""
        for warning in notes:
            yield Warned(warning)
        yield from library.sync()
        own = own_document(path, library)
        if own is not None:
            notes.append(_ITSELF)
            yield Warned(_ITSELF)
        require_documents(library, own)
        if memory.problem:
            yield Warned(memory.problem)
        return own

    def library(self, against: Against, notes: list[str] | None = None) -> Library:
        """Opens the library that ``against`` means; the caller closes it.

        Args:
            against: See ``check``.
            notes: Gets a sentence if the encoder cannot be used and search goes by words alone.

        Raises:
            InputError: There is no such library.
            LibraryError: Its folder cannot be used, or a source does not exist.
        """
        encoder = self._instruments.encoder(notes if notes is not None else [])
        return open_library(
            against,
            Libraries(self._paths),
            encoder.encode if encoder else None,
            encoder.id if encoder else None,
        )

    def close(self) -> None:
        """Lets go of the models."""
        self._instruments.close()

    def __enter__(self) -> "Workbench":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _checking(
        self, library: Library, own: str | None, memory: Memory, wording: str | None = None
    ) -> Checking:
        settings, instruments = self._settings, self._instruments
        searchable = instruments.searchable(library)
        search = Search(
            searchable,
            settings.k,
            instruments.threshold,
            settings.retrieval,
            without=own,
            raw_text=library.raw_text,
        )
        judge = instruments.judge(library)
        return Checking(search, judge, memory, instruments.second(judge, wording))

    def _report(
        self,
        text: str,
        path: str | None,
        verdicts: tuple[Verdict, ...],
        library: Library,
        notes: Sequence[str],
    ) -> Report:
        status = library.status()
        unread = unread_note(verdicts)
        return Report(
            path=path,
            source=text,
            sha256=hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
            verdicts=verdicts,
            documents_read=status.documents,
            failed=tuple(FailedDocument(file, reason) for file, reason in status.failed),
            models=self._instruments.ids,
            extractors=library.extractors(),
            settings=self._instruments.settings() | {"search": status.search},
            notes=(*notes, unread) if unread else tuple(notes),
        )


def _require_text(text: str) -> None:
    if not text.strip():
        raise InputError("The text is empty.", "Give a text with at least one sentence.")


def _of_method(name: str, settings: Mapping[str, _Value]) -> dict[str, _Value]:
    """A method's settings, so named that they are told from the check's."""
    return {f"{name}.{key}": value for key, value in settings.items()}
