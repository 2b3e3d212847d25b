"""What there is, what it takes, and what a name means."""

from pathlib import Path

import pytest
import tiny_gguf
from stored import put

from veracite.models.errors import ModelError
from veracite.models.store import Store, catalogue
from veracite.models.store.catalogue import Fit, Listed, find, find_generator, overview


@pytest.fixture
def environ(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setattr(catalogue, "_SHARED_OLLAMA", tmp_path / "none")
    return {"HOME": str(tmp_path), "LLAMA_CACHE": str(tmp_path / "llama")}


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    (tmp_path / "llama").mkdir()
    return tiny_gguf.make(tmp_path / "llama" / "theirs.gguf")


@pytest.mark.parametrize(
    ("memory", "fit"),
    [(None, None), (800, "fits"), (801, "tight"), (1000, "tight"), (1001, "does not fit")],
)
def test_memory_is_compared_with_what_is_free(memory: int | None, fit: Fit | None) -> None:
    assert Listed("a", "generator", "known", memory=memory).fit(1000) == fit


def test_each_model_is_listed_once_where_it_is(
    store: Store, environ: dict[str, str], gguf: Path
) -> None:
    put(store, "qwen3-4b", {"model.gguf": gguf.read_bytes()})
    put(store, "my-encoder", {"encoder.onnx": b"network"}, kind="encoder")
    listed, free = overview(store, environ)
    states = {model.name: model.state for model in listed}
    assert len(states) == len(listed)
    assert states["qwen3-4b"] == states["my-encoder"] == "stored"
    assert states["llama.cpp/theirs"] == "found"
    assert states["qwen3-8b"] == "known"
    assert list(states.values())[:2] == ["bundled", "bundled"]
    theirs = next(model for model in listed if model.name == "llama.cpp/theirs")
    assert (theirs.path, theirs.context, theirs.size) == (gguf, 512, gguf.stat().st_size)
    assert theirs.memory
    assert theirs.fit(free) == "fits"


def test_a_name_means_a_model(
    store: Store, environ: dict[str, str], gguf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = put(store, "tiny", {"model.gguf": gguf.read_bytes()})
    put(store, "my-encoder", {"encoder.onnx": b"network"}, kind="encoder")
    assert find_generator(store, "tiny", environ) == place / "model.gguf"
    assert find_generator(store, "llama.cpp/theirs", environ) == gguf
    monkeypatch.chdir(gguf.parent)
    assert find_generator(store, "theirs.gguf", environ) == gguf
    assert find(store, "my-encoder", environ).path == store.path("my-encoder")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("my-encoder", "writes no text"),
        ("qwen3-4b", "veracite models pull qwen3-4b"),
        ("tinny", "Did you mean tiny?"),
        ("llama.cpp/their", "Did you mean llama.cpp/theirs?"),
        ("/no/such.gguf", "There is no model or file"),
    ],
)
def test_a_name_that_means_none_is_told(
    store: Store, environ: dict[str, str], gguf: Path, name: str, told: str
) -> None:
    put(store, "tiny", {"model.gguf": gguf.read_bytes()})
    put(store, "my-encoder", {"encoder.onnx": b"network"}, kind="encoder")
    with pytest.raises(ModelError) as raised:
        find_generator(store, name, environ)
    assert told in str(raised.value)
