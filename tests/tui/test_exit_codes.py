"""The exit codes of all commands, as docs/usage.md has them in a table."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import Commands
from mill import DRAFT, TRUE, write_documents

from veracite.index.library import Library
from veracite.index.storage import FolderLock

ROWS = [
    ("check true.md -a mills", 0),
    ("check draft.md -a mills", 1),
    ("check draft.md -a mills --fail-on not-found,uncertain", 1),
    ("check draft.md -a mills --fail-on not_checkable", 1),
    ("check draft.md -a mills --fail-on uncertain", 0),
    ("check draft.md -a busy", 1),
    ("search mill -a empty", 3),
    ("library add broken.pdf --name none", 1),
    ("library add documents broken.pdf --name mixed", 0),
    ("library sync mixed --strict", 1),
    ("library sync busy", 3),
    ("library add documents --name busy", 3),
    ("library remove busy documents", 3),
    ("library remove busy --yes", 3),
    ("library export busy -o bundle", 3),
    ("library repair busy", 3),
    ("library status busy", 0),
    ("library verify busy", 0),
    *((f"library {command} nosuch", 2) for command in ("status", "sync", "verify", "repair")),
    ("library export nosuch -o bundle", 2),
    ("library remove nosuch", 2),
]


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Commands]:
    """A home with two libraries, one of which another process is changing."""
    texts = {"draft.md": DRAFT, "true.md": TRUE, "broken.pdf": "no pdf"}
    home = write_documents(tmp_path_factory.mktemp("home"), texts)
    (home / "empty").mkdir()
    veracite = Commands(home)
    for name in ("mills", "busy"):
        veracite.facts("library", "add", veracite.documents, "--name", name)
    with FolderLock(home / "data" / "libraries" / "busy").held() as locked:
        assert locked
        yield veracite


@pytest.mark.parametrize(("command", "code"), ROWS, ids=[row[0] for row in ROWS])
def test_a_command_ends_with_the_code_of_the_table(
    here: Commands, command: str, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(here.home)
    monkeypatch.setattr("veracite.index.library.LOCK_WAIT_SECONDS", 0.0)
    monkeypatch.setitem(Library.sync.__kwdefaults__ or {}, "wait_seconds", 0.0)
    assert here(*shlex.split(command)).code == code


def test_the_table_has_every_code() -> None:
    usage = Path(__file__).parents[2] / "docs" / "usage.md"
    codes = re.findall(r"^\| (\d+) \| ", usage.read_text(encoding="utf-8"), re.M)
    assert [int(code) for code in codes] == [0, 1, 2, 3, 130]
