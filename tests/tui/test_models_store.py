"""``veracite models``: pulled from a played hub, listed, shown, verified, used and removed."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import checkpoints
import pytest
import tiny_gguf
from command_line import Commands, Ran
from hub import PlayedHub, playing

from veracite.engine.bundles.models import import_path
from veracite.engine.errors import OfflineError
from veracite.models.bundled import encoder_id
from veracite.models.store import Store

NAME = "someone/tiny-GGUF/tiny.gguf"
NO_OTHERS = ("HF_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "LLAMA_CACHE", "OLLAMA_MODELS")


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[PlayedHub]:
    with playing() as played:
        played.put("someone/tiny-GGUF", tiny__gguf=tiny_gguf.make(tmp_path / "made").read_bytes())
        yield played


class Models:
    """Runs ``veracite models`` in an empty home, with a played hub."""

    def __init__(self, home: Path, endpoint: str) -> None:
        self.commands = Commands(home)
        self.folder = home / "data" / "models"
        self.environ = {
            **dict.fromkeys((*NO_OTHERS, "XDG_CACHE_HOME", "XDG_DATA_HOME"), ""),
            "HOME": str(home),
            "HF_ENDPOINT": endpoint,
        }

    def __call__(self, *arguments: object, terminal: bool = False) -> Ran:
        return self.commands("models", *arguments, environ=self.environ, terminal=terminal)

    def facts(self, *arguments: object) -> dict[str, Any]:
        ran = self(*arguments, "--json")
        assert ran.code == 0, ran.err
        found: dict[str, Any] = json.loads(ran.out)
        assert found["schema"] == "veracite.models/1"
        return found

    def listed(self, *states: str) -> dict[str, dict[str, Any]]:
        models = self.facts("list")["models"]
        return {model["name"]: model for model in models if model["state"] in states}


@pytest.fixture
def models(tmp_path: Path, hub: PlayedHub) -> Models:
    return Models(tmp_path, hub.endpoint)


def test_a_model_comes_is_used_and_goes(models: Models) -> None:
    pulled = models("pull", NAME)
    assert pulled.code == 0, pulled.err
    assert "tiny is in the store, its hashes recorded for later." in pulled.out
    assert f"of someone/tiny-GGUF from {models.environ['HF_ENDPOINT']} (apache-2.0)" in pulled.err
    (tiny,) = models.listed("stored").values()
    assert (tiny["kind"], tiny["fit"], tiny["in_use"]) == ("generator", "fits", False)
    assert models.facts("verify")["verified"] == [{"name": "tiny", "problems": []}]
    assert models("use", "tiny").out == "tiny is used from now on.\n"
    assert models.listed("stored")["tiny"]["in_use"]
    assert "* tiny  generator" in models("list").out
    shown = models.facts("show", "tiny")
    assert shown["path"] == str(models.folder / "tiny" / "tiny.gguf")
    assert [file["path"] for file in shown["files"]] == ["tiny.gguf"]
    assert shown["files"][0]["sha256"] in models("show", "tiny").out
    assert models("remove", "tiny", "--yes").out == "The model tiny is removed.\n"
    assert models.listed("stored", "partial") == {}


def test_the_network_is_out_of_reach_again_after_a_pull(models: Models) -> None:
    models.facts("pull", NAME)
    with pytest.raises(OfflineError):
        socket.socket()


def test_more_than_a_gigabyte_needs_a_yes(models: Models, hub: PlayedHub) -> None:
    hub.sizes = {"tiny.gguf": 2_000_000_000}
    ran = models("pull", NAME)
    assert (ran.code, ran.out) == (2, "")
    assert "Downloading 2.0 GB has to be confirmed. Add --yes" in " ".join(ran.err.split())
    assert hub.downloads == []
    ran = models("pull", NAME, "--yes")
    assert hub.downloads[0] == "tiny.gguf"
    assert "sent only" in ran.err


def test_an_interrupted_pull_is_listed_and_goes_on_or_is_given_up(
    models: Models, hub: PlayedHub
) -> None:
    hub.break_after = [100_000, 0]
    assert models("pull", NAME).code == 3
    (partial,) = models.listed("partial").values()
    assert (partial["name"], partial["size"]) == ("tiny", 100_000)
    assert "Half downloaded" in models("list").out
    assert models("remove", "tiny", "--yes").code == 0
    assert models.listed("partial") == {}
    hub.break_after = [100_000, 0]
    models("pull", NAME)
    assert models("pull", NAME).code == 0
    assert hub.downloads[-1] == "tiny.gguf bytes=100000-"


def test_what_is_half_here_is_listed_by_its_address_and_goes_on_by_its_name(
    models: Models, hub: PlayedHub, tmp_path: Path
) -> None:
    checkpoints.write_folder(tmp_path / "small")
    files = {path.name: path.read_bytes() for path in (tmp_path / "small").iterdir()}
    hub.repositories["someone/small"] = files
    hub.break_after = [100_000, 0]
    models("pull", NAME)
    hub.break_after = [100, 0]
    models("pull", "someone/small")
    hub.break_after = [0]
    hub.put("someone/none-GGUF", none__gguf=b"GGUF")
    models("pull", "someone/none-GGUF/none.gguf")
    assert {
        name: (model["kind"], model["source"]) for name, model in models.listed("partial").items()
    } == {"tiny": ("generator", NAME), "small": ("encoder", "someone/small")}
    assert models("pull", "tiny").code == 0
    assert hub.downloads[-1] == "tiny.gguf bytes=100000-"
    assert models("pull", "small").code == 0
    assert models.listed("stored").keys() == {"tiny", "small"}


def test_a_damaged_model_is_told_and_hides_no_other(models: Models, hub: PlayedHub) -> None:
    hub.put("someone/b-GGUF", b__gguf=hub.repositories["someone/tiny-GGUF"]["tiny.gguf"])
    models.facts("pull", NAME)
    models.facts("pull", "someone/b-GGUF/b.gguf")
    with (models.folder / "b" / "b.gguf").open("r+b") as file:
        file.seek(-1, 2)
        file.write(b"!")
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


def test_models_of_other_applications_are_used_where_they_are(
    models: Models, tmp_path: Path
) -> None:
    theirs = tmp_path / ".lmstudio" / "models" / "someone"
    theirs.mkdir(parents=True)
    tiny_gguf.make(theirs / "Theirs-Q4_K_M.gguf")
    (theirs / "broken\x1b[31m.gguf").write_bytes(b"GGUF")
    listed = models.listed("found")
    assert listed["lm-studio/Theirs-Q4_K_M"]["quantisation"] == "Q4_K_M"
    assert listed["lm-studio/Theirs-Q4_K_M"]["fit"] == "fits"
    assert "is damaged" in listed["lm-studio/broken\x1b[31m"]["problem"]
    assert "\x1b" not in models("list").out
    used = models.facts("use", "lm-studio/Theirs-Q4_K_M")
    assert used["in_use"] == {"generator": str(theirs / "Theirs-Q4_K_M.gguf")}
    assert models.listed("found")["lm-studio/Theirs-Q4_K_M"]["in_use"]
    assert models("use", "lm-studio/broken\x1b[31m").code == 3
    models.facts("use", "--none")
    assert not models.listed("found")["lm-studio/Theirs-Q4_K_M"]["in_use"]
    assert not models.folder.joinpath("theirs").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["pull", "qwen3-4"], 3, "No model named 'qwen3-4' is known"),
        (["use", "qwen3-4b"], 3, "Fetch it with `veracite models pull qwen3-4b`"),
        (["use", "qwen3-4"], 3, "Did you mean qwen3-4b?"),
        (["use"], 2, "Name one model, or say --none."),
        (["use", "x", "--none"], 3, "There is no model or file 'x'."),
        (["use", "--none", "generator"], 3, "generator was not chosen."),
        (["show", "nothing"], 3, "There is no model 'nothing'."),
        (["verify", "nothing"], 3, "There is no model or file 'nothing'."),
        (["remove", "nothing"], 3, "There is no model or file 'nothing'."),
    ],
)
def test_what_is_not_there_is_told(
    models: Models, arguments: list[str], code: int, told: str
) -> None:
    ran = models(*arguments)
    assert (ran.code, ran.out) == (code, "")
    assert told in ran.err


BUNDLED = encoder_id().partition("@")[0]


@pytest.fixture
def veracite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Commands:
    monkeypatch.setenv("HOME", str(tmp_path))
    return Commands(tmp_path)


def bring(home: Path, name: str) -> None:
    """Import a small model: a GGUF file, or the folder of an encoder."""
    if name.startswith("tiny"):
        source = tiny_gguf.make(home / f"{name}.gguf")
    else:
        source = home / name
        checkpoints.write_folder(source)
    list(import_path(Store(home / "data" / "models"), source))


def used(veracite: Commands) -> set[str]:
    models: list[dict[str, Any]] = json.loads(veracite("models", "list", "--json").out)["models"]
    return {
        model["name"] for model in models if model["in_use"] and "verifier" not in model["name"]
    }


def test_the_bundled_encoder_is_gone_back_to_by_name_and_one_model_is_given_up_alone(
    veracite: Commands, tmp_path: Path
) -> None:
    for name in ("tiny", "my-encoder"):
        bring(tmp_path, name)
        veracite("models", "use", name)
    assert used(veracite) == {"tiny", "my-encoder"}
    back = veracite("models", "use", BUNDLED)
    assert back.out.startswith(f"{BUNDLED} is used from now on.\n")
    assert used(veracite) == {"tiny", BUNDLED}
    veracite("models", "use", "my-encoder")
    assert veracite("models", "use", "--none", "tiny").out == "tiny is not used now.\n"
    assert used(veracite) == {"my-encoder"}
    assert veracite("models", "use", "--none", "encoder").code == 0
    assert used(veracite) == {BUNDLED}
    again = veracite("models", "use", "--none", "tiny")
    assert (again.code, "tiny was not chosen." in again.err) == (3, True)


def test_another_encoder_is_said_to_cost_something(veracite: Commands, tmp_path: Path) -> None:
    for name in ("tiny", "my-encoder"):
        bring(tmp_path, name)
    anew = "Libraries are encoded anew at their next sync or check."
    assert anew in veracite("models", "use", "my-encoder").out
    assert anew not in veracite("models", "use", "my-encoder").out
    assert anew not in veracite("models", "use", "tiny").out
    assert anew in veracite("models", "use", "--none").out


def test_a_setting_that_goes_before_is_named_and_its_model_marked(
    veracite: Commands, tmp_path: Path
) -> None:
    for name in ("tiny", "tiny-other"):
        bring(tmp_path, name)
    assert "goes before" not in veracite("models", "use", "tiny").out
    (tmp_path / "config.toml").write_text("[check]\nmodel = 'tiny-other'\n")
    file = str(tmp_path / "data" / "models" / "tiny-other" / "tiny-other.gguf")
    for arguments in (["use", "tiny"], ["use", "--none"], ["list"]):
        said = veracite("models", *arguments).out
        assert "The setting model, in the config file or VERACITE_MODEL, goes before" in said
        assert file in said
    assert "tiny-other" in used(veracite)
    assert "tiny" not in used(veracite)
    assert "goes before" not in veracite("models", "use", "tiny-other").out


def test_a_library_says_that_another_encoder_has_encoded_it(
    veracite: Commands, tmp_path: Path
) -> None:
    (tmp_path / "bees.md").write_text("Bees sleep at night.\n")
    veracite("library", "add", tmp_path / "bees.md")
    assert "before" not in veracite("library", "status").out
    bring(tmp_path, "my-encoder")
    veracite("models", "use", "my-encoder")
    status = veracite("library", "status").out
    assert "1 passages, 0 of them encoded" in status
    assert f"  encoded by {encoder_id()} before; the next sync encodes them anew\n" in status
    veracite("library", "sync")
    assert "before" not in veracite("library", "status").out


@pytest.mark.parametrize("command", ["verify", "remove"])
def test_a_model_outside_the_store_is_neither_compared_nor_deleted(
    veracite: Commands, tmp_path: Path, command: str
) -> None:
    (cache := tmp_path / ".cache" / "llama.cpp").mkdir(parents=True)
    file = tiny_gguf.make(cache / "tiny.gguf")
    name = "llama.cpp/tiny"
    elsewhere = veracite("models", command, name)
    assert elsewhere.code == 3
    assert f"{name} is not in the store: it is used where it is, {file}." in elsewhere.err
    assert file.is_file()
    bundled = veracite("models", command, BUNDLED)
    assert bundled.code == 3
    assert f"{BUNDLED} is part of Veracite and not in the store." in bundled.err
