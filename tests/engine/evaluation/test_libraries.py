"""An evaluation's documents: on disk as pages, or in memory item by item."""

import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from veracite.engine.errors import CheckError
from veracite.engine.evaluation.items import Source
from veracite.engine.evaluation.models import Models, apart, place_of, together, written
from veracite.index.library import Library

MILL = Source("mill", "The Harrow mill burned down in 1904.\n\nIt was never rebuilt.", "The mill")
BEES = Source("bees", "Bees sleep at night.")


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_each_document_is_a_file_that_leads_back_to_it(tmp_path: Path) -> None:
    names = written([MILL, BEES], tmp_path)
    assert sorted(names.values()) == ["bees", "mill"]
    assert files(tmp_path) == {*names}


def test_the_same_content_is_the_same_file_whatever_the_order(tmp_path: Path) -> None:
    copy = Source("copy", BEES.text)
    names = written([MILL, BEES, copy], tmp_path)
    assert len(names) == 2
    assert "bees" in names.values(), "the first of two with one content"
    assert set(written([copy, BEES, MILL], tmp_path)) == {*names}


def test_the_same_documents_have_one_library_whatever_their_order(tmp_path: Path) -> None:
    place = place_of([MILL, BEES], tmp_path)
    assert place.parent == tmp_path
    assert place_of([BEES, MILL, Source("copy", BEES.text)], tmp_path) == place
    assert place_of([MILL], tmp_path) != place
    assert place_of([MILL, Source("bees", "Bees sleep by day.")], tmp_path) != place


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(CheckError, match="The documents cannot be saved"):
        written([MILL], tmp_path / "file" / "documents")


def test_a_title_makes_another_document(tmp_path: Path) -> None:
    assert len(written([BEES, Source("titled", BEES.text, "Bees")], tmp_path)) == 2


def test_files_that_are_there_are_left_and_stale_ones_go(tmp_path: Path) -> None:
    first = written([MILL, BEES], tmp_path)
    (tmp_path / "half.html.partial").write_text("torn")
    kept = next(name for name, document in first.items() if document == "mill")
    os.utime(tmp_path / kept, (1, 1))
    second = written([MILL], tmp_path)
    assert second == {kept: "mill"}
    assert files(tmp_path) == {kept}
    assert (tmp_path / kept).stat().st_mtime == 1, "it was not written again"


HOSTILE = [
    "</title><script>alert(1)</script>",
    "<!-- a comment",
    '" onload="x',
    "&lt;b&gt; & <b>",
    "</p></body></html>",
    "a\ud800b",
]


@pytest.mark.parametrize("evil", HOSTILE)
def test_what_a_document_says_is_text_and_no_markup(
    models: Models, tmp_path: Path, evil: str
) -> None:
    said = f"The code is {evil} and nothing else."
    names = written([Source("evil", said, f"About {evil}")], tmp_path / "documents")
    with ExitStack() as opened:
        *_, library = together(tmp_path / "documents", tmp_path / "index", models.encoder, opened)
        assert isinstance(library, Library)
        assert library.status().documents == len(names) == 1
        ((found,),) = library.search_many(["the code"], k=1, mode="lexical")
        shown = evil.replace("\ud800", "?")
        assert found.passage.text == f"The code is {shown} and nothing else."
        assert found.passage.heading == f"About {shown}"
        assert library.raw_text(found.passage.document).count(shown) >= 1


def test_paragraphs_stay_apart(models: Models, tmp_path: Path) -> None:
    written([MILL], tmp_path / "documents")
    with ExitStack() as opened:
        *_, library = together(tmp_path / "documents", tmp_path / "index", models.encoder, opened)
        assert isinstance(library, Library)
        ((found,),) = library.search_many(["mill"], k=1, mode="lexical")
        assert [s.text for s in library.sentences(found.passage)] == [
            "The Harrow mill burned down in 1904.", "It was never rebuilt.",
        ]  # fmt: skip


def test_in_memory_each_item_has_its_own_documents(models: Models) -> None:
    collection = apart([(MILL,), (BEES,), (), (MILL, BEES)], models.encoder)
    found = [
        library.search_many(["night"], k=5, threshold=None, mode="hybrid")[0]
        for library in collection.libraries
    ]
    assert [len(evidence) for evidence in found] == [1, 1, 0, 2]
    for place, evidence in enumerate(found):
        collection.own(place, evidence)
    bees = found[3][0].passage
    assert collection.raw_text(bees.document) == BEES.text
    assert [s.text for s in collection.sentences(bees)] == ["Bees sleep at night."]
    assert found[1][0].passage.document != bees.document, "one for each item"
