"""What is found depends on the passages and the query alone: by words, by meaning, by both."""

from pathlib import Path

import numpy as np
import pytest
from indexing import OpenLibrary, hashed, synced, texts
from mill import write_documents

from veracite.index.documents import Document, Passage
from veracite.index.embeddings import encode
from veracite.index.lexical import Lexical
from veracite.index.library import Library
from veracite.index.memory import MemoryLibrary, Text, Vectors
from veracite.index.retrieval import Mode, best, fuse

RED = "Painters covered the tower in red paint in 1890."
PASSAGES = [
    (1, None, "NASA announced its budget for 2024."),
    (2, None, "The café in Zürich serves coffee."),
    (3, "Space agencies", "They announced nothing."),
    (4, None, "Running dogs ran past the runner."),
    (5, "\ud800", "\udcff lone \x00 surrogates"),
    (6, None, "x" * 100_000),
]


def lexical(passages: list[tuple[int, str | None, str]]) -> Lexical:
    made = Lexical(None)
    made.add(passages)
    return made


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("NASA: budget", [1]),
        ('"budget" AND (NOT) nasa* [2024 TO', [1]),
        ("CAFE zurich", [2]),
        ("cafe\u0301", [2]),
        *[("runs", [4]), ("space agency", [3]), ("surrogates \ud800", [5])],
        *[("?! --", []), ("", []), ("unheard " * 100_000, [])],
    ],
)
def test_plain_words_find_passages_whatever_they_look_like(query: str, expected: list[int]) -> None:
    assert [passage for passage, _ in lexical(PASSAGES).search(query, 10)] == expected


def test_passages_of_equal_score_stand_by_id() -> None:
    index = lexical([(900 - number, None, "same words") for number in range(60)])
    assert [passage for passage, _ in index.search("same", 5)] == [841, 842, 843, 844, 845]


@pytest.mark.parametrize("made", [np.zeros((1, 3)), np.zeros(2), np.full((2, 3), np.nan)])
def test_an_encoder_that_returns_nonsense_is_caught(made: np.typing.NDArray[np.float32]) -> None:
    with pytest.raises(ValueError, match="the encoder returned"):
        encode(lambda texts: made, ["one", "two"])


def test_fusion_is_the_weighted_mean_of_standard_scores_stretched_to_one() -> None:
    near, words = {"a": 0.9, "b": 0.5, "c": 0.1}, {"b": 8.0, "c": 4.0, "d": 4.0}
    for floor, least in ((0.5, 0.5), (None, 0.1)):  # c and d count as the least
        spread = np.array([[0.9, 0.5, least, least], [0.0, 8.0, 4.0, 4.0]])
        standard = (spread - spread.mean(1, keepdims=True)) / spread.std(1, keepdims=True)
        for meaning in (0.5, 0.8):
            mixed = np.array([meaning, 1 - meaning]) @ standard
            expected = (mixed - mixed.min()) / np.ptp(mixed)
            fused = fuse(near, words, meaning, floor=floor)
            assert fused == pytest.approx(dict(zip("abcd", expected, strict=True)))
    assert fuse({"a": 0.9}, {}, 0.8) == {"a": 0.8}
    assert fuse({}, {}) == {}


def test_hybrid_trusts_meaning_more_where_both_rankings_are_sure() -> None:
    passages = {
        number: Passage(Document(f"{number}.txt", "0", "plain", None), 0, 1, None, None, "", "")
        for number in range(3)
    }
    cosines, words = {0: 0.9, 1: 0.3, 2: 0.2}, {1: 9.0, 2: 8.0}

    def order(mode: Mode) -> list[str]:
        found = best(passages, cosines, cosines, words, k=3, mode=mode)
        return [evidence.passage.document.path for evidence in found]

    assert order("hybrid") == ["0.txt", "1.txt", "2.txt"]
    assert order("pooled") == ["1.txt", "0.txt", "2.txt"]
    # What words alone found counts as near as it is, not as near as the last of the nearest.
    cosines, words = {0: 0.9, 1: 0.8, 2: 0.1}, {2: 9.0, 1: 1.0}
    found = best(passages, [0, 1], cosines, words, k=3, mode="hybrid")
    assert [evidence.passage.document.path for evidence in found] == ["0.txt", "1.txt", "2.txt"]


def test_modes_use_the_rankings_they_name(library: Library) -> None:
    (by_words,) = library.search("painters", k=3, mode="lexical")
    assert (by_words.passage.text, by_words.cosine) == (RED, None)
    dense = library.search("painters", k=3, mode="dense")
    assert len(dense) == 3
    assert {evidence.bm25 for evidence in dense} == {None}
    assert [e.cosine for e in dense] == sorted((e.cosine or 0 for e in dense), reverse=True)
    first, *others = library.search("painters", k=3)
    assert (first.passage.text, first.bm25 is None) == (RED, False)
    assert {evidence.bm25 for evidence in others} == {None}


def test_documents_of_equal_score_stand_in_order_of_path(
    opened: OpenLibrary, tmp_path: Path
) -> None:
    colours = {"c.txt": "green", "a.txt": "brown", "b.txt": "white"}
    houses = {name: f"The {colour} house." for name, colour in colours.items()}
    folder = write_documents(tmp_path / "equal", houses)
    library = opened(encode=None, encoder_id=None)
    for source in (folder / "c.txt", folder):
        library.add([source])
        synced(library)
    assert texts(library.search("house", k=3)) == [
        *("The brown house.", "The white house.", "The green house."),
    ]


IN_MEMORY = {
    "dome.txt": "The dome was built by a boatyard in Penmouth. It turns on forty oak rollers.\n\n"
    "Visitors come by a cable railway that opened in 1931.",
    "mill.txt": "The mill ground oats until 1962. Its wheel is nine metres high.",
    "quay.txt": "Herring boats landed at the quay. A crane was added in 1904 and sold in 1950.",
}


@pytest.mark.parametrize("mode", ["hybrid", "dense", "lexical"])
def test_a_library_in_memory_finds_what_the_one_on_the_disk_finds(
    mode: Mode, opened: OpenLibrary, tmp_path: Path
) -> None:
    library = opened(write_documents(tmp_path / "documents", IN_MEMORY))
    synced(library)
    memory = MemoryLibrary([Text(*item) for item in IN_MEMORY.items()], Vectors(hashed))
    queries = ["Who built the dome?", "the height of the wheel", "sold crane", "railway"]
    on_disk = library.search_many(queries, k=3, mode=mode)
    for here, there in zip(memory.search_many(queries, k=3, mode=mode), on_disk, strict=True):
        assert [e.passage.text for e in here] == [e.passage.text for e in there]
        # On the disk embeddings are of half precision.
        assert [e.score for e in here] == pytest.approx([e.score for e in there], abs=1e-3)
        assert [e.cosine for e in here] == pytest.approx([e.cosine for e in there], abs=1e-3)
        assert [e.bm25 for e in here] == pytest.approx([e.bm25 for e in there])
