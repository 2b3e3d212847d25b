"""Ctrl-C and SIGTERM at any moment: a sentence, exit code 130, and what was done is kept.

The trace goes into a pipe that holds one page: the command cannot run ahead of the test, so it is
known to be in the middle of its work when the signal arrives.
"""

import fcntl
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import Commands
from mill import TRUE, write_documents

DOCUMENTS = 60
CLAIMS = 12


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = write_documents(tmp_path / "documents")
    for number in range(DOCUMENTS):
        (folder / f"note-{number}.txt").write_text(
            f"Note {number} speaks of bee number {number}.\n"
        )
    return folder


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    path = tmp_path / "draft.txt"
    path.write_text(
        TRUE + "\n\n" + "\n\n".join(f"Bee {n} sleeps at noon." for n in range(CLAIMS - 1))
    )
    return path


def interrupt_at(
    event: str, with_signal: signal.Signals, tmp_path: Path, draft: Path, documents: Path
) -> tuple[int, str, str]:
    """Run a check, send the signal to it and its children at the first such event."""
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    arguments = ["check", str(draft), "--against", str(documents), "--json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "veracite.tui", *arguments, "--trace", f"/dev/fd/{writing}"],
        env={**os.environ, **Commands(tmp_path).environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=[writing],
        start_new_session=True,
    )
    os.close(writing)
    with open(reading, "rb", buffering=0) as trace:
        for line in trace:
            if json.loads(line)["event"] == event:
                os.killpg(process.pid, with_signal)
                break
        for _ in trace:  # what was on its way
            pass
    out, err = process.communicate()
    return process.returncode, out.decode(), err.decode()


def run_again(tmp_path: Path, draft: Path, documents: Path) -> list[dict[str, Any]]:
    trace = tmp_path / "again.jsonl"
    ran = Commands(tmp_path)("check", draft, "-a", documents, "--trace", trace, "--fail-on", "none")
    assert ran.code == 0, ran.err
    return [json.loads(line) for line in trace.read_text().splitlines()]


@pytest.mark.parametrize("with_signal", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_while_indexing(
    tmp_path: Path, draft: Path, documents: Path, with_signal: signal.Signals
) -> None:
    code, out, err = interrupt_at("FileRead", with_signal, tmp_path, draft, documents)
    assert (code, out) == (130, "")
    assert err.startswith("Interrupted. What was finished is kept; ")
    assert len(err.splitlines()) == 1
    scanned = next(e for e in run_again(tmp_path, draft, documents) if e["event"] == "Scanned")
    assert scanned["files"] == DOCUMENTS + 2
    assert 0 < scanned["to_read"] < scanned["files"]


def test_interrupted_while_judging(tmp_path: Path, draft: Path, documents: Path) -> None:
    code, out, err = interrupt_at("Judged", signal.SIGINT, tmp_path, draft, documents)
    assert (code, out) == (130, "")
    assert err.startswith("Interrupted.")
    again = run_again(tmp_path, draft, documents)
    assert next(e for e in again if e["event"] == "Scanned")["to_read"] == 0
    judged = [e for e in again if e["event"] == "Judged"]
    assert len(judged) == CLAIMS
    assert any(e["cached"] for e in judged)
    assert not all(e["cached"] for e in judged)
