"""Looking evidence up: as the claim stands, in its context, and never in the text itself."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from string import ascii_lowercase

import numpy as np
import pytest
from mill import write_documents
from numpy.typing import NDArray
from readings import claim

from veracite.engine.retrieve import KEPT, Search
from veracite.engine.types import Claim
from veracite.index.library import Library
from veracite.index.memory import MemoryLibrary, Text, Vectors

FOX = "The fox den lies behind the old chapel."
OTTER = "The otter eats trout and crayfish at night."


@pytest.fixture
def library(tmp_path: Path) -> Library:
    texts = {"fox.txt": FOX, "otter.txt": OTTER, "owl.txt": "The owl hunts mice from a post."}
    library = Library(tmp_path / "index")
    library.add([write_documents(tmp_path / "documents", texts)])
    for _ in library.sync():
        pass
    return library


def found(search: Search, claim: Claim) -> list[str]:
    (evidence,) = search.gather([claim])
    assert [item.rank for item in evidence] == list(range(1, len(evidence) + 1))
    return [Path(item.passage.document.path).name for item in evidence]


def test_a_claim_is_looked_up_as_it_stands_and_in_its_context(library: Library) -> None:
    search = Search(library, k=2, threshold=None, mode="lexical")
    assert found(search, claim("It eats crayfish.")) == ["otter.txt"]
    in_context = claim("It eats crayfish.", "The fox den: It eats crayfish.")
    assert set(found(search, in_context)) == {"fox.txt", "otter.txt"}


def test_a_claims_evidence_is_what_it_would_be_alone(library: Library) -> None:
    search = Search(library, k=2, threshold=None, mode="lexical")
    claims = [claim("The fox hunts mice."), claim("Trout.", "The otter: Trout."), claim(OTTER)]
    assert search.gather(claims) == [search.gather([one])[0] for one in claims]


def test_the_neighbours_of_a_claim_add_passages_and_remove_none() -> None:
    tower = "Marrow Tower stood by Marrow Tower, as every guide to the town and its sights says."
    texts = [Text(f"own {n}", f"The bridge opened in {n}.", None) for n in range(20)]
    texts += [Text(f"by {n}", f"{tower} {n} The bridge opened. {tower}", None) for n in range(20)]
    search = Search(MemoryLibrary(texts, None), k=None, threshold=None, mode="hybrid")
    own = found(search, claim("The bridge opened."))
    both = found(search, claim("The bridge opened.", f"{tower} The bridge opened."))
    assert both[:KEPT] == own
    assert 0 < sum(name.startswith("by") for name in both) < len(both)


def test_what_only_one_ranking_has_on_top_is_in_the_pool() -> None:
    """Fused, it would stand behind everything that both rankings have in the middle."""
    texts = [Text(f"{n}", f"The guild of bakers met in hall {n} again.", None) for n in range(40)]
    texts.append(Text("rare", "Quillon ferrule.", None))
    library = MemoryLibrary(texts, Vectors(by_letters))
    said = claim("The guild of bakers met in a hall over a quillon ferrule.")
    assert "rare" not in found(Search(library, k=6, threshold=None, mode="dense"), said)
    assert "rare" in found(Search(library, k=None, threshold=None, mode="hybrid"), said)


def test_the_threshold_spares_the_first() -> None:
    texts = [Text(name, name * 9, None) for name in ("fox", "fax", "owl")]
    search = Search(MemoryLibrary(texts, Vectors(by_letters)), k=3, threshold=None, mode="dense")
    said = claim("A fox.")
    (everything,) = search.gather([said])
    _, second, third = (item.cosine or 0 for item in everything)
    assert second > third
    for threshold, kept in (((second + third) / 2, 2), (1.0, 1)):
        assert replace(search, threshold=threshold).gather([said]) == [everything[:kept]]


def test_of_the_pool_those_are_kept_that_together_have_most_of_the_claim() -> None:
    texts = [Text(f"{n}", f"The guild of bakers met in hall {n}.", None) for n in range(19)]
    texts.append(Text("other", "A ferrule is a ring.", None))
    library = MemoryLibrary(texts, None)
    said = claim("The guild of bakers met in hall about a ferrule.")
    kept = found(Search(library, k=None, threshold=None, mode="hybrid"), said)
    assert len(kept) == KEPT
    assert "other" in kept


def by_letters(texts: Sequence[str]) -> NDArray[np.float32]:
    """An encoder of a kind: how often each letter stands in a text."""
    return np.array(
        [[text.lower().count(letter) + 0.01 for letter in ascii_lowercase] for text in texts],
        np.float32,
    )
