"""The child process that parses files: ``python -m veracite.index.worker``.

Reads requests from standard input and answers on standard output, each message a length of four
bytes (big-endian) and as many bytes of JSON. A request is ``{"path"}``; the answer is an
extraction's fields or ``{"message", "advice"}`` of a ``ReadError``. Ends when its input does.
"""

import json
import os
import signal
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO, cast


def sent(message: dict[str, object]) -> bytes:
    """One message as it goes through the pipe."""
    # File names may hold lone surrogates, which plain UTF-8 refuses.
    content = json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return len(content).to_bytes(4, "big") + content


def parsed(content: bytes | bytearray) -> dict[str, Any]:
    """A message from its bytes, without their length."""
    return cast("dict[str, Any]", json.loads(content.decode("utf-8", "surrogatepass")))


def _received(pipe: BinaryIO) -> dict[str, Any] | None:
    head = pipe.read(4)
    return parsed(pipe.read(int.from_bytes(head, "big"))) if len(head) == 4 else None


def answer(path: Path) -> dict[str, object]:
    """Read one file."""
    from veracite.index.errors import ReadError
    from veracite.index.readers import reader_of

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


def main(memory: int) -> None:
    """Serve requests until the pipe closes; the process may use so many bytes of address space."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    _limit_memory(memory)
    refuse_sockets()
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a library that prints must not break the protocol
    while (request := _received(requests)) is not None:
        answers.write(sent(answer(Path(str(request["path"])))))
        answers.flush()


def refuse_sockets() -> None:
    """From here on this process opens no socket of any kind: parsing needs none."""
    sys.addaudithook(_refuse)


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if event.startswith("socket."):
        raise PermissionError("a reader tried to open a network connection")


def _limit_memory(memory: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    except (ValueError, OSError):
        return  # some systems accept no such limit; the time limit still holds


if __name__ == "__main__":
    main(int(sys.argv[1]))
