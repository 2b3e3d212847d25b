"""``veracite trace show``: what --trace wrote, readable in a terminal."""

import json
from pathlib import Path

import pytest
from command_line import Commands
from happened import EVENTS
from mill import FALSE

from veracite.engine.display import width_of
from veracite.engine.trace import SCHEMA, Entry, line


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """Of everything that can happen."""
    path = tmp_path / "trace.jsonl"
    path.write_text("".join(line(Entry(0.0, event)) for event in EVENTS), encoding="utf-8")
    return path


def test_a_check_is_told_from_its_trace(veracite: Commands, tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    veracite.check("--trace", trace)
    first, *rest = map(json.loads, trace.read_text().splitlines())
    assert first["schema"] == SCHEMA
    assert [item["at"] for item in rest] == sorted(item["at"] for item in rest)
    shown = veracite("trace", "show", trace)
    assert (shown.code, shown.err) == (0, "")
    assert max(map(width_of, shown.out.splitlines())) <= 80
    text = " ".join(shown.out.split())
    for words in (
        "The text was cut into 4 claims, 1 of them not checkable.",
        "mill.md (score",
        f"“{FALSE}”",
        "judged by veracite-verifier",
        "0 searches, 4 verdicts.",
    ):
        assert words in text


def test_a_terminal_without_unicode_gets_what_it_can_show(veracite: Commands, trace: Path) -> None:
    shown = veracite("trace", "show", trace, encoding="ascii")
    assert "+ supported (93 %)" in shown.out
    assert "\\u" not in shown.out


def test_what_is_cut_off_is_shown_as_far_as_it_goes(veracite: Commands, trace: Path) -> None:
    whole = trace.read_bytes()
    trace.write_bytes(whole[: whole.index(b'"event": "Judged"') + 30])
    shown = veracite("trace", "show", trace)
    assert shown.code == 0
    assert "Drafted (round 1" in shown.out
    assert "cannot be read: it is cut off." in shown.out
    assert "The trace ends here without a result" in " ".join(shown.out.split())
