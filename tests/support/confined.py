"""Commands without a network interface, whose every socket and every write is written down."""

import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from command_line import process

NAMESPACES = (["unshare", "--map-root-user", "--net"], ["unshare", "--net"])
_WRITING = (
    "open openat openat2 creat mkdir mkdirat mknod mknodat rename renameat renameat2 link linkat "
    "symlink symlinkat unlink unlinkat rmdir truncate chmod fchmodat"
).split()
_CALL = re.compile(r"(?:\d+ +)?(\w+)\((.*)")
_PLACE = re.compile(r'(?:[A-Z_]*\d*<([^>]*)>, )?"((?:[^"\\]|\\.)*)"')
_DEVICES = re.compile(r"/dev/(?:null|tty|ptmx|pts/\d+)|/proc/(?:self|\d+)/.*")


@dataclass(frozen=True)
class Deeds:
    """What a command and all of its children did, by their system calls."""

    sockets: frozenset[str]
    """The families of all sockets that were asked for."""
    written: frozenset[Path]
    """Every path that was opened for writing, made, renamed or deleted, whether or not it worked;
    devices aside."""

    def outside(self, *folders: Path) -> set[Path]:
        """What was written that is in none of these."""
        return {p for p in self.written if not any(p.is_relative_to(f) for f in folders)}


def without_network() -> Sequence[str]:
    """A command that runs others without one; skips the test where that is not permitted."""
    for command in NAMESPACES:
        if shutil.which(command[0]) and process(*command, "true").returncode == 0:
            return command
    pytest.skip("network namespaces are not permitted here")


def confined(notes: Path) -> list[str]:
    """What to put before a command; its system calls are written to ``notes``.

    Raises:
        Skipped: There is no strace, or it or a network namespace is not permitted here.
    """
    alone = [*without_network()]
    calls = ",".join(["trace=%network", *_WRITING])
    strace = ["strace", "-f", "--seccomp-bpf", "-y", "-qq", "-e", calls, "-e", "signal=none"]
    strace += ["-o", str(notes)]
    if shutil.which("strace") is None:
        pytest.skip("strace is not here: apt-get install strace")
    if process(*alone, *strace, "true").returncode:
        pytest.skip("strace is not permitted here")
    return [*alone, *strace]


def environment(home: Path) -> dict[str, str]:
    """Of a person with nothing but this folder, whose temporary files go to ``home/tmp``."""
    (home / "tmp").mkdir(exist_ok=True)
    return {
        "HOME": str(home),
        "TMPDIR": str(home / "tmp"),
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "PYTHONDONTWRITEBYTECODE": "1",  # the interpreter's own, beside our modules
    }


def deeds(notes: Path) -> Deeds:
    """What strace wrote down."""
    sockets, written = set(), set()
    for line in notes.read_text("utf-8", "surrogateescape").splitlines():
        call = _CALL.match(line)
        if call is None:  # the rest of a call whose beginning was met before, or an exit
            continue
        name, arguments = call.groups()
        if name in ("socket", "socketpair"):
            sockets.add(re.split(r"[,) ]", arguments)[0])
        elif name in _WRITING and not _only_reads(name, arguments):
            for folder, path in _PLACE.findall(arguments):
                place = Path(os.path.normpath(os.path.join(folder, path)))
                if not _DEVICES.fullmatch(str(place)):
                    written.add(place)
    return Deeds(frozenset(sockets), frozenset(written))


def _only_reads(name: str, arguments: str) -> bool:
    return name.startswith("open") and not re.search(r"O_(?:WRONLY|RDWR|CREAT|TRUNC)", arguments)
