"""Fusion, threshold and ties."""

from pathlib import Path

import pytest
from indexing import OpenLibrary, synced, texts

from veracite.index.library import Library
from veracite.index.retrieval import fuse

RED = "Painters covered the tower in red paint in 1890."


def test_fusion_is_the_mean_of_scores_stretched_to_one() -> None:
    assert fuse({"a": 0.9, "b": 0.7, "c": 0.5}, {"b": 8.0, "d": 4.0}) == pytest.approx(
        {"a": 0.5, "b": 0.25 + 0.5, "c": 0.0, "d": 0.25}
    )
    assert fuse({"a": 0.9}, {}) == {"a": 0.5}
    assert fuse({}, {}) == {}


def test_the_threshold_spares_the_first(library: Library) -> None:
    everything = library.search("red paint on the tower", k=3)
    assert len(everything) == 3
    cosines = [evidence.cosine or 0 for evidence in everything]
    between = (cosines[1] + cosines[2]) / 2
    assert cosines[1] > cosines[2]
    assert library.search("red paint on the tower", k=3, threshold=between) == everything[:2]
    assert library.search("red paint on the tower", k=3, threshold=1.0) == everything[:1]


def test_modes_use_the_rankings_they_name(library: Library) -> None:
    (lexical,) = library.search("painters", k=3, mode="lexical")
    assert (lexical.passage.text, lexical.cosine) == (RED, None)
    dense = library.search("painters", k=3, mode="dense")
    assert len(dense) == 3
    assert {evidence.bm25 for evidence in dense} == {None}
    assert [e.cosine for e in dense] == sorted((e.cosine or 0 for e in dense), reverse=True)
    hybrid = library.search("painters", k=3)
    assert hybrid[0].passage.text == RED
    assert hybrid[0].bm25 is not None
    assert {evidence.bm25 for evidence in hybrid[1:]} == {None}


def test_equal_scores_stand_in_order_of_path(opened: OpenLibrary, tmp_path: Path) -> None:
    folder = tmp_path / "equal"
    folder.mkdir()
    for name, other in (("c", "green"), ("a", "brown"), ("b", "white")):
        (folder / f"{name}.txt").write_text(f"The {other} house.", encoding="utf-8")
    library = opened(encode=None, encoder_id=None)
    library.add([folder / "c.txt"])
    synced(library)
    library.add([folder])
    synced(library)
    assert texts(library.search("house", k=3)) == [
        "The brown house.",
        "The white house.",
        "The green house.",
    ]
