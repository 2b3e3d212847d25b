"""A stored language model is loaded only if it is what its manifest says."""

from pathlib import Path
from threading import Event

import pytest
import tiny_gguf
from stored import put

from veracite.models.errors import ModelError
from veracite.models.store import Store
from veracite.models.trial import require_trial


def change(path: Path) -> None:
    """Another last byte, so that the size stays."""
    with path.open("r+b") as file:
        file.seek(-1, 2)
        last = file.read(1)[0]
        file.seek(-1, 2)
        file.write(bytes([last ^ 1]))


def test_a_model_that_was_changed_is_not_loaded(store: Store, tmp_path: Path) -> None:
    gguf = tiny_gguf.make(tmp_path / "made.gguf").read_bytes()
    put(store, "tiny", {"tiny.gguf": gguf})
    weights, verified = store.weights("tiny"), tmp_path / "verified"
    before = require_trial(weights, verified, Event())
    assert before == store.get("tiny").files[0].sha256
    change(weights)
    told = r"was damaged or changed.* `veracite models remove tiny`"
    for _ in range(2):
        with pytest.raises(ModelError, match=told):
            require_trial(weights, verified, Event())
    (tmp_path / "link.gguf").symlink_to(weights)
    with pytest.raises(ModelError, match=told):
        require_trial(tmp_path / "link.gguf", verified, Event())
    change(weights)
    assert require_trial(weights, verified, Event()) == before


def test_a_manifest_of_another_application_says_nothing(tmp_path: Path) -> None:
    made = tiny_gguf.make(tmp_path / "made.gguf")
    for said in ("no", "{}", "[]"):
        (tmp_path / "manifest.json").write_text(said)
        require_trial(made, tmp_path / "verified", Event())
