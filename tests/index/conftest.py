"""A folder of documents and libraries that are closed again."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from indexing import OpenLibrary, open_library, synced

from veracite.index.library import Library


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A folder with three small documents."""
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "tower.txt").write_text(
        "The tower stands in Paris. It was finished in 1889.", encoding="utf-8"
    )
    (folder / "paint.txt").write_text(
        "Painters covered the tower in red paint in 1890.", encoding="utf-8"
    )
    (folder / "dogs.txt").write_text("Dogs bark at night and sleep by day.", encoding="utf-8")
    return folder


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[OpenLibrary]:
    """Opens libraries in ``tmp_path / "library"`` (or ``folder``), and closes them."""
    with ExitStack() as stack:

        def make(folder: Path = tmp_path / "library", **settings: object) -> Library:
            return stack.enter_context(open_library(folder, **settings))

        yield make


@pytest.fixture
def library(opened: OpenLibrary, source: Path) -> Library:
    """A library of ``source``, synced."""
    made = opened()
    made.add([source])
    synced(made)
    return made
