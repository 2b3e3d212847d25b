"""README and docs: true to the program, whole, and every command of theirs runs."""

import importlib
import json
import os
import re
import shlex
import shutil
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import click
import pytest
from command_line import Commands, process

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "tests" / "samples" / "library"
README = ROOT / "README.md"
PAGES = (README, *sorted((ROOT / "docs").glob("*.md")))
LONGEST = {README: 200}
"""Lines of a page; 150 of any other."""
REASONS = ("needs a network", "takes long and needs a package index", "needs the kit")
BLOCK = re.compile(r"(?:<!-- not run: ([^\n]*) -->\n)?^```(\w*)\n(.*?)^```$", re.M | re.S)
MEASURED = ("demo", "question")
LEAFLET = "# The society\n\nIt was founded in 1958. Its dome was built in Penmouth.\n"
DRAFT = "The society was founded on 14 March 1958. Who knows why? The dome was built in Penmouth.\n"


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(kind: str) -> Iterator[tuple[Path, str, str]]:
    """The fenced blocks of a kind, with their page and why they are not run, if they are not."""
    for page in PAGES:
        for reason, language, text in BLOCK.findall(text_of(page)):
            if language == kind:
                yield page, reason, text


def named(page: Path, block: str) -> str:
    return f"{page.name}: {block.splitlines()[0][:50]}"


RUN = [(page, block) for page, reason, block in blocks("sh") if not reason]
PIECES = [
    (page, name)
    for page in PAGES
    for name in re.findall(r"^<!-- begin ([\w ]+) -->$", text_of(page), re.M)
    if name not in MEASURED
]


@pytest.fixture
def docs(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return importlib.import_module("update_docs")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with what the commands name, and one index for all of them."""
    home = tmp_path_factory.mktemp("home")
    for folder in ("papers", "minutes", "mail"):
        (home / folder).mkdir()
    (home / "papers" / "leaflet.md").write_text(LEAFLET)
    shutil.copy(SAMPLES / "minutes-2023-11-15.docx", home / "minutes")
    shutil.copy(SAMPLES / "annual-report-2023.pdf", home / "mail" / "letter.pdf")
    (home / "draft.md").write_text(DRAFT)
    for name, first, rows in (("mine", 1800, 44), ("others", 1850, 12)):
        labelled = (
            {
                "text": f"The mill of Town{n} burned down in {first + n + n % 2}.",
                "label": "supported" if n % 2 == 0 else "contradicted",
                "evidence": [f"The mill of Town{n} burned down in {first + n}."],
                "group": f"letter {n // 2}",
            }
            for n in range(rows)
        )
        (home / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in labelled))
    return home


def test_pages_are_short() -> None:
    lines = {page: len(text_of(page).splitlines()) for page in PAGES}
    assert {p.name: n for p, n in lines.items() if n > LONGEST.get(p, 150)} == {}


@pytest.mark.parametrize(("page", "name"), PIECES, ids=lambda of: getattr(of, "name", of))
def test_docs_say_what_the_program_says(page: Path, name: str, docs: ModuleType) -> None:
    stands = docs.between(text_of(page), name)
    assert stands == docs.PIECES[name](), "run scripts/update_docs.py --quick"


@pytest.mark.parametrize(("page", "block"), RUN, ids=[named(page, block) for page, block in RUN])
def test_commands_run(page: Path, block: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    monkeypatch.setenv("HOME", str(home))
    program = Commands(home)
    for line in block.splitlines():
        words = shlex.split(line, comments=True)
        if {"|", ">"} & {*words}:
            path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
            shell = {**os.environ, **program.environ, "PATH": path}
            ran = process("bash", "-o", "pipefail", "-c", line, env=shell)
            code, said = ran.returncode, ran.stderr
        else:
            assert words[0] == "veracite", line
            done = program(*map(os.path.expanduser, words[1:]))
            code, said = done.code, done.err
        assert code in (0, 1), f"{line}\n{said}"  # 1: a check has findings


WRONG = "import veracite\nveracite.check(3).labels\nveracite.chekc\n"
"""What a type checker sees in a line behind what is right."""
PYTHON = [(page, block) for page, reason, block in blocks("python") if not reason]


@pytest.mark.parametrize(("page", "block"), PYTHON, ids=[named(*one) for one in PYTHON])
def test_python_runs_and_a_type_checker_sees_what_is_wrong_and_nothing_else(
    page: Path, block: str, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    (script := tmp_path / "script.py").write_text(block)
    ran = process(sys.executable, script, env={**os.environ, **Commands(home).environ})
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout
    script.write_text(f"{block}\n{WRONG}")
    checked = process(sys.executable, "-m", "mypy", "--strict", "--cache-dir", home / "c", script)
    seen = re.findall(r"\[([a-z-]+)\]$", checked.stdout, re.M)
    assert seen == ["attr-defined", "arg-type", "attr-defined"], checked.stdout


def test_the_manual_page_says_what_help_says_and_can_be_printed(docs: ModuleType) -> None:
    assert text_of(docs.MANUAL) == docs.manual(), "run scripts/update_docs.py --quick"
    if not shutil.which("groff"):
        pytest.skip("groff is not installed")
    printed = process("groff", "-man", "-Tutf8", "-ww", "-Kutf8", "-P-cbou", docs.MANUAL)
    assert printed.stderr == ""
    words = " ".join(printed.stdout.split())
    assert "veracite library add [OPTIONS] PATH..." in words
    assert "veracite completion bash > ~/.local/share/bash-completion/completions/veracite" in words


def test_only_what_cannot_run_here_is_not_run() -> None:
    assert {reason for _, reason, _ in blocks("sh") if reason} <= {*REASONS}
    assert len(RUN) > 10


def test_links_and_files_that_are_named_lead_somewhere() -> None:
    for page in PAGES:
        links = re.findall(r"(?:\]\(|src=\")([^)\s\"]+)[)\"]", text_of(page))
        named = re.findall(r"`((?:engine|index|models|tui|scripts|tests)/[\w/.]*)", text_of(page))
        assert [link for link in links if not (page.parent / link).exists()] == [], page.name
        assert [name for name in named if not (ROOT / name).exists()] == [], page.name
    assert [p.name for p in PAGES[1:] if f"(docs/{p.name})" not in text_of(README)] == []


def test_the_readme_names_the_python_that_is_needed() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    minimum = config["project"]["requires-python"].removeprefix(">=")
    assert f"Python {minimum}" in text_of(README)


def test_make_targets_that_are_named_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    for page in PAGES:
        found = set(re.findall(r"(?:^|`)make ([a-z-]+)", text_of(page), re.M))
        assert found <= targets, page.name
    assert re.search(r"^make demo\nmake test$", text_of(README), re.M)


def test_commands_and_options_that_are_named_exist(docs: ModuleType) -> None:
    commands: dict[str, click.Command] = docs.commands()
    groups = "|".join(name for name, one in commands.items() if isinstance(one, click.Group))
    options = {
        name
        for command in (*commands.values(), importlib.import_module("veracite.tui.cli.root").root)
        for option in command.params
        if isinstance(option, click.Option)
        for name in (*option.opts, *option.secondary_opts)
    } | {"--help"}
    for page in (*PAGES, ROOT / "scripts" / "RESULTS.md"):
        text = re.sub(r"`(?:python|ray) [^`]*`|^ray .*$", "", text_of(page), flags=re.M)
        said = re.findall(
            rf"(?:^|`|/|\| )veracite ((?:(?:{groups}) )?[a-z]+)\b(?![./])", text, re.M
        )
        assert {*said} <= {*commands, "draft"}, page.name
        assert {*re.findall(r"(?<![\w-])--[a-z][a-z-]+", text)} <= options, page.name
