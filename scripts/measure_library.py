"""Prints how fast and how large a library of so many passages is, as a table in Markdown.

    python scripts/measure_library.py PASSAGES

The first passages are those of ``bench``, with the bundled encoder's vectors; the others vary them:
the words of two, and the mean of their vectors, weighed and disturbed by chance. What is looked for
are the claims of ``bench``. The passages are put into the catalog as a sync puts them there; what
is measured after that is a library's own work. CPU is of this process's threads, for times when the
machine has other work.
"""

import argparse
import resource
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date
from functools import partial
from hashlib import sha256
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from bench import Spent, machine, texts, timed
from numpy.typing import NDArray

from veracite.index import embeddings
from veracite.index.catalog import Catalog, FileStamp
from veracite.index.dense import Dense
from veracite.index.documents import Cut, Extraction
from veracite.index.library import Library
from veracite.index.passages import passage_id
from veracite.models.bundled import bundled_encoder, encoder_id

Vectors = NDArray[np.float32]

_AWAY = Path("/elsewhere")
_PER_DOCUMENT, _CHUNK, _QUERIES = 20, 10_000, 300


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
                embeddings.add_embeddings(catalog, encoder_id(), keys, vectors)


def _recall(folder: Path, queries: Vectors) -> float:
    """Share of what ``Dense`` finds that is as near as the tenth by exact arithmetic."""
    with closing(Catalog(folder / "catalog.db")) as catalog:
        best = np.full((len(queries), 10), -1.0)
        rows = catalog.query("SELECT vector FROM embeddings")
        while chunk := b"".join(vector for (vector,) in rows.fetchmany(_CHUNK)):
            vectors = np.frombuffer(chunk, np.float16).reshape(-1, queries.shape[1])
            best = np.sort(np.hstack([best, queries @ vectors.T.astype(np.float64)]))[:, -10:]
        dense = Dense(catalog, folder, encoder_id())
        dense.refresh(write=False)
        found = [list(dense.nearest(query, 10).values()) for query in queries]
    return float(np.mean(np.array(found) > best[:, :1] - 1e-9))


def _timed(what: str, work: Callable[[], object]) -> Spent:
    """Do it and print a row; what it took."""
    wall, cpu = timed(work)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    _row(what, f"{wall:.2f} s, CPU {cpu:.2f} s, {peak:.2f} GB at most until then")
    return wall, cpu


def _row(what: str, figure: str) -> None:
    print(f"| {what} | {figure} |", flush=True)


def measure(
    work: Path, chunks: Iterator[tuple[list[str], Vectors]], queries: list[str], wanted: int
) -> tuple[Spent, list[Spent]]:
    """Measure a library; return what making it and what each query takes."""
    folder, encode = work / "library", bundled_encoder().encode
    folder.mkdir()
    filled = _timed("putting in", lambda: _fill(folder, chunks))
    with Library(folder, encode=encode, encoder_id=encoder_id()) as library:
        built = _timed("building what is derived", lambda: list(library.sync()))
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    _row("disk for a passage", f"{size / wanted:.0f} bytes")
    encode(queries[:1])
    with Library(folder, encode=encode, encoder_id=encoder_id()) as library:
        _timed("opening, first query", lambda: library.search(queries[0], k=6))
        took = [timed(partial(library.search, query, k=6)) for query in queries]
        for name, percent in (("in the middle", 50), ("99 of 100", 99)):
            wall, cpu = 1000 * np.percentile(took, percent, axis=0)
            _row(f"a query with encoding, {name}", f"{wall:.0f} ms, CPU {cpu:.0f} ms")
        _row("recall@10 of the dense search", f"{_recall(folder, encode(queries)):.4f}")
        (work / "new.txt").write_text("The observatory was moved to the hill above Penmouth.")
        library.add([work / "new.txt"])
        _timed("adding a file", lambda: list(library.sync()))
    return (filled[0] + built[0], filled[1] + built[1]), took


def main() -> None:
    """Measure in a folder that is removed again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("passages", type=int)
    wanted = parser.parse_args().passages
    with TemporaryDirectory() as folder:
        real, asked = texts()
        print(f"{date.today()}, {machine()}; {wanted:,} passages, {len(real):,} real\n")
        print("| what | figure |\n| --- | ---: |")
        chunks = varied(real, bundled_encoder().encode(real), wanted)
        measure(Path(folder), chunks, asked[:_QUERIES], wanted)


if __name__ == "__main__":
    main()
