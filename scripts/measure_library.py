"""Prints how fast and how large a library of so many passages is, as a table in Markdown.

    python scripts/measure_library.py DATA PASSAGES [--real N]

The first passages are real ones of DATA (NLTK's corpora, WikiText, what the labelled sets hold), up
to some 100,000, with the bundled encoder's vectors; the others vary them: the words of two, and the
mean of their vectors, weighed and disturbed by chance. What is looked for are questions of DATA.
The passages are put into the catalog as a sync puts them there; what is measured after that is a
library's own work. CPU is of this process's threads, for times when the machine has other work.
"""

import argparse
import gzip
import resource
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import date
from functools import partial
from hashlib import sha256
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
from bench import Spent, machine, timed
from numpy.typing import NDArray

from veracite.engine.evaluation.formats import read_files
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
_OTHERS = ("snli", "mpe", "wikibio")
"""Begin the names of files of parse trees, captions and what a language model wrote."""


def _texts(data: Path) -> Iterator[str]:
    """Texts that people wrote, long and short."""
    for name in ("abc", "state_union", "inaugural", "brown"):
        with zipfile.ZipFile(data / f"train/nltk_corpora/{name}.zip") as corpus:
            for file in corpus.infolist():
                # In Brown each word has its tag behind it.
                said = corpus.read(file).decode("latin-1")
                yield " ".join(word.split("/")[0] for word in said.split())
    yield gzip.decompress((data / "train/wikitext2/test.txt.gz").read_bytes()).decode()
    for place in ("train", "eval", "eval/scifact/scifact.zip"):
        for held in read_files(data / place):
            if not held.name.startswith(_OTHERS):
                for row in held.rows:
                    yield from _within(row.fields)


def _within(value: object) -> Iterator[str]:
    """The texts in a value of JSON; those of a list are one."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and all(isinstance(one, str) for one in value):
        yield " ".join(value)
    elif isinstance(value, Mapping | list):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _within(one)


def _real(data: Path, wanted: int) -> tuple[list[str], list[str]]:
    """Real passages of some 100 words, and questions."""
    words = [text.split() for text in _texts(data)]
    asked = {" ".join(own) for own in words if 4 < len(own) < 40 and own[-1].endswith("?")}
    words = [own for own in words if len(own) >= 40]
    cuts = {" ".join(own[at : at + 100]) for own in words for at in range(0, len(own), 100)}
    cuts = {cut for cut in cuts if 200 < len(cut) < 1200}
    texts = Random(0).sample(sorted(cuts), min(wanted, len(cuts)))
    return texts, Random(1).sample(sorted(asked), _QUERIES)


def varied(texts: list[str], real: Vectors, wanted: int) -> Iterator[tuple[list[str], Vectors]]:
    """Passages and unit vectors, the real ones first."""
    yield texts[:wanted], real[:wanted]
    for at in range(len(texts), wanted, _CHUNK):
        chance, some = np.random.default_rng(at), min(_CHUNK, wanted - at)
        pairs, share = chance.integers(0, len(texts), (some, 2)), chance.uniform(0.5, 1, (some, 1))
        mixed = real[pairs[:, 0]] * share + real[pairs[:, 1]] * (1 - share)
        mixed += chance.normal(size=mixed.shape) * 0.4 / np.sqrt(mixed.shape[1])
        words = [(texts[one].split(), texts[other].split()) for one, other in pairs]
        said = [
            " ".join([*first[: len(first) * 2 // 3], str(number), *second[len(first) * 2 // 3 :]])
            for number, (first, second) in enumerate(words, at)
        ]
        yield said, mixed / np.linalg.norm(mixed, axis=1, keepdims=True)


def _fill(folder: Path, chunks: Iterator[tuple[list[str], Vectors]]) -> None:
    """Put passages and vectors into a catalog, some passages to a document."""
    names = count()
    with closing(Catalog(folder / "catalog.db")) as catalog:
        catalog.add_sources([_AWAY])
        catalog.set_elsewhere([_AWAY])
        for texts, vectors in chunks:
            cuts = [Cut(0, len(text), None, None, text, passage_id(None, text)) for text in texts]
            with catalog.transaction():
                for at in range(0, len(cuts), _PER_DOCUMENT):
                    some, path = cuts[at : at + _PER_DOCUMENT], str(_AWAY / f"{next(names)}.txt")
                    whole = Extraction("\n\n".join(cut.text for cut in some), (), "plain/1")
                    stamp = FileStamp(1, 1, sha256(path.encode()).hexdigest(), "plain/1")
                    catalog.store(path, stamp, whole, some)
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


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def measure(
    work: Path, chunks: Iterator[tuple[list[str], Vectors]], queries: list[str], wanted: int
) -> tuple[Spent, list[Spent]]:
    """Measure a library; return what making it and what each query takes."""
    folder, encode = work / "library", bundled_encoder().encode
    folder.mkdir()
    filled = _timed("putting in", lambda: _fill(folder, chunks))
    with Library(folder, encode=encode, encoder_id=encoder_id()) as library:
        built = _timed("building what is derived", lambda: list(library.sync()))
    _row("disk for a passage", f"{_size(folder) / wanted:.0f} bytes")
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
    parser.add_argument("data", type=Path)
    parser.add_argument("passages", type=int)
    parser.add_argument("--real", type=int, default=20_000)
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        texts, asked = _real(given.data, given.real)
        vectors = bundled_encoder().encode(texts)
        print(f"{date.today()}, {machine()}; {given.passages:,} passages, {len(texts):,} real\n")
        print("| what | figure |\n| --- | ---: |")
        measure(Path(folder), varied(texts, vectors, given.passages), asked, given.passages)


if __name__ == "__main__":
    main()
