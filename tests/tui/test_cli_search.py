"""``veracite search``: passages by words, by meaning and by both, with where they stand."""

import os
from itertools import product
from pathlib import Path
from zipfile import ZipFile

from command_line import Commands


def test_passages_are_found_with_file_page_and_characters(
    veracite: Commands, documents: Path
) -> None:
    text = "The dredger Petrel was scrapped in 1931."
    (documents / "ships.txt").write_text(f"Ships.\n\n{text}\n")
    found = veracite.facts("search", "dredger", "scrapped", "--against", documents)
    assert found["schema"] == "veracite.search/1"
    best = found["hits"][0]
    assert (Path(best["file"]).name, best["page"]) == ("ships.txt", None)
    assert text in (documents / "ships.txt").read_text()[best["start"] : best["end"]]
    assert best["bm25"] > 0
    assert best["cosine"] > 0
    shown = veracite("search", "dredger", "--against", documents, "-n", "1").out
    assert f"{documents.name}/ships.txt, characters " in shown
    assert "2. " not in shown


def test_the_words_or_the_meaning_alone_may_rank(veracite: Commands, documents: Path) -> None:
    (documents / "news.txt").write_text("The vessel went down with all hands.\n")
    query = ("search", "a ship that sank", "--against", documents)
    by_words = veracite.facts(*query, "--by", "words")["hits"]
    assert all(Path(hit["file"]).name != "news.txt" for hit in by_words)
    by_meaning = veracite.facts(*query, "--by", "meaning")["hits"]
    assert Path(by_meaning[0]["file"]).name == "news.txt"


def test_only_some_files_and_nothing_found(veracite: Commands, documents: Path) -> None:
    query = ("search", "mill", "--against", documents)
    assert veracite(*query).code == 0
    nothing = veracite(*query, "--only", "*.pdf")
    assert (nothing.code, nothing.out) == (1, "Nothing was found.\n")
    nothing = veracite(*query, "--type", "docx")
    assert (nothing.code, "type docx; those there are: md" in nothing.out) == (1, True)
    veracite(*query, "--since", "yesterday").fails(2, "'yesterday' does not match", "--help")


def test_patterns_choose_files_by_their_place_however_far_down_they_rank(
    veracite: Commands, documents: Path
) -> None:
    (documents / "deep").mkdir()
    (documents / "deep" / "few.txt").write_text("A mill, among many other things that stood here.")
    for number in range(30):
        (documents / f"mill-{number}.md").write_text(f"The mill, the mill, the mill {number}.")
    query = ("search", "mill", "--against", documents, "-n", "1", "--by", "words")
    for glob in ("deep/*", "deep/", "documents/deep/*", "few.txt"):
        (hit,) = veracite.facts(*query, "--only", glob, "--only", "nothing/*")["hits"]
        assert Path(hit["file"]).name == "few.txt", glob


def test_a_word_of_the_title_the_heading_the_file_name_or_its_day_finds_a_document(
    veracite: Commands, documents: Path
) -> None:
    page = "<title>Titled so</title><h1>Beginning</h1><p>Nothing.</p><h2>Heading</h2><p>More.</p>"
    place = documents / "thunderbird_1.html"
    place.write_text(page)
    os.utime(place, (549_892_800, 549_892_800))
    for number in range(10):
        (documents / f"bird-{number}.txt").write_text(f"Of birds, thunder and the like, {number}.")
    asked = ("title", "heading", "thunderbird", "thunderbird 1987-06-05")
    for words, way in product(asked, ("words", "both")):
        found = veracite.facts("search", words, "--against", documents, "--by", way)
        assert (Path(found["hits"][0]["file"]), found["hits"][0]["title"]) == (place, "Titled so")
    by_day = veracite.facts("search", "1987-06-05", "--against", documents, "--by", "words")
    assert [Path(hit["file"]) for hit in by_day["hits"]] == [place]


def test_what_says_the_same_is_shown_once_with_all_its_places_that_were_asked_for(
    veracite: Commands, documents: Path
) -> None:
    told = " ".join(f"word{number}" for number in range(40))
    ends = {"a.txt": "", "b.md": "", "c.txt": " more", "d.txt": " other than that"}
    for name, end in ends.items():
        (documents / name).write_text(f"The dredger Petrel {told}{end}\n")
    os.utime(documents / "c.txt", (0, 0))
    with ZipFile(documents / "e.zip", "w") as archive:
        archive.write(documents / "a.txt", "e.txt")
    query = ("search", "dredger petrel", "--against", documents)

    def places(*asked: str) -> list[list[str]]:
        hits = veracite.facts(*query, *asked, "--by", "words")["hits"]
        return [[Path(one["file"]).name for one in (hit, *hit["also"])] for hit in hits]

    assert sorted(map(sorted, places())) == [["a.txt", "b.md", "c.txt", "d.txt", "e.txt"]]
    assert places("--type", "md,pdf") == [["b.md"]]
    lately = places("--since", "2000-01-01", "--type", "txt")
    assert [*map(sorted, lately)] == [["a.txt", "d.txt", "e.txt"]]
    shown = veracite(*query, "--by", "words").out
    assert f"\n   also {documents.name}/" in shown
    assert "other place" not in shown
    for number in range(6):
        (documents / f"copy-{number}.txt").write_text((documents / "a.txt").read_text())
    assert len(places()[0]) == 11
    shown = veracite(*query, "--by", "words").out
    assert (shown.count("\n   also "), "5 other places" in shown) == (5, True)
