"""Ctrl-C and SIGTERM at any moment: a sentence, exit code 130, and what was done is kept."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from command_line import Commands, interrupted
from mill import TRUE, TWO, write_documents

DOCUMENTS = 60
CLAIMS = 12


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    notes = {f"note-{n}.txt": f"Note {n} speaks of bee number {n}.\n" for n in range(DOCUMENTS)}
    return write_documents(tmp_path / "documents", {**TWO, **notes})


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    path = tmp_path / "draft.txt"
    claims = [TRUE, *(f"Bee {n} sleeps at noon." for n in range(CLAIMS - 1))]
    path.write_text("\n\n".join(claims))
    return path


def run_again(tmp_path: Path, draft: Path, documents: Path) -> list[dict[str, Any]]:
    trace = tmp_path / "again.jsonl"
    ran = Commands(tmp_path)("check", draft, "-a", documents, "--trace", trace, "--fail-on", "none")
    assert ran.code == 0, ran.err
    return [json.loads(line) for line in trace.read_text().splitlines()]


@pytest.mark.parametrize("with_signal", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_while_indexing(
    tmp_path: Path, draft: Path, documents: Path, with_signal: signal.Signals
) -> None:
    check = ("check", draft, "--against", documents, "--json")
    ran = interrupted(Commands(tmp_path), "FileRead", *check, by=with_signal)
    assert (ran.code, ran.out) == (130, "")
    assert ran.err.startswith("Interrupted. What was finished is kept; ")
    assert len(ran.err.splitlines()) == 1
    scanned = next(e for e in run_again(tmp_path, draft, documents) if e["event"] == "Scanned")
    assert scanned["files"] == DOCUMENTS + 2
    assert scanned["to_read"] < scanned["files"]


def test_interrupted_while_judging(tmp_path: Path, draft: Path, documents: Path) -> None:
    check = ("check", draft, "--against", documents, "--json")
    ran = interrupted(Commands(tmp_path), "Judged", *check)
    assert (ran.code, ran.out) == (130, "")
    assert ran.err.startswith("Interrupted.")
    again = run_again(tmp_path, draft, documents)
    assert next(e for e in again if e["event"] == "Scanned")["to_read"] == 0
    judged = [e for e in again if e["event"] == "Judged"]
    assert len(judged) == CLAIMS
    assert any(e["cached"] for e in judged)
    assert not all(e["cached"] for e in judged)
