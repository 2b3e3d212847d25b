"""``veracite search``: passages by words, by meaning and by both, with where they stand."""

import os
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
    (documents / "ships.txt").write_text("The vessel went down with all hands.\n")
    query = ("search", "a ship that sank", "--against", documents)
    by_words = veracite.facts(*query, "--by", "words")["hits"]
    assert all(Path(hit["file"]).name != "ships.txt" for hit in by_words)
    by_meaning = veracite.facts(*query, "--by", "meaning")["hits"]
    assert Path(by_meaning[0]["file"]).name == "ships.txt"


def test_only_some_files_and_nothing_found(veracite: Commands, documents: Path) -> None:
    query = ("search", "mill", "--against", documents)
    assert veracite(*query).code == 0
    nothing = veracite(*query, "--only", "*.pdf")
    assert (nothing.code, nothing.out) == (1, "Nothing was found.\n")


def test_what_says_the_same_is_shown_once_with_all_its_places_that_were_asked_for(
    veracite: Commands, documents: Path
) -> None:
    told = " ".join(f"word{number}" for number in range(40))
    for name, end in {
        "a.txt": "",
        "b.md": "",
        "c.txt": " more",
        "d.txt": " other than that",
    }.items():
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


def test_there_must_be_words_and_documents(veracite: Commands, tmp_path: Path) -> None:
    assert veracite("search").code == 2
    empty = tmp_path / "empty"
    empty.mkdir()
    refused = veracite("search", "mill", "--against", empty)
    assert (refused.code, refused.out) == (3, "")
    assert "no document could be read" in refused.err
