"""``veracite library export`` and ``import``: a library goes where its documents are not."""

import json
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest
from command_line import Commands
from mill import DRAFT, write_documents


class Machine:
    """A home with libraries of its own."""

    def __init__(self, home: Path) -> None:
        home.mkdir()
        self.home = home
        self.run = Commands(home)

    def facts(self, *arguments: object) -> dict[str, Any]:
        ran = self.run("library", *arguments, "--json")
        assert ran.code == 0, ran.err
        found: dict[str, Any] = json.loads(ran.out)
        assert found["schema"] == "veracite.library/1"
        return found

    def report(self, library: str) -> str:
        ran = self.run("check", "-", "--against", library, "--json", stdin=DRAFT.encode())
        assert ran.code == 1, ran.err
        return ran.out


@pytest.fixture
def here(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "here")


@pytest.fixture
def there(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "there")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    documents = write_documents(tmp_path / "documents")
    (documents / "broken.pdf").write_bytes(b"no pdf")
    return documents


@pytest.fixture
def bundle(here: Machine, folder: Path, tmp_path: Path) -> Path:
    here.facts("add", folder, "--name", "mills")
    exported = here.facts("export", "mills", "-o", tmp_path / "stick")
    assert exported["size"] == (tmp_path / "stick").stat().st_size
    return tmp_path / "stick"


def test_without_its_documents_a_library_gives_the_same_report(
    here: Machine, there: Machine, bundle: Path, folder: Path
) -> None:
    expected = here.report("mills")
    shutil.rmtree(folder)
    ran = there.run("library", "import", bundle)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("mills: 2 documents, 1 could not be read\n")
    assert there.report("mills") == expected
    status = there.facts("status", "mills")
    assert (status["passages"], status["embedded"]) == (2, 2)
    assert status["elsewhere"] == [str(folder)]
    assert f"  holds what was in {folder} elsewhere\n" in there.run("library", "list").out


def test_the_bundle_and_the_library_are_for_their_owner_alone(there: Machine, bundle: Path) -> None:
    there.facts("import", bundle)
    library = there.home / "data" / "libraries" / "mills"
    assert stat.S_IMODE(bundle.stat().st_mode) == 0o600
    assert stat.S_IMODE(library.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in library.glob("catalog.db*")} == {0o600}


def test_a_sync_keeps_what_is_elsewhere_whatever_lies_at_its_place(
    there: Machine, bundle: Path, folder: Path
) -> None:
    there.facts("import", bundle)
    shutil.rmtree(folder)
    assert there.facts("sync", "mills")["documents"] == 2
    folder.mkdir()
    (folder / "mill.md").write_text("Something else.\n")
    assert there.facts("sync", "mills")["documents"] == 2
    assert "mill.md" in there.report("mills")


def test_an_imported_library_follows_folders_of_this_machine_too(
    there: Machine, bundle: Path, folder: Path, tmp_path: Path
) -> None:
    there.facts("import", bundle)
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "geese.txt").write_text("Geese fly south in autumn.\n")
    added = there.facts("add", tmp_path / "more", "--name", "mills")
    assert (added["documents"], added["elsewhere"]) == (3, [str(folder)])
    removed = there.facts("remove", "mills", folder)
    assert (removed["documents"], removed["sources"]) == (1, [str(tmp_path / "more")])


def test_a_bundle_of_the_other_kind_says_which_command_takes_it(
    there: Machine, bundle: Path
) -> None:
    assert "`veracite library import` takes it" in " ".join(
        there.run("models", "import", bundle).err.split()
    )


def test_what_cannot_be_exported_is_said(here: Machine, folder: Path, tmp_path: Path) -> None:
    assert "There is no library named 'mills'" in (
        here.run("library", "export", "mills", "-o", tmp_path / "stick").err
    )
    here.facts("add", folder, "--name", "mills")
    assert here.run("library", "export", "mills").code == 2
    assert here.run("library", "export", "mills", "-o", folder).code == 3
    assert not (tmp_path / "stick").exists()
