"""``veracite trace show``: what --trace wrote, readable in a terminal."""

import json
from pathlib import Path

import pytest
from command_line import Commands
from happened import EVENTS
from mill import DRAFT, FALSE, TRUE, UNFOUNDED
from reports import HOSTILE

from veracite.engine.display import width_of
from veracite.engine.events import Began, Drafted
from veracite.engine.trace import SCHEMA, Entry, line


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """Of everything that can happen."""
    path = tmp_path / "trace.jsonl"
    path.write_text("".join(line(Entry(0.0, event)) for event in EVENTS), encoding="utf-8")
    return path


def test_a_check_is_told_from_its_trace(
    veracite: Commands, documents: Path, tmp_path: Path
) -> None:
    trace = tmp_path / "trace.jsonl"
    veracite("check", "-", "-a", documents, "--trace", trace, stdin=DRAFT.encode())
    first, *rest = map(json.loads, trace.read_text().splitlines())
    assert first["schema"] == SCHEMA
    assert [item["at"] for item in rest] == sorted(item["at"] for item in rest)
    shown = veracite("trace", "show", trace)
    assert (shown.code, shown.err) == (0, "")
    assert max(map(width_of, shown.out.splitlines())) <= 80
    text = " ".join(shown.out.split())
    for words in (
        "The text was cut into 4 claims, 1 of them not checkable.",
        f"“{TRUE}”",
        "mill.md (score",
        "“The Harrow mill burned down in 1904.”",
        f"“{FALSE}”",
        "✗ contradicted (",
        f"“{UNFOUNDED}”",
        "? not found (",
        "judged by veracite-verifier",
        "4 claims: 1 supported, 1 contradicted, 1 not found, 1 not checkable.",
        "0 searches, 4 verdicts.",
    ):
        assert words in text


def test_a_terminal_without_unicode_gets_what_it_can_show(veracite: Commands, trace: Path) -> None:
    shown = veracite("trace", "show", trace, encoding="ascii")
    assert "+ supported (93 %)" in shown.out
    assert "\\u" not in shown.out


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_reaches_no_terminal(veracite: Commands, tmp_path: Path, text: str) -> None:
    path, events = (
        tmp_path / "trace.jsonl",
        (Began(text, text, text, {}), Drafted(text, "first", 1)),
    )
    path.write_text("".join(line(Entry(0.0, event)) for event in events), encoding="utf-8")
    shown = veracite("trace", "show", path)
    assert shown.out.replace("\n", "").isprintable()


def test_what_is_cut_off_is_shown_as_far_as_it_goes(veracite: Commands, trace: Path) -> None:
    whole = trace.read_bytes()
    trace.write_bytes(whole[: whole.index(b'"event": "Judged"') + 30])
    shown = veracite("trace", "show", trace)
    assert shown.code == 0
    assert "First draft" in shown.out
    assert "cannot be read: it is cut off." in shown.out
    assert "The trace ends here without a result" in " ".join(shown.out.split())


@pytest.mark.parametrize(
    "content", [b"", b"Dear reader,\n", b"\xff\xfe\x00\n{}\n", b'{"schema": "veracite.report/1"}']
)
def test_another_file_is_refused(veracite: Commands, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "letter").write_bytes(content)
    shown = veracite("trace", "show", tmp_path / "letter")
    shown.fails(3, "letter is no trace of Veracite. Name a file that --trace has written.")


def test_a_file_that_is_not_there_or_no_file(veracite: Commands, tmp_path: Path) -> None:
    missing = veracite("trace", "show", tmp_path / "nothing")
    missing.fails(2, "There is no trace")
    folder = veracite("trace", "show", tmp_path)
    folder.fails(3, "cannot be read")
