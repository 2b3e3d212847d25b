"""Another encoder takes over a library: all of it or nothing, whatever happens meanwhile."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from indexing import ENCODER, LARGE, Counting, OpenLibrary, hashed, queries, synced
from numpy.typing import NDArray

from veracite.index.progress import Encoded

NEW = "backwards/1"
PASSAGES = 144
"""Of the corpus: three batches."""


def backwards(texts: Sequence[str]) -> NDArray[np.float32]:
    """Another encoder: its vectors have another dimension."""
    found: NDArray[np.float32] = np.ascontiguousarray(hashed(texts)[:, :20])
    return found


def test_no_ranking_is_over_a_part_and_a_stopped_sync_goes_on_with_the_rest(
    opened: OpenLibrary, corpus: list[Path], tmp_path: Path
) -> None:
    encode = Counting()

    def counted(texts: Sequence[str]) -> NDArray[np.float32]:
        encode(texts)
        return backwards(texts)

    source, fresh = corpus[0].parent, tmp_path / "fresh"  # which knew no other encoder
    with opened(source, folder=fresh, encode=backwards, encoder_id=NEW) as library:
        synced(library)
        expected = library.search_many(queries(corpus), k=5)
    with opened(source, **LARGE) as before:
        synced(before)
        files = {*(tmp_path / "library").glob("dense-*")}
    with opened() as before:
        size = before.status().bytes_on_disk
    with opened(encode=counted, encoder_id=NEW, **LARGE) as library:
        assert library.other_encoders == [ENCODER]
        assert library.status().search == "bm25 only"
        stopped = library.sync()
        assert next(e for e in stopped if isinstance(e, Encoded)) == Encoded(64, PASSAGES)
        stopped.close()  # type: ignore[attr-defined]
        seen = []
        for event in library.sync():
            if isinstance(event, Encoded) and event.done < event.total:
                found = library.search_many(queries(corpus), k=5)
                assert {hit.cosine for hits in found for hit in hits} == {None}
                assert library.status().search == "bm25 only"
                assert files == {*(tmp_path / "library").glob("dense-*")} != set()
            seen += [event] if isinstance(event, Encoded) else []
        assert seen == [Encoded(64, PASSAGES - 64), Encoded(PASSAGES - 64, PASSAGES - 64)]
        assert len(encode.texts) == len(set(encode.texts)) == PASSAGES
        assert library.other_encoders == []
        assert library.search_many(queries(corpus), k=5) == expected
        assert files.isdisjoint((tmp_path / "library").glob("dense-*"))
    with opened(encode=backwards, encoder_id=NEW) as library:
        assert library.status().bytes_on_disk < size
        assert library.status().embedded == PASSAGES
