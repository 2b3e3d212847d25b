"""The workbench: opens a library and the models, and runs a check as a stream of events."""

import hashlib
import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any

from veracite.engine import libraries
from veracite.engine.claims.segmentation import segment
from veracite.engine.errors import InputError, SettingsError
from veracite.engine.events import Compared, Event, Finished, Judged, Segmented, Warned
from veracite.engine.judge.cache import Memory
from veracite.engine.judge.checking import Checking
from veracite.engine.language import unread_note, unread_question
from veracite.engine.libraries import Against
from veracite.engine.models import OpenModels
from veracite.engine.paths import Paths
from veracite.engine.settings import AskSettings, CheckSettings
from veracite.engine.types import Claim, Report, Verdict
from veracite.index.library import Library
from veracite.index.progress import Encoded
from veracite.index.sources import Patterns
from veracite.models.errors import Cancelled

if TYPE_CHECKING:
    from veracite.engine.methods.base import Method, Tools
    from veracite.engine.methods.fix import FixSettings
    from veracite.engine.skills.base import SkillSet

_ITSELF = "The text itself is among the documents. It is not used as evidence for its own claims."
_EARLY = "A first look by words alone, while the library is being encoded; it is judged again then."
_MANY = 512
"""Passages to be encoded from which on it takes long enough to look at claims meanwhile."""


class Workbench(AbstractContextManager["Workbench"]):
    """Everything a check needs, opened when it is first needed and kept until ``close``.

    One thread at a time, ``cancel`` aside. Models stay loaded from one check to the next.

    Args:
        settings: Of every check.
        paths: Where indexes, verdicts and prompts are kept.
        verbose: Let llama.cpp write its log to standard error.
    """

    def __init__(self, settings: CheckSettings, paths: Paths, *, verbose: bool = False) -> None:
        self.settings = settings
        self._paths = paths
        self._models = OpenModels(settings, paths, verbose=verbose)
        self._stop = threading.Event()
        self._kept: _Opened | None = None

    def check(
        self,
        text: str,
        *,
        path: str | None = None,
        against: Against = None,
        place: int = 0,
        early: bool = False,
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
            early: Whether claims get early verdicts, by words alone, while much of the library is
                still to be encoded; they are judged again when it is.

        Yields:
            ``Segmented``, ``Opening`` if a language model is loaded, the library's own events, then
            ``Retrieved`` and ``Judged`` for each claim and what a language model was asked; last
            ``Finished``, unless cancelled.

        Raises:
            EngineError, LibraryError, ModelError: With a message and advice for the user.
        """
        _require_text(text)
        with suppress(Cancelled):
            claims = segment(text, markdown=self.settings.markdown)
            yield Segmented(claims)
            # Before anything slow, for it may be unusable.
            yield from self._models.open_generator()
            with self._opened(against) as opened:
                yield from opened.prepare(path, claims if early else (), place)
                verdicts: dict[int, Verdict] = {}
                for event in opened.checking().judge_all(claims, place=place):
                    if isinstance(event, Judged):
                        verdicts[event.index] = event.verdict
                    yield event
                ordered = tuple(verdicts[index] for index in range(len(claims)))
                yield Finished(opened.report(text, path, ordered))

    def ask(
        self,
        question: str,
        method: "Method",
        settings: Any = None,
        *,
        against: Against = None,
        written: AskSettings | None = None,
    ) -> Generator[Event, None, None]:
        """Answers a question from a library, every sentence with its verdict.

        Args:
            question: What is asked.
            method: How; see ``veracite.engine.methods.catalogue``.
            settings: Of the method; None takes the papers' values.
            against: The documents that answer.
            written: Who writes; by default the language model if there is one, else the bundled
                models. And whose prompts a language model is given, such as "vtg"; skills that they
                lack, and None, take ours.

        Yields:
            As ``check``, and what the method does. After ``cancel`` the report holds what was
            verified until then; there is none if that is nothing.

        Raises:
            EngineError, LibraryError, ModelError: With a message and advice for the user.
        """
        from veracite.engine.methods.running import ask

        if not question.strip():
            raise InputError("The question is empty.", "Ask something.")
        self._stop.clear()
        chosen = method.settings() if settings is None else settings
        by = written or AskSettings()
        with suppress(Cancelled):
            yield from self._open_writer(by)
            with self._opened(against) as opened:
                yield from opened.prepare()
                if unread := unread_question(question):
                    opened.notes.insert(0, unread)
                tools = opened.tools(by.skills)
                answer, complete = yield from ask(
                    method, question, tools, chosen, self._stop.is_set
                )
                if answer is None:
                    return
                report = opened.report(answer.text, None, answer.verdicts)
                own = asdict(chosen) | ({} if by.wording is None else {"wording": by.wording})
                told = _by(method.name, own, report)
                yield Finished(replace(told, answer=answer, complete=complete))

    def fix(
        self,
        text: str,
        settings: "FixSettings | None" = None,
        *,
        path: str | None = None,
        against: Against = None,
        written: AskSettings | None = None,
    ) -> Generator[Event, None, None]:
        """Mends the claims of a text that no document supports; the file stays as it is.

        Args:
            text: What is mended.
            settings: Of mending; None takes the usual ones.
            path: As ``check``.
            against: The documents that decide.
            written: As ``ask``.

        Yields:
            As ``ask``. The report is on the text as it is mended, its ``fix`` holds the changes.

        Raises:
            EngineError, LibraryError, ModelError: With a message and advice for the user.
        """
        from veracite.engine.methods.fix import FixSettings, fix

        _require_text(text)
        self._stop.clear()
        chosen, by = settings or FixSettings(), written or AskSettings()
        with suppress(Cancelled):
            yield from self._open_writer(by)
            with self._opened(against) as opened:
                yield from opened.prepare(path)
                tools, markdown = opened.tools(by.skills), self.settings.markdown
                mended = yield from fix(
                    text, tools, chosen, markdown=markdown, stopped=self._stop.is_set
                )
                if mended is None:
                    return
                report = opened.report(mended.fix.text, path, mended.verdicts)
                told = _by("fix", asdict(chosen), report)
                yield Finished(replace(told, fix=mended.fix, complete=mended.complete))

    def _open_writer(self, by: AskSettings) -> Iterator[Event]:
        """Opens the language model, if it writes or judges.

        Raises:
            SettingsError: A language model is asked for and none is set, or a wording has nobody to
                use it.
        """
        writes = by.skills != "extractive"
        asked = "--skills prompted" if by.skills == "prompted" else None
        if by.wording is not None:
            asked = f"--wording {by.wording}"
        if asked and not (writes and self.settings.model):
            raise SettingsError(
                f"{asked} needs a language model, and none writes here.",
                "Name a GGUF file with --model FILE.gguf, or leave that out.",
                "no model in use",
            )
        return self._models.open_generator(writes=writes, wording=by.wording)

    def conflicts(self, against: Against = None) -> Iterator[Event | Compared]:
        """Compares the sentences of a library with each other (``veracite.engine.conflicts``).

        Yields:
            The library's own events, then one a pair of sentences.

        Raises:
            EngineError, LibraryError, ModelError: With a message and advice for the user.
        """
        from veracite.engine.conflicts import conflicts

        self._stop.clear()
        with self._opened(against) as opened:
            yield from opened.prepare()
            encode = self._models.open_encoder().encode
            judge = self._models.judge(opened.library)
            yield from takewhile(
                lambda _: not self._stop.is_set(), conflicts(opened.library, encode, judge)
            )

    def cancel(self) -> None:
        """Stops an answer or a fix between two events, and a language model in its work.

        From any thread.
        """
        self._stop.set()
        self._models.cancel()

    @contextmanager
    def keeping(self, against: Against) -> Iterator[None]:
        """Keeps a library open meanwhile: all work goes by it as the first brings it up to date.

        The texts that are checked are no documents of it.
        """
        with self._opened(against) as self._kept:
            try:
                yield
            finally:
                self._kept = None

    @contextmanager
    def _opened(self, against: Against) -> Iterator["_Opened"]:
        if self._kept is not None:
            yield self._kept
            return
        notes = self._models.remarks()
        with self.library(against, notes) as library, Memory(self._paths.verdicts) as memory:
            if isinstance(against, tuple):
                library.choose(Patterns(self.settings.include, self.settings.exclude))
            yield _Opened(library, notes, memory, self._models)

    def library(self, against: Against, notes: list[str] | None = None) -> Library:
        """Opens the library that ``against`` means, as ``OpenModels.library`` does."""
        return self._models.library(against, notes if notes is not None else [])

    def close(self) -> None:
        """Lets go of the models."""
        self._models.close()

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(slots=True)
class _Opened:
    """A library opened for one check, answer or fix, with all that is done on it."""

    library: Library
    notes: list[str]
    """What is to be known about it, for the report."""
    memory: Memory
    models: OpenModels
    own: frozenset[str] = frozenset()
    """The paths under which it holds the very text that is checked, if it does."""
    is_ready: bool = False
    """Whether it has been brought up to date."""

    def prepare(
        self, path: str | None = None, early: Sequence[Claim] = (), place: int = 0
    ) -> Generator[Event, None, None]:
        """Brings the library up to date.

        Args:
            path: Where the text that is checked came from.
            early: Claims that are judged by words while passages are encoded.
            place: As ``Workbench.check``.
        """
        if self.is_ready:
            return
        yield from map(Warned, self.notes)
        verdicts: Iterator[Judged] | None = None
        for event in self.library.sync():
            yield event
            if early and isinstance(event, Encoded) and event.done < event.total:
                if verdicts is None and event.total >= _MANY:
                    verdicts = self._by_words(early, path, place)
                yield from islice(verdicts or (), 1)
        self.own = libraries.own_documents(path, self.library)
        told = [*([_ITSELF] if self.own else ()), *self.models.unfit(self.library)]
        self.notes += told
        yield from map(Warned, told)
        libraries.require_documents(self.library, self.own)
        if self.memory.problem:
            yield Warned(self.memory.problem)
        self.is_ready = True

    def _by_words(self, claims: Sequence[Claim], path: str | None, place: int) -> Iterator[Judged]:
        """What a search by words alone gives for each claim, no language model being asked."""
        self.own = libraries.own_documents(path, self.library)
        checking = replace(self.checking(), second=None)
        for event in checking.judge_all(claims, place=place):
            if isinstance(event, Judged):
                told = f"{_EARLY} {event.verdict.explanation}"
                yield replace(event, verdict=replace(event.verdict, explanation=told), early=True)

    def checking(self) -> Checking:
        """What judges claims."""
        search = self.models.search(self.library, self.own)
        judge = self.models.judge(self.library)
        return Checking(search, judge, self.memory, self.models.second(judge))

    def tools(self, skills: "SkillSet | None") -> "Tools":
        """What a method answers or mends with; ``skills`` as ``AskSettings``."""
        from veracite.engine.methods.base import Tools

        writer, searchable = self.models.skills(skills, self.library), self.models.searchable
        return Tools(writer, searchable(self.library), self.checking())

    def report(self, text: str, path: str | None, verdicts: tuple[Verdict, ...]) -> Report:
        """On a text that was judged by the library."""
        status = self.library.status()
        unread = unread_note(verdicts)
        searched = {"search": status.search, **status.shared}
        return Report(
            path=path,
            source=text,
            sha256=hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
            verdicts=verdicts,
            documents_read=status.documents,
            failed=status.failed,
            others=status.others,
            models=self.models.ids,
            extractors=self.library.extractors(),
            settings=self.models.settings() | searched,
            notes=(*self.notes, unread) if unread else tuple(self.notes),
        )


def _require_text(text: str) -> None:
    if not text.strip():
        raise InputError("The text is empty.", "Give a text with at least one sentence.")


def _by(method: str, settings: dict[str, Any], report: Report) -> Report:
    """The report of a method, whose settings are told from the check's by its name."""
    own = {f"{method}.{name}": value for name, value in settings.items()}
    return replace(report, method=method, settings=dict(report.settings) | own)
