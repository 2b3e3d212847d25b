"""Runs the command line in this process, with streams of its own."""

import fcntl
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from unittest.mock import patch

from mill import DRAFT, write_documents

from veracite.tui.cli import main

Interrupt = Callable[..., None]
"""Has Ctrl-C pressed while an event is shown for which its first argument is true."""


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str

    def fails(self, code: int, *says: str) -> None:
        """It ended with this code, without a result, and with sentences that say all of this."""
        assert (self.code, self.out) == (code, ""), self.err
        assert "Traceback" not in self.err
        told = " ".join(self.err.split())
        for words in says:
            assert words in told, self.err


def process(*command: object, **how: Any) -> "subprocess.CompletedProcess[str]":
    """A process of its own, that has ended, with all that it wrote."""
    words = [str(word) for word in command]
    return subprocess.run(words, capture_output=True, text=True, check=False, **how)


def watching(*command: object, documents: Path, **how: Any) -> "subprocess.Popen[str]":
    """A process that watches two documents, and has told of them and of a third that came."""
    words = [str(word) for word in command]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(words, **pipes, **how)
    assert process.stdout
    assert process.stdout.readline().startswith("Up to date: 2 documents")
    (documents / "new.txt").write_text("The miller kept bees.\n")
    assert process.stdout.readline() == "Read new.txt\n"
    assert process.stdout.readline().startswith("Up to date: 3 documents")
    return process


class Terminal(io.TextIOWrapper):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


class Commands:
    """Runs commands with their data, cache and config below one folder."""

    def __init__(self, home: Path) -> None:
        self.home = home
        home.mkdir(exist_ok=True)
        if not (home / "config.toml").exists():
            (home / "config.toml").touch()
        self.environ = {
            "VERACITE_DATA_DIR": str(home / "data"),
            "VERACITE_CACHE_DIR": str(home / "cache"),
            "VERACITE_CONFIG": str(home / "config.toml"),
        }

    @cached_property
    def documents(self) -> Path:
        """Two documents in that folder."""
        return write_documents(self.home / "documents")

    @cached_property
    def draft(self) -> Path:
        """A text about them."""
        path = self.home / "draft.md"
        path.write_text(DRAFT)
        return path

    def __call__(
        self,
        *arguments: object,
        stdin: bytes = b"",
        environ: Mapping[str, str] | None = None,
        encoding: str = "utf-8",
        terminal: bool = False,
    ) -> Ran:
        """Run ``veracite ARGUMENTS``; with ``terminal``, standard output and error are one."""
        kind: Any = Terminal if terminal else io.TextIOWrapper
        out, err = io.BytesIO(), io.BytesIO()
        streams = {
            "stdin": io.TextIOWrapper(io.BytesIO(stdin)),
            "stdout": kind(out, encoding=encoding),
            "stderr": kind(err, encoding=encoding),
        }
        cleared = {"NO_COLOR": "", "FORCE_COLOR": "", "COLUMNS": "", "TERM": "xterm"}
        with (
            patch.multiple(sys, **streams),
            patch.dict("os.environ", {**cleared, **self.environ, **(environ or {})}),
        ):
            code = main([str(argument) for argument in arguments])
            sys.stdout.flush()
            sys.stderr.flush()
            return Ran(code, out.getvalue().decode(encoding), err.getvalue().decode(encoding))

    def check(self, *options: object, text: str | None = None, **how: Any) -> Ran:
        """Check the draft, or another text, against the documents."""
        told = "" if text is None else text
        source = self.draft if text is None else "-"
        command = ("check", source, "--against", self.documents, *options)
        return self(*command, stdin=told.encode(), **how)

    def ask(self, question: str, *options: object, **how: Any) -> Ran:
        """Ask the documents."""
        return self("ask", question, "--against", self.documents, *options, **how)

    def facts(self, *arguments: object) -> dict[str, Any]:
        """What a command says to programs, which ends well."""
        ran = self(*arguments, "--json")
        assert ran.code == 0, ran.err
        found: dict[str, Any] = json.loads(ran.out)
        return found


def interrupted(
    commands: Commands, event: str, *arguments: object, by: signal.Signals = signal.SIGINT
) -> Ran:
    """Run a command, and send a signal to it and its children at the first such event.

    The trace goes into a pipe that holds one page: the command cannot run ahead of the test, so it
    is known to be in the middle of its work when the signal arrives.
    """
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    command = [sys.executable, "-m", "veracite.tui", *map(str, arguments)]
    process = subprocess.Popen(
        [*command, "--trace", f"/dev/fd/{writing}"],
        env={**os.environ, **commands.environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        pass_fds=[writing],
        start_new_session=True,
    )
    os.close(writing)
    with open(reading, "rb", buffering=0) as trace:
        for line in trace:
            if json.loads(line)["event"] == event:
                os.killpg(process.pid, by)
                break
        for _ in trace:  # what was on its way
            pass
    out, err = process.communicate()
    return Ran(process.returncode, out, err)
