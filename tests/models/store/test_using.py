"""What is used from now on can be used; a way leads back to what is part of Veracite."""

from pathlib import Path

import pytest
import tiny_gguf
from stored import put

from veracite.models.bundled import BUNDLED
from veracite.models.errors import ModelError
from veracite.models.onnx import read_manifest
from veracite.models.store import Choices, Store
from veracite.models.store.bringing import bring
from veracite.models.store.catalogue import find, overview, use


def test_a_model_that_cannot_be_asked_anything_is_not_used(store: Store, tmp_path: Path) -> None:
    plain = tiny_gguf.make(tmp_path / "plain.gguf", template=None)
    with pytest.raises(ModelError, match=r"plain\.gguf has no chat template") as raised:
        use(store, find(store, str(plain), {}))
    assert "instruct or chat" in raised.value.advice
    assert Choices(store).name("generator") is None
    list(bring(store, plain))
    listed = {model.name: model for model in overview(store, {})[0]}
    assert "has no chat template" in (listed["plain"].problem or "")


def test_the_verifier_cannot_be_chosen(store: Store) -> None:
    choices = Choices(store)
    put(store, "my-reranker", {"reranker.onnx": b"network"}, kind="cross-encoder")
    choices.choose("cross-encoder", "my-reranker")
    with pytest.raises(ModelError, match="is always in use"):
        use(store, find(store, read_manifest(BUNDLED / "verifier.json", "verifier").name, {}))
    assert choices.name("cross-encoder") == "my-reranker"
