"""``veracite models use``: one model given up alone, what goes before it, what it costs."""

import json
from pathlib import Path
from typing import Any

import checkpoints
import pytest
import tiny_gguf
from command_line import Commands

from veracite.engine.bundles.models import import_path
from veracite.models.bundled import encoder_id
from veracite.models.store import Store
from veracite.models.store.catalogue import discover

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
    (name,) = (model.name for model in discover({"HOME": str(tmp_path)}))
    elsewhere = veracite("models", command, name)
    assert elsewhere.code == 3
    assert f"{name} is not in the store: it is used where it is, {file}." in elsewhere.err
    assert file.is_file()
    bundled = veracite("models", command, BUNDLED)
    assert bundled.code == 3
    assert f"{BUNDLED} is part of Veracite and not in the store." in bundled.err
