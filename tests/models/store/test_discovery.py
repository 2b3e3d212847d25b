"""Language models of other applications are found where they are, whatever else is there."""

import json
import os
from pathlib import Path

import pytest

from veracite.models.store.catalogue import discover

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
        b"",
        b"\xff{",
        b"[]",
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
