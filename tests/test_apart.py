"""Every command works without a network interface, asks for none, and writes where it says only."""

import os
import re
import shlex
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import process, watching
from confined import confined, deeds, environment, without_network
from labelled import STATEMENTS, write_rows
from mill import DRAFT, write_documents
from tmux import terminal

VERACITE = [sys.executable, "-P", "-m", "veracite.tui"]
COMMANDS = {
    "check draft.md -a documents -o out/report.html --trace out/trace": 1,
    "ask 'Who owned the mill?' -a documents --json": 0,
    "fix draft.md -a documents -o out/fixed.md": 1,
    "library add documents": 0,
    "eval detect --data statements.jsonl --limit 4": 0,
}
OWN = (".cache/veracite", ".local/share/veracite", ".config/veracite")
TRIAL = "[a-z0-9_]{8}"
"""Python's tempfile asks so whether it may write."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A person's folder with documents and a draft, and one that reports go to."""
    home = tmp_path / "home"
    (home / "out").mkdir(parents=True, mode=0o700)
    write_documents(home / "documents")
    write_rows(home / "statements.jsonl", STATEMENTS)
    (home / "draft.md").write_text(DRAFT)
    return home


def require_apart(home: Path) -> None:
    """No socket that reaches another machine; all that was written is ours, and private.

    In the place for temporary files stood, for a while, what has our name.
    """
    done = deeds(home.parent / "notes")
    assert done.sockets <= {"AF_UNIX"}
    own = [home / name for name in (*OWN, "out")]
    parents = {parent for folder in own for parent in folder.parents}
    passing = done.outside(*own) - parents
    assert {path for path in passing if not path.is_relative_to(home / "tmp")} == set()
    named = {path.relative_to(home / "tmp").parts[0] for path in passing}
    assert {name for name in named if not re.fullmatch(f"veracite-.*|{TRIAL}", name)} == set()
    assert [*(home / "tmp").iterdir()] == []
    left = [path for folder in own for path in (folder, *folder.rglob("*")) if path.exists()]
    assert len(left) > 1
    # The list of fonts has nothing of a person, and stands in a private folder.
    loose = {path for path in left if path.stat().st_mode & 0o077}
    assert {path for path in loose if path.parent.name != "matplotlib"} == set()


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_stays_apart(command: str, home: Path) -> None:
    alone = confined(home.parent / "notes")
    words = [*VERACITE, *shlex.split(command)]
    ran = process(*alone, *words, env=environment(home), cwd=home, umask=0o022)
    assert ran.returncode == COMMANDS[command], ran.stderr
    require_apart(home)


def test_watching_stays_apart(home: Path) -> None:
    alone, environ = confined(home.parent / "notes"), environment(home)
    assert process(*VERACITE, "library", "add", home / "documents", env=environ).returncode == 0
    how: dict[str, Any] = {"env": environ, "umask": 0o022, "start_new_session": True}
    watched = watching(*alone, *VERACITE, "library", "watch", documents=home / "documents", **how)
    os.killpg(watched.pid, signal.SIGINT)
    assert watched.communicate()[0] == ""
    require_apart(home)


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not here: apt-get install tmux")
def test_the_app_stays_apart(home: Path) -> None:
    alone, environ = confined(home.parent / "notes"), environment(home)
    command = [
        "sh",
        "-c",
        f"umask 022; {shlex.join([*alone, *VERACITE])} draft.md; echo It ended.; exec cat",
    ]
    with terminal(command, (90, 40), environ, home) as tmux:
        tmux.wait_for("F5 Check")
        tmux.answer("C-l", "Check against", "~/documents")
        tmux.wait_for("against ~/documents")
        tmux.press("F5")
        tmux.wait_for("2 documents", "✗ 1")
        tmux.press("C-q")
        tmux.wait_for("It ended.")
    require_apart(home)


def test_what_reaches_for_the_network_would_be_seen(tmp_path: Path) -> None:
    reaching = """
import socket
from veracite.engine import apart, diagnosis
print(apart._counted(), diagnosis.guard().state)
try:
    socket.create_connection(("192.0.2.1", 9))
except OSError:
    print(apart._counted() > 0)
"""
    done = process(*without_network(), sys.executable, "-c", reaching)
    assert done.stdout == "0 broken\nTrue\n", done.stderr
    notes = tmp_path / "notes"
    process(*confined(notes), sys.executable, "-c", reaching, env=environment(tmp_path))
    assert {"AF_INET", "AF_INET6"} <= deeds(notes).sockets
