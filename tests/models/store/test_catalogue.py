"""What there is here and of other applications, what it takes, and what can be used from now on."""

from pathlib import Path

import pytest
import tiny_gguf
from stored import put

from veracite.models.errors import ModelError
from veracite.models.store import Store, bring, catalogue


@pytest.fixture
def gguf(home: Path) -> Path:
    """A model of another application, beside two of the store."""
    (home / ".cache" / "llama.cpp").mkdir(parents=True)
    path = tiny_gguf.make(home / ".cache" / "llama.cpp" / "theirs.gguf")
    put(Store(home / "models"), "tiny", {"model.gguf": path.read_bytes()})
    put(Store(home / "models"), "my-encoder", {"encoder.onnx": b"network"}, kind="encoder")
    return path


def listed(store: Store) -> dict[str, catalogue.Listed]:
    models, _ = catalogue.overview(store)
    assert len({model.name for model in models}) == len(models)
    return {model.name: model for model in models}


@pytest.mark.parametrize(
    ("memory", "fit"),
    [(None, None), (800, "fits"), (801, "tight"), (1000, "tight"), (1001, "does not fit")],
)
def test_memory_is_compared_with_what_is_free(
    memory: int | None, fit: catalogue.Fit | None
) -> None:
    assert catalogue.Listed("a", "generator", "known", memory=memory).fit(1000) == fit


def test_each_model_is_listed_once_where_it_is(store: Store, gguf: Path) -> None:
    put(store, "qwen3-4b", {"model.gguf": gguf.read_bytes()})
    models = listed(store)
    states = {name: model.state for name, model in models.items()}
    assert states["qwen3-4b"] == states["my-encoder"] == "stored"
    assert (states["llama.cpp/theirs"], states["qwen3-8b"]) == ("found", "known")
    assert list(states.values())[:2] == ["bundled", "bundled"]
    theirs = models["llama.cpp/theirs"]
    assert (theirs.path, theirs.context, theirs.size) == (gguf, 512, gguf.stat().st_size)
    assert theirs.memory
    assert theirs.fit(10**9) == "fits"


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
@pytest.mark.usefixtures("gguf")
def test_a_name_that_means_none_is_told(store: Store, name: str, told: str) -> None:
    with pytest.raises(ModelError) as raised:
        catalogue.find_generator(store, name)
    assert told in str(raised.value)


def test_a_model_that_cannot_be_asked_anything_is_not_used(store: Store, tmp_path: Path) -> None:
    plain = tiny_gguf.make(tmp_path / "plain.gguf", template=None)
    with pytest.raises(ModelError, match=r"plain\.gguf has no chat template") as raised:
        catalogue.use(store, catalogue.find(store, str(plain)))
    assert "instruct or chat" in raised.value.advice
    assert store.chosen("generator") is None
    list(bring(store, plain))
    assert "has no chat template" in (listed(store)["plain"].problem or "")


def write(path: Path, content: bytes = b"GGUF") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def test_the_usual_folders_are_looked_through(home: Path) -> None:
    cache = home / ".cache"
    snapshot = cache / "huggingface/hub/models--someone--tiny/snapshots/2"
    expected = {
        "llama.cpp/a": write(cache / "llama.cpp/a.gguf"),
        "lm-studio/someone/b-GGUF/b": write(home / ".lmstudio/models/someone/b-GGUF/b.GGUF"),
        "gpt4all/e.Q4_0": write(home / ".local/share/nomic.ai/GPT4All/e.Q4_0.gguf"),
        "huggingface/models--someone--tiny/snapshots/2/g": write(snapshot / "g.gguf"),
    }
    (cache / "llama.cpp/again.gguf").symlink_to(cache / "llama.cpp/a.gguf")
    write(cache / "llama.cpp/a.gguf.downloadInProgress")
    (home / ".lmstudio/models/without end").symlink_to(home / ".lmstudio/models")
    assert {model.name: model.path for model in catalogue.discover()} == expected
