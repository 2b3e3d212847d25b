"""Rankings of several queries made into one."""

from veracite.engine.methods.base import MergeBy, merged
from veracite.index.documents import Document, Evidence, Passage

DOCUMENT = Document("/a.txt", "0", "plain")


def ranking(*found: tuple[str, float]) -> list[Evidence]:
    """Passages, best first, with their BM25 scores."""
    return [
        Evidence(Passage(DOCUMENT, 0, 1, None, None, text, text), rank, 1 / rank, None, bm25)
        for rank, (text, bm25) in enumerate(found, start=1)
    ]


def texts(by: MergeBy, *rankings: list[Evidence], k: int = 10) -> str:
    return "".join(item.passage.text for item in merged(rankings, k, by=by, mode="lexical"))


def test_the_best_rank_counts_and_the_score_breaks_ties() -> None:
    one = ranking(("a", 3.0), ("b", 2.0), ("c", 1.9))
    other = ranking(("d", 9.0), ("c", 8.0), ("e", 7.0))
    assert texts("rank", one, other) == "dacbe"
    assert texts("score", one, other) == "dceab"
    assert texts("rank", one, other, k=3) == "dac"
