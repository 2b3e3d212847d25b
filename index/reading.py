"""Reading files in a child process: a parser that hangs or crashes takes down only itself."""

import io
import os
import selectors
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from veracite.index.documents import Block, Extraction
from veracite.index.errors import ReadError
from veracite.index.readers import known
from veracite.index.worker import parsed, sent

DEFAULT_TIMEOUT = 120.0
"""Seconds that one file may take."""
DEFAULT_MEMORY = 4 * 1024**3
"""Bytes of address space that the child may use."""
_CHUNK = 1 << 20


class _Ended(Exception):
    """The child closed its pipe."""


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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the child at once, whatever it is doing. The reader may be used again after."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            child.wait()
            for pipe in (child.stdin, child.stdout):
                if pipe is not None:
                    pipe.close()

    def read(self, path: Path) -> Extraction:
        """Read one file.

        Raises:
            ReadError: Of no known format, not readable, damaged, too slow, too large in memory, or
                the parser crashed on it.
        """
        if not known(path):
            raise ReadError("Files of this kind are not read.", "Convert it to PDF or text.")
        child = self._running()
        try:
            answer = self._exchange(child, path)
        except TimeoutError as error:
            self.close()
            raise ReadError(
                f"Reading was stopped after {self._timeout:g} seconds.",
                "Split the file, or save it again from another program.",
            ) from error
        except (_Ended, OSError, ValueError) as error:
            self.close()
            raise ReadError(
                "The reader crashed on this file.", "Open it and save it again, or leave it out."
            ) from error
        except BaseException:
            # Interrupted half-way: the child's next answer would belong to this file.
            self.close()
            raise
        return _extraction(answer)

    def _running(self) -> subprocess.Popen[bytes]:
        if self._child is None or self._child.poll() is not None:
            self.close()
            # -P: a module in the folder that the user stands in is none of ours.
            self._child = subprocess.Popen(
                [sys.executable, "-P", "-m", "veracite.index.worker", str(self._memory)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
            )
        return self._child

    def _exchange(self, child: subprocess.Popen[bytes], path: Path) -> dict[str, Any]:
        assert child.stdin is not None
        assert child.stdout is not None
        deadline = time.monotonic() + self._timeout
        # Our own descriptor: close() from another thread must not take it away under select.
        with os.fdopen(os.dup(child.stdout.fileno()), "rb", buffering=0) as answers:
            child.stdin.write(sent({"path": os.path.abspath(path)}))
            size = int.from_bytes(_received(answers, 4, deadline), "big")
            return parsed(_received(answers, size, deadline))


def _received(pipe: io.FileIO, size: int, deadline: float) -> bytearray:
    content = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while len(content) < size:
            if not selector.select(max(0.0, deadline - time.monotonic())):
                raise TimeoutError
            chunk = pipe.read(min(_CHUNK, size - len(content)))
            if not chunk:
                raise _Ended
            content += chunk
    return content


def _extraction(answer: dict[str, Any]) -> Extraction:
    if "message" in answer:
        raise ReadError(answer["message"], answer["advice"])
    return Extraction(
        text=answer["text"],
        blocks=tuple(Block(**block) for block in answer["blocks"]),
        extractor=answer["extractor"],
        title=answer["title"],
        pages=tuple(answer["pages"]),
    )
