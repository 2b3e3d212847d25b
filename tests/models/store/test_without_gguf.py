"""Without the extra ``llm`` nothing reads a GGUF file's header; models are kept all the same."""

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
import tiny_gguf

from veracite.models.errors import ModelError
from veracite.models.store import Choices, Store, Verified
from veracite.models.store.bringing import bring
from veracite.models.store.catalogue import find, overview, use


@pytest.fixture(autouse=True)
def without() -> Iterator[None]:
    with patch("importlib.util.find_spec", return_value=None):
        yield


def test_a_language_model_is_brought_listed_and_chosen(store: Store, tmp_path: Path) -> None:
    path = tiny_gguf.make(tmp_path / "tiny-F32.gguf")
    list(bring(store, path))
    listed = {model.name: model for model in overview(store, {"HOME": str(tmp_path)})[0]}
    tiny = listed["tiny-f32"]
    assert (tiny.state, tiny.problem, tiny.memory, tiny.context) == ("stored", None, None, None)
    assert tiny.size == path.stat().st_size
    assert list(store.verify(["tiny-f32"]))[-1] == Verified("tiny-f32", {})
    use(store, find(store, "tiny-f32", {}))
    assert Choices(store).name("generator") == "tiny-f32"


def test_what_begins_otherwise_is_no_language_model(store: Store, tmp_path: Path) -> None:
    (tmp_path / "a.gguf").write_bytes(b"A model, or so it says.")
    with pytest.raises(ModelError, match="is no GGUF file"):
        list(bring(store, tmp_path / "a.gguf"))
