"""Starting up: light, and with a way out of every mistake."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Commands, process

from veracite.engine.libraries import Against
from veracite.engine.paths import Paths
from veracite.engine.version import __version__
from veracite.tui.cli.root import root
from veracite.tui.cli.session import Session


def loaded_by(*lines: str) -> set[str]:
    """The modules that are loaded after command lines have run."""
    code = (
        "import sys; from veracite.tui.cli import main; "
        f"[main(line.split()) for line in {lines!r}]; print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_the_version_is_answered_before_anything_is_imported(veracite: Commands) -> None:
    assert veracite("--version").out == f"veracite {__version__}\n"
    bare = process(sys.executable, "-c", "import sys; print(*sys.modules)").stdout.split()
    assert loaded_by("--version") - {*bare} == {
        "veracite",
        "veracite.engine",
        "veracite.engine.version",
        "veracite.tui",
        "veracite.tui.cli",
    }


def test_help_loads_nothing_heavy() -> None:
    loaded = loaded_by("--help", "check --help", "locate")
    assert "click" in loaded
    heavy = {"textual", "rich", "onnxruntime", "numpy", "tantivy", "nltk", "jinja2"}
    heavy |= {"hnswlib", "simsimd"}
    assert not loaded & heavy


def test_without_a_terminal_the_app_gives_way_to_help(veracite: Commands) -> None:
    veracite().fails(2, "check")


def test_a_path_instead_of_a_command_is_told_its_command(
    veracite: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my draft.md").touch()
    Path("papers").mkdir()
    assert veracite("my draft.md", "--against", "papers").err == (
        "Error: 'my draft.md' is a file, not a command.\n"
        "To check it, write `veracite check 'my draft.md' --against papers`.\n"
    )
    ran = veracite("papers")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "Error: 'papers' is a folder, not a command.\n"
        "To check a text against it, write `veracite check TEXT --against papers`.\n"
    )


def test_a_file_opens_in_the_app_with_the_documents_that_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my draft.md").touch()
    Path("papers").mkdir()
    opened: list[tuple[Path | None, Against]] = []

    def run(_paths: Paths, path: Path | None, against: Against) -> None:
        opened.append((path, against))

    monkeypatch.setattr("veracite.tui.app.run", run)
    monkeypatch.setattr("veracite.tui.console.is_terminal", lambda _stream: True)
    for arguments in (["my draft.md"], [], ["my draft.md", "--against", "papers"]):
        with root.make_context("veracite", arguments, obj=Session(Paths.resolve())) as ctx:
            root.invoke(ctx)
    draft = Path("my draft.md")
    assert opened == [(draft, None), (None, None), (draft, (tmp_path / "papers",))]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_completion_scripts_are_printed(veracite: Commands, shell: str) -> None:
    ran = veracite("completion", shell)
    assert ran.code == 0
    assert f"_VERACITE_COMPLETE={shell}_complete" in ran.out


TYPED = {
    "veracite mod": "models",
    "veracite library re": "remove repair",
    "veracite check --f": "--format --fail-on",
    "veracite completion ": "bash zsh fish",
}


def test_bash_completes_what_is_typed(veracite: Commands) -> None:
    script = """
        source <(veracite completion bash)
        function=$(complete -p veracite) && function=${function#* -F } && function=${function% *}
        for typed in "$@"; do
            read -ra COMP_WORDS <<< "$typed"
            [[ $typed == *' ' ]] && COMP_WORDS+=('')
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
            $function veracite && echo "${COMPREPLY[*]}"
        done
    """
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environ = {**os.environ, **veracite.environ, "PATH": path}
    ran = process("bash", "--norc", "-c", script, "bash", *TYPED, env=environ)
    assert (ran.stdout.splitlines(), ran.stderr) == ([*TYPED.values()], "")


def test_locate_prints_every_path(veracite: Commands, tmp_path: Path) -> None:
    ran = veracite("locate", "--json")
    places = json.loads(ran.out)
    assert places["config"] == str(tmp_path / "config.toml")
    assert Path(places["folders"]).is_relative_to(tmp_path / "cache")
    assert (Path(places["bundled models"]) / "encoder.json").exists()
    ours = [Path(path) for name, path in places.items() if name != "bundled models"]
    assert all(path.is_relative_to(tmp_path) for path in ours)
    assert list(tmp_path.iterdir()) == [tmp_path / "config.toml"], "nothing is made"
    plain = veracite("locate").out
    assert all(path in plain for path in places.values())
