"""A program in a real terminal: tmux draws its screen, the test types and reads."""

import os
import select
import shlex
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

PATIENCE = 600
"""Seconds after which what a test waits for is taken for something that never comes."""


class Terminal:
    """One program's screen and keyboard.

    Args:
        socket: Of the tmux server; nothing else runs on it.
    """

    def __init__(self, socket: Path) -> None:
        self._tmux = ("tmux", "-u", "-S", str(socket), "-f", os.devnull)

    def run(self, *arguments: str, environ: Mapping[str, str] | None = None) -> str:
        """What a command of tmux prints."""
        return subprocess.run(
            [*self._tmux, *arguments],
            env=environ,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            check=True,
            timeout=PATIENCE,
        ).stdout

    def press(self, *keys: str) -> None:
        """Press keys, by the names that tmux has for them: ``C-q``, ``F5``."""
        self.run("send-keys", *keys)

    def type(self, text: str) -> None:
        """Type a text."""
        self.run("send-keys", "-l", text)

    def answer(self, key: str, prompt: str, value: str) -> None:
        """Answer the prompt that a key opens, which is there with these words of its own."""
        self.press(key)
        self.wait_for(prompt)
        self.type(value)
        self.wait_for(value)
        self.press("Enter")

    def screen(self) -> str:
        """The characters on the screen, row by row."""
        return self.run("capture-pane", "-p")

    def words(self) -> str:
        """The same as one line, a single space between words: rows may break anywhere."""
        return " ".join(self.screen().split())

    def wait_for(self, *texts: str) -> str:
        """Read the screen whenever something is written on it, until it shows all of these.

        Returns its words.
        """
        with subprocess.Popen(
            [*self._tmux, "-C", "attach-session", "-r", "-f", "ignore-size"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as watching:
            assert watching.stdin
            assert watching.stdout
            last = time.monotonic() + PATIENCE
            while not all(text in (words := self.words()) for text in texts):
                left = last - time.monotonic()  # a cursor that blinks writes for ever
                if left <= 0 or not select.select([watching.stdout], [], [], left)[0]:
                    watching.kill()
                    pytest.fail(f"{texts} never came:\n{self.screen()}")
                os.read(watching.stdout.fileno(), 65_536)
            watching.stdin.close()
            watching.stdout.read()
        return words

    def told(self, *names: str) -> list[str]:
        """The values of variables of tmux, such as ``alternate_on``."""
        return self.run("display-message", "-p", " ".join(f"#{{{n}}}" for n in names)).split()


@contextmanager
def terminal(
    command: Sequence[str], size: tuple[int, int], environ: Mapping[str, str], folder: Path
) -> Iterator[Terminal]:
    """Run a command in a terminal of this size, which is gone afterwards.

    Args:
        environ: What the command's environment has besides that of the tests.
        folder: Where the command is run.
    """
    columns, rows = map(str, size)
    with tempfile.TemporaryDirectory(prefix="tmux-") as home:  # a socket's path must be short
        tmux = Terminal(Path(home, "socket"))
        ours = {name: value for name, value in os.environ.items() if name != "TMUX"}
        new = ("new-session", "-d", "-x", columns, "-y", rows, "-c", str(folder))
        tmux.run(*new, shlex.join(command), environ={**ours, **environ})
        try:
            yield tmux
        finally:
            tmux.run("kill-server")
