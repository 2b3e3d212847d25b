"""What other programs may count on: ``import veracite``."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import Commands
from mill import DRAFT, FALSE, QUESTION, TRUE, write_documents

import veracite
from veracite.engine import api


def wrong(value: object) -> Any:
    """An argument of a type that a type checker would refuse."""
    return value


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    write_documents(home / "papers")
    return home


@pytest.fixture(autouse=True)
def _here(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder with documents, and nothing else of this machine."""
    monkeypatch.chdir(home)
    for name, value in Commands(home).environ.items():
        monkeypatch.setenv(name, value)


def test_a_program_gets_the_report_of_the_command_line(home: Path) -> None:
    report = veracite.check(DRAFT, against="papers")
    said = Commands(home)("check", "-", "--against", "papers", "--json", stdin=DRAFT.encode()).out
    assert json.loads(json.dumps(veracite.as_json(report))) == json.loads(said)
    assert [verdict.label for verdict in report.verdicts] == [
        veracite.Label.SUPPORTED,
        veracite.Label.CONTRADICTED,
        veracite.Label.NOT_FOUND,
        veracite.Label.NOT_CHECKABLE,
    ]


def test_a_library_stays_open_and_reads_what_is_new(home: Path, tmp_path: Path) -> None:
    papers = write_documents(tmp_path / "papers")
    with veracite.Library(papers) as library:
        assert library.documents() == ()
        assert library.check(FALSE).counts[veracite.Label.CONTRADICTED] == 1
        (papers / "lisbon.md").write_text("The mayor of Lisbon plays the cello every morning.\n")
        (best,) = library.search("who plays the cello", number=1)
        assert best.passage.document.path == str(papers / "lisbon.md")
        assert len(library.documents()) == 3
        place = best.passage
        assert "cello" in library.text(place.document.path, place.start, place.end)
        answer = library.ask("What does the mayor of Lisbon play?").answer
        assert answer
        assert "cello" in answer.text
        with pytest.raises(veracite.ERRORS, match="holds no document"):
            library.text(home / "draft.md")


def test_a_text_is_no_evidence_for_itself(tmp_path: Path) -> None:
    papers = write_documents(tmp_path / "papers")
    (papers / "draft.md").write_text(text := "The ferry to Samso costs nothing on Sundays.")
    with veracite.Library([papers]) as library:
        report = library.check(text, path=papers / "draft.md")
        (alone,), (other,) = report.verdicts, library.check(text).verdicts
    assert any("itself" in note for note in report.notes)
    assert (alone.label, other.label) == (veracite.Label.NOT_FOUND, veracite.Label.SUPPORTED)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: veracite.check(" ", against="papers"), "empty"),
        (lambda: veracite.ask(QUESTION, against="nowhere"), "nowhere"),
        (lambda: veracite.search("bees"), "default library"),
        (lambda: veracite.search("bees", against=[]), "No document is named"),
        (lambda: veracite.Library(["papers", "nowhere"]), "nowhere"),
        (lambda: veracite.Library("papers", settings={"kay": 3}), "kay"),
        (lambda: veracite.Library("papers", settings={"k": 300}), "300"),
        (lambda: veracite.Library("papers", settings={"include": "[z-a]"}), "z-a"),
        (lambda: veracite.Library(settings={"exclude": "*.md"}), "choose among files"),
        (lambda: veracite.Library("papers", settings=wrong([3])), "settings"),
        (lambda: veracite.Library("papers", settings=wrong({3: 3})), "settings"),
        (lambda: veracite.Library(wrong(3)), "against"),
        (lambda: veracite.Library(""), "''"),
        (lambda: veracite.check(wrong(b"x"), against="papers"), "text"),
        (lambda: veracite.ask(wrong(None), against="papers"), "question"),
        (lambda: veracite.search(wrong(3), against="papers"), "query"),
        (lambda: veracite.search("bees", against="papers", number=wrong("3")), "number"),
        (lambda: veracite.search("bees", against="papers", number=10**400), "number"),
        (lambda: veracite.Library("papers").check(TRUE, path=wrong(3)), "path"),
        (lambda: veracite.Library("papers").text(wrong(3)), "file"),
        (lambda: veracite.Library("papers").text("a", wrong("3")), "start"),
    ],
)
def test_what_goes_wrong_is_one_of_our_errors(call: Callable[[], object], says: str) -> None:
    with pytest.raises(veracite.ERRORS) as caught:
        call()
    assert isinstance(error := caught.value, veracite.ERRORS)
    assert says in error.message
    assert error.advice


def test_a_closed_library_refuses(home: Path) -> None:
    with veracite.Library("papers") as library:
        pass
    library.close()
    calls: list[Callable[[], object]] = [
        *(lambda: library.check(TRUE), lambda: library.ask(QUESTION), library.documents),
        *(lambda: library.search("bees"), lambda: library.text("mill.md")),
    ]
    for call in calls:
        with pytest.raises(veracite.ERRORS, match="closed"):
            call()


def test_settings_are_those_of_the_config_file_and_of_the_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config.toml").write_text("[check]\nk = 2\nuncertain_below = 0.3\n")
    monkeypatch.setenv("VERACITE_CONFIG", str(tmp_path / "config.toml"))
    told = veracite.check(TRUE, against="papers", settings={"k": "3"}).settings
    assert (told["k"], told["uncertain_below"]) == (3, 0.3)


def test_importing_loads_nothing_and_using_it_neither_textual_nor_click() -> None:
    code = (
        "import sys, veracite; before = {*sys.modules}; veracite.check; "
        "print(*before & {'typing', 'veracite.engine'}); "
        "print(*{'textual', 'rich', 'click', 'onnxruntime', 'tantivy'} & {*sys.modules})"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []


def test_all_that_is_promised_is_there_and_no_more() -> None:
    assert veracite.__all__ == api.__all__
    page = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
    for name in veracite.__all__:
        assert hasattr(veracite, name)
        assert re.search(rf"^\|.*`{name}\b", page, re.M), name
    with pytest.raises(AttributeError):
        _ = veracite.Workbench  # type: ignore[attr-defined]
