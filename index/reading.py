"""Reading files in a child process: a parser that hangs or crashes takes down only itself.

The child is ``python -m veracite.index.reading``. Messages go through its standard input and
output, each a length of four bytes (big-endian) and as many bytes of JSON. A request is
``{"path"}``; the answer is an extraction's fields or ``{"message", "advice"}`` of a ``ReadError``.
It ends when its input does.
"""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from threading import Event, Timer
from typing import IO, Any, Self, cast

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
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            child.wait()
            for pipe in (child.stdin, child.stdout):
                # A request that the child did not take is lost with it.
                with suppress(OSError):
                    cast("IO[bytes]", pipe).close()

    def read(self, path: Path) -> Extraction:
        """Read one file.

        Raises:
            ReadError: Of no known format, not readable, damaged, too slow, too large in memory, or
                the parser crashed on it.
        """
        if not known(path):
            raise ReadError("Files of this kind are not read.", "Convert it to PDF or text.")
        child = self._running()
        too_late = Event()

        def give_up() -> None:
            too_late.set()
            child.kill()

        timer = Timer(self._timeout, give_up)
        timer.start()
        try:
            _send(cast("IO[bytes]", child.stdin), {"path": os.path.abspath(path)})
            answer = _received(cast("IO[bytes]", child.stdout))
            if answer is None:
                raise EOFError
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

    def _running(self) -> subprocess.Popen[bytes]:
        if self._child is None or self._child.poll() is not None:
            self.close()
            # -P: a module in the folder that the user stands in is none of ours.
            self._child = subprocess.Popen(
                [sys.executable, "-P", "-m", "veracite.index.reading", str(self._memory)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        return self._child


def _send(pipe: IO[bytes], message: dict[str, Any]) -> None:
    # File names may hold lone surrogates, which plain UTF-8 refuses.
    content = json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")
    pipe.write(len(content).to_bytes(4, "big") + content)
    pipe.flush()


def _received(pipe: IO[bytes]) -> dict[str, Any] | None:
    """The next message; None where the other side has gone."""
    size = int.from_bytes(pipe.read(4), "big")
    content = pipe.read(size)
    if not size or len(content) < size:
        return None
    return cast("dict[str, Any]", json.loads(content.decode("utf-8", "surrogatepass")))


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


def serve(memory: int) -> None:
    """Be the child: answer until the pipe closes, within so many bytes of address space."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    _limit_memory(memory)
    refuse_sockets()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a library that prints must not break the protocol
    while (request := _received(sys.stdin.buffer)) is not None:
        _send(answers, _answer(Path(str(request["path"]))))


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
    serve(int(sys.argv[1]))
