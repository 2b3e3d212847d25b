"""What commands share while they run: what is read, progress, ``--trace``, and interrupting."""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Any

from veracite.engine import settings
from veracite.engine.errors import CheckError, disk_errors
from veracite.engine.events import Began, Event, Finished
from veracite.engine.language import nothing_read, unread_note
from veracite.engine.libraries import Libraries, documents, require_cluster, require_folders
from veracite.engine.report.answers import Comparison
from veracite.engine.texts import Text, decode_text, read_text, unread
from veracite.engine.trace import Entry, line
from veracite.engine.types import Label, Report
from veracite.index.sources import Patterns
from veracite.tui import console
from veracite.tui.cli import output
from veracite.tui.cli.session import Session
from veracite.tui.console import ExitCode, OutputError, UsageError
from veracite.tui.progress import Progress, warnings
from veracite.tui.service import namer

if TYPE_CHECKING:
    from veracite.engine.workbench import Workbench


class Run:
    """A check, an answer or a fix: what the command line asks for, and how it is done.

    Args:
        session: Of this command line.
        given: What it says. The settings and the options that all three have are taken out.
    """

    def __init__(self, session: Session, given: dict[str, Any]) -> None:
        self.paths = session.paths
        self.as_json, self.quiet = session.as_json, session.quiet
        self.verbose: bool = given.pop("verbose")
        self.output: Path | None = given.pop("output", None)
        """Where the report goes; None is standard output."""
        self._kind: str | None = given.pop("kind")
        self._against: tuple[str, ...] = given.pop("against")
        self.trace: Path | None = given.pop("trace")
        """The file that everything that happens is written to; None keeps nothing."""
        known = settings.declared(settings.Config)
        self.flags = {name: given.pop(name) for name in known if name in given}
        """Settings by name, as they were given."""

    def prepare(self, text: str, kinds: Sequence[str] = output.FORMATS) -> None:
        """Find out before the work what cannot be: settings, format, output, documents.

        Args:
            text: What the output must not overwrite.
            kinds: The formats of its report.

        Raises:
            SettingsError: A setting is wrong. Variables that mean nothing are told.
            SourceError: A pattern is.
            UsageError: Something else is.
        """
        given = {name: value for name, value in self.flags.items() if value not in ((), ("",))}
        self.config = settings.load(self.paths, given)
        Patterns(self.config.check.include, self.config.check.exclude).require_valid()
        for warning in () if self.quiet else settings.unknown_variables():
            console.say(warning)
        self.kind = output.choose_format(self._kind, self.as_json, self.output, kinds)
        self.documents = documents(self._against, Libraries(self.paths))
        for written in (self.output, self.trace):
            output.require_place(written, text, self.documents)
        require_folders(self.documents, given)

    @property
    def on_screen(self) -> bool:
        """Whether the report is read where its warnings are told."""
        return self.kind == "text" and self.output is None

    def spread(self, texts: Iterable[str], cluster: str) -> Iterator[Report]:
        """The reports on texts from a Ray cluster, in their order, by one version of the library.

        Raises:
            UsageError: The documents are not on storage that several machines share.
        """
        against = self.documents
        dataset = None if isinstance(against, tuple) else Libraries(self.paths).dataset(against)
        if dataset is None:
            raise UsageError(
                "A cluster judges by a library that all of its machines can read.",
                "Make one with `veracite library build`, and name it with --against.",
            )
        require_cluster()
        from veracite.engine import cluster as machines

        return machines.check(*dataset, cluster, self.config.check, texts)

    @contextmanager
    def working(self, *, markdown: bool = True, to_the_end: bool = False) -> "Iterator[Workbench]":
        """The workbench, while the trace is open and signals are taken care of.

        Args:
            markdown: False for a text that has no markup.
            to_the_end: A first interrupt only asks to stop, see ``stopping``; else it raises.
        """
        from veracite.engine.workbench import Workbench

        check = self.config.check if markdown else replace(self.config.check, markdown=False)
        with (
            Workbench(check, self.paths, verbose=self.verbose) as bench,
            tracing(self.trace) as self._record,
            (stopping if to_the_end else interrupting)(bench.cancel) as self.stopped,
        ):
            yield bench

    def follow(self, events: Generator[Event], *more: Callable[[Event], None]) -> Report:
        """The report that the events of the workbench end with; they are closed in any case.

        Args:
            more: Take note of each event too.

        Raises:
            Stopped: Somebody has asked to stop, and there is nothing to report. A method ends with
                what it has verified; what comes before it ends at once.
        """
        held: list[str] = []
        begun = False
        try:
            with contextlib.closing(events), Progress(quiet=self.quiet) as progress:
                for event in events:
                    for note in (self._record, *more, progress.update):
                        note(event)
                    held += () if self.quiet else warnings(event)
                    if held and not self.on_screen:
                        progress.clear()
                        _say_all(held)
                    if isinstance(event, Finished):
                        # The report's own notes are read next: no need to say them twice.
                        held = [warning for warning in held if warning not in event.report.notes]
                        if not (event.report.complete or event.report.verdicts):
                            break
                        return event.report
                    begun = begun or isinstance(event, Began)
                    if self.stopped() and not begun:
                        break
        finally:
            _say_all(held)
        if self.stopped():
            raise Stopped
        raise CheckError("The work ended without a report.", "Please report this.")

    def send(
        self,
        report: Report | Comparison,
        only: tuple[Label, ...] | None = None,
        key: bytes | None = None,
    ) -> None:
        """Write the report to where it goes; ``only`` claims with these labels are shown, and it is
        sealed with ``key``."""
        name = namer(self.documents)
        told = partial(output.send, report, self.kind, self.output, name, only=only)
        told(verbose=self.verbose, fail_on=self.config.fail_on, key=key)

    def outcome(self, report: Report, *, warn: bool = False) -> ExitCode:
        """How a command ends that reports this.

        Args:
            warn: Whether it is told that some of the text is in a language that the models do not
                read; where that is all of it, it is told in any case.
        """
        unread = unread_note(report.verdicts)
        nothing = bool(unread) and nothing_read(report.verdicts)
        if unread and (warn or nothing):
            console.say(f"Warning: {unread}")
        if nothing:
            return ExitCode.FAILED
        findings = any(report.counts[label] for label in self.config.fail_on)
        return ExitCode.FINDINGS if findings else ExitCode.OK


class Stopped(KeyboardInterrupt):
    """Somebody asked to stop before there was anything to report."""


def _say_all(warnings: list[str]) -> None:
    for warning in warnings:
        console.say(warning)
    warnings.clear()


STDIN = "-"
"""Stands for standard input."""


def read_stdin(what: str) -> bytes:
    """All of it; a person at a terminal is told what is waited for."""
    if console.is_terminal(sys.stdin):
        console.say(f"Reading the {what} from standard input; Ctrl-D ends it.")
    return sys.stdin.buffer.read() if sys.stdin else b""


def path_of(name: str, what: str = "text") -> Path:
    """Where the file of this name is.

    Raises:
        UsageError: There is none.
    """
    path = Path(name).expanduser()
    if not path.exists():
        raise UsageError(f"There is no {what} {name!r}.", "Check the spelling.")
    return path


def content_of(name: str, what: str) -> bytes:
    """What the file of this name holds.

    Raises:
        InputError: It cannot be read.
        UsageError: There is none.
    """
    from veracite.index.readers import whole

    with unread(name):
        return whole(path_of(name, what))


def read_named(name: str) -> Text:
    """The text, or the text in the document, of this name, or of standard input.

    Raises:
        UsageError: There is no such file.
        InputError: It cannot be read, or holds no text.
    """
    if name == STDIN:
        return decode_text(read_stdin("text"), "Standard input")
    return read_text(path_of(name))


@contextmanager
def tracing(path: Path | None) -> Iterator[Callable[[Event], None]]:
    """Opens the trace, readable by its owner only; without a path, events are not noted.

    Raises:
        OutputError: The file cannot be written.
    """
    if path is None:
        yield lambda _event: None
        return
    began, numbers = monotonic(), count()
    with _explained(path):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:

        def record(event: Event) -> None:
            with _explained(path):
                file.write(line(Entry(monotonic() - began, event), first=not next(numbers)))
                file.flush()

        yield record


def _explained(path: Path) -> AbstractContextManager[None]:
    what = f"The trace cannot be written to {path}"
    return disk_errors(what, output.ANOTHER_PLACE, OutputError)


_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_END = b"\xff"
"""No signal has this number."""


@contextmanager
def interrupting(cancel: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """Calls ``cancel`` as soon as a signal arrives that Python handles.

    Python runs its handlers between two of its own instructions, so not before a call into native
    code has returned, which may take a language model a minute. The number of the signal is
    written to a pipe at once (``signal.set_wakeup_fd``); a thread waits for it there.

    Yields:
        Whether there was one.

    Raises:
        KeyboardInterrupt: There was a signal, and whatever the work ended with came of that.
    """
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    cancelled = threading.Event()

    def wait() -> None:
        if os.read(reading, 1) != _END:
            cancelled.set()
            cancel()

    thread = threading.Thread(target=wait, name="interrupts", daemon=True)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    thread.start()
    try:
        yield cancelled.is_set
    except Exception as error:
        if cancelled.is_set():
            raise KeyboardInterrupt from error
        raise
    finally:
        signal.set_wakeup_fd(before)
        os.write(writing, _END)
        thread.join()
        os.close(reading)
        os.close(writing)


@contextmanager
def stopping(cancel: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """Calls ``cancel`` at the first signal and goes on; the second one ends at once.

    Yields:
        Whether there was a first signal.

    Raises:
        KeyboardInterrupt: There was a second signal, or the work failed after the first.
    """
    asked = threading.Event()
    before = {number: signal.getsignal(number) for number in _SIGNALS}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def note(_signal: int, _frame: FrameType | None) -> None:
        asked.set()
        restore()

    def stopped() -> bool:
        if asked.is_set():
            cancel()  # the thread that waits for the signal may still be on its way
        return asked.is_set()

    with interrupting(cancel):
        for number in _SIGNALS:
            signal.signal(number, note)
        try:
            yield stopped
        finally:
            restore()


@contextmanager
def unbroken() -> Iterator[None]:
    """Lets a first signal wait until what is done meanwhile is done; a second one ends at once.

    Raises:
        KeyboardInterrupt: There was one.
    """
    with stopping(lambda: None) as stopped:
        yield
    if stopped():
        raise KeyboardInterrupt
