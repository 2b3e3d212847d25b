"""A process that is killed at any moment leaves nothing lost, doubled or stuck."""

import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import killing
import pytest
from indexing import ENCODER, LARGE, open_library, queries, synced, write_corpus
from killing import OTHER, home_of, work

from veracite.engine.bundles.libraries import export_library
from veracite.engine.libraries import Libraries

OPERATIONS = ("sync", "edit", "remove", "delete", "import", "encode")  # which ends with compaction
WAYS = {"step": signal.SIGKILL, "time": signal.SIGALRM}
KILLS = [pytest.param(n, marks=[pytest.mark.long] if n >= 10 else []) for n in range(200)]


@pytest.mark.parametrize("number", KILLS)
def test_what_was_killed_is_done_by_doing_it_again(tmp_path: Path, number: int) -> None:
    operation, share = OPERATIONS[number % len(OPERATIONS)], Random(number).random()
    way = [*WAYS][number // len(OPERATIONS) % len(WAYS)]
    folder, corpus = tmp_path / "libraries" / "kept", tmp_path / "corpus"
    folder.parent.mkdir()
    paths = write_corpus(corpus)
    if operation not in ("sync", "import"):
        work("sync", folder, corpus)
    if operation == "edit":
        paths[0].rename(corpus / "moved.txt")
        paths[1].unlink()
        paths[2].write_text(paths[2].read_text() + "\n\nThis is new.")
    if operation == "import":
        work("sync", tmp_path / "away" / "libraries" / "kept", corpus)
        libraries = Libraries(home_of(tmp_path / "away" / "libraries" / "kept"))
        list(export_library(libraries, "kept", tmp_path / "bundle"))
    killed = subprocess.run(
        [sys.executable, killing.__file__, operation, str(folder), str(corpus), way, str(share)],
        capture_output=True,
    )
    assert (killed.returncode, killed.stderr) == (-WAYS[way], b"")
    again = "encode" if operation == "encode" else "sync"
    if operation == "remove" or (operation == "import" and not folder.exists()):
        again = operation
    if operation == "delete" and not folder.exists():
        return  # all of it is gone, or none
    work(again, folder, corpus)
    assert Libraries(home_of(folder)).names() == ("kept",)
    encoder = OTHER if operation == "encode" else ENCODER
    with (
        open_library(folder, encoder_id=encoder, **LARGE) as library,
        open_library(tmp_path / "fresh", encoder_id=encoder) as fresh,
    ):
        fresh.add([corpus / "document-01.txt"] if operation == "remove" else [corpus])
        synced(fresh)
        assert synced(library) == synced(fresh)
        assert library.verify() == []
        assert library.sources == fresh.sources
        assert library.documents() == fresh.documents()
        asked = queries([path for path in paths if path.exists()])
        assert library.search_many(asked, k=5) == fresh.search_many(asked, k=5)
        assert library.other_encoders == []
        assert kept(folder) == kept(tmp_path / "fresh")
        with closing(sqlite3.connect(folder / "catalog.db")) as catalog:
            segments = [file for (file,) in catalog.execute("SELECT file FROM segments")]
        assert sorted(segments) == sorted(path.name for path in folder.glob("dense-*"))
    Libraries(home_of(folder)).delete("kept")
    assert not [*folder.parent.glob(".staging/*")]


def kept(folder: Path) -> list[str]:
    """What lies in a library's folder but segments, without numbers that count its changes."""
    names = (path.name for path in folder.iterdir() if not path.name.startswith("dense-"))
    return sorted(re.sub(r"-\d+$", "", name) for name in names)
