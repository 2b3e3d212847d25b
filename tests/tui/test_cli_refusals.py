"""Bad input gets a clear sentence, what to do and an exit code, never a traceback."""

import os
import shlex
from pathlib import Path

import pytest
from command_line import Commands
from forging import tree
from mill import TRUE, write_documents

REFUSED = [
    ("chek", 2, "No such command 'chek'", "Did you mean check?"),
    ("nowhere.md", 2, "There is no file 'nowhere.md'"),
    ("check", 2, "Missing argument 'TEXT'."),
    ("check x --retreival dense", 2, "Did you mean '--retrieval'?"),
    ("check x --format pdf", 2, "'pdf' is not one of"),
    ("check nowhere.md -a empty", 2, "no text 'nowhere.md'"),
    ("check empty -a empty", 3, "use --against empty"),
    ("check binary.txt -a empty", 3, "not a text file"),
    ("check broken.pdf -a empty", 3, "broken.pdf"),
    ("check pipe -a empty", 3, "pipe is empty", "at least one sentence"),
    ("check draft.md", 2, "no default library", "--against FOLDER"),
    ("check draft.md -a papers", 2, "neither a file or folder", "papers"),
    ("check draft.md -a mills -a empty", 2, "cannot be combined"),
    ("check draft.md --format md --json", 2, "exclude each other"),
    ("check draft.md -o .", 2, "is a folder"),
    ("check draft.md -o -", 2, "- is no file", "Leave --output out"),
    ("check draft.md -a documents empty pipe", 2, "before each of several files"),
    ("check draft.md -o r.xyz", 2, "Use .txt, .json, .md, .html"),
    ("check draft.md -o draft.md", 2, "would overwrite the text"),
    ("check nowhere.md -a mills -o draft.md", 2, "no text 'nowhere.md'"),
    ("check draft.md -a documents --trace empty", 2, "is a folder"),
    ("check draft.md -a documents -o documents/mill.md", 2, "is among the documents"),
    ("check draft.md -a documents --trace documents/bees.txt", 2, "outside their folder"),
    ("check draft.md -a mills --prefer ''", 2, "''"),
    ("check draft.md --model none.gguf", 3, "none.gguf cannot be read", "Check the path"),
    ("check draft.md --model no.gguf", 3, "no.gguf is no GGUF file", "Name the GGUF file"),
    ("check - -a mills --jsonl -o x.json", 2, "--jsonl prints whole"),
    ("check - -a mills --jsonl --seal k", 2, "--jsonl prints whole"),
    ("check draft.md --judge gguf", 2, "judge is 'gguf', and no model is", "--model FILE.gguf"),
    ("check draft.md --model no.gguf --calibration c", 2, "calibration is set", "--judge bundled"),
    ("ask", 2, "No question is asked.", "after ask"),
    ("ask ' '", 2, "The question is empty.", "Ask something."),
    ("ask x --method retrieve", 2, "no method named 'retrieve'", "Did you mean retrieve-read?"),
    ("ask x --preset table-9", 2, "retrieve-read", "Valid:"),
    ("ask x --skills prompted", 2, "--model FILE.gguf"),
    ("ask x --compare ,", 2, "No method is named to compare.", "--compare"),
    ("search", 2, "Nothing is searched for."),
    ("fix - --write", 2, "standard input cannot be written over"),
    ("fix page.html --write", 2, "is no text file"),
    ("fix big.txt --write", 2, "saving would change"),
    ("fix draft.md --write -o x.md", 2, "exclude each other"),
    ("fix draft.md -o draft.md", 2, "Use --write if that is meant."),
    ("fix draft.md -o x.docx", 2, "End the name in .md or .txt."),
    ("fix draft.md --set remov=true", 2, "Did you mean remove?"),
    ("fix nothing.md", 2, "There is no text"),
    ("library add documents /nowhere", 2, "There is no file or folder '/nowhere'."),
    ("library status .", 2, "No text has been checked against . yet"),
    ("library status default", 2, "no default library"),
    ("library remove", 2, "Nothing is named."),
    ("library remove mills", 2, "Add --yes"),
    ("library remove mills empty", 2, "is not a source of this library"),
    ("library export mills -o documents", 3, "documents"),
    ("library import papers", 2, "There is no bundle 'papers'."),
    ("check draft.md -a mills --exclude *.md", 2, "choose among files and folders"),
    ("models pull qwen3-4", 2, "No model named 'qwen3-4' is known."),
    ("report verify nothing", 2, "There is no report 'nothing'"),
    ("report diff draft.md draft.md", 3, "draft.md is no report of Veracite", "--json` wrote"),
    ("trace show nothing", 2, "There is no trace"),
    ("trace show draft.md", 3, "draft.md is no trace of Veracite. Name a file that --trace has"),
]


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Commands:
    """A home with a library, a draft, and files that are none."""
    home = tmp_path_factory.mktemp("home")
    (home / "draft.md").write_text(TRUE)
    (home / "binary.txt").write_bytes(bytes(range(256)) * 20)
    (home / "broken.pdf").write_bytes(b"no pdf")
    (home / "no.gguf").write_text("no model")
    (home / "page.html").write_text("<p>Bees sleep.</p>")
    (home / "big.txt").write_text(TRUE, encoding="utf-16-be")
    (home / "empty").mkdir()
    os.mkfifo(home / "pipe")  # which nobody writes to
    veracite = Commands(home)
    veracite.facts("library", "add", veracite.documents, "--name", "mills")
    return veracite


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row[0])
def test_what_is_wrong_is_said_before_anything_is_read_or_written(
    here: Commands, row: tuple[str, int, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command, code, *says = row
    monkeypatch.chdir(here.home)
    before = sorted(here.home.rglob("*")), tree(here.documents)
    ran = here(*shlex.split(command), stdin=TRUE.encode())
    ran.fails(code, *says)
    *_, happened, advice = ran.err.splitlines()
    assert happened.startswith("Error: ")
    assert advice
    assert (sorted(here.home.rglob("*")), tree(here.documents)) == before
    assert (here.home / "draft.md").read_text() == TRUE


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_text_that_may_not_be_read(veracite: Commands, tmp_path: Path) -> None:
    (tmp_path / "draft.md").touch(mode=0)
    ran = veracite("check", tmp_path / "draft.md", "-a", tmp_path)
    ran.fails(3, "cannot be read", "permissions")


@pytest.mark.parametrize(
    "content", [b"", b" \n\t\n", b"\xef\xbb\xbf", " \n".encode("utf-16"), b"*** --- ***"]
)
def test_an_empty_text(here: Commands, content: bytes) -> None:
    ran = here("check", "-", "-a", "mills", stdin=content)
    ran.fails(3, "Standard input", "at least one sentence")


def test_a_folder_without_documents_is_said_once(veracite: Commands, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    ran = veracite("check", "-", "--against", tmp_path / "folder", stdin=TRUE.encode())
    ran.fails(3, "no documents")
    assert len(ran.err.splitlines()) == 2


def test_a_folder_in_which_every_file_fails(veracite: Commands, tmp_path: Path) -> None:
    folder = write_documents(tmp_path / "folder", {"a.pdf": "no pdf", "b.docx": "no zip"})
    ran = veracite("check", "-", "--against", folder, stdin=TRUE.encode())
    assert (ran.code, ran.out) == (3, "")
    title, first, second, advice = ran.err.splitlines()
    assert title == "Error: None of the documents could be read:"
    assert first.startswith(f"  {folder / 'a.pdf'}: The file is damaged")
    assert second.startswith(f"  {folder / 'b.docx'}: ")
    assert advice.startswith("Repair or replace them, or check against another folder.")
    write_documents(folder, {f"c{number}.pdf": "no pdf" for number in range(10)})
    ran = veracite("check", "-", "--against", folder, stdin=TRUE.encode())
    assert "  11 files: The file is damaged" in ran.err
    assert "`veracite library status` with the same folder" in ran.err
    assert str(folder / "c9.pdf") in veracite("library", "status", folder).out


def test_places_that_cannot_be_read_or_written(here: Commands, tmp_path: Path) -> None:
    command = ("check", here.home / "draft.md", "-a", "mills")
    here(*command, "-o", "/dev/full").fails(3, "No space left")
    here(*command, "--prefer", "[z-a]").fails(2, "[z-a]")
    assert here(*command, "-o", tmp_path / "r").code == 0
    assert here(*command, "-o", tmp_path / "r.xyz", "--format", "md").code == 0
    here(*command, environ={"VERACITE_CONFIG": "/nope"}).fails(2, "no config file /nope")
    below_a_file = {"VERACITE_CACHE_DIR": str(here.home / "draft.md" / "x")}
    here.check(text=TRUE, environ=below_a_file).fails(3, "VERACITE_CACHE_DIR")
