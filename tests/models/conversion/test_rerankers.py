"""A cross-encoder's folder becomes a reranker that opens, and scores as its makers meant."""

from pathlib import Path

import numpy as np
import pytest
from checkpoints import FAMILIES, LETTERS, VOCABULARY, score, write_reranker

from veracite.models.conversion import convert
from veracite.models.errors import ModelError
from veracite.models.reranker import Reranker, stored_reranker

CLS, SEP = VOCABULARY.index("[CLS]"), VOCABULARY.index("[SEP]")
PAIRS = [
    ("a", "b"),
    ("a b", "c d e f"),
    ("l m", "l m n o p q r s t"),
    ("", "z"),
    ("x y z", ""),
    ("c", "q q q"),
]


def converted(folder: Path) -> Reranker:
    out = folder.parent / f"out-{len(list(folder.parent.iterdir()))}"
    out.mkdir()
    convert(folder, out, "small", "Apache-2.0")
    return stored_reranker(out)


@pytest.mark.parametrize("family", FAMILIES)
def test_pairs_are_scored_as_the_family_scores_them(family: str, tmp_path: Path) -> None:
    weights = write_reranker(tmp_path / "folder", family)
    between = [SEP, SEP] if family == "mpnet" else [SEP]
    expected = []
    for query, passage in PAIRS:
        first, second = ([VOCABULARY.index(w) for w in text.split()] for text in (query, passage))
        ids = [CLS, *first, *between, *second, SEP]
        types = [0] * (1 + len(first) + len(between)) + [1] * (len(second) + 1)
        expected.append(score(family, weights, ids, types))
    reranker = converted(tmp_path / "folder")
    scores = reranker.score(PAIRS)
    np.testing.assert_allclose(scores, expected, atol=1e-4)
    reranker.close()


def test_a_score_does_not_depend_on_company(tmp_path: Path) -> None:
    write_reranker(tmp_path / "folder")
    reranker = converted(tmp_path / "folder")
    together = reranker.score(PAIRS)
    for place, pair in enumerate(PAIRS):
        assert reranker.score([pair]).tobytes() == together[place].tobytes()
        assert reranker.score(PAIRS[place::-1])[0].tobytes() == together[place].tobytes()


def test_what_does_not_fit_beside_the_query_is_not_read(tmp_path: Path) -> None:
    write_reranker(tmp_path / "folder")
    reranker = converted(tmp_path / "folder")
    letters = LETTERS + LETTERS
    room = reranker.manifest.max_length - 3 - 2
    within, beyond, shorter = reranker.score(
        [("a b", " ".join(letters[:n])) for n in (room, room + 5, room - 1)]
    )
    assert within == beyond != shorter
    # A query that is longer than anything leaves half of the room to the passage.
    one, other = reranker.score([(" ".join(letters), "a"), (" ".join(letters), "b")])
    assert one != other


def test_a_classifier_of_several_classes_is_no_reranker(tmp_path: Path) -> None:
    write_reranker(tmp_path / "folder", numbers=3)
    with pytest.raises(ModelError, match="gives a pair 3 numbers"):
        converted(tmp_path / "folder")
