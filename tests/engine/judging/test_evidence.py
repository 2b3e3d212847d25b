"""Looking evidence up: as the claim stands, in its context, and never in the text itself."""

from dataclasses import replace
from pathlib import Path

import pytest

from veracite.engine.judging.evidence import Search
from veracite.engine.words import Claim
from veracite.index.library import Library
from veracite.index.memory import MemoryLibrary, Text

FOX = "The fox den lies behind the old chapel."
OTTER = "The otter eats trout and crayfish at night."


@pytest.fixture
def library(tmp_path: Path) -> Library:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "fox.txt").write_text(FOX)
    (folder / "otter.txt").write_text(OTTER)
    (folder / "owl.txt").write_text("The owl hunts mice from a post.")
    library = Library.open(tmp_path / "index")
    library.add([folder])
    for _ in library.sync():
        pass
    return library


def found(search: Search, claim: Claim) -> list[str]:
    (evidence,) = search.gather([claim])
    assert [item.rank for item in evidence] == list(range(1, len(evidence) + 1))
    return [Path(item.passage.document.path).name for item in evidence]


def claim(statement: str, query: str | None = None) -> Claim:
    return Claim(statement, 0, len(statement), statement, query or statement)


def test_a_claim_is_looked_up_as_it_stands_and_in_its_context(library: Library) -> None:
    search = Search(library, k=2, threshold=None, mode="lexical")
    assert found(search, claim("It eats crayfish.")) == ["otter.txt"]
    in_context = claim("It eats crayfish.", "The fox den: It eats crayfish.")
    assert set(found(search, in_context)) == {"fox.txt", "otter.txt"}


def test_the_text_itself_is_no_evidence(library: Library, tmp_path: Path) -> None:
    own = str(tmp_path / "documents" / "fox.txt")
    search = Search(library, k=6, threshold=None, mode="lexical", without=own)
    names = found(search, claim("The fox den and the owl."))
    assert names[0] == "owl.txt"
    assert "fox.txt" not in names


def test_at_most_k_passages_are_evidence(library: Library) -> None:
    search = Search(library, k=1, threshold=None, mode="lexical")
    assert found(search, claim("The otter eats trout.", "Owl: The otter eats trout.")) == [
        "otter.txt"
    ]


def test_a_claims_evidence_is_what_it_would_be_alone(library: Library) -> None:
    search = Search(library, k=2, threshold=None, mode="lexical")
    claims = [claim("The fox hunts mice."), claim("Trout.", "The otter: Trout."), claim(OTTER)]
    assert search.gather(claims) == [search.gather([one])[0] for one in claims]


def test_where_none_speaks_of_the_subject_the_search_goes_deeper(tmp_path: Path) -> None:
    texts = [Text(f"{n}", f"Person {n} was born in London in 19{n}.", None) for n in range(10, 30)]
    texts.append(Text("childs", "Ted Childs, born elsewhere, came to work in the town.", None))
    library = MemoryLibrary(texts, None)
    said = claim("He was born in London.", "Ted Childs: He was born in London.")
    plain = Search(library, k=2, threshold=None, mode="lexical")
    said = replace(said, query=said.statement, resolved="Ted Childs was born in London.")
    assert found(replace(plain, k=21), said)[-1] == "childs"
    assert "childs" not in found(replace(plain, k=7), said)
    assert found(replace(plain, k=7, raw_text=library.raw_text), said) == ["childs"]
