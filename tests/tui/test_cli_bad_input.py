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
    assert (ran.code, ran.out) == (code, "")
    assert "Traceback" not in ran.err
    *_, happened, advice = ran.err.splitlines()
    assert happened.startswith("Error: ")
    assert advice
    for words in says:
        assert words in ran.err


def test_a_missing_text(veracite: Commands, documents: Path) -> None:
    refused(veracite("check", "nowhere.md", "-a", documents), 2, "no text 'nowhere.md'")


def test_a_folder_instead_of_a_text(veracite: Commands, documents: Path) -> None:
    refused(veracite("check", documents), 3, "is a folder", f"use --against {documents}")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_text_without_permission(veracite: Commands, draft: Path, documents: Path) -> None:
    draft.chmod(0)
    refused(veracite("check", draft, "-a", documents), 3, "cannot be read", "permissions")


@pytest.mark.parametrize(
    "content", [b"", b" \n\t\n", b"\xef\xbb\xbf", " \n".encode("utf-16"), b"*** --- ***"]
)
def test_an_empty_text(veracite: Commands, documents: Path, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "empty.txt").write_bytes(content)
    advice = "at least one sentence"
    refused(veracite("check", tmp_path / "empty.txt", "-a", documents), 3, advice)
    refused(veracite("check", "-", "-a", documents, stdin=content), 3, "Standard input", advice)


def test_a_text_that_is_no_text(veracite: Commands, documents: Path, tmp_path: Path) -> None:
    (tmp_path / "binary.txt").write_bytes(bytes(range(256)) * 20)
    refused(veracite("check", tmp_path / "binary.txt", "-a", documents), 3, "not a text file")
    (tmp_path / "broken.pdf").write_bytes(b"no pdf")
    refused(veracite("check", tmp_path / "broken.pdf", "-a", documents), 3, "broken.pdf")


def test_a_missing_folder(veracite: Commands, draft: Path, tmp_path: Path) -> None:
    missing = str(tmp_path / "papers")
    refused(veracite("check", draft, "--against", missing), 2, "neither a file or folder", missing)


def test_no_documents_named_and_no_default_library(veracite: Commands, draft: Path) -> None:
    refused(veracite("check", draft), 3, "no default library", "--against FOLDER")


def test_an_empty_folder(veracite: Commands, draft: Path, tmp_path: Path) -> None:
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
    told = ran.err.splitlines()
    assert told[0] == "Error: None of the 2 documents could be read:"
    assert told[1].startswith(f"  {folder / 'a.pdf'}: The file is damaged")
    assert told[2].startswith(f"  {folder / 'b.docx'}: ")
    assert told[3:] == ["Repair or replace them, or check against another folder."]
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
        (["--fail-on", "contradictd"], "Did you mean contradicted?"),
        (["--fail-on", "contradictd"], "--fail-on: there is no label named 'contradictd'."),
        (["-k", "0"], "Error: -k is 0, which is not between 1 and 50.\n"),
        (["-k", "six"], "a whole number"),
        (["--threshold", "2"], "nearest valid value is 1.0"),
        (["--retrieval", "semantic"], "hybrid, dense, lexical"),
        (["--format", "md", "--json"], "exclude each other"),
    ],
)
def test_a_wrong_value(veracite: Commands, draft: Path, options: list[str], says: str) -> None:
    refused(veracite("check", draft, *options), 2, says)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("[check]\ntreshold = 1", "Did you mean threshold?"),
        ("[check\n", "not valid TOML"),
        ("[check]\nk = 0", "nearest valid value is 1"),
    ],
)
def test_a_wrong_config_file(
    veracite: Commands, draft: Path, tmp_path: Path, content: str, says: str
) -> None:
    (tmp_path / "config.toml").write_text(content)
    refused(veracite("check", draft), 2, str(tmp_path / "config.toml"), says)


def test_a_config_file_that_is_named_must_exist(
    veracite: Commands, draft: Path, documents: Path
) -> None:
    ran = veracite("check", draft, "-a", documents, environ={"VERACITE_CONFIG": "/nope"})
    refused(ran, 2, "no config file /nope")


def test_an_output_that_cannot_be(
    veracite: Commands, draft: Path, documents: Path, tmp_path: Path
) -> None:
    refused(veracite("check", draft, "-a", documents, "-o", tmp_path), 2, "is a folder")
    refused(veracite("check", draft, "-o", tmp_path / "no" / "r.md"), 2, "does not exist")
    refused(veracite("check", draft, "-o", tmp_path / "r.xyz"), 2, "'.xyz'", ".json, .md, .html")
    assert veracite("check", draft, "-a", documents, "-o", tmp_path / "r").code == 0
    command = ("check", draft, "-a", documents, "-o", tmp_path / "r.xyz", "--format", "md")
    assert veracite(*command).code == 0
    refused(veracite("check", draft, "-o", draft), 2, "would overwrite the text")
    assert draft.read_text() == TRUE
    refused(veracite("check", draft, "-a", documents, "-o", "/dev/full"), 3, "No space left")
    refused(veracite("check", draft, "-a", documents, "--trace", tmp_path), 3, "trace")


def test_a_cache_that_cannot_be_written(
    veracite: Commands, draft: Path, documents: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    ran = veracite(
        "check",
        draft,
        "-a",
        documents,
        environ={"VERACITE_CACHE_DIR": str(tmp_path / "file" / "x")},
    )
    refused(ran, 3, "cannot be used", "VERACITE_CACHE_DIR")
