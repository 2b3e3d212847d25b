"""``veracite doctor`` tries what a check needs and says what to do about the rest."""

import json
import re
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import checkpoints
import pytest
import tiny_gguf
from command_line import Commands
from damage import flip

from veracite.engine import models
from veracite.engine.bundles.models import import_path
from veracite.models import bundled
from veracite.models.store import Store


def examined(
    veracite: Commands, *options: str, environ: dict[str, str] | None = None
) -> tuple[int, dict[str, dict[str, Any]]]:
    """The exit code, and the findings by name."""
    ran = veracite("doctor", *options, "--json", environ=environ)
    assert ran.err == ""
    return ran.code, {found["name"]: found for found in json.loads(ran.out)["findings"]}


def states(found: dict[str, dict[str, Any]]) -> dict[str, str]:
    return {name: finding["state"] for name, finding in found.items()}


def sound(veracite: Commands, *options: str, but: str = "llama-cpp-python") -> set[str]:
    """What works where everything does; one thing may be missing."""
    code, findings = examined(veracite, *options)
    found = states(findings)
    assert found.pop(but) in ("ok", "optional")
    assert (code, set(found.values())) == (0, {"ok"})
    return set(found)


def test_on_a_sound_machine_everything_that_is_needed_works(veracite: Commands) -> None:
    needed = {"packages", "settings", "encoder", "verifier", "offline guard"}
    assert needed <= sound(veracite)


def test_the_network_is_tried_and_a_check_is_made_without_one(veracite: Commands) -> None:
    found = sound(veracite, "--offline", but="place")  # by whether namespaces are permitted
    assert {"offline guard", "checking", "sockets"} <= found
    veracite("doctor", "--offline", "--self-test").fails(2, "exclude each other")


def test_a_model_that_is_set_is_asked_something(veracite: Commands, tmp_path: Path) -> None:
    model = tiny_gguf.make(tmp_path / "tiny.gguf")
    environ = {"VERACITE_MODEL": str(model), "VERACITE_THREADS": "1"}
    _, said = examined(veracite, environ=environ)
    assert said["language model"]["state"] == "ok"
    assert said["language model"]["detail"].startswith("tiny@")
    assert re.match(r"\d.*built for \w", said["llama-cpp-python"]["detail"])
    model.write_bytes(model.read_bytes()[:-100])
    ran = veracite("doctor", environ=environ)
    assert ran.code == 3
    assert "broken    language model" in ran.out


def test_what_is_broken_is_named_with_what_to_do(veracite: Commands, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file is in the way")
    (tmp_path / "config.toml").write_text("[check]\ntreshold = 1\n")
    ran = veracite("doctor")
    assert ran.code == 3
    lines = ran.out.splitlines()
    assert [line.split()[1] for line in lines if line.startswith("broken")] == ["settings", "cache"]
    assert "Did you mean threshold?" in ran.out
    assert max(map(len, lines)) <= 80
    found = states(examined(veracite)[1])
    assert (found["cache folder"], found["data folder"]) == ("broken", "ok")


def test_the_self_test_touches_nothing_of_the_user(veracite: Commands, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("[check]\nmodel = 'gone.gguf'\n")
    before = sorted(tmp_path.rglob("*"))
    assert {"encoder", "verifier", "checking"} <= sound(veracite, "--self-test")
    assert sorted(tmp_path.rglob("*")) == before


def test_the_self_test_sees_damaged_models(
    veracite: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged = Path(shutil.copytree(bundled.BUNDLED, tmp_path / "bundled"))
    flip(damaged / "verifier.onnx")
    from_there = partial(bundled.bundled_verifier, folder=damaged)
    monkeypatch.setattr(models, "bundled_verifier", from_there)
    ran = veracite("doctor", "--self-test")
    assert ran.code == 3
    assert "broken    verifier" in ran.out


def test_the_models_in_use_are_opened(veracite: Commands, store: Store, tmp_path: Path) -> None:
    assert "reranker" not in examined(veracite)[1]
    checkpoints.write_folder(tmp_path / "my-encoder")
    checkpoints.write_reranker(tmp_path / "my-reranker")
    for name in ("my-encoder", "my-reranker"):
        list(import_path(store, tmp_path / name))
    store.choose("encoder", "my-encoder")
    store.choose("cross-encoder", "my-reranker")
    code, found = examined(veracite)
    assert code == 0
    assert "my-encoder@" in found["encoder"]["detail"]
    assert "my-reranker@" in found["reranker"]["detail"]
    for name in ("my-encoder", "my-reranker"):
        flip(store.path(name) / store.get(name).files[0].path)
    code, found = examined(veracite)
    assert code == 3
    for what, name in (("encoder", "my-encoder"), ("reranker", "my-reranker")):
        assert found[what]["state"] == "broken"
        assert f"{name} is missing or damaged" in found[what]["detail"]
        assert "veracite models use" in found[what]["advice"]


def test_a_model_that_is_gone_is_told(veracite: Commands, store: Store, tmp_path: Path) -> None:
    file = tiny_gguf.make(tmp_path / "gone.gguf")
    store.choose("generator", file)
    file.unlink()
    code, found = examined(veracite)
    assert code == 3
    assert [name for name in found if found[name]["state"] == "broken"] == ["language model"]
    assert "gone.gguf, is gone" in found["language model"]["detail"]
    assert "`veracite models use --none generator`" in found["language model"]["advice"]
    assert veracite("models", "use", "--none", "generator").code == 0
    assert examined(veracite)[0] == 0


def test_a_damaged_list_of_models_in_use_is_written_anew(veracite: Commands, store: Store) -> None:
    store.folder.mkdir(parents=True)
    (store.folder / ".in-use.json").write_text("junk")
    code, found = examined(veracite)
    assert (code, found["encoder"]["state"]) == (3, "broken")
    assert ".in-use.json, which says what models are used, is damaged" in found["encoder"]["detail"]
    assert found["verifier"]["state"] == "broken"
    assert veracite("models", "use", "--none").code == 0
    assert examined(veracite)[0] == 0
