"""Reading files in a child process: a parser that hangs or crashes takes down only itself.

The child is ``python -m veracite.index.reading``. Messages are JSON and go through a pipe: a path,
then an extraction's fields or ``{"message", "advice"}`` of a ``ReadError``. The child ends when the
other end of the pipe is closed.
"""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event, Timer
from typing import Any, Self

import msgspec

from veracite.index.documents import Extraction
from veracite.index.errors import ReadError
from veracite.index.readers import known, reader_of

DEFAULT_TIMEOUT = 120.0
"""Seconds that one file may take."""
DEFAULT_MEMORY = 4 * 1024**3
"""Bytes of address space that the child may use."""


class Reader:
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

    @property
    def pid(self) -> int | None:
        """Of the child; None while there is none."""
        return self._child.pid if self._child else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the child at once, whatever it is doing. The reader may be used again after."""
        # Its pipe closes when nobody reads from it any more.
        child, self._child, self._pipe = self._child, None, None
        if child is not None:
            child.kill()
            child.wait()

    def read(self, path: Path) -> Extraction:
        """Read one file.

        Raises:
            ReadError: Of no known format, not readable, damaged, too slow, too large in memory, or
                the parser crashed on it.
        """
        if not known(path):
            raise ReadError("Files of this kind are not read.", "Convert it to PDF or text.")
        child, pipe = self._running()
        too_late = Event()

        def give_up() -> None:
            too_late.set()
            child.kill()

        timer = Timer(self._timeout, give_up)
        timer.daemon = True  # an interruption may come before it is cancelled
        try:
            timer.start()
            pipe.send_bytes(json.dumps(os.path.abspath(path)).encode())
            answer = json.loads(pipe.recv_bytes())
        except (EOFError, OSError, ValueError) as error:
            self.close()
            if too_late.is_set():
                raise ReadError(
                    f"Reading was stopped after {self._timeout:g} seconds.",
                    "Split the file, or save it again from another program.",
                ) from error
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
            raise ReadError(answer["message"], answer["advice"])
        return msgspec.convert(answer, Extraction)

    def _running(self) -> tuple[subprocess.Popen[bytes], Connection]:
        if self._child is None or self._pipe is None or self._child.poll() is not None:
            self._pipe, other = Pipe()
            # -P: a module in the folder that the user stands in is none of ours.
            command = [sys.executable, "-P", "-m", "veracite.index.reading"]
            with other:
                self._child = subprocess.Popen(
                    [*command, str(other.fileno()), str(self._memory)],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    pass_fds=[other.fileno()],
                )
        return self._child, self._pipe


def _answer(path: Path) -> dict[str, Any]:
    try:
        return asdict(reader_of(path)(path))
    except ReadError as error:
        return {"message": error.message, "advice": error.advice}
    except MemoryError:
        return {
            "message": "Reading this file needs more memory than is allowed.",
            "advice": "Split it into smaller files.",
        }
    except Exception as error:
        # The last stop before the process dies: a parser's bug is this file's failure, by name.
        return {
            "message": f"The reader failed on this file ({type(error).__name__}: {error}).",
            "advice": "Please report the file; the others are not affected.",
        }


def serve(pipe: Connection, memory: int) -> None:
    """Be the child: answer until the pipe closes, within so many bytes of address space."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    _limit_memory(memory)
    refuse_sockets()
    with suppress(EOFError):
        while True:
            answer = _answer(Path(json.loads(pipe.recv_bytes())))
            pipe.send_bytes(json.dumps(answer).encode())


def refuse_sockets() -> None:
    """From here on this process opens no socket of any kind: parsing needs none."""

    def refuse(event: str, _: tuple[Any, ...]) -> None:
        if event.startswith("socket."):
            raise PermissionError("a reader tried to open a network connection")

    sys.addaudithook(refuse)


def _limit_memory(memory: int) -> None:
    # Windows has no such limits, and some systems accept none; the time limit still holds.
    with suppress(ImportError, ValueError, OSError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        limit = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])), int(sys.argv[2]))
