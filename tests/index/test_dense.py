"""Dense search is exact up to the limit, a graph above, and a graph's file holds what it should."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from veracite.index.dense import Dense
from veracite.index.errors import StorageError

COUNT, DIMENSION = 500, 16
LABELS = np.arange(1_000, 1_000 + COUNT)


@pytest.fixture(scope="module")
def vectors() -> NDArray[np.float32]:
    made = np.random.default_rng(0).normal(size=(COUNT, DIMENSION))
    unit: NDArray[np.float32] = made / np.linalg.norm(made, axis=1, keepdims=True)
    return unit.astype(np.float32)


def nearest(vectors: NDArray[np.float32], query: NDArray[np.float32], k: int) -> list[int]:
    return [int(label) for label in LABELS[np.argsort(-(vectors @ query), kind="stable")[:k]]]


@pytest.mark.parametrize(("limit", "kind"), [(COUNT, "exact"), (COUNT - 1, "hnsw")])
def test_the_nearest_are_found(limit: int, kind: str, vectors: NDArray[np.float32]) -> None:
    index = Dense.build(LABELS, vectors, exact_limit=limit)
    assert index.kind == kind
    found = index.search(vectors[:20], 10)
    assert found == [nearest(vectors, query, 10) for query in vectors[:20]]
    (every,) = index.search(vectors[:1], 2 * COUNT)
    assert sorted(every) == LABELS.tolist()
    assert index.search(vectors[:1], 0) == [[]]
    assert index.search(vectors[:0], 3) == []


@pytest.fixture
def graph(vectors: NDArray[np.float32]) -> Dense:
    return Dense.build(LABELS[:400], vectors[:400], exact_limit=10)


def test_a_saved_graph_loads_as_it_was(
    graph: Dense, vectors: NDArray[np.float32], tmp_path: Path
) -> None:
    graph.save(tmp_path / "dense.bin")
    again = Dense.load(tmp_path / "dense.bin", DIMENSION)
    assert again.labels == graph.labels == set(LABELS[:400].tolist())
    assert again.search(vectors[:20], 10) == graph.search(vectors[:20], 10)


def test_a_disk_without_room_is_seen(graph: Dense, tmp_path: Path) -> None:
    """hnswlib reports no failed write; /dev/full fails every one."""
    (tmp_path / "dense.bin").symlink_to("/dev/full")
    with pytest.raises(StorageError) as caught:
        graph.save(tmp_path / "dense.bin")
    assert "full" in caught.value.message


def test_the_same_vectors_make_the_same_file(
    graph: Dense, vectors: NDArray[np.float32], tmp_path: Path
) -> None:
    graph.save(tmp_path / "a")
    Dense.build(LABELS[:400], vectors[:400], exact_limit=10).save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_graph_takes_additions_and_hides_what_is_gone(
    graph: Dense, vectors: NDArray[np.float32], tmp_path: Path
) -> None:
    wanted = set(LABELS[50:].tolist())
    graph.add(LABELS[400:], vectors[400:])
    graph.hide(graph.labels - wanted)
    expected = [label for label in nearest(vectors, vectors[3], COUNT) if label in wanted]
    assert graph.search(vectors[3:4], 10) == [expected[:10]]
    (everything,) = graph.search(vectors[3:4], COUNT)
    assert set(everything) == wanted
    graph.save(tmp_path / "dense.bin")
    again = Dense.load(tmp_path / "dense.bin", DIMENSION)
    assert again.labels == set(LABELS.tolist())
    again.hide(again.labels - wanted)
    assert again.search(vectors[3:4], 10) == [expected[:10]]
    again.hide(set())
    assert again.search(vectors[3:4], 1) == [[1_003]]
