"""Reading happens in a child process: whatever happens to it, the parent goes on."""

import fcntl
import os
import re
import resource
import select
import signal
import sys
import termios
import threading
import zlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from command_line import process
from indexing import DirectReader, events, open_library, synced
from small_pdf import small_pdf

from veracite.index import reading
from veracite.index.errors import ReadError
from veracite.index.progress import Scanned


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.txt"
    path.write_text("One sentence.", encoding="utf-8")
    return path


def text_of(reader: reading.Reader, path: Path) -> str:
    found = next(reader.read(path)).found
    assert found is not None
    return found.text


def pid_of(reader: reading.Reader) -> int:
    assert reader.pid is not None
    return reader.pid


def request_is_waiting(reader: reading.Reader) -> bool:
    """Whether the parent has written a request that the (stopped) child has not taken."""
    assert reader._pipe is not None
    waiting: bytes = fcntl.ioctl(reader._pipe.fileno(), termios.TIOCOUTQ, b"\0" * 4)
    return waiting != b"\0" * 4


def failure_during_read(reader: reading.Reader, file: Path, disturb: object) -> ReadError:
    """Stop the child, let a thread ask it to read, then disturb; the error that the thread got."""
    text_of(reader, file)
    os.kill(pid_of(reader), signal.SIGSTOP)
    errors: list[ReadError] = []

    def work() -> None:
        try:
            text_of(reader, file)
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
    with reading.Reader() as reader:
        assert reader.pid is None
        text = text_of(reader, file)
        pid = pid_of(reader)
        assert text_of(reader, file) == text
        assert reader.pid == pid
    assert text == "One sentence."
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_child_killed_in_the_middle_of_a_file(file: Path) -> None:
    with reading.Reader() as reader:
        error = failure_during_read(reader, file, lambda: os.kill(pid_of(reader), signal.SIGKILL))
        assert error.message == reading.ENDED.message
        assert text_of(reader, file)


@pytest.mark.parametrize(("share", "said"), [(4, "crashed on this file."), (1, "or ran out of")])
def test_a_crash_is_no_lack_of_memory_because_this_process_has_much(
    share: int, said: str, file: Path
) -> None:
    def crash() -> None:
        os.kill(pid_of(reader), signal.SIGSEGV)
        os.kill(pid_of(reader), signal.SIGCONT)

    with reading.Reader() as reader:
        text_of(reader, file)
        reader._memory = share * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        assert said in failure_during_read(reader, file, crash).message


def test_a_program_that_a_reader_runs_ends_with_it(file: Path, tmp_path: Path) -> None:
    slow, told = tmp_path / "soffice", tmp_path / "told"
    os.mkfifo(told)
    slow.write_text(f"#!/bin/sh\necho $$ > {told}\nexec /bin/sleep 600\n")
    slow.chmod(0o755)
    (tmp_path / "old.doc").write_bytes(b"\xd0\xcf\x11\xe0 old")
    with pytest.MonkeyPatch.context() as patch, reading.Reader() as reader:
        patch.setenv("PATH", str(tmp_path))

        def read() -> None:
            with pytest.raises(ReadError):
                text_of(reader, tmp_path / "old.doc")

        work = threading.Thread(target=read)
        work.start()
        program = os.pidfd_open(int(told.read_text()))
        reader.close()
        work.join()
    ended, _, _ = select.select([program], [], [], 180)  # it may not have been its turn to die
    os.close(program)
    assert ended


def test_a_child_that_does_not_answer_is_given_up(file: Path) -> None:
    with reading.Reader() as reader:
        text_of(reader, file)
        pid = pid_of(reader)
        os.kill(pid, signal.SIGSTOP)
        reader._timeout = 0.05
        with pytest.raises(ReadError, match="stopped after"):
            text_of(reader, file)
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
        reader._timeout = reading.DEFAULT_TIMEOUT
        assert text_of(reader, file)


def test_ctrl_c_is_not_the_childs_business(file: Path) -> None:
    with reading.Reader() as reader:
        text_of(reader, file)
        pid = pid_of(reader)
        os.kill(pid, signal.SIGINT)
        assert text_of(reader, file)
        assert reader.pid == pid


def test_a_file_is_tried_again_where_more_memory_is_allowed(tmp_path: Path, file: Path) -> None:
    class Small(DirectReader):
        def _ask(self, path: Path, scratch: Path) -> reading.Answer:
            raise reading.TOO_LARGE

    for memory, reader, to_read in ((1, Small, 1), (1, DirectReader, 0), (2, DirectReader, 1)):
        with open_library(tmp_path / "library", memory=memory, open_reader=reader) as library:
            library.add([file])
            assert events(library)[0] == Scanned(1, to_read)


def packed(content: bytes) -> bytes:
    twice = zlib.compress(zlib.compress(content, 9), 9)
    head = b"<</Length %d/Filter[/FlateDecode/FlateDecode]>>stream\n" % len(twice)
    return head + twice + b"\nendstream"


def forms() -> Iterator[bytes]:
    """Ten times ten times ten: each form shows the next one ten times."""
    yield b"<</Length 5>>stream\n/X Do\nendstream"
    for number in range(6, 14):
        inner = b"<</XObject<</X %d 0 R>>>>" % number
        head = b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources%s/Length 59>>" % inner
        yield head + b"stream\n" + b"/X Do " * 10 + b"\nendstream"


class Impatient(reading.Reader):
    """Gives little time to one file."""

    def _ask(self, path: Path, scratch: Path) -> reading.Answer:
        self._timeout = 1.0 if path.name == "three.txt" else reading.DEFAULT_TIMEOUT
        return super()._ask(path, scratch)


FORM = b"/XObject<</X 5 0 R>>"


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("one.pdf", small_pdf(FORM, packed(b"BT (word )Tj " * 20_000_000)), "memory"),
        ("two.pdf", small_pdf(FORM, *forms()), "memory|stopped after"),
        ("three.txt", b"A.B.C.D. Mr. " * 300_000, "stopped after 1 seconds"),
    ],
)
def test_a_bomb_costs_its_file_only_and_is_not_tried_again(
    name: str, content: bytes, reason: str, tmp_path: Path, file: Path
) -> None:
    assert name[-3:] == "txt" or len(content) < 10_000
    (tmp_path / name).write_bytes(content)
    reader = partial(Impatient, memory=512 * 1024**2)
    with open_library(tmp_path / "library", tmp_path / name, file, open_reader=reader) as library:
        done = synced(library)
        assert (done.documents, done.failed) == (1, 1)
        assert re.search(reason, str(library.status().failed))
        (tmp_path / name).touch()
        assert events(library)[0] == Scanned(2, 0)


def test_the_child_that_parses_files_opens_no_socket() -> None:
    code = (
        "import socket; from veracite.index.reading import refuse_sockets; "
        "socket.socket().close(); refuse_sockets(); print('refusing'); socket.socket()"
    )
    done = process(sys.executable, "-c", code)
    assert (done.returncode, done.stdout) == (1, "refusing\n")
    assert done.stderr.splitlines()[-1].startswith("PermissionError")
