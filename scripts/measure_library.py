"""Fills a library with so many passages and measures it, for ``bench.py``.

The first passages are those of ``bench``, with the bundled encoder's vectors; the others vary them:
the words of two, and the mean of their vectors, weighed and disturbed by chance. The passages are
put into the catalog as a sync puts them there; what is measured after that is a library's own work.
"""

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from hashlib import sha256
from itertools import count
from pathlib import Path

import numpy as np
from bench import Spent, timed
from numpy.typing import NDArray

from veracite.index import embeddings
from veracite.index.catalog import Catalog, FileStamp
from veracite.index.documents import Cut, Extraction
from veracite.index.library import Library
from veracite.index.passages import passage_id
from veracite.models.bundled import bundled_encoder, bundled_id

Vectors = NDArray[np.float32]

_AWAY = Path("/elsewhere")
_PER_DOCUMENT, _CHUNK = 20, 10_000


def varied(said: list[str], real: Vectors, wanted: int) -> Iterator[tuple[list[str], Vectors]]:
    """Passages and unit vectors, the real ones first."""
    yield said[:wanted], real[:wanted]
    for at in range(len(said), wanted, _CHUNK):
        chance, some = np.random.default_rng(at), min(_CHUNK, wanted - at)
        pairs, share = chance.integers(0, len(said), (some, 2)), chance.uniform(0.5, 1, (some, 1))
        mixed = real[pairs[:, 0]] * share + real[pairs[:, 1]] * (1 - share)
        mixed += chance.normal(size=mixed.shape) * 0.4 / np.sqrt(mixed.shape[1])
        words = [(said[one].split(), said[other].split()) for one, other in pairs]
        made = [
            " ".join([*first[: len(first) * 2 // 3], str(number), *second[len(first) * 2 // 3 :]])
            for number, (first, second) in enumerate(words, at)
        ]
        yield made, mixed / np.linalg.norm(mixed, axis=1, keepdims=True)


def _fill(folder: Path, chunks: Iterator[tuple[list[str], Vectors]]) -> None:
    """Put passages and vectors into a catalog, some passages to a document."""
    names = count()
    with closing(Catalog(folder / "catalog.db")) as catalog:
        catalog.add_sources([_AWAY])
        catalog.set_elsewhere([_AWAY])
        for some, vectors in chunks:
            cuts = [Cut(0, len(text), None, None, text, passage_id(None, text)) for text in some]
            with catalog.transaction():
                for at in range(0, len(cuts), _PER_DOCUMENT):
                    own, path = cuts[at : at + _PER_DOCUMENT], str(_AWAY / f"{next(names)}.txt")
                    whole = Extraction("\n\n".join(cut.text for cut in own), (), "plain/1")
                    stamp = FileStamp(1, 1, sha256(path.encode()).hexdigest(), "plain/1")
                    catalog.store(path, stamp, whole, own)
                keys = [bytes.fromhex(cut.id) for cut in cuts]
                embeddings.add_embeddings(catalog, bundled_id("encoder"), keys, vectors)


def measure(
    work: Path, chunks: Iterator[tuple[list[str], Vectors]], queries: list[str], wanted: int
) -> tuple[Spent, list[Spent]]:
    """What making a library of so many passages takes, and what each query does."""
    folder, encode = work / "library", bundled_encoder().encode
    folder.mkdir()

    def make() -> None:
        _fill(folder, chunks)
        with Library(folder, encode=encode, encoder_id=bundled_id("encoder")) as library:
            list(library.sync())

    made = timed(make)
    with Library(folder, encode=encode, encoder_id=bundled_id("encoder")) as library:
        assert library.status().embedded == wanted
        library.search(queries[0], k=6)
        return made, [timed(partial(library.search, query, k=6)) for query in queries]
