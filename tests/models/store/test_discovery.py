"""Models of other applications are found where they are, whatever else is there."""

import json
import os
from pathlib import Path

import pytest

from veracite.models.store import catalogue
from veracite.models.store.catalogue import discover

SHA = "a" * 64
MODEL = "application/vnd.ollama.image.model"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(catalogue, "_SHARED_OLLAMA", tmp_path / "none")
    monkeypatch.setattr("sys.platform", "linux")
    return tmp_path


def write(path: Path, content: str | bytes = b"GGUF") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def found(home: Path, **environ: str | Path) -> dict[str, Path | None]:
    environment = {"HOME": str(home), **{name: str(value) for name, value in environ.items()}}
    return {model.name: model.path for model in discover(environment)}


def ollama(root: Path, name: str, sha: str = SHA) -> Path:
    layers = [{"mediaType": "x", "digest": "sha256:x"}]
    layers += [{"mediaType": MODEL, "digest": f"sha256:{sha}"}]
    write(root / "manifests" / name, json.dumps({"layers": layers}))
    return write(root / "blobs" / f"sha256-{sha}")


def test_the_usual_folders_are_looked_through(home: Path) -> None:
    cache = home / ".cache"
    snapshot = cache / "huggingface/hub/models--someone--tiny/snapshots/1"
    expected = {
        "llama.cpp/a": write(cache / "llama.cpp/a.gguf"),
        "lm-studio/b": write(home / ".lmstudio/models/someone/b-GGUF/b.gguf"),
        "lm-studio/c": write(cache / "lm-studio/models/c.GGUF"),
        "ollama/d:1b": ollama(home / ".ollama/models", "registry.ollama.ai/library/d/1b"),
        "gpt4all/e.Q4_0": write(home / ".local/share/nomic.ai/GPT4All/e.Q4_0.gguf"),
        "gpt4all/f": write(cache / "gpt4all/f.gguf"),
        "huggingface/g": write(snapshot / "g.gguf"),
    }
    write(cache / "llama.cpp/a.gguf.json", "{}")
    write(cache / "llama.cpp/a.gguf.downloadInProgress")
    assert found(home) == expected
    assert list(found(home)) == sorted(expected)


def test_environment_variables_name_other_folders(home: Path) -> None:
    expected = {
        "llama.cpp/a": write(home / "1/a.gguf"),
        "ollama/d:1b": ollama(home / "2", "registry.ollama.ai/library/d/1b"),
        "huggingface/g": write(home / "3/hub/models--x--y/snapshots/1/g.gguf"),
        "gpt4all/f": write(home / "6/gpt4all/f.gguf"),
    }
    write(home / ".cache/llama.cpp/not-here.gguf")
    others = {"LLAMA_CACHE": home / "1", "OLLAMA_MODELS": home / "2", "HF_HOME": home / "3"}
    assert found(home, **others, XDG_CACHE_HOME=home / "6") == expected
    assert "huggingface/g" not in found(home, **others, HF_HUB_CACHE=home / "7")


def test_networks_of_the_hugging_face_cache_are_folders(home: Path) -> None:
    hub = home / ".cache/huggingface/hub"
    old = hub / "models--someone--mpnet/snapshots/old"
    new = hub / "models--someone--mpnet/snapshots/new"
    for folder in (old, new):
        write(folder / "config.json", '{"model_type": "mpnet"}')
        write(folder / "model.safetensors")
    os.utime(old, (1, 1))
    write(hub / "models--someone--writer/snapshots/1/config.json", '{"model_type": "llama"}')
    write(hub / "models--someone--writer/snapshots/1/model.safetensors")
    write(hub / "models--someone--half/snapshots/1/config.json", '{"model_type": "bert"}')
    reranker = hub / "models--someone--reranker/snapshots/1"
    said = {"model_type": "bert", "architectures": ["BertForSequenceClassification"]}
    write(reranker / "config.json", json.dumps(said))
    write(reranker / "pytorch_model.bin")
    assert found(home) == {
        "huggingface/someone/mpnet": new,
        "huggingface/someone/reranker": reranker,
    }
    kinds = [model.kind for model in discover({"HOME": str(home)})]
    assert kinds == ["encoder", "cross-encoder"]


@pytest.mark.parametrize(
    "manifest",
    [
        b"",
        b"\xff{",
        b"[]",
        b'{"layers": 1}',
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
    assert found(home) == {"ollama/good:latest": good}


def test_a_folder_without_end_does_not_hold_up_the_rest(home: Path) -> None:
    folder = home / ".lmstudio/models"
    folder.mkdir(parents=True)
    (folder / "loop").symlink_to(folder)
    write(folder / "a.gguf")
    assert found(home) == {"lm-studio/a": folder / "a.gguf"}
