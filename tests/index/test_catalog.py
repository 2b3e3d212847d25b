"""The catalog keeps what it is given, all or nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from indexing import passage

from veracite.index.catalog import Catalog, FileStamp
from veracite.index.documents import Block, Cut, Extraction, Row

STAMP = FileStamp(10, 20, "sha", "plain/1")


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    return Catalog(tmp_path / "catalog.db")


ROWS = (Row(0, 1, 2**70 + 1),)


def new(text: str, heading: str | None = None) -> Cut:
    made = passage("any", text, heading)
    return Cut(made.start, made.end, 1, heading, text, made.id)


def store(catalog: Catalog, path: str, *passages: Cut, text: str = "raw") -> None:
    found = Extraction(text, (Block("paragraph", 0, len(text)),), "plain/1", "Title", (0, 2), ROWS)
    catalog.store(path, STAMP, found, passages)


def test_a_transaction_that_fails_leaves_nothing(catalog: Catalog) -> None:
    store(catalog, "/a", new("one"))
    generation = catalog.generation("passages")

    def interrupted() -> Iterator[Cut]:
        yield new("two")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        catalog.store("/a", STAMP, Extraction("x", (), "x"), interrupted())
    assert [d.path for d in catalog.documents()] == ["/a"]
    assert catalog.count_passages() == 1
    assert catalog.generation("passages") == generation
