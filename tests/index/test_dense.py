"""Dense search compares every vector."""

import numpy as np

from veracite.index.embeddings import Dense

COUNT, DIMENSION = 500, 16


def test_the_nearest_are_found() -> None:
    made = np.random.default_rng(0).normal(size=(COUNT, DIMENSION))
    vectors = (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)
    labels = np.arange(1_000, 1_000 + COUNT)
    index = Dense(labels, vectors)
    for query in vectors[:20]:
        nearest = labels[np.argsort(-(vectors @ query), kind="stable")]
        assert index.search(query, 10) == nearest[:10].tolist()
    assert sorted(index.search(vectors[0], 2 * COUNT)) == labels.tolist()
