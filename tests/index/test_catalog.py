"""The catalog keeps what it is given, all or nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from indexing import cut_of

from veracite.index.catalog import Catalog, FileStamp
from veracite.index.documents import Block, Cut, Extraction, Row

STAMP = FileStamp(10, 20, "sha", "plain/1")


def test_a_transaction_that_fails_leaves_nothing(tmp_path: Path) -> None:
    catalog, rows = Catalog(tmp_path / "catalog.db"), (Row(0, 1, 2**70 + 1),)
    found = Extraction("raw", (Block("paragraph", 0, 3),), "plain/1", "Title", (0, 2), rows)
    catalog.store("/a", STAMP, found, [cut_of("one")])
    generation = catalog.generation("passages")

    def interrupted() -> Iterator[Cut]:
        yield cut_of("two")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        catalog.store("/a", STAMP, Extraction("x", (), "x"), interrupted())
    assert [d.path for d in catalog.documents()] == ["/a"]
    assert catalog.count_passages() == 1
    assert catalog.generation("passages") == generation
