"""``veracite models``: pulled from a played hub, brought on a stick, listed, used and removed."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import checkpoints
import exams
import pytest
import tiny_gguf
from command_line import Commands, Ran, process
from damage import flip
from forging import tree
from hub import PlayedHub

from veracite.engine import exam
from veracite.engine.errors import OfflineError
from veracite.models.bundled import bundled_id
from veracite.models.store import entry_of

NAME = "someone/tiny-GGUF/tiny.gguf"
LABELS = ("entailment", "not_entailment")
ENCODER = bundled_id("encoder")
BUNDLED = ENCODER.partition("@")[0]
LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
from veracite.tui.cli import main
sys.exit(main(sys.argv[1:]))
"""


class Machine:
    """A home with models of its own: runs ``veracite models`` there."""

    def __init__(self, home: Path, endpoint: str = "http://127.0.0.1:1") -> None:
        self.home = home
        self.folder = home / "data" / "models"
        self.run = Commands(home)
        self.run.environ |= {"HOME": str(home), "HF_ENDPOINT": endpoint}

    def __call__(self, *arguments: object) -> Ran:
        return self.run("models", *arguments)

    def limited(self, *arguments: object) -> "subprocess.CompletedProcess[str]":
        """The same where no file may have more than 100,000 bytes."""
        environ = {**os.environ, **self.run.environ}
        return process(sys.executable, "-c", LIMITED, "models", *arguments, env=environ)

    def facts(self, *arguments: object) -> dict[str, Any]:
        found = self.run.facts("models", *arguments)
        assert found["schema"] == "veracite.models/1"
        return found

    def listed(self, *states: str) -> dict[str, dict[str, Any]]:
        models = self.facts("list")["models"]
        return {model["name"]: model for model in models if model["state"] in states}

    @property
    def used(self) -> set[str]:
        """The names of the models in use, but the verifier, which always is."""
        models = self.facts("list")["models"]
        return {m["name"] for m in models if m["in_use"] and "verifier" not in m["name"]}

    def bring(self, *names: str) -> None:
        """Import small models: GGUF files, or the folders of encoders."""
        for name in names:
            source = self.home / (f"{name}.gguf" if name.startswith("tiny") else name)
            if name.startswith("tiny"):
                tiny_gguf.make(source)
            else:
                checkpoints.write_folder(source)
            self.facts("import", source)


@pytest.fixture
def models(tmp_path: Path, hub: PlayedHub) -> Machine:
    """Has a played hub."""
    return Machine(tmp_path, hub.endpoint)


@pytest.fixture
def here(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "here")


@pytest.fixture
def there(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "there")


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    return tiny_gguf.make(tmp_path / "Some Model-Q4_K_M.gguf")


# --- From the hub -----------------------------------------------------------------------------


def test_a_model_comes_is_used_and_goes(models: Machine) -> None:
    pulled = models("pull", NAME)
    assert pulled.code == 0, pulled.err
    assert "tiny is in the store, its hashes recorded for later." in pulled.out
    assert (
        f"of someone/tiny-GGUF from {models.run.environ['HF_ENDPOINT']} (apache-2.0)" in pulled.err
    )
    (tiny,) = models.listed("stored").values()
    assert (tiny["kind"], tiny["fit"], tiny["in_use"]) == ("generator", "fits", False)
    assert models.facts("verify")["verified"] == [{"name": "tiny", "problems": []}]
    used, offered = models("use", "tiny").out.splitlines()
    assert used == "tiny is used from now on."
    assert "`veracite models test tiny`" in offered
    assert models.listed("stored")["tiny"]["in_use"]
    assert "* tiny  generator" in models("list").out
    shown = models.facts("show", "tiny")
    assert shown["path"] == str(models.folder / "tiny" / "tiny.gguf")
    assert [file["path"] for file in shown["files"]] == ["tiny.gguf"]
    assert shown["files"][0]["sha256"] in models("show", "tiny").out
    with pytest.raises(OfflineError):
        socket.socket()
    assert models("remove", "tiny", "--yes").out == "The model tiny is removed.\n"
    assert models.listed("stored") == {}


def test_what_came_of_an_exam_is_told_wherever_the_model_is(
    here: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    exams.shortened(monkeypatch, 2)
    model = tiny_gguf.make(tmp_path / "tiny.gguf", context=2048)
    here.run.environ |= {"VERACITE_THREADS": "1", "VERACITE_MODEL": str(model)}
    (before,) = (f for f in here.run.facts("doctor")["findings"] if f["name"] == "exam")
    assert (before["state"], str(model) in before["advice"]) == ("optional", True)
    with monkeypatch.context() as interrupted:
        interrupted.setattr(exam, "verified", lambda *_: signal.raise_signal(signal.SIGINT))
        ran = here("test", model, "--quick")
    assert (ran.code, ran.out, "same command" in ran.err) == (130, "", False)
    ran = here("test", model, "--quick")
    assert (ran.code, ran.err) == (0, "")
    assert {line[:19].strip() for line in ran.out.splitlines()[2:]} > {"AUC", "Calibration error"}
    outcome = here.run.facts("models", "test", model, "--quick")
    assert (outcome["schema"], outcome["quick"]) == ("veracite.exam/1", True)
    assert outcome["judging"]["items"] == 6
    (after,) = (f for f in here.run.facts("doctor")["findings"] if f["name"] == "exam")
    assert (after["state"], outcome["model"] in after["detail"]) == ("ok", True)
    here.facts("import", model, "--name", "another")
    here.run.environ["VERACITE_MODEL"] = "another"
    here.run("doctor")  # which opens it
    assert here.facts("show", "another")["exam"].startswith("AUC ")
    assert "test another" not in here("use", "another").out


def test_more_than_a_gigabyte_needs_a_yes(models: Machine, hub: PlayedHub) -> None:
    hub.sizes = {"tiny.gguf": 2_000_000_000}
    models("pull", NAME).fails(2, "Downloading 2.0 GB has to be confirmed. Add --yes")
    assert hub.downloads == []
    models("pull", NAME, "--yes")
    assert hub.downloads[0] == "tiny.gguf"


def test_an_interrupted_pull_goes_on_or_is_given_up(models: Machine, hub: PlayedHub) -> None:
    hub.break_after = [100_000, 0]
    assert models("pull", NAME).code == 3
    assert models("remove", "tiny", "--yes").code == 0
    hub.break_after = [100_000, 0]
    models("pull", NAME)
    assert models("pull", NAME).code == 0
    assert hub.downloads.count("tiny.gguf") == 2, "nothing was left of what was given up"
    assert hub.downloads[-1] == "tiny.gguf bytes=100000-"


def test_a_damaged_model_is_told_and_hides_no_other(models: Machine, hub: PlayedHub) -> None:
    hub.put("someone/b-GGUF", b__gguf=hub.repositories["someone/tiny-GGUF"]["tiny.gguf"])
    models.facts("pull", NAME)
    models.facts("pull", "someone/b-GGUF/b.gguf")
    flip(models.folder / "b" / "b.gguf")
    ran = models("verify")
    assert (ran.code, ran.out) == (1, "b: b.gguf: its SHA-256 is another one\ntiny: right\n")
    (models.folder / "b" / "manifest.json").write_text("no")
    ran = models("verify")
    assert ran.code == 1
    assert "b: The model b has no usable manifest.json" in ran.out
    listed = models.listed("stored")
    assert "no usable manifest" in listed["b"]["problem"]
    assert listed["tiny"]["problem"] is None
    assert "b     cannot be used: The model b has no usable" in models("list").out
    assert models("remove", "b", "--yes").code == 0


def test_what_can_be_pulled_is_shown_with_its_file_hash_and_revision(here: Machine) -> None:
    entry = entry_of("qwen3-1.7b")
    (file,) = entry.files
    shown = here("show", "qwen3-1.7b").out
    assert f"{file.path}  {file.size:,} bytes  sha256 {file.sha256}\n" in shown
    assert str(entry.revision) in shown
    assert "State       Not here yet\n" in shown
    facts = here.facts("show", "qwen3-1.7b")
    assert (facts["state"], facts["files"][0]["sha256"]) == ("known", file.sha256)
    unstated = here("show", "sup-simcse-bert-base").out.splitlines()
    assert "Licence     none stated" in unstated


# --- Of other applications, and in use --------------------------------------------------------


def test_models_of_other_applications_are_used(models: Machine, tmp_path: Path) -> None:
    theirs = tmp_path / ".lmstudio" / "models" / "someone"
    theirs.mkdir(parents=True)
    tiny_gguf.make(theirs / "Theirs-Q4_K_M.gguf")
    broken = f"{'broken-' * 8}\x1b[31m"
    (theirs / f"{broken}.gguf").write_bytes(b"GGUF")
    listed = models.listed("found")
    assert listed["lm-studio/someone/Theirs-Q4_K_M"]["fit"] == "fits"
    assert "is damaged" in listed[f"lm-studio/someone/{broken}"]["problem"]
    rows = models("list").out
    assert "\x1b" not in rows
    assert "\n  lm-studio/someone/Theirs-Q4_K_M  generator  " in rows  # no wider for the broken one
    used = models.facts("use", "lm-studio/someone/Theirs-Q4_K_M")
    assert used["in_use"] == {"generator": str(theirs / "Theirs-Q4_K_M.gguf")}
    assert models.listed("found")["lm-studio/someone/Theirs-Q4_K_M"]["in_use"]
    assert models("use", f"lm-studio/someone/{broken}").code == 3
    models.facts("use", "--none")
    assert not models.listed("found")["lm-studio/someone/Theirs-Q4_K_M"]["in_use"]
    assert not models.folder.joinpath("theirs").exists()


def test_the_bundled_encoder_is_chosen_by_its_name(here: Machine) -> None:
    here.bring("tiny", "my-encoder")
    anew = "Libraries are encoded anew at their next sync or check."
    for name, costs in (("tiny", False), ("my-encoder", True), ("my-encoder", False)):
        assert (anew in here("use", name).out) is costs
    assert here.used == {"tiny", "my-encoder"}
    assert here("use", BUNDLED).out.startswith(f"{BUNDLED} is used from now on.\n{anew}")
    assert here.used == {"tiny", BUNDLED}
    here("use", "my-encoder")
    assert here("use", "--none", "tiny").out == "tiny is not used now.\n"
    assert here.used == {"my-encoder"}
    assert anew in here("use", "--none", "encoder").out
    assert here.used == {BUNDLED}
    here("use", "--none", "tiny").fails(3, "tiny was not chosen.")


def test_a_setting_that_goes_before_is_named_and_its_model_marked(here: Machine) -> None:
    here.bring("tiny", "tiny-other")
    assert "goes before" not in here("use", "tiny").out
    (here.home / "config.toml").write_text("[check]\nmodel = 'tiny-other'\n")
    file = str(here.home / "data" / "models" / "tiny-other" / "tiny-other.gguf")
    for arguments in (["use", "tiny"], ["use", "--none"], ["list"]):
        said = here(*arguments).out
        assert "The setting model, in the config file or VERACITE_MODEL, goes before" in said
        assert file in said
    assert "tiny-other" in here.used
    assert "tiny" not in here.used
    assert "goes before" not in here("use", "tiny-other").out


def test_a_library_says_that_another_encoder_has_encoded_it(here: Machine) -> None:
    (here.home / "bees.md").write_text("Bees sleep at night.\n")
    here.run("library", "add", here.home / "bees.md")
    assert "before" not in here.run("library", "status").out
    here.bring("my-encoder")
    here("use", "my-encoder")
    status = here.run("library", "status").out
    assert "1 passage, 0 of them encoded" in status
    assert f"  encoded by {ENCODER} before; the next sync encodes them anew\n" in status
    here.run("library", "sync")
    assert "before" not in here.run("library", "status").out


def test_a_model_outside_the_store_is_left_alone(here: Machine) -> None:
    (cache := here.home / ".cache" / "llama.cpp").mkdir(parents=True)
    file = tiny_gguf.make(cache / "tiny.gguf")
    for command in ("verify", "remove"):
        here(command, "llama.cpp/tiny").fails(2, "no model named 'llama.cpp/tiny' in the store.")
        here(command, BUNDLED).fails(2)
    assert file.is_file()


# --- On a stick -------------------------------------------------------------------------------


def test_models_travel(here: Machine, there: Machine, gguf: Path, tmp_path: Path) -> None:
    checkpoints.write_folder(tmp_path / "small")
    assert here("import", gguf).out.startswith("some-model-q4_k_m is in the store")
    here.facts("import", tmp_path / "small")
    stick, names = tmp_path / "stick", ("some-model-q4_k_m", "small")
    exported = here("export", *names, "-o", stick)
    assert "The text of the licence is missing for: some-model-q4_k_m, small." in exported.err
    assert stat.S_IMODE(stick.stat().st_mode) == 0o600
    imported = there.facts("import", stick)["imported"]
    assert [(m["name"], m["kind"], m["before"]) for m in imported] == [
        ("some-model-q4_k_m", "generator", False),
        ("small", "encoder", False),
    ]
    for name in names:
        assert tree(there.folder / name).keys() == tree(here.folder / name).keys()
    assert there("verify").out == "small: right\nsome-model-q4_k_m: right\n"
    assert "small is used from now on." in there("use", "small").out
    again = there.facts("export", "small", "-o", tmp_path / "again")
    assert again["size"] == (tmp_path / "again").stat().st_size
    with zipfile.ZipFile(tmp_path / "again") as bundle:
        assert b"Licence: not stated" in bundle.read("licences/small.txt")
    assert "small was in the store already." in there("import", tmp_path / "again").out


def test_a_reranker_travels_and_is_used(here: Machine, there: Machine, tmp_path: Path) -> None:
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
    (there.folder / "small" / "reranker.onnx").unlink()
    assert there("use", "small").code == 3


def test_a_verifier_judges_by_an_exam(
    here: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A verifier that knows nothing does, where that is not asked of it."""
    exams.shortened(monkeypatch, 2)
    monkeypatch.setattr(exam, "_CHANCE", -1.0)
    checkpoints.write_reranker(tmp_path / "theirs", numbers=2, labels=LABELS)
    assert "models use theirs --as judge`" in here("import", tmp_path / "theirs").out
    here("use", "theirs").fails(3, "takes an exam before it does")
    here("use", "--as", "judge").fails(2, "Name one model")
    assert (
        "theirs judges from now on. In its exam: AUC " in here("use", "theirs", "--as", "judge").out
    )
    (judge,) = [m for m in here.facts("list")["models"] if m["in_use_for"] == "verifying"]
    assert (judge["name"], judge["kind"]) == ("theirs", "verifier")
    assert "theirs@" in here.run("doctor").out
    assert here.facts("use", "--none", "verifier")["in_use"] == {"verifier": None}
    assert "theirs@" not in here.run("doctor").out


def test_no_model_and_a_wrong_name_are_refused(here: Machine, tmp_path: Path, gguf: Path) -> None:
    assert "config.json is missing or damaged" in here("import", tmp_path).err
    assert "There is no file or folder" in here("import", tmp_path / "nothing").err
    assert "No model can be named '../up'" in here("import", gguf, "--name", "../up").err
    here.facts("import", gguf)
    here("import", gguf).fails(3, "There is a model named some-model-q4_k_m already.", "--name")
    here.facts("export", "some-model-q4_k_m", "-o", tmp_path / "stick")
    (new,) = here.facts("import", tmp_path / "stick", "--name", "new")["imported"]
    assert (new["name"], here("verify", "new").out) == ("new", "new: right\n")
    here.facts("export", "some-model-q4_k_m", "new", "-o", tmp_path / "two")
    here("import", tmp_path / "two", "--name", "newer").fails(2, "keep their names")


def test_a_bundle_replaces_nothing_but_a_bundle(here: Machine, gguf: Path, tmp_path: Path) -> None:
    stick, thesis = tmp_path / "stick", tmp_path / "thesis.docx"
    here.facts("import", gguf, "--name", "tiny")
    for _ in range(2):
        here.facts("export", "tiny", "-o", stick)
    with zipfile.ZipFile(thesis, "w") as archive:
        archive.writestr("word/document.xml", "precious")
    before = tree(tmp_path)
    for path in (thesis, gguf):
        here("export", "tiny", "-o", path).fails(3, f"{path} is there already and is no bundle.")
    assert tree(tmp_path) == before
    (weights,) = (here.folder / "tiny").glob("*.gguf")
    flip(weights)
    before = tree(tmp_path)
    here("export", "tiny", "-o", stick).fails(3, "The model tiny is damaged")
    assert tree(tmp_path) == before


def test_where_the_disk_is_full_nothing_is_left(here: Machine, gguf: Path, tmp_path: Path) -> None:
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
    assert tree(here.folder) == {}
    assert tree(tmp_path).keys() == {name for name in before if "data/models" not in name}


# --- Prompts ----------------------------------------------------------------------------------


def test_every_prompt_is_listed_with_who_worded_it(veracite: Commands) -> None:
    listed = veracite("models", "prompts")
    assert (listed.code, listed.err) == (0, "")
    prompts = json.loads(veracite("models", "prompts", "--json").out)["prompts"]
    assert [line.split()[0] for line in listed.out.splitlines()] == [p["id"] for p in prompts]
    by_name = {prompt["name"]: prompt for prompt in prompts}
    assert by_name["judge.veracite"]["source"] == "Veracite"
    assert by_name["judge.ceg"]["source"].startswith("CEG")
    assert "{passages}" in by_name["judge.veracite"]["messages"][-1]["content"]
    veracite("models", "prompts", "judge.veracit").fails(2, "Did you mean judge.veracite?")


def test_a_printed_prompt_can_take_its_place(veracite: Commands, tmp_path: Path) -> None:
    command = ("models", "prompts", "judge.veracite")
    ours = veracite(*command).out
    own = tmp_path / "prompts" / "judge.veracite.toml"
    own.parent.mkdir()
    own.touch()  # as a shell makes it before the command runs
    assert veracite(*command).out == ours
    own.write_text(ours.replace('source = "Veracite"', 'source = "me"'))
    assert veracite(*command).out == own.read_text()
    (shown,) = json.loads(veracite(*command, "--json").out)["prompts"]
    assert (shown["source"], shown["file"]) == ("me", str(own))
    assert veracite("models", "prompts", shown["id"]).out == own.read_text()
    assert f"me ({own})" in veracite("models", "prompts").out
    own.write_text("skill = \n")
    veracite("models", "prompts").fails(2, "judge.veracite.toml cannot be used")
