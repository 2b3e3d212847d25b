"""A folder of documents and libraries that are closed again."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from indexing import OpenLibrary, open_library, synced, write_corpus
from mill import write_documents

from veracite.index.library import Library


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A folder with three small documents."""
    texts = {
        "tower.txt": "The tower stands in Paris. It was finished in 1889.",
        "paint.txt": "Painters covered the tower in red paint in 1890.",
        "dogs.txt": "Dogs bark at night and sleep by day.",
    }
    return write_documents(tmp_path / "source", texts)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Files with 144 passages, more than three segments or two batches."""
    return write_corpus(tmp_path_factory.mktemp("corpus"))


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[OpenLibrary]:
    """Opens libraries that follow sources, in ``tmp_path / "library"`` (or ``folder``), and closes
    them."""
    with ExitStack() as stack:

        def make(*follows: Path, folder: Path = tmp_path / "library", **settings: Any) -> Library:
            return stack.enter_context(open_library(folder, *follows, **settings))

        yield make


@pytest.fixture
def library(opened: OpenLibrary, source: Path) -> Library:
    """A library of ``source``, synced."""
    made = opened(source)
    synced(made)
    return made
