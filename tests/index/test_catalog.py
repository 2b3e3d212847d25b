"""The catalog keeps what it is given, all or nothing."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from indexing import Counting, hashed, passage

from veracite.index import embeddings
from veracite.index.catalog import Catalog, FileStamp
from veracite.index.documents import Block, Cut, Document, Extraction
from veracite.index.errors import StorageError

STAMP = FileStamp(10, 20, "sha", "plain/1")


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    return Catalog(tmp_path / "catalog.db")


def new(text: str, heading: str | None = None, start: int = 0) -> Cut:
    made = passage("any", text, heading, start)
    return Cut(made.start, made.end, 1, heading, text, made.id)


def store(catalog: Catalog, path: str, *passages: Cut, text: str = "raw") -> None:
    found = Extraction(text, (Block("paragraph", 0, len(text)),), "plain/1", "Title", (0, 2))
    catalog.store(path, STAMP, found, passages)


def test_a_document_comes_back_as_it_was_stored(catalog: Catalog) -> None:
    store(catalog, "/a", new("one", "Heading"), text="raw \ud800 text")
    document = Document("/a", "sha", "plain/1", "Title")
    assert catalog.documents() == [document]
    assert catalog.text_and_pages(document) == ("raw \ud800 text", (0, 2))
    stored = new("one", "Heading")
    (found,) = catalog.passages([bytes.fromhex(stored.id)]).values()
    assert found.document == document
    assert (found.start, found.end, found.page) == (0, 3, 1)
    assert (found.heading, found.text, found.id) == ("Heading", "one", stored.id)


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


def test_missing_embeddings_come_by_length(catalog: Catalog) -> None:
    store(catalog, "/a", new("three words here"), new("one"), new("two", "With heading"))
    store(catalog, "/b", new("one"))
    missing = embeddings.missing_embeddings(catalog, "e")
    wanted = dict(zip(missing, ("one", "With heading. two", "three words here"), strict=True))
    assert embeddings.texts_to_encode(catalog, "e", missing) == wanted
    embeddings.add_embeddings(catalog, "e", missing[:1], hashed(["one"]))
    del wanted[missing[0]]
    assert embeddings.texts_to_encode(catalog, "e", [*missing, bytes(32)]) == wanted
    assert embeddings.missing_embeddings(catalog, "e") == missing[1:]
    assert embeddings.missing_embeddings(catalog, "other") == missing
    assert embeddings.count_embedded(catalog, "e") == 2


@pytest.mark.parametrize(
    "made",
    [np.zeros((1, 3)), np.zeros(2), np.full((2, 3), np.nan)],
    ids=["too few", "flat", "no numbers"],
)
def test_an_encoder_that_returns_nonsense_is_caught(made: np.typing.NDArray[np.float32]) -> None:
    with pytest.raises(ValueError, match="the encoder returned"):
        embeddings.encode(lambda texts: made, ["one", "two"])


def test_one_encoder_has_one_dimension(catalog: Catalog) -> None:
    embeddings.add_embeddings(catalog, "e", [b"1"], hashed(["one"]))
    with pytest.raises(ValueError, match="vectors of 32 numbers, now of 3"):
        embeddings.add_embeddings(catalog, "e", [b"2"], np.zeros((1, 3), dtype=np.float32))
    embeddings.add_embeddings(catalog, "other", [b"2"], np.zeros((1, 3), dtype=np.float32))


def test_vectors_are_scaled_to_length_one() -> None:
    encode = Counting()
    found = embeddings.encode(lambda texts: encode(texts) * 3, ["one", "two"])
    assert np.allclose(np.linalg.norm(found, axis=1), 1)


def test_a_closed_catalog_can_be_opened_again(catalog: Catalog, tmp_path: Path) -> None:
    store(catalog, "/a", new("one"))
    catalog.add_sources([Path("/b"), Path("/a")])
    catalog.close()
    again = Catalog(tmp_path / "catalog.db")
    assert again.sources() == (Path("/a"), Path("/b"))
    assert again.count_passages() == 1
    again.close()


def test_a_catalog_that_was_damaged_is_told_of(catalog: Catalog, tmp_path: Path) -> None:
    store(catalog, "/a", *(new(f"passage {number}" * 20) for number in range(500)))
    catalog.close()
    path = tmp_path / "catalog.db"
    content = bytearray(path.read_bytes())
    content[4096:] = bytes(len(content) - 4096)
    path.write_bytes(content)

    def use() -> None:
        damaged = Catalog(path)
        try:
            damaged.documents()
            damaged.passages([bytes.fromhex(new("one").id)])
        finally:
            damaged.close()

    with pytest.raises(StorageError) as caught:
        use()
    assert "damaged" in caught.value.message
