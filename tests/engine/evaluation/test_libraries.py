"""An evaluation's documents: on disk as pages, or in memory item by item."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from veracite.engine.errors import CheckError
from veracite.engine.evaluation.items import Source
from veracite.engine.evaluation.predict import apart, together, written
from veracite.engine.models import OpenModels

MILL = Source("mill", "The Harrow mill burned down in 1904.\n\nIt was never rebuilt.", "The mill")
BEES = Source("bees", "Bees sleep at night.")


def test_the_same_documents_have_one_library_whatever_their_order(
    models: OpenModels, tmp_path: Path
) -> None:
    found = []
    for sources in ([MILL, BEES], [BEES, MILL, Source("copy", BEES.text)], [MILL]):
        with ExitStack() as opened:
            list(together(sources, tmp_path, models.open_encoder(), opened))
        found.append(len(list(tmp_path.iterdir())))
    assert found == [1, 1, 2]


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(CheckError, match="The documents cannot be saved"):
        written([MILL], tmp_path / "file" / "documents")


@pytest.mark.parametrize(
    "evil", ["</title><script>alert(1)</script>", "<!-- a comment", "&lt;b&gt; & </p>", "a\ud800b"]
)
def test_what_a_document_says_is_text_and_no_markup(
    models: OpenModels, tmp_path: Path, evil: str
) -> None:
    said = f"The code is {evil} and nothing else.\n\nIt was never rebuilt."
    with ExitStack() as opened:
        sources = [Source("evil", said, f"About {evil}")]
        *_, last = together(sources, tmp_path, models.open_encoder(), opened)
        assert isinstance(last, tuple)
        library, names = last
        assert library.status().documents == len(names) == 1
        ((found,),) = library.search_many(["the code"], k=1, mode="lexical")
        shown = evil.replace("\ud800", "?")
        first, second = (s.text for s in library.sentences(found.passage))
        assert (first, second) == (
            f"The code is {shown} and nothing else.",
            "It was never rebuilt.",
        )
        assert found.passage.heading == f"About {shown}"
        assert library.raw_text(found.passage.document).count(shown) >= 1


def test_in_memory_each_item_has_its_own_documents(models: OpenModels) -> None:
    libraries = apart([(MILL,), (BEES,), (), (MILL, BEES)], models.open_encoder())
    found = [
        library.search_many(["night"], k=5, threshold=None, mode="hybrid")[0]
        for library in libraries
    ]
    assert [len(evidence) for evidence in found] == [1, 1, 0, 2]
    bees = found[3][0].passage
    assert libraries[3].raw_text(bees.document) == BEES.text
    assert found[1][0].passage.document != bees.document, "one for each item"
