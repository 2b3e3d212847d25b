"""Where two places of a library contradict each other, both are shown, each with its place."""

import json
from pathlib import Path

import pytest
from readings import CONTRADICTED, NEUTRAL, SUPPORTED, claim, evidence, raw_text_of, reading

from veracite.engine.events import Finished
from veracite.engine.judging.citations import cite
from veracite.engine.judging.explanations import explain
from veracite.engine.paths import Paths
from veracite.engine.report import html, markdown
from veracite.engine.report import json as as_json
from veracite.engine.settings import CheckSettings
from veracite.engine.words import Label, Report, Verdict
from veracite.engine.workbench import Workbench

MILL = "The mill burned down in 1904."
CLAIM = claim(MILL)


def test_a_supporting_and_a_contradicting_document_are_both_cited() -> None:
    book = evidence("book", [MILL, "It stood by the river."])
    leaflet = evidence("leaflet", ["The mill burned down in 1905."], rank=2)
    said = reading(
        CLAIM,
        [book, leaflet],
        [SUPPORTED, CONTRADICTED],
        {MILL: SUPPORTED, "The mill burned down in 1905.": CONTRADICTED},
    )
    for label, files in (
        (Label.SUPPORTED, ["/book", "/leaflet"]),
        (Label.CONTRADICTED, ["/leaflet", "/book"]),
        (Label.UNCERTAIN, ["/book", "/leaflet"]),
    ):
        found = cite(said, label, raw_text_of(book, leaflet))
        assert [c.file for c in found] == files
        split = Verdict(CLAIM, label, 0.9, None, "test", "", found).disagreement
        assert split is not None
        assert found[split.supports[0]].file == "/book"
        assert found[split.contradicts[0]].file == "/leaflet"
    assert explain(said, Label.UNCERTAIN, found) == (
        "One document supports this, another document contradicts it."
    )


def test_another_passage_of_the_same_document_may_disagree() -> None:
    one = evidence("book", [MILL])
    other = evidence("book", ["The mill burned down in 1905."], rank=2)
    said = reading(
        CLAIM,
        [one, other],
        [SUPPORTED, CONTRADICTED],
        {MILL: SUPPORTED, "The mill burned down in 1905.": CONTRADICTED},
    )
    found = cite(said, Label.SUPPORTED, lambda document: f"{MILL} The mill burned down in 1905.")
    assert [c.relation for c in found] == ["supports", "contradicts"]
    assert explain(said, Label.SUPPORTED, found).endswith(
        "Another passage of the same document disagrees."
    )


def test_what_speaks_of_something_else_is_no_disagreement() -> None:
    here, elsewhere = "The mill of Harrow burned in 1904.", "The mill of Corran burned in 1905."
    book, other = evidence("book", [here]), evidence("other", [elsewhere], rank=2)
    said = reading(
        claim(here),
        [book, other],
        [SUPPORTED, CONTRADICTED],
        {here: SUPPORTED, elsewhere: CONTRADICTED},
    )
    found = cite(said, Label.SUPPORTED, raw_text_of(book, other))
    assert [c.relation for c in found] == ["supports"]


def test_without_a_plain_opposite_the_nearest_are_shown() -> None:
    book = evidence("book", [MILL])
    said = reading(CLAIM, [book], [NEUTRAL], {MILL: (0.7, 0.2, 0.1)})
    found = cite(said, Label.UNCERTAIN, raw_text_of(book))
    assert {c.relation for c in found} == {"nearest"}
    assert Verdict(CLAIM, Label.UNCERTAIN, 0.5, None, "test", "", found).disagreement is None


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The report on a real check of a library whose two files disagree."""
    home = tmp_path_factory.mktemp("disagreement")
    library = home / "library"
    library.mkdir()
    (library / "chronicle.txt").write_text(
        "The bridge at Tarnow was opened in 1931. It has four arches of granite. "
        "The mayor at that time was Hanna Lisk."
    )
    (library / "guide.md").write_text(
        "# Tarnow\n\nThe bridge at Tarnow was opened in 1928. Boats go from the pier at ten.\n"
    )
    paths = Paths(home / "data", home / "cache", home / "config.toml")
    with Workbench(CheckSettings(), paths) as bench:
        last = list(bench.check("The bridge at Tarnow was opened in 1931.", against=(library,)))[-1]
    assert isinstance(last, Finished)
    return last.report


def test_a_real_library_that_disagrees_shows_both_sides(found: Report) -> None:
    (verdict,) = found.verdicts
    split = verdict.disagreement
    assert split is not None, verdict
    supports = [Path(verdict.citations[i].file).name for i in split.supports]
    contradicts = [Path(verdict.citations[i].file).name for i in split.contradicts]
    assert (supports, contradicts) == (["chronicle.txt"], ["guide.md"])
    assert verdict.citations[split.contradicts[0]].quote == (
        "The bridge at Tarnow was opened in 1928."
    )
    assert "document" in verdict.explanation


def test_every_report_names_the_disagreement(found: Report) -> None:
    made = json.loads(as_json.render(found))["claims"][0]
    citations = made["citations"]
    assert {citations[i]["relation"] for i in made["disagreement"]["supports"]} == {"supports"}
    assert {citations[i]["relation"] for i in made["disagreement"]["contradicts"]} == {
        "contradicts"
    }
    for out in (html.render(found), markdown.render(found)):
        assert "The library disagrees with itself on 1 claim" in out
        assert "chronicle.txt" in out
        assert "guide.md" in out
