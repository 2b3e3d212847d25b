"""``veracite hook``, as pre-commit calls it."""

import re
import shlex
from pathlib import Path

import pytest
from command_line import Commands
from mill import DRAFT, FALSE, TRUE

HOOKS = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"


@pytest.fixture
def entry(kept: Commands) -> list[object]:
    """The words that the hook begins with, after the program's name."""
    line = re.search(r"^  entry: veracite (.+)$", HOOKS.read_text(encoding="utf-8"), re.M)
    assert line
    return [*shlex.split(line[1]), "--against", kept.documents]


def test_what_is_wrong_is_told_with_its_file_and_line(
    kept: Commands, entry: list[object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("good.md").write_text(f"# A mill\n\n{TRUE}\n")
    Path("bad.md").write_text(DRAFT)
    Path("empty.md").write_text("\n")
    ran = kept(*entry, "good.md", "bad.md", "empty.md")
    told = re.findall(r"^(\S+:\d+): (\w+[ \w]*) \(\d+ %\): (.*)\n    \S", ran.out, re.M)
    assert ran.code == 1
    found = [(place, label) for place, label, _ in told]
    assert found == [("bad.md:3", "contradicted"), ("bad.md:5", "not found")]
    assert told[0][2] == FALSE
    narrow = kept(*entry, "--fail-on", "contradicted", "bad.md").out
    assert "not found" not in narrow
    assert FALSE in narrow
    for files in ((), ("good.md",), ("empty.md",)):
        right = kept(*entry, *files)
        assert (right.code, right.out) == (0, "")


def test_a_file_cannot_write_to_the_terminal(
    kept: Commands, entry: list[object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad\x1b[2J.md").write_text("The Harrow \x1b]0;owned\x07mill burned down in 1911.\n")
    ran = kept(*entry, "bad\x1b[2J.md")
    assert ran.code == 1
    assert "\x1b" not in ran.out + ran.err


def test_what_cannot_be_checked_is_an_error(
    kept: Commands, entry: list[object], tmp_path: Path
) -> None:
    kept(*entry, tmp_path / "nowhere.md").fails(2, "nowhere.md")
    kept(*entry, tmp_path).fails(3, "cannot be read")
    (tmp_path / "picture.md").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0")
    kept(*entry, tmp_path / "picture.md").fails(3, "picture.md")
    kept(*entry, "--fail-on", "wrong").fails(2, "wrong")
