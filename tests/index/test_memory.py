"""A library in memory answers as the library on disk does."""

from pathlib import Path

import pytest

from veracite.index.library import Library
from veracite.index.memory import MemoryLibrary, Text, Vectors
from veracite.index.retrieval import Mode
from veracite.models.bundled import bundled_encoder
from veracite.models.encoder import Encoder

TEXTS = {
    "dome.txt": "The dome was built by a boatyard in Penmouth. It turns on forty oak rollers.\n\n"
    "Visitors come by a cable railway that opened in 1931.",
    "mill.txt": "The mill ground oats until 1962. Its wheel is nine metres high.",
    "quay.txt": "Herring boats landed at the quay. A crane was added in 1904 and sold in 1950.",
}
QUERIES = ["Who built the dome?", "the height of the wheel", "When was the crane sold?", "railway"]


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return bundled_encoder(threads=1)


@pytest.fixture
def memory(encoder: Encoder) -> MemoryLibrary:
    return MemoryLibrary(
        [Text(path, text) for path, text in TEXTS.items()], Vectors(encoder.encode)
    )


@pytest.mark.parametrize("mode", ["hybrid", "dense", "lexical"])
def test_it_finds_what_the_library_on_disk_finds(
    mode: Mode, memory: MemoryLibrary, encoder: Encoder, tmp_path: Path
) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    with Library(tmp_path / "i", encode=encoder.encode, encoder_id=encoder.id) as library:
        library.add([folder])
        for _ in library.sync():
            pass
        on_disk = library.search_many(QUERIES, k=3, mode=mode)
    for here, there in zip(memory.search_many(QUERIES, k=3, mode=mode), on_disk, strict=True):
        assert [e.passage.text for e in here] == [e.passage.text for e in there]
        # On the disk embeddings are of half precision.
        assert [e.score for e in here] == pytest.approx([e.score for e in there], abs=1e-3)
        assert [e.cosine for e in here] == pytest.approx([e.cosine for e in there], abs=1e-4)
        assert [e.bm25 for e in here] == pytest.approx([e.bm25 for e in there])


def test_without_vectors_words_alone_are_searched() -> None:
    library = MemoryLibrary([Text(path, text) for path, text in TEXTS.items()], None)
    (found,) = library.search_many(["crane"], k=4)
    assert [(e.passage.document.path, e.cosine) for e in found] == [("quay.txt", None)]
