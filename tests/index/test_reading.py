"""Reading happens in a child process: whatever happens to it, the parent goes on."""

import fcntl
import os
import signal
import subprocess
import sys
import termios
import threading
from pathlib import Path

import pytest
from indexing import synced

from veracite.index.errors import ReadError
from veracite.index.library import Library
from veracite.index.reading import DEFAULT_TIMEOUT, Reader


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.txt"
    path.write_text("One sentence.", encoding="utf-8")
    return path


def pid_of(reader: Reader) -> int:
    assert reader.pid is not None
    return reader.pid


def request_is_waiting(reader: Reader) -> bool:
    """Whether the parent has written a request that the (stopped) child has not taken."""
    assert reader._pipe is not None
    waiting: bytes = fcntl.ioctl(reader._pipe.fileno(), termios.TIOCOUTQ, b"\0" * 4)
    return waiting != b"\0" * 4


def failure_during_read(reader: Reader, file: Path, disturb: object) -> ReadError:
    """Stop the child, let a thread ask it to read, then disturb; the error that the thread got."""
    reader.read(file)
    os.kill(pid_of(reader), signal.SIGSTOP)
    errors: list[ReadError] = []

    def work() -> None:
        try:
            reader.read(file)
        except ReadError as error:
            errors.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    while thread.is_alive() and not request_is_waiting(reader):
        pass
    disturb()  # type: ignore[operator]
    thread.join()
    return errors[0]


def test_one_child_reads_many_files_and_is_gone_afterwards(file: Path) -> None:
    with Reader() as reader:
        assert reader.pid is None
        extraction = reader.read(file)
        pid = pid_of(reader)
        assert reader.read(file) == extraction
        assert reader.pid == pid
    assert extraction.text == "One sentence."
    assert extraction.blocks[0].kind == "paragraph"
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_child_killed_in_the_middle_of_a_file(file: Path) -> None:
    with Reader() as reader:
        error = failure_during_read(reader, file, lambda: os.kill(pid_of(reader), signal.SIGKILL))
        assert error.message == "The reader crashed on this file."
        assert reader.read(file).blocks


def test_a_child_that_does_not_answer_is_given_up(file: Path) -> None:
    with Reader() as reader:
        reader.read(file)
        pid = pid_of(reader)
        os.kill(pid, signal.SIGSTOP)
        reader._timeout = 0.05
        with pytest.raises(ReadError, match="stopped after"):
            reader.read(file)
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
        reader._timeout = DEFAULT_TIMEOUT
        assert reader.read(file).blocks


def test_ctrl_c_is_not_the_childs_business(file: Path) -> None:
    with Reader() as reader:
        reader.read(file)
        pid = pid_of(reader)
        os.kill(pid, signal.SIGINT)
        assert reader.read(file).blocks
        assert reader.pid == pid


def test_a_file_that_needs_too_much_memory(tmp_path: Path, file: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_bytes(b"word " * 14_000_000)
    with Reader(memory=192 * 1024**2) as reader:
        with pytest.raises(ReadError, match=r"more memory|crashed"):
            reader.read(path)
        assert reader.read(file).blocks


def test_a_name_that_is_no_utf8(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9.txt")
    path.write_text("Coffee is served.", encoding="utf-8")
    with Library(tmp_path / "library") as library:
        library.add([path])
        assert synced(library).failed == 0
        (found,) = library.search("coffee", k=1)
        assert found.passage.document.path == str(path)
        assert library.raw_text(found.passage.document) == "Coffee is served."


def test_the_child_that_parses_files_opens_no_socket() -> None:
    code = (
        "from veracite.index.reading import refuse_sockets\n"
        "import socket\n"
        "socket.socket().close()\n"
        "refuse_sockets()\n"
        "try:\n"
        "    socket.socket()\n"
        "except PermissionError:\n"
        "    print('refused')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "refused\n"
