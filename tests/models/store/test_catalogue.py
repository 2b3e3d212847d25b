"""What there is here and of other applications, what it takes, and what can be used from now on."""

import json
import os
from pathlib import Path

import pytest
import tiny_gguf
from stored import put

from veracite.models.bundled import BUNDLED
from veracite.models.errors import ModelError
from veracite.models.onnx import read_manifest
from veracite.models.store import Store, bring
from veracite.models.store.catalogue import (
    Fit,
    Listed,
    discover,
    find,
    find_generator,
    overview,
    use,
)


@pytest.fixture
def gguf(home: Path) -> Path:
    """A model of another application, beside two of the store."""
    (home / ".cache" / "llama.cpp").mkdir(parents=True)
    path = tiny_gguf.make(home / ".cache" / "llama.cpp" / "theirs.gguf")
    put(Store(home / "models"), "tiny", {"model.gguf": path.read_bytes()})
    put(Store(home / "models"), "my-encoder", {"encoder.onnx": b"network"}, kind="encoder")
    return path


def listed(store: Store) -> dict[str, Listed]:
    models, _ = overview(store)
    assert len({model.name for model in models}) == len(models)
    return {model.name: model for model in models}


@pytest.mark.parametrize(
    ("memory", "fit"),
    [(None, None), (800, "fits"), (801, "tight"), (1000, "tight"), (1001, "does not fit")],
)
def test_memory_is_compared_with_what_is_free(memory: int | None, fit: Fit | None) -> None:
    assert Listed("a", "generator", "known", memory=memory).fit(1000) == fit


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


def test_a_name_means_a_model(store: Store, gguf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_generator(store, "tiny") == store.path("tiny") / "model.gguf"
    assert find_generator(store, "llama.cpp/theirs") == gguf
    monkeypatch.chdir(gguf.parent)
    assert find_generator(store, "theirs.gguf") == gguf
    assert find(store, "my-encoder").path == store.path("my-encoder")


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
        find_generator(store, name)
    assert told in str(raised.value)


def test_a_model_that_cannot_be_asked_anything_is_not_used(store: Store, tmp_path: Path) -> None:
    plain = tiny_gguf.make(tmp_path / "plain.gguf", template=None)
    with pytest.raises(ModelError, match=r"plain\.gguf has no chat template") as raised:
        use(store, find(store, str(plain)))
    assert "instruct or chat" in raised.value.advice
    assert store.chosen("generator") is None
    list(bring(store, plain))
    assert "has no chat template" in (listed(store)["plain"].problem or "")


def test_the_bundled_verifier_takes_its_place_again(store: Store) -> None:
    bundled = find(store, read_manifest(BUNDLED / "verifier.json", "verifier").name)
    put(store, "mine", {"verifier.onnx": b"network"}, kind="verifier")
    store.choose("verifier", "mine")
    assert [name for name, model in listed(store).items() if model.in_use] == [
        find(store, "all-minilm-l6-v2-int8").name,
        "mine",
    ]
    use(store, bundled)
    assert store.chosen("verifier") is None
    assert listed(store)[bundled.name].in_use


SHA = "a" * 64
MODEL = "application/vnd.ollama.image.model"


def write(path: Path, content: bytes = b"GGUF") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def found() -> dict[str, Path | None]:
    return {model.name: model.path for model in discover()}


def ollama(root: Path, name: str) -> Path:
    layers = [{"mediaType": "x", "digest": "sha256:x"}]
    layers += [{"mediaType": MODEL, "digest": f"sha256:{SHA}"}]
    write(root / "manifests" / name, json.dumps({"layers": layers}).encode())
    return write(root / "blobs" / f"sha256-{SHA}")


def test_the_usual_folders_are_looked_through(home: Path) -> None:
    cache = home / ".cache"
    hub = cache / "huggingface/hub"
    expected = {
        "llama.cpp/a": write(cache / "llama.cpp/a.gguf"),
        "lm-studio/b": write(home / ".lmstudio/models/someone/b-GGUF/b.gguf"),
        "lm-studio/c": write(cache / "lm-studio/models/c.GGUF"),
        "ollama/d:1b": ollama(home / ".ollama/models", "registry.ollama.ai/library/d/1b"),
        "gpt4all/e.Q4_0": write(home / ".local/share/nomic.ai/GPT4All/e.Q4_0.gguf"),
        "gpt4all/f": write(cache / "gpt4all/f.gguf"),
        "huggingface/g": write(hub / "models--someone--tiny/snapshots/2/g.gguf"),
        "huggingface/someone/tiny/h": write(hub / "models--someone--tiny/snapshots/2/h.gguf"),
        "huggingface/other/tiny/h": write(hub / "models--other--tiny/snapshots/1/h.gguf"),
    }
    os.utime(write(hub / "models--someone--tiny/snapshots/1/old.gguf").parent, (1, 1))
    write(cache / "llama.cpp/a.gguf.downloadInProgress")
    assert found() == expected
    assert list(found()) == sorted(expected)


def test_variables_name_other_folders(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(home / ".cache/llama.cpp/not-here.gguf")
    others = {"LLAMA_CACHE": "1", "OLLAMA_MODELS": "2", "HF_HOME": "3", "XDG_CACHE_HOME": "6"}
    for name, place in others.items():
        monkeypatch.setenv(name, str(home / place))
    expected = {
        "llama.cpp/a": write(home / "1/a.gguf"),
        "ollama/d:1b": ollama(home / "2", "registry.ollama.ai/library/d/1b"),
        "huggingface/g": write(home / "3/hub/models--x--y/snapshots/1/g.gguf"),
        "gpt4all/f": write(home / "6/gpt4all/f.gguf"),
    }
    assert found() == expected
    monkeypatch.setenv("HF_HUB_CACHE", str(home / "7"))
    assert "huggingface/g" not in found()


@pytest.mark.parametrize(
    "manifest",
    [
        b"\xff{",
        b'{"layers": [1]}',
        b"[" * 100_000,
        json.dumps({"layers": [{"mediaType": MODEL, "digest": "/etc/passwd"}]}).encode(),
        json.dumps({"layers": [{"mediaType": MODEL, "digest": f"sha256:{'b' * 64}"}]}).encode(),
    ],
)
def test_a_damaged_manifest_hides_no_other_model(home: Path, manifest: bytes) -> None:
    root = home / ".ollama/models"
    write(root / "manifests/registry.ollama.ai/library/bad/latest", manifest)
    write(root / "manifests/odd", manifest)
    good = ollama(root, "registry.ollama.ai/library/good/latest")
    assert found() == {"ollama/good:latest": good}


def test_a_folder_without_end_does_not_hold_up_the_rest(home: Path) -> None:
    folder = home / ".lmstudio/models"
    folder.mkdir(parents=True)
    (folder / "loop").symlink_to(folder)
    write(folder / "a.gguf")
    assert found() == {"lm-studio/a": folder / "a.gguf"}
