"""Many embeddings are searched as few are, from files that are derived and mended."""

import shutil
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from damage import cut_short, flip
from indexing import (
    ENCODER,
    LARGE,
    OpenLibrary,
    cut_of,
    hashed,
    open_library,
    queries,
    require_as_new,
    synced,
    without_writing,
    write_corpus,
)
from numpy.typing import NDArray

from veracite.index.catalog import Catalog, FileStamp
from veracite.index.dense import Dense
from veracite.index.documents import Evidence, Extraction
from veracite.index.embeddings import add_embeddings
from veracite.index.library import Library

Found = list[tuple[Evidence, ...]]
NOTE = "The index of embeddings was damaged or missing and was built again."


@pytest.fixture(scope="module")
def synced_once(corpus: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("synced") / "library"
    with open_library(folder, corpus[0].parent, **LARGE) as library:
        assert synced(library).notes == ()
    return folder


@pytest.fixture
def folder(synced_once: Path, tmp_path: Path) -> Path:
    """The folder of a library that is closed."""
    return shutil.copytree(synced_once, tmp_path / "library")


@pytest.fixture(scope="module")
def expected(corpus: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What a library finds that compares all embeddings as they are."""
    with open_library(tmp_path_factory.mktemp("small"), corpus[0].parent) as library:
        synced(library)
        return library.search_many(queries(corpus), k=5)


def segments(folder: Path) -> list[Path]:
    return sorted(folder.glob("dense-*"))


def overwrite(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


DAMAGE = [lambda path: flip(path, 11), cut_short, overwrite, Path.unlink]


def stored(folder: Path, vectors: NDArray[np.float32]) -> tuple[Catalog, list[bytes]]:
    """A catalog with a passage for each vector."""
    catalog = Catalog(folder / "catalog.db")
    cuts = [cut_of(f"passage {number}") for number in range(len(vectors))]
    catalog.store("/a", FileStamp(1, 1, "sha", "plain/1"), Extraction("", (), "plain/1"), cuts)
    hashes = [bytes.fromhex(cut.id) for cut in cuts]
    add_embeddings(catalog, ENCODER, hashes, vectors)
    return catalog, hashes


@pytest.mark.parametrize(
    ("exact", "alike"), [(1_000, 0), (999, 0), (999, 300)], ids=["few", "many", "many alike"]
)
def test_the_nearest_of_all_vectors_are_found(tmp_path: Path, exact: int, alike: float) -> None:
    chance = np.random.default_rng(0)
    made = chance.normal(size=(1_000, 48)) + alike * chance.normal(size=48)
    vectors = (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)
    catalog, hashes = stored(tmp_path, vectors)
    with closing(catalog):
        dense = Dense(catalog, tmp_path, ENCODER)
        dense._most, dense._segment = exact, 300
        assert dense.refresh(write=True) == []
        assert len(segments(tmp_path)) == (0 if exact == 1_000 else 4)
        kept = vectors.astype(np.float16).astype(np.float64)
        for query in vectors[:40]:
            cosines = kept @ query.astype(np.float64)
            best = np.argsort(-cosines)[:10]
            found = dense.nearest(query, 10)
            assert list(found) == [hashes[row] for row in best]
            assert list(found.values()) == pytest.approx(cosines[best])
        assert len(dense.nearest(vectors[0], 2_000)) == 1_000


def test_what_is_added_is_written_behind_what_is_there(
    folder: Path, corpus: list[Path], tmp_path: Path, opened: OpenLibrary
) -> None:
    before = {path.name: path.read_bytes() for path in segments(folder)}
    with segments(folder)[-1].open("ab") as last:
        last.write(b"of a process that was killed")
    (added,) = write_corpus(tmp_path / "more", documents=1, paragraphs=30)
    added.write_text(added.read_text().replace("a", "o"))
    with open_library(folder, added, **LARGE) as library:
        assert synced(library).notes == ()
        after = {path.name: path.read_bytes() for path in segments(folder)}
        assert len(after) == 5
        assert all(after[name].startswith(content) for name, content in before.items())
        asked, new = queries([*corpus, added]), opened(folder=tmp_path / "new")
        require_as_new(library, new, asked, corpus[0].parent, added)
        assert library.verify() == []


def test_of_what_is_removed_no_integer_stays(
    folder: Path, corpus: list[Path], expected: Found, tmp_path: Path
) -> None:
    new = tmp_path / "new.txt"
    new.write_text("Owls hoot in the tower.")
    codes = np.rint(hashed([new.read_text()]) * (127 * np.sqrt(32) / 6)).astype(np.int8).tobytes()
    before = set(segments(folder))
    with open_library(folder, new, **LARGE) as library:
        synced(library)
        (holding,) = [path for path in segments(folder) if codes in path.read_bytes()]
        library.remove([new])
        assert synced(library).notes == ()
        assert not [path for path in segments(folder) if codes in path.read_bytes()]
        assert before - set(segments(folder)) == {holding}
        assert library.verify() == []
        assert library.search_many(queries(corpus), k=5) == expected
        library.remove([corpus[0].parent])
        synced(library)
        assert segments(folder) == []


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_not_searched_is_written_again_and_can_be_mended(
    folder: Path, corpus: list[Path], expected: Found, damage: Callable[[Path], None]
) -> None:
    damage(segments(folder)[1])
    with open_library(folder, **LARGE) as busy, open_library(folder, **LARGE) as library:
        under_way = busy.sync()
        next(under_way)  # nobody else may write
        assert library.search_many(queries(corpus), k=5) == expected
        under_way.close()  # type: ignore[attr-defined]
        (fault,) = library.verify()
        assert segments(folder)[1].name in fault.what or damage is Path.unlink
        library.close()
    with open_library(folder, **LARGE) as library:
        assert library.search_many(queries(corpus), k=5) == expected
        assert library.verify() == []
        assert NOTE in synced(library).notes
        assert synced(library).notes == ()
    damage(segments(folder)[1])
    with open_library(folder, **LARGE) as library:
        library.mend(library.verify())
        synced(library)
        assert library.verify() == []
        assert library.search_many(queries(corpus), k=5) == expected


LOOK = """
import sys
from pathlib import Path
from indexing import LARGE, open_library, queries
folder, *paths = map(Path, sys.argv[1:])
with open_library(folder, **LARGE) as library:
    found = library.search_many(queries(paths), k=5)
    print([(hit.passage.text, hit.cosine) for hits in found for hit in hits])
"""


@pytest.mark.parametrize("damage", [None, Path.unlink])
def test_where_nothing_can_be_written_it_is_searched(
    folder: Path, corpus: list[Path], expected: Found, damage: Callable[[Path], None] | None
) -> None:
    if damage:
        damage(segments(folder)[0])
    before = segments(folder)
    script = [sys.executable, "-c", LOOK, str(folder), *map(str, corpus)]
    said = without_writing(folder, script)
    assert said == f"{[(hit.passage.text, hit.cosine) for hits in expected for hit in hits]}\n"
    assert segments(folder) == before


def test_passages_without_an_embedding_are_noticed(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "new.txt").write_text("Something that was never encoded.")
    with Library(folder) as words_alone:
        words_alone.add([tmp_path / "new.txt"])
        synced(words_alone)
    with open_library(folder, **LARGE) as library:
        assert library.status().search == "bm25 only"
        assert library.search("never encoded", k=1)[0].cosine is None
        synced(library)
        assert library.status().search == "exact"
        assert library.search("never encoded", k=1)[0].cosine
