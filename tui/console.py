"""The one place that owns standard output and error, colours and exit codes.

Standard output is data, standard error is talk. Nothing here imports click: errors that belong to
it are turned into ``UsageError`` by the commands' root.
"""

import hashlib
import os
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from types import FrameType
from typing import TextIO

from veracite.engine.display import neutralise, wrap
from veracite.engine.errors import USER_ERRORS, EngineError, SettingsError
from veracite.index.errors import SourceError
from veracite.models.files import write_private

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "magenta": "35"}
_NAMED_IN_VAIN = ("no library", "wrong name", "no such model", "not known")
"""Kinds of errors about a name on the command line that nothing has."""
_PIPED_WIDTH = 80
_WIDEST = 100
"""Longer lines are hard to read, however wide the terminal is."""


class ExitCode(IntEnum):
    """How a command ended."""

    OK = 0
    FINDINGS = 1
    USAGE = 2
    FAILED = 3
    INTERRUPTED = 130


class UsageError(EngineError):
    """The command line is wrong: an option, or a name of something that does not exist."""


class OutputError(EngineError):
    """The result cannot be written."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a stream can show."""

    colour: bool
    unicode: bool
    width: int

    @classmethod
    def of(cls, stream: TextIO | None, environ: Mapping[str, str] = os.environ) -> "Look":
        """Of a stream under this environment: NO_COLOR, FORCE_COLOR, TERM and,
        in a pipe, COLUMNS are honoured."""
        terminal, columns = is_terminal(stream), environ.get("COLUMNS", "")
        width = _PIPED_WIDTH
        if terminal:
            width = min(shutil.get_terminal_size((_PIPED_WIDTH, 24)).columns, _WIDEST)
        elif columns.isdecimal():
            width = int(columns) or width
        colour = terminal and environ.get("TERM") != "dumb"
        if forced := environ.get("FORCE_COLOR"):
            colour = forced != "0"
        encoding = (getattr(stream, "encoding", None) or "ascii").lower().replace("-", "")
        return cls(
            colour=colour and not environ.get("NO_COLOR"),
            unicode=encoding.startswith("utf"),
            width=max(20, width),
        )

    def paint(self, text: str, *styles: str) -> str:
        """The text in these styles (``bold``, ``red``, ...), or as it is without colours."""
        if not self.colour or not styles:
            return text
        return f"\x1b[{';'.join(_CODES[style] for style in styles)}m{text}\x1b[0m"

    def lines(self, text: str, *styles: str, indent: str = "", hanging: str = "") -> Iterator[str]:
        """A text cut into lines of this width, in these styles; see ``display.wrap``."""
        return (self.paint(line, *styles) for line in wrap(text, self.width, indent, hanging))


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person is looking at this stream."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False


def say(message: str) -> None:
    """Tell the user something, on standard error; what documents put into it is made harmless."""
    talk(neutralise(message, lines=True) + "\n")


def talk(text: str) -> None:
    """Write to standard error as it is."""
    if sys.stderr is None:
        return
    # If nobody listens any more, the exit code still tells.
    with suppress(OSError, ValueError):
        encoding = sys.stderr.encoding or "utf-8"
        sys.stderr.write(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stderr.flush()


def write(text: str, *, data: bool = False) -> None:
    """Write a result to standard output.

    A reader that has gone away (``| head``) is no failure: the rest is dropped.

    Args:
        data: Always as UTF-8, whatever the terminal's encoding is.

    Raises:
        OutputError: Standard output is closed or its disk is full.
    """
    if sys.stdout is None:
        raise OutputError("Standard output is closed.", "Name a file with --output.")
    encoding = "utf-8" if data else sys.stdout.encoding or "utf-8"
    try:
        rest = memoryview(text.encode(encoding, "backslashreplace"))
        while rest:  # with PYTHONUNBUFFERED a signal may cut a write short
            rest = rest[sys.stdout.buffer.write(rest) :]
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        _drop_output()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        _drop_output()
        raise OutputError(
            f"The result cannot be written to standard output ({reason}).",
            "Free some space, or name a file with --output.",
        ) from error


def guarded(work: Callable[[], int], *, debug: Callable[[], bool], crashes: Path) -> int:
    """Run a command to its exit code, whatever happens: no traceback ever reaches the user.

    Args:
        work: Runs the command; returns its exit code.
        debug: Whether the user asked for tracebacks.
        crashes: Folder for the details of failures that nobody foresaw.
    """
    try:
        with _interruptible():
            return work()
    except KeyboardInterrupt:
        say("Interrupted. What was finished is kept; the same command does the rest.")
        return ExitCode.INTERRUPTED
    except Exception as error:
        wrong = isinstance(error, UsageError | SettingsError | SourceError)
        wrong = wrong or getattr(error, "kind", "") in _NAMED_IN_VAIN
        if debug() and not isinstance(error, UsageError):
            traceback.print_exc()
        if isinstance(error, USER_ERRORS):
            message, advice = error.message, error.advice
        else:
            message = f"Veracite failed unexpectedly: {type(error).__name__}: {error}."
            advice = keep_details(error, crashes)
        say(f"Error: {message}\n{advice}")
        return ExitCode.USAGE if wrong else ExitCode.FAILED


def keep_details(error: Exception, crashes: Path) -> str:
    """Write what nobody foresaw to a file of that folder; returns where that is, and what to do."""
    details = "".join(traceback.format_exception(error)).encode("utf-8", "replace")
    path = crashes / f"{hashlib.sha256(details).hexdigest()[:12]}.txt"
    try:
        write_private(path, details)
    except OSError:
        return "Run it again as `veracite --debug ...` to see the details, and please report them."
    return f"The details are in {path}; please report them (they may quote your text)."


@contextmanager
def _interruptible() -> Iterator[None]:
    """SIGTERM ends a command the way Ctrl-C does; after that, neither disturbs the clean-up."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _drop_output() -> None:
    """Send what is still to come to nowhere, so that the interpreter's own flush cannot fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
