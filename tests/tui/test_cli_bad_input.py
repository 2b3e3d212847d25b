"""Bad input gets a clear sentence and an exit code, never a traceback."""

import os
from pathlib import Path

import pytest
from command_line import Commands, Ran
from mill import TRUE


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    path = tmp_path / "draft.md"
    path.write_text(TRUE)
    return path


def refused(ran: Ran, code: int, *says: str) -> None:
    """It ended with this code and two sentences: what happened, and what to do."""
    ran.fails(code, *says)
    *_, happened, advice = ran.err.splitlines()
    assert happened.startswith("Error: ")
    assert advice


def test_a_text_that_cannot_be_checked(
    veracite: Commands, documents: Path, tmp_path: Path, draft: Path
) -> None:
    (tmp_path / "binary.txt").write_bytes(bytes(range(256)) * 20)
    (tmp_path / "broken.pdf").write_bytes(b"no pdf")
    for text, code, says in (
        ("nowhere.md", 2, "no text 'nowhere.md'"),
        (documents, 3, f"use --against {documents}"),
        (tmp_path / "binary.txt", 3, "not a text file"),
        (tmp_path / "broken.pdf", 3, "broken.pdf"),
    ):
        refused(veracite("check", text, "-a", documents), code, says)
    if os.geteuid() != 0:  # root may read everything
        draft.chmod(0)
        refused(veracite("check", draft, "-a", documents), 3, "cannot be read", "permissions")


@pytest.mark.parametrize(
    "content", [b"", b" \n\t\n", b"\xef\xbb\xbf", " \n".encode("utf-16"), b"*** --- ***"]
)
def test_an_empty_text(veracite: Commands, documents: Path, content: bytes) -> None:
    ran = veracite("check", "-", "-a", documents, stdin=content)
    refused(ran, 3, "Standard input", "at least one sentence")


def test_documents_that_are_not_there(veracite: Commands, draft: Path, tmp_path: Path) -> None:
    missing = str(tmp_path / "papers")
    refused(veracite("check", draft, "--against", missing), 2, "neither a file or folder", missing)
    refused(veracite("check", draft), 3, "no default library", "--against FOLDER")
    (tmp_path / "empty").mkdir()
    ran = veracite("check", draft, "--against", tmp_path / "empty")
    refused(ran, 3, "no documents")
    assert len(ran.err.splitlines()) == 2, "nothing is said twice"


def test_a_folder_in_which_every_file_fails(
    veracite: Commands, draft: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / "a.pdf").write_bytes(b"no pdf")
    (folder / "b.docx").write_bytes(b"no zip")
    ran = veracite("check", draft, "--against", folder)
    assert (ran.code, ran.out) == (3, "")
    title, first, second, advice = ran.err.splitlines()
    assert title == "Error: None of the documents could be read:"
    assert first.startswith(f"  {folder / 'a.pdf'}: The file is damaged")
    assert second.startswith(f"  {folder / 'b.docx'}: ")
    assert advice.startswith("Repair or replace them, or check against another folder.")
    for number in range(10):
        (folder / f"c{number}.pdf").write_bytes(b"no pdf")
    ran = veracite("check", draft, "--against", folder)
    assert len(ran.err.splitlines()) == 1 + 10 + 1 + 1
    assert "  ... and 2 more\n" in ran.err
    assert "`veracite library status` with the same folder" in ran.err
    assert str(folder / "c9.pdf") in veracite("library", "status", folder).out


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("--fail-on contradictd", "Did you mean contradicted?"),
        ("-k 0", "Error: -k is 0, which is not between 1 and 50. The nearest"),
        ("--format md --json", "exclude each other"),
        ("-o no/r.md", "does not exist"),
        ("-o .", "is a folder"),
        ("-o r.xyz", "Use .txt, .json, .md, .html"),
        ("-o draft.md", "would overwrite the text"),
    ],
)
def test_a_wrong_option(
    veracite: Commands, draft: Path, monkeypatch: pytest.MonkeyPatch, options: str, says: str
) -> None:
    monkeypatch.chdir(draft.parent)
    refused(veracite("check", draft, *options.split()), 2, says)
    assert draft.read_text() == TRUE


def test_a_wrong_config_file(veracite: Commands, draft: Path, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("[check]\ntreshold = 1")
    says = (str(tmp_path / "config.toml"), "Did you mean threshold?")
    refused(veracite("check", draft), 2, *says)


def test_places_that_cannot_be_read_or_written(
    veracite: Commands, draft: Path, documents: Path, tmp_path: Path
) -> None:
    command = ("check", draft, "-a", documents)
    refused(veracite(*command, "-o", "/dev/full"), 3, "No space left")
    refused(veracite(*command, "--trace", tmp_path), 3, "trace")
    assert veracite(*command, "-o", tmp_path / "r").code == 0
    assert veracite(*command, "-o", tmp_path / "r.xyz", "--format", "md").code == 0
    for place, says in (
        ({"VERACITE_CONFIG": "/nope"}, "no config file /nope"),
        ({"VERACITE_CACHE_DIR": str(draft / "x")}, "VERACITE_CACHE_DIR"),
    ):
        refused(veracite(*command, environ=place), 2 if "config" in says else 3, says)
