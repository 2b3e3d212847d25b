"""``veracite doctor`` opens the models that are in use, and reports on when they are gone."""

import json
from pathlib import Path
from typing import Any

import checkpoints
import pytest
import tiny_gguf
from command_line import Commands

from veracite.engine.bundles.models import import_path
from veracite.models.store import Choices, Store


@pytest.fixture
def veracite(tmp_path: Path) -> Commands:
    return Commands(tmp_path)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "data" / "models")


def examined(veracite: Commands) -> tuple[int, dict[str, dict[str, Any]]]:
    """The exit code, and the findings by name."""
    ran = veracite("doctor", "--json")
    return ran.code, {found["name"]: found for found in json.loads(ran.out)["findings"]}


def spoil(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def test_the_encoder_and_the_reranker_in_use_are_opened_and_named(
    veracite: Commands, store: Store, tmp_path: Path
) -> None:
    assert "reranker" not in examined(veracite)[1]
    checkpoints.write_folder(tmp_path / "my-encoder")
    checkpoints.write_reranker(tmp_path / "my-reranker")
    for name in ("my-encoder", "my-reranker"):
        list(import_path(store, tmp_path / name))
    Choices(store).choose("encoder", "my-encoder")
    Choices(store).choose("cross-encoder", "my-reranker")
    code, found = examined(veracite)
    assert code == 0
    assert "my-encoder@" in found["encoder"]["detail"]
    assert "my-reranker@" in found["reranker"]["detail"]
    for name in ("my-encoder", "my-reranker"):
        spoil(store.weights(name))
    code, found = examined(veracite)
    assert code == 3
    for what, name in (("encoder", "my-encoder"), ("reranker", "my-reranker")):
        assert found[what]["state"] == "broken"
        assert f"{name} is missing or damaged" in found[what]["detail"]
        assert "veracite models use" in found[what]["advice"]


def test_a_language_model_that_is_gone_is_one_finding_among_the_others(
    veracite: Commands, store: Store, tmp_path: Path
) -> None:
    file = tiny_gguf.make(tmp_path / "gone.gguf")
    Choices(store).choose("generator", file)
    file.unlink()
    code, found = examined(veracite)
    assert code == 3
    assert [name for name in found if found[name]["state"] == "broken"] == ["language model"]
    assert "gone.gguf, is gone" in found["language model"]["detail"]
    assert "`veracite models use --none generator`" in found["language model"]["advice"]
    assert veracite("models", "use", "--none", "generator").code == 0
    assert examined(veracite)[0] == 0


def test_what_says_what_is_in_use_may_be_damaged_and_is_written_anew(
    veracite: Commands, store: Store
) -> None:
    store.folder.mkdir(parents=True)
    (store.folder / ".in-use.json").write_text("junk")
    code, found = examined(veracite)
    assert (code, found["encoder"]["state"]) == (3, "broken")
    assert ".in-use.json, which says what models are used, is damaged" in found["encoder"]["detail"]
    assert found["verifier"]["state"] == "ok"
    assert veracite("models", "use", "--none").code == 0
    assert examined(veracite)[0] == 0
