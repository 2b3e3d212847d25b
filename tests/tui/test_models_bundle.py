"""``veracite models export`` and ``import``: from one machine to another without a network."""

import json
import os
import stat
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import checkpoints
import pytest
import tiny_gguf
from command_line import Commands, Ran
from forging import tree

LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
from veracite.tui.cli import main
sys.exit(main(sys.argv[1:]))
"""


class Machine:
    """A home with models of its own."""

    def __init__(self, home: Path) -> None:
        home.mkdir()
        self.home = home
        self.models = home / "data" / "models"
        self._commands = Commands(home)

    def __call__(self, *arguments: object, terminal: bool = False) -> Ran:
        environ = {"HOME": str(self.home), "XDG_CACHE_HOME": "", "HF_HOME": ""}
        return self._commands("models", *arguments, environ=environ, terminal=terminal)

    def limited(self, *arguments: object) -> "subprocess.CompletedProcess[str]":
        """The same where no file may have more than 100,000 bytes."""
        command = [sys.executable, "-c", LIMITED, "models", *map(str, arguments)]
        environ = {**os.environ, **self._commands.environ, "HOME": str(self.home)}
        return subprocess.run(command, env=environ, capture_output=True, text=True, check=False)

    def facts(self, *arguments: object) -> dict[str, Any]:
        ran = self(*arguments, "--json")
        assert ran.code == 0, ran.err
        found: dict[str, Any] = json.loads(ran.out)
        assert found["schema"] == "veracite.models/1"
        return found


@pytest.fixture
def here(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "here")


@pytest.fixture
def there(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "there")


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    return tiny_gguf.make(tmp_path / "Some Model-Q4_K_M.gguf")


def test_models_travel_in_a_bundle(
    here: Machine, there: Machine, gguf: Path, tmp_path: Path
) -> None:
    checkpoints.write_folder(tmp_path / "small")
    assert here("import", gguf).out.startswith("some-model-q4_k_m is in the store")
    here.facts("import", tmp_path / "small")
    bundle = tmp_path / "stick"
    names = ("some-model-q4_k_m", "small")
    exported = here.facts("export", *names, "-o", bundle)
    assert exported["size"] == bundle.stat().st_size
    assert stat.S_IMODE(bundle.stat().st_mode) == 0o600
    imported = there.facts("import", bundle)["imported"]
    assert [(m["name"], m["kind"], m["before"]) for m in imported] == [
        ("some-model-q4_k_m", "generator", False),
        ("small", "encoder", False),
    ]
    for name in names:
        assert tree(there.models / name).keys() == tree(here.models / name).keys()
    assert there.facts("verify")["verified"] == [
        {"name": name, "problems": []} for name in sorted(names)
    ]
    assert "small is used from now on." in there("use", "small").out
    assert "small was in the store already." in there("import", bundle).out


def test_a_licence_travels_with_its_model_as_often_as_it_does(
    here: Machine, there: Machine, gguf: Path, tmp_path: Path
) -> None:
    checkpoints.write_folder(tmp_path / "small")
    (tmp_path / "small" / "LICENSE.txt").write_text("You may, if you are kind.")
    (tmp_path / "small" / "README.md").write_text("---\ntags: [a]\nlicense: mit\n---\n# Small")
    here.facts("import", tmp_path / "small")
    here.facts("import", gguf, "--name", "tiny")
    ran = here("export", "small", "tiny", "-o", tmp_path / "stick")
    assert "The text of the licence is missing for: tiny." in ran.err
    (small, _) = there.facts("import", tmp_path / "stick")["imported"]
    assert small["licence"] == "mit"
    again = there("export", "small", "-o", tmp_path / "again")
    assert (again.code, again.err) == (0, "")
    with zipfile.ZipFile(tmp_path / "again") as bundle:
        assert b"Licence: mit" in bundle.read("licences/small.txt")
        assert b"You may, if you are kind." in bundle.read("licences/small.txt")
    assert "small was in the store already." in here("import", tmp_path / "again").out


def test_a_reranker_is_converted_travels_and_is_used_beside_the_verifier(
    here: Machine, there: Machine, tmp_path: Path
) -> None:
    checkpoints.write_reranker(tmp_path / "small")
    assert "Use it with `veracite models use small`." in here("import", tmp_path / "small").out
    here.facts("export", "small", "-o", tmp_path / "stick")
    (came,) = there.facts("import", tmp_path / "stick")["imported"]
    assert (came["kind"], came["details"]["separators"]) == ("cross-encoder", 1)
    assert "small is used from now on." in there("use", "small").out
    used = {m["in_use_for"]: m["name"] for m in there.facts("list")["models"] if m["in_use"]}
    assert used["reranking"] == "small"
    assert used.keys() == {"encoding", "verifying", "reranking"}
    assert "in use for: reranking" in there("list").out
    there("use", "--none")
    assert "reranking" not in there("list").out
    (there.models / "small" / "reranker.onnx").unlink()
    assert there("use", "small").code == 3


def test_what_holds_no_model_and_a_wrong_name_are_refused(
    here: Machine, tmp_path: Path, gguf: Path
) -> None:
    assert "no model in the folder" in here("import", tmp_path).err
    assert "There is no file or folder" in here("import", tmp_path / "nothing").err
    assert "No model can be named '../up'" in here("import", gguf, "--name", "../up").err
    here.facts("import", gguf)
    ran = here("import", gguf)
    assert ran.code == 3
    assert "There is a model named some-model-q4_k_m already." in ran.err
    assert "--name" in ran.err
    here.facts("export", "some-model-q4_k_m", "-o", tmp_path / "stick")
    (new,) = here.facts("import", tmp_path / "stick", "--name", "new")["imported"]
    assert (new["name"], here("verify", "new").out) == ("new", "new: right\n")
    here.facts("export", "some-model-q4_k_m", "new", "-o", tmp_path / "two")
    ran = here("import", tmp_path / "two", "--name", "newer")
    assert ran.code == 2
    assert "keep their names" in ran.err


def test_a_damaged_model_is_not_exported_and_what_was_there_stays(
    here: Machine, gguf: Path, tmp_path: Path
) -> None:
    here.facts("import", gguf, "--name", "tiny")
    here.facts("export", "tiny", "-o", tmp_path / "stick")
    before = (tmp_path / "stick").read_bytes()
    (weights,) = (here.models / "tiny").glob("*.gguf")
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    ran = here("export", "tiny", "-o", tmp_path / "stick")
    assert (ran.code, ran.out) == (3, "")
    assert "The model tiny is damaged" in ran.err
    assert (tmp_path / "stick").read_bytes() == before
    assert not list(tmp_path.glob(".stick*"))


def test_a_bundle_takes_the_place_of_a_bundle_and_of_nothing_else(
    here: Machine, gguf: Path, tmp_path: Path
) -> None:
    here.facts("import", gguf, "--name", "tiny")
    for _ in range(2):
        here.facts("export", "tiny", "-o", tmp_path / "stick")
    thesis = tmp_path / "thesis.docx"
    with zipfile.ZipFile(thesis, "w") as archive:
        archive.writestr("word/document.xml", "precious")
    (tmp_path / "half").write_bytes((tmp_path / "stick").read_bytes()[:100_000])
    for path in (thesis, tmp_path / "half", gguf):
        before = path.read_bytes()
        ran = here("export", "tiny", "-o", path)
        assert (ran.code, ran.out) == (3, "")
        assert f"{path} is there already and is no bundle." in ran.err
        assert path.read_bytes() == before


def test_where_nothing_more_fits_that_is_said_and_nothing_is_left(
    here: Machine, gguf: Path, tmp_path: Path
) -> None:
    here.facts("import", gguf, "--name", "tiny")
    here.facts("export", "tiny", "-o", tmp_path / "stick")
    before = tree(tmp_path)
    exported = here.limited("export", "tiny", "-o", tmp_path / "small stick")
    assert (exported.returncode, exported.stdout) == (3, "")
    assert "(File too large)" in exported.stderr
    here("remove", "tiny", "--yes")
    for path in (gguf, tmp_path / "stick"):
        imported = here.limited("import", path)
        assert imported.returncode == 3
        assert "is full" in imported.stderr
    assert tree(here.models) == {}
    assert tree(tmp_path).keys() == {name for name in before if "data/models" not in name}
