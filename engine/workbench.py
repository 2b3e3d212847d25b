"""The workbench: opens a library and the models, and runs a check as a stream of events."""

import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from veracite.engine.against import Against, open_library
from veracite.engine.claims.segmentation import segment
from veracite.engine.errors import InputError
from veracite.engine.events import Event, Finished, Judged, Segmented
from veracite.engine.judge.cache import Memory
from veracite.engine.judge.unread import unread_question
from veracite.engine.libraries import Libraries
from veracite.engine.models import OpenModels
from veracite.engine.opened_library import OpenedLibrary
from veracite.engine.paths import Paths
from veracite.engine.reencoding import is_changing, stand_in
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Verdict
from veracite.index.library import Library
from veracite.models.errors import Cancelled

if TYPE_CHECKING:
    from veracite.engine.methods.base import Method
    from veracite.engine.methods.fix import FixSettings
    from veracite.engine.skills.base import SkillSet

_Value = str | int | float | bool | None


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
        self._models = OpenModels(settings, paths, verbose=verbose)
        self._encode_beside = encode_beside
        self._stop = threading.Event()

    def check(
        self, text: str, *, path: str | None = None, against: Against = None, place: int = 0
    ) -> Generator[Event, None, None]:
        """Judges every claim of a text by a library, which is first brought up to date.

        Closing the generator stops the work, and so does ``cancel``; what was read, encoded and
        judged is kept.

        Args:
            text: What is checked.
            path: Where it came from, for the report; None for standard input.
            against: The documents that decide.
            place: A character of the text, such as the one that a person looks at: the claims from
                there on come first. It changes no verdict.

        Yields:
            ``Segmented``, ``Opening`` if a language model is loaded, the library's own events, then
            ``Retrieved`` and ``Judged`` for each claim and what a language model was asked; last
            ``Finished``, unless cancelled.

        Raises:
            EngineError, LibraryError, ModelError: With a message and advice for the user.
        """
        with suppress(Cancelled):
            yield from self._check(text, path, against, place)

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
        from veracite.engine.methods.fix import FixSettings

        self._stop.clear()
        with suppress(Cancelled):
            yield from self._fix(text, settings or FixSettings(), path, against, skills, wording)

    def cancel(self) -> None:
        """Stops an answer or a fix between two events, and a language model in its work.

        From any thread.
        """
        self._stop.set()
        self._models.cancel()

    def _check(
        self, text: str, path: str | None, against: Against, place: int
    ) -> Generator[Event, None, None]:
        _require_text(text)
        claims = segment(text, markdown=self._settings.markdown)
        yield Segmented(claims)
        # Before anything slow, for it may be unusable.
        yield from self._models.open_generator()
        with self._opened(against) as opened:
            yield from opened.prepare(path)
            verdicts: dict[int, Verdict] = {}
            for event in opened.checking().judge_all(claims, place=place):
                if isinstance(event, Judged):
                    verdicts[event.index] = event.verdict
                yield event
            ordered = tuple(verdicts[index] for index in range(len(claims)))
            yield Finished(opened.report(text, path, ordered))

    def _ask(
        self,
        question: str,
        method: "Method",
        settings: Any,
        against: Against,
        skills: "SkillSet | None",
        wording: str | None,
    ) -> Generator[Event, None, None]:
        from veracite.engine.methods.running import ask
        from veracite.engine.settings import as_mapping

        if not question.strip():
            raise InputError("The question is empty.", "Ask something.")
        yield from self._models.open_generator(writes=skills != "extractive", wording=wording)
        with self._opened(against) as opened:
            yield from opened.prepare()
            if unread := unread_question(question):
                opened.notes.insert(0, unread)
            tools = opened.tools(skills, wording)
            answer, complete = yield from ask(method, question, tools, settings, self._stop.is_set)
            if answer is None:
                return
            report = opened.report(answer.text, None, answer.verdicts)
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
        from veracite.engine.methods.fix import fix
        from veracite.engine.settings import as_mapping

        _require_text(text)
        yield from self._models.open_generator(writes=skills != "extractive", wording=wording)
        with self._opened(against) as opened:
            yield from opened.prepare(path)
            mended = yield from fix(
                text,
                opened.tools(skills, wording),
                settings,
                markdown=self._settings.markdown,
                stopped=self._stop.is_set,
            )
            if mended is None:
                return
            report = opened.report(mended.fix.text, path, mended.verdicts)
            yield Finished(
                replace(
                    report,
                    settings=dict(report.settings) | _of_method("fix", as_mapping(settings)),
                    method="fix",
                    fix=mended.fix,
                    complete=mended.complete,
                )
            )

    @contextmanager
    def _opened(self, against: Against) -> Iterator[OpenedLibrary]:
        notes: list[str] = []
        with self.library(against, notes) as library, Memory(self._paths.verdicts) as memory:
            if self._encode_beside is not None and is_changing(library):
                self._encode_beside(against)
                notes.append(stand_in(library, self._models))
            yield OpenedLibrary(library, notes, memory, self._models, self._settings)

    def library(self, against: Against, notes: list[str] | None = None) -> Library:
        """Opens the library that ``against`` means; the caller closes it.

        Args:
            against: See ``check``.
            notes: Gets a sentence if the encoder cannot be used and search goes by words alone.

        Raises:
            InputError: There is no such library.
            LibraryError: Its folder cannot be used, or a source does not exist.
        """
        encoder = self._models.encoder(notes if notes is not None else [])
        return open_library(
            against,
            Libraries(self._paths),
            encoder.encode if encoder else None,
            encoder.id if encoder else None,
        )

    def close(self) -> None:
        """Lets go of the models."""
        self._models.close()

    def __enter__(self) -> "Workbench":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _require_text(text: str) -> None:
    if not text.strip():
        raise InputError("The text is empty.", "Give a text with at least one sentence.")


def _of_method(name: str, settings: Mapping[str, _Value]) -> dict[str, _Value]:
    """A method's settings, so named that they are told from the check's."""
    return {f"{name}.{key}": value for key, value in settings.items()}
