"""Every file is written whole or not at all."""

import os
import stat
from pathlib import Path

import pytest

from veracite.models.files import write_whole


def test_a_new_file_is_its_owners_and_one_that_is_there_keeps_its_mode(tmp_path: Path) -> None:
    path, link = tmp_path / "notes.md", tmp_path / "link.md"
    write_whole(path, "Größe")
    assert (path.read_text("utf-8"), stat.S_IMODE(path.stat().st_mode)) == ("Größe", 0o600)
    path.chmod(0o644)
    link.symlink_to("notes.md")
    write_whole(link, b"new")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"new", 0o644)
    assert os.readlink(link) == "notes.md"


def test_where_writing_fails_what_was_there_stays(tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "new \ud800")
    assert [p.name for p in tmp_path.iterdir()] == ["notes.md"]
    assert path.read_text() == "old"
