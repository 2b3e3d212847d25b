"""Hundreds of attacks, each met by a plain sentence or read as the text that it is.

What bundles hold is attacked in ``tests/engine/bundles``, prompts in ``tests/engine/skills``,
damaged indexes in ``tests/index/test_crashes.py``.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import attacks
import pytest
from command_line import Commands, Ran
from forging import tree

from veracite.engine.display import neutralise
from veracite.engine.errors import USER_ERRORS
from veracite.engine.paths import Paths
from veracite.engine.settings import load, tables
from veracite.index.errors import ReadError
from veracite.index.reading import Reader

UNFORESEEN = re.compile(r"Traceback|The reader failed|crashed|from outside|unexpectedly")


@dataclass(frozen=True)
class Outcome:
    """What the commands say of a folder and a draft that are full of attacks."""

    report: dict[str, Any]
    status: dict[str, Any]
    said: dict[str, str]
    """What people are shown, by what it is."""


def claim(number: int, text: str) -> str:
    return f"The mill number {number} of {text} burned down in 1904."


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """A check of all attacking texts against documents with the same texts and names."""
    home = tmp_path_factory.mktemp("texts")
    veracite, folder = Commands(home / "home"), home / "documents"
    folder.mkdir()
    for number, text in enumerate(attacks.TEXTS):
        said = claim(number, text.replace("\0", "")).encode("utf-8", "replace")
        (folder / f"{number} {attacks.named(text)}.txt").write_bytes(said)
    told = (" ".join(text.replace("\0", "").split()) for text in attacks.TEXTS)
    claims = (claim(number, text) for number, text in enumerate(told))
    (home / "draft.txt").write_bytes("\n\n".join(claims).encode("utf-8", "replace"))
    assert veracite("library", "add", folder, "--name", "mills").code == 0
    against = ("-a", "mills", "-k", "1", "--fail-on", "not_found")

    def check(*options: str) -> Ran:
        ran = veracite("check", home / "draft.txt", *against, *options)
        assert ran.code in (0, 1), ran.err
        assert neutralise(ran.err, lines=True) == ran.err
        return ran

    report = json.loads(check("--json").out)
    shown = {kind: check("--format", kind).out for kind in ("text", "md", "html")}
    shown["terminal"] = veracite("check", home / "draft.txt", *against, "-v", terminal=True).out
    shown["status"] = veracite("library", "status", "mills").out
    shown["search"] = veracite("search", "mill", "-a", "mills").out
    asked, trace = f"Which mill burned {''.join(attacks.TEXTS)}?", home / "trace"
    shown["ask"] = veracite("ask", asked, "-a", "mills", "--trace", trace).out
    shown["story"] = veracite("trace", "show", trace).out
    shown["fix"] = veracite("fix", home / "draft.txt", "-a", "mills", "-k", "1").out
    return Outcome(report, veracite.facts("library", "status", "mills"), shown)


@pytest.mark.parametrize("number", range(len(attacks.TEXTS)))
def test_an_attacking_text_stays_text(number: int, outcome: Outcome) -> None:
    """In a claim, and in a document and its name."""
    claims = [one["text"] for one in outcome.report["claims"]]
    assert sum(f"number {number} of" in one for one in claims) == 1
    failed = [Path(one["file"]).name for one in outcome.status["failed"]]
    if "\b" not in attacks.TEXTS[number]:  # which makes a file one that is not text
        assert [name for name in failed if name.startswith(f"{number} ")] == []


def test_no_output_holds_what_a_terminal_obeys(outcome: Outcome) -> None:
    for kind in outcome.said.keys() - {"terminal"}:
        assert "mill" in outcome.said[kind]
        assert neutralise(outcome.said[kind], lines=True) == outcome.said[kind]


def test_a_terminal_is_told_colours_and_nothing_else(outcome: Outcome) -> None:
    plain = re.sub(r"\x1b\[\d*(?:;\d+)*m|\r\x1b\[2?K", "", outcome.said["terminal"])
    assert "number" in plain
    assert neutralise(plain, lines=True) == plain


FILES = attacks.files()


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    with Reader(timeout=30, memory=1024**3) as reader:
        yield reader


@pytest.mark.parametrize("name", FILES)
def test_an_attacking_file_is_read_or_refused_in_words(
    name: str, reader: Reader, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / name).write_bytes(FILES[name])
    before, parts = tree(tmp_path), []
    try:
        parts = list(reader.read(tmp_path / "in" / name))
        told = [part.reason for part in parts if part.reason]
    except ReadError as error:
        told = [error.message, error.advice]
    assert parts or told
    for words in told:
        assert words.endswith(".")
        assert neutralise(words) == words
        assert not UNFORESEEN.search(words), words
    texts = [part.found.text for part in parts if part.found]
    assert not {text for text in texts if Path("/etc/hostname").read_text().strip() in text}
    assert texts or not name.endswith(".md")
    if name.startswith("entity") and texts:
        assert "&s;" in texts[0]
    assert not {part.name for part in parts if re.match(r"/|\.\.", part.name)}
    assert tree(tmp_path) == before


@pytest.mark.parametrize("name", ["pipe", "socket", *attacks.LINKS])
def test_what_is_no_file_is_told_of(name: str, tmp_path: Path) -> None:
    veracite, folder = Commands(tmp_path / "home"), tmp_path / "documents"
    folder.mkdir()
    attacks.put(name, folder)
    (folder / "mill.md").write_text("The mill burned.")
    named = [folder / f"{name}.txt"] if name in ("pipe", "socket") else []
    facts = veracite.facts("library", "add", folder, *named, "--name", "mills")
    assert facts["documents"] == 1
    (failed,) = facts["failed"]
    assert Path(failed["file"]).name == f"{name}.txt"
    ran = veracite("check", folder / f"{name}.txt", "-a", "mills")
    ran.fails(2 if name in ("loop", "gone") else 3, f"{name}.txt")
    assert not UNFORESEEN.search(ran.err)


@pytest.mark.parametrize("name", attacks.IGNORED)
def test_an_attacking_ignore_file_ends(name: str, tmp_path: Path) -> None:
    veracite, folder = Commands(tmp_path / "home"), tmp_path / "documents"
    (folder / "a" / "/".join("b" * 60)).mkdir(parents=True)
    for path in (folder / ("a" * 200 + ".txt"), folder / "a" / "/".join("b" * 60) / "d.txt"):
        path.write_text("The mill burned.")
    attacks.IGNORED[name](folder / ".veraciteignore")
    facts = veracite.facts("library", "add", folder, "--name", "mills")
    assert facts["documents"] == 2
    assert all(Path(one["file"]).name == ".veraciteignore" for one in facts["failed"])
    assert all(one["reason"].endswith(").") for one in facts["failed"])


WRONG = (
    *("0", "-1", "1e400", "nan", '"x"', '""', "[]", "[1]", "{}", "true", "1979-05-27"),
    *('"\\u0000"', '"\\u001b[2J"', "9" * 400),
)
NAMES = ("check.calibration", "ask.method")
"""Settings that take any word until they are used."""


@pytest.mark.parametrize("key", [f"{t}.{k}" for t, known in tables().items() for k in known])
def test_a_config_file_of_wrong_types_is_told_in_words(key: str, paths: Paths) -> None:
    table, _, name = key.partition(".")
    errors = []
    for value in WRONG:
        paths.config.write_text(f"[{table}]\n{name} = {value}\n")
        try:
            load(paths, {}, {})
        except USER_ERRORS as error:
            errors.append(error)
    assert len(errors) > 3 or key in NAMES
    assert {str(error) for error in errors if name not in error.message} == set()
    assert {
        str(error) for error in errors if not (error.advice or "").endswith((".", "?"))
    } == set()
