"""Reading files and cutting them into passages in a child process.

A parser that hangs, crashes or asks for too much memory takes down only itself. The child is
``python -m veracite.index.reading``. Messages are JSON and go through a pipe: a path and a folder,
then what was read or ``{"message", "advice"}`` of a ``ReadError``. What the file holds, such as an
archive's documents, the child writes into the folder; each of them is a file to be read in turn,
within limits of its own. The child ends when the other end of the pipe is closed.
"""

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from threading import Event, Timer
from typing import Any

import msgspec

from veracite.index.documents import Cut, Extraction, Part
from veracite.index.errors import ReadError
from veracite.index.passages import cut
from veracite.index.readers import NOT_KNOWN, known, module_of
from veracite.index.readers.containers import Member, unpacked
from veracite.index.readers.programs import limit_memory

DEFAULT_TIMEOUT = 120.0
"""Seconds of work that one file may take; twice as many where the child waits for its turn."""
DEFAULT_MEMORY = 1024**3
"""Bytes of address space that the child may use."""
_MAXRSS = 1 if sys.platform == "darwin" else 1024
"""Bytes that ``ru_maxrss`` counts in."""
_MOST_CHARACTERS = 100_000_000
_DEEPEST = 2
"""An archive may lie in another, and no deeper."""
TOO_LARGE = ReadError(
    "Reading this file needs more memory than is allowed.",
    "Split it into smaller files, or allow more with the setting reader_memory.",
)

ENDED = ReadError(
    "The reader was ended from outside, as systems do that run out of memory.",
    "End other programs; another value of the setting reader_memory has the file tried again.",
)
CRASHED_OR_TOO_LARGE = ReadError(
    "The reader crashed on this file, or ran out of the memory that is allowed.",
    "Open it and save it again, or allow more with the setting reader_memory.",
)
OF_MEMORY = frozenset(one.message for one in (TOO_LARGE, ENDED, CRASHED_OR_TOO_LARGE))
"""Reasons that another limit may change."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the child found in a file."""

    found: Extraction
    passages: tuple[Cut, ...]
    members: tuple[Member, ...]


class Reader(AbstractContextManager["Reader"]):
    """Reads files of every known format, one after the other, in one child process.

    The child starts with the first file, is started again after a crash, and is gone when the
    context is left. Not for use by two threads at once, but ``close`` may come from another thread:
    it ends a ``read`` in progress with a ReadError.
    """

    def __init__(self, timeout: float = DEFAULT_TIMEOUT, memory: int = DEFAULT_MEMORY) -> None:
        self._timeout = timeout
        self._memory = memory
        self._child: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None
        self._inherited = 0

    @property
    def pid(self) -> int | None:
        """Of the child; None while there is none."""
        return self._child.pid if self._child else None

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the child at once, whatever it is doing. The reader may be used again after."""
        self._end()

    def _end(self) -> tuple[int, int]:
        """End the child; its exit code, and the most memory that it had, in bytes."""
        # Its pipe closes when nobody reads from it any more.
        child, self._child, self._pipe = self._child, None, None
        status = used = 0
        if child is not None and child.returncode is None:
            with suppress(OSError):
                os.killpg(child.pid, signal.SIGKILL)  # with the programs that it runs
                _, status, usage = os.wait4(child.pid, 0)
                used = usage.ru_maxrss * _MAXRSS
            child.wait()
        return os.waitstatus_to_exitcode(status), used

    def read(self, path: Path) -> Iterator[Part]:
        """Read one file: first the file itself, then what it holds, as it is read.

        Raises:
            ReadError: At first: of no known format, not readable, damaged, too slow, too large in
                memory, or the parser crashed on it. What it holds is not raised but told.
        """
        with TemporaryDirectory(prefix="veracite-") as scratch:
            answer = self._ask(path, Path(scratch, "members"))
            yield Part("", "", answer.found, answer.passages)
            yield from self._members(answer, "", 1)

    def _members(self, answer: Answer, above: str, depth: int) -> Iterator[Part]:
        for member in answer.members:
            name, place = above + member.name, Path(f"{member.file}.members")
            try:
                if member.reason is not None:
                    raise ReadError(member.reason, "Convert it to PDF or text.")
                if depth > _DEEPEST:
                    raise ReadError(
                        "It lies in an archive within an archive.", "Unpack the outer one."
                    )
                inner = self._ask(Path(member.file), place)
            except ReadError as error:
                yield Part(name, member.sha256, None, (), error.message, error.advice)
            else:
                yield Part(name, member.sha256, inner.found, inner.passages)
                yield from self._members(inner, f"{name}/", depth + 1)
                # The next one may unpack to as much.
                rmtree(place, ignore_errors=True)

    def _ask(self, path: Path, scratch: Path) -> Answer:
        """What the child says about a file."""
        if not known(path):
            raise ReadError(NOT_KNOWN, "Convert it to PDF or text.")
        child, pipe = self._running()
        too_late = Event()

        def give_up() -> None:
            too_late.set()
            with suppress(OSError):
                os.killpg(child.pid, signal.SIGKILL)

        timer = Timer(2 * self._timeout, give_up)
        timer.daemon = True  # an interruption may come before it is cancelled
        try:
            timer.start()
            request = [os.path.abspath(path), str(scratch), self._timeout]
            pipe.send_bytes(json.dumps(request).encode())
            answer = json.loads(pipe.recv_bytes())
        except (EOFError, OSError, ValueError) as error:
            if not isinstance(error, ValueError):
                # It closes its pipe a moment before it has ended by itself.
                with suppress(OSError, AttributeError):
                    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
            exit_code, used = self._end()
            if too_late.is_set() or exit_code == -signal.SIGPROF:
                raise ReadError(
                    f"Reading was stopped after {self._timeout:g} seconds.",
                    "Split the file, or save it again from another program.",
                ) from error
            if exit_code == -signal.SIGKILL:
                raise ENDED from error
            # It died of the request that would have passed the limit. A child's record begins with
            # that of the process that started it, and may say nothing of its own.
            if used > max(self._memory / 2, self._inherited):
                raise TOO_LARGE from error
            if self._inherited > self._memory / 2:
                raise CRASHED_OR_TOO_LARGE from error
            raise ReadError(
                "The reader crashed on this file.", "Open it and save it again, or leave it out."
            ) from error
        except BaseException:
            # Interrupted half-way: the child's next answer would belong to this file.
            self.close()
            raise
        finally:
            timer.cancel()
        if "message" in answer:
            if answer["message"] == TOO_LARGE.message:
                self._end()  # it may not have given everything back
            raise ReadError(**answer)
        return msgspec.convert(answer, Answer)

    def _running(self) -> tuple[subprocess.Popen[bytes], Connection]:
        if self._child is None or self._pipe is None or self._child.poll() is not None:
            self._pipe, other = Pipe()
            # -P: a module in the folder that the user stands in is none of ours.
            command = [sys.executable, "-P", "-m", "veracite.index.reading"]
            self._inherited = _MAXRSS * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            with other:
                self._child = subprocess.Popen(
                    [*command, str(other.fileno()), str(self._memory)],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    pass_fds=[other.fileno()],
                    start_new_session=True,
                )
        return self._child, self._pipe


def answer(path: Path, scratch: Path) -> Answer:
    """Read and cut a file, and write what it holds into a folder that is made for it.

    Raises:
        ReadError: As ``Reader.read``.
    """
    module = module_of(path)
    found = module.read(path)
    if len(found.text) > _MOST_CHARACTERS:
        raise ReadError(
            f"The file holds more than {_MOST_CHARACTERS:,} characters of text.", "Split it."
        )
    members = unpacked(module.members(path), scratch) if hasattr(module, "members") else ()
    return Answer(found, tuple(cut(found)), tuple(members))


def _told(path: Path, scratch: Path) -> dict[str, Any]:
    try:
        told: dict[str, Any] = msgspec.to_builtins(answer(path, scratch))
        return told
    except ReadError as error:
        failed = error
    except RecursionError:
        failed = ReadError("The file is nested too deeply.", "Save it in a flatter form.")
    except MemoryError:
        failed = TOO_LARGE
    except Exception as error:
        # The last stop before the process dies: a parser's bug is this file's failure, by name.
        failed = ReadError(
            f"The reader failed on this file ({type(error).__name__}: {error}).",
            "Please report the file; the others are not affected.",
        )
    return {"message": failed.message, "advice": failed.advice, "lacking": failed.lacking}


def serve(pipe: Connection, memory: int) -> None:
    """Be the child: answer until the pipe closes, within so many bytes of address space."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    # Some systems accept no such limits; that of time still holds.
    with suppress(ValueError, OSError):
        limit_memory(memory)
    refuse_sockets()
    with suppress(EOFError):
        while True:
            path, scratch, seconds = json.loads(pipe.recv_bytes())
            signal.setitimer(signal.ITIMER_PROF, seconds)  # which ends this process
            told = _told(Path(path), Path(scratch))
            signal.setitimer(signal.ITIMER_PROF, 0)
            pipe.send_bytes(json.dumps(told).encode())


def refuse_sockets() -> None:
    """From here on this process opens no socket of any kind: parsing needs none."""

    def refuse(event: str, _: tuple[Any, ...]) -> None:
        if event.startswith("socket."):
            raise PermissionError("a reader tried to open a network connection")

    sys.addaudithook(refuse)


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])), int(sys.argv[2]))
