"""Which files of folders are read: links, patterns, and what is never looked at."""

from pathlib import Path

import pytest
from indexing import OpenLibrary, events, failures, synced
from mill import write_documents

from veracite.index.errors import SourceError
from veracite.index.library import Library
from veracite.index.progress import Scanned, Synced
from veracite.index.sources import IGNORE_FILE, Patterns


def test_folders_are_walked_without_hidden_and_unknown_files(
    opened: OpenLibrary, source: Path
) -> None:
    names = "deeper/down/cats.txt .hidden.txt .git/notes.txt ~$report.docx node_modules/readme.md"
    write_documents(source, {name: f"This is {name}." for name in names.split()})
    (source / "picture.png").write_bytes(b"\x89PNG")
    library = opened(source)
    assert events(library)[0] == Scanned(4, 4)
    library.add([source / ".hidden.txt", source / ".git"])
    assert events(library)[0] == Scanned(6, 2)


def test_links_to_folders_are_followed_within_the_sources_and_loops_end(
    library: Library, source: Path, tmp_path: Path
) -> None:
    write_documents(tmp_path, {"outside/cats.txt": "Cats purr.", "single.txt": "Fish swim."})
    write_documents(source / ".hidden", {"owls.txt": "Owls hoot."})
    links: dict[str, Path | str] = {
        "again": source,
        "link": tmp_path / "outside",
        "owls": ".hidden",
        "proc": "/proc/self",
        "fish.txt": tmp_path / "single.txt",
    }
    for link, target in links.items():
        (source / link).symlink_to(target)
    assert synced(library).documents == 5
    (found,) = library.search("hoot", k=1, mode="lexical")
    assert found.passage.document.path == str(source / "owls" / "owls.txt")
    outside = "This is a link to a folder outside of the folders that are read."
    assert failures(library) == {"link": outside, "proc": outside}
    library.add([tmp_path / "outside"])
    assert synced(library).documents == 6
    assert failures(library) == {"proc": outside}


def test_what_the_system_says_of_itself_is_no_source(library: Library) -> None:
    library.add([Path("/proc/self")])
    assert synced(library).documents == 3
    assert failures(library) == {"self": "This is not a regular file."}


WRITTEN = ("a.txt", "keep.log", "x.log", "drafts/b.txt", "deep/drafts/c.txt", "deep/d.md")


@pytest.mark.parametrize(
    ("patterns", "ignored", "left", "left_out"),
    [
        (Patterns(), {}, {*WRITTEN}, 0),
        (Patterns(exclude=("*.log", "!keep.log")), {}, {*WRITTEN} - {"x.log"}, 1),
        (Patterns(exclude=("/drafts/",)), {}, {*WRITTEN} - {"drafts/b.txt"}, 1),
        (Patterns(include=("*.md", "/drafts/")), {}, {"deep/d.md", "drafts/b.txt"}, 4),
        (Patterns(include=("*.log",), exclude=("x*",)), {}, {"keep.log"}, 5),
        (Patterns(), {"": "# logs\n*.log\n"}, {*WRITTEN} - {"x.log", "keep.log"}, 2),
        (Patterns(), {"": "*.md\n", "deep": "!d.md\n/drafts/"}, {*WRITTEN} - {WRITTEN[4]}, 1),
        (Patterns(exclude=("d.md",)), {"deep": "!d.md\n"}, {*WRITTEN} - {"deep/d.md"}, 1),
    ],
)
def test_patterns_say_what_is_read(
    opened: OpenLibrary,
    tmp_path: Path,
    patterns: Patterns,
    ignored: dict[str, str],
    left: set[str],
    left_out: int,
) -> None:
    notes = {name: f"This is note number {number}." for number, name in enumerate(WRITTEN)}
    patterned = {f"{where}/{IGNORE_FILE}".lstrip("/"): text for where, text in ignored.items()}
    folder = write_documents(tmp_path / "notes", notes | patterned)
    library = opened(folder)
    synced(library)
    library.choose(patterns)
    synced(library)
    read = {str(Path(document.path).relative_to(folder)) for document in library.documents()}
    assert read == left
    assert library.status().left_out == left_out
    library.choose(Patterns(include=("*",)))
    assert opened().patterns.include == ("*",)


def test_patterns_that_mean_nothing_are_refused(library: Library, source: Path) -> None:
    for pattern in ("!", "[", "*.[", "[z-a]"):
        with pytest.raises(SourceError, match=r"The pattern '.*' cannot be read"):
            library.choose(Patterns(("*.txt",), (pattern,)))
    assert library.patterns == Patterns()
    (source / IGNORE_FILE).write_bytes(b"\xff")
    assert synced(library).documents == 3
    assert "cannot be read" in failures(library)[IGNORE_FILE]


def test_a_link_that_leads_nowhere_is_a_failure(library: Library, source: Path) -> None:
    (source / "gone.txt").symlink_to(source / "nowhere.txt")
    (source / "round.txt").symlink_to("round.txt")
    (source / "picture.png").symlink_to(source / "nowhere.png")
    assert synced(library).failed == 2
    gone = "This is a link to a file that does not exist."
    too_many = "The link cannot be followed (Too many levels of symbolic links)."
    assert failures(library) == {"gone.txt": gone, "round.txt": too_many}
    (source / "nowhere.txt").write_text("Cats purr.", encoding="utf-8")
    (source / "round.txt").unlink()
    assert synced(library) == Synced(5, 0, 5)


def test_a_file_without_a_suffix_is_what_its_content_says(library: Library, source: Path) -> None:
    (source / "NOTES").write_text("The mill of Dorn burned down in 1902.")
    (source / "page").write_text("<!doctype html><p>The tower of Dorn fell.</p>")
    (source / "program").write_bytes(b"\x7fELF\x02\x01\0" + bytes(range(256)) * 8)
    assert synced(library).failed == 1
    read = {Path(document.path).name: document.extractor for document in library.documents()}
    assert read["NOTES"].startswith("plain/")
    assert read["page"].startswith("html/")
    assert [Path(one.file).name for one in library.status().failed] == ["program"]
