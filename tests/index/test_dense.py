"""Dense search is exact up to the limit, a graph above, and its files hold what they should."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from veracite.index.dense import Dense, digest, made_with
from veracite.index.errors import StorageError

COUNT, DIMENSION = 500, 16


@pytest.fixture(scope="module")
def vectors() -> NDArray[np.float32]:
    made = np.random.default_rng(0).normal(size=(COUNT, DIMENSION))
    unit: NDArray[np.float32] = made / np.linalg.norm(made, axis=1, keepdims=True)
    return unit.astype(np.float32)


LABELS = np.arange(1_000, 1_000 + COUNT)


def nearest(vectors: NDArray[np.float32], query: NDArray[np.float32], k: int) -> list[int]:
    return [int(label) for label in LABELS[np.argsort(-(vectors @ query), kind="stable")[:k]]]


@pytest.fixture(params=[COUNT, COUNT - 1], ids=["exact", "hnsw"])
def index(request: pytest.FixtureRequest, vectors: NDArray[np.float32]) -> Dense:
    return Dense.build(LABELS, vectors, exact_limit=request.param)


def test_the_limit_decides_how_it_searches(vectors: NDArray[np.float32]) -> None:
    assert Dense.build(LABELS, vectors, exact_limit=COUNT).kind == "exact"
    assert Dense.build(LABELS, vectors, exact_limit=COUNT - 1).kind == "hnsw"


def test_the_nearest_are_found(index: Dense, vectors: NDArray[np.float32]) -> None:
    found = index.search(vectors[:20], 10)
    assert found == [nearest(vectors, query, 10) for query in vectors[:20]]


def test_asking_for_more_than_there_are_gives_all(
    index: Dense, vectors: NDArray[np.float32]
) -> None:
    (found,) = index.search(vectors[:1], 2 * COUNT)
    assert sorted(found) == LABELS.tolist()
    assert index.search(vectors[:1], 0) == [[]]
    assert index.search(vectors[:0], 3) == []


def test_a_saved_index_loads_as_it_was(
    index: Dense, vectors: NDArray[np.float32], tmp_path: Path
) -> None:
    path = tmp_path / "dense.bin"
    assert index.save(path) == digest(path)
    again = Dense.load(path, index.kind, DIMENSION)
    assert again.labels == index.labels == set(LABELS.tolist())
    assert again.search(vectors[:20], 10) == index.search(vectors[:20], 10)
    assert [entry.name for entry in tmp_path.iterdir()] == ["dense.bin"]


def test_a_disk_without_room_is_seen(index: Dense, tmp_path: Path) -> None:
    """hnswlib reports no failed write; /dev/full fails every one."""
    (tmp_path / "dense.bin.new").symlink_to("/dev/full")
    with pytest.raises(StorageError) as caught:
        index.save(tmp_path / "dense.bin")
    assert "full" in caught.value.message
    assert list(tmp_path.iterdir()) == []


def test_the_same_vectors_make_the_same_file(
    index: Dense, vectors: NDArray[np.float32], tmp_path: Path
) -> None:
    limit = COUNT if index.kind == "exact" else 1
    other = Dense.build(LABELS, vectors, exact_limit=limit)
    assert other.save(tmp_path / "a") == index.save(tmp_path / "b")


def test_a_graph_takes_additions_and_hides_what_is_gone(
    vectors: NDArray[np.float32], tmp_path: Path
) -> None:
    graph = Dense.build(LABELS[:400], vectors[:400], exact_limit=10)
    wanted = set(LABELS[50:].tolist())
    assert not graph.must_rebuild(wanted, exact_limit=10)
    missing = graph.missing(wanted)
    assert missing.tolist() == LABELS[400:].tolist()
    graph.extend(wanted, missing, vectors[400:])
    assert len(graph) == 450
    expected = [label for label in nearest(vectors, vectors[3], COUNT) if label in wanted]
    assert graph.search(vectors[3:4], 10) == [expected[:10]]

    graph.save(tmp_path / "dense.bin")
    again = Dense.load(tmp_path / "dense.bin", "hnsw", DIMENSION)
    assert len(again) == COUNT
    again.extend(wanted, again.missing(wanted), vectors[:0])
    assert again.search(vectors[3:4], 10) == [expected[:10]]
    again.extend(set(LABELS.tolist()), LABELS[:0], vectors[:0])
    assert again.search(vectors[3:4], 1) == [[1_003]]


def test_when_an_index_has_to_be_built_anew(vectors: NDArray[np.float32]) -> None:
    held = set(LABELS.tolist())
    exact = Dense.build(LABELS, vectors, exact_limit=COUNT)
    assert not exact.must_rebuild(held, exact_limit=COUNT)
    assert exact.must_rebuild(held - {1_000}, exact_limit=COUNT)
    assert exact.must_rebuild(held, exact_limit=COUNT - 1)
    graph = Dense.build(LABELS, vectors, exact_limit=10)
    assert not graph.must_rebuild(held | {1}, exact_limit=10)
    assert not graph.must_rebuild(set(LABELS[100:].tolist()), exact_limit=10)
    assert graph.must_rebuild(set(LABELS[101:].tolist()), exact_limit=10)
    assert graph.must_rebuild(held, exact_limit=COUNT)


def test_what_a_file_was_made_with_names_encoder_kind_and_dimension() -> None:
    names = {
        made_with("a", "exact", 3),
        made_with("b", "exact", 3),
        made_with("a", "hnsw", 3),
        made_with("a", "exact", 4),
    }
    assert len(names) == 4
