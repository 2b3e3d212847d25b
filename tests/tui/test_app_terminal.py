"""The app in a real terminal: it opens, leaves at once whatever it is doing, and tidies up."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

F5, CTRL_Q = b"\x1b[15~", b"\x11"
ENTER_SCREEN, LEAVE_SCREEN = b"\x1b[?1049h", b"\x1b[?1049l"

_PATIENCE = 60
"""Seconds of silence after which a test that waits would wait for ever."""

BLOCKED = """
import threading
from veracite.engine.events import Segmented
from veracite.tui import app

class Blocked:
    def __init__(self, settings, paths): ...
    def check(self, text, against, path, markdown, place):
        yield Segmented(())
        threading.Event().wait()
    def cancel(self): ...
    def require(self, against): ...
    def described(self, against): return "documents"

app.LocalEngine = Blocked
raise SystemExit(app.run())
"""


class Terminal:
    """The other end of a program's terminal."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self.output = b""

    def send(self, keys: bytes) -> None:
        os.write(self._descriptor, keys)

    def read_until(self, text: bytes | None) -> None:
        """Read until the program has written this; None: until it is gone."""
        while text is None or text not in self.output:
            ready, _, _ = select.select([self._descriptor], [], [], _PATIENCE)
            assert ready, f"nothing more came, after {self.output[-2000:]!r}"
            try:
                chunk = os.read(self._descriptor, 65_536)
            except OSError:  # Linux says so when the last program has closed it
                chunk = b""
            if not chunk:
                assert text is None, f"{text!r} never came: {self.output[-2000:]!r}"
                return
            self.output += chunk


@contextmanager
def opened(code: str, tmp_path: Path) -> Iterator[tuple[Terminal, subprocess.Popen[bytes]]]:
    """Run Python code in a terminal of 80 by 24, with folders of its own."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    environment = os.environ | {
        "TERM": "xterm-256color",
        "VERACITE_DATA_DIR": str(tmp_path / "data"),
        "VERACITE_CACHE_DIR": str(tmp_path / "cache"),
        "VERACITE_CONFIG": os.devnull,
    }
    command = [sys.executable, "-c", code]
    with subprocess.Popen(
        command, stdin=its, stdout=its, stderr=its, env=environment, start_new_session=True
    ) as program:
        os.close(its)
        try:
            yield Terminal(ours), program
        finally:
            program.kill()
            os.close(ours)


def test_quitting_ends_the_process_although_a_step_never_ends(tmp_path: Path) -> None:
    with opened(BLOCKED, tmp_path) as (terminal, program):
        terminal.read_until(b"F5")
        terminal.send(b"One claim." + F5)
        terminal.read_until(b"Looking for documents")
        terminal.send(CTRL_Q)
        terminal.read_until(b"is not saved")
        terminal.send(b"d")
        terminal.read_until(None)
        assert program.wait() == 0
    assert terminal.output.rindex(LEAVE_SCREEN) > terminal.output.index(ENTER_SCREEN)


def test_where_the_terminal_writes_no_unicode_that_is_said(tmp_path: Path) -> None:
    code = "import sys; from veracite.tui.cli import main; sys.__stderr__.reconfigure("
    code += "encoding='latin-1'); sys.exit(main([]))"
    with opened(code, tmp_path) as (terminal, program):
        terminal.read_until(b"Set LANG to one of UTF-8")
        assert program.wait() == 2
    assert ENTER_SCREEN not in terminal.output
