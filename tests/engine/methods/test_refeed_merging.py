"""Rankings of several queries made into one."""

from hypothesis import given, settings
from hypothesis import strategies as st

from veracite.engine.methods.base import MergeBy, merged
from veracite.index.documents import Document, Evidence, Passage

DOCUMENT = Document("/a.txt", "0", "plain")
RANKINGS = st.lists(
    st.lists(
        st.tuples(st.sampled_from("abcdef"), st.floats(0.1, 9)),
        max_size=4,
        unique_by=lambda f: f[0],
    ),
    max_size=3,
)


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


@settings(max_examples=50)
@given(RANKINGS, st.integers(1, 5), st.sampled_from(["rank", "score"]))
def test_each_passage_is_kept_once_and_none_before_a_better_one(
    found: list[list[tuple[str, float]]], k: int, by: MergeBy
) -> None:
    rankings = [ranking(*sorted(one, key=lambda item: -item[1])) for one in found]
    kept = merged(rankings, k, by=by, mode="lexical")
    there = {item.passage.id for one in rankings for item in one}
    assert len({item.passage.id for item in kept}) == len(kept) == min(k, len(there))
    assert [item.rank for item in kept] == list(range(1, len(kept) + 1))
    if by == "score":
        assert [item.bm25 for item in kept] == sorted((i.bm25 for i in kept), reverse=True)  # type: ignore[type-var]
    else:
        ranks = [
            min(o.rank for one in rankings for o in one if o.passage.id == i.passage.id)
            for i in kept
        ]
        assert ranks == sorted(ranks)
