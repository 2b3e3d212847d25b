"""A model is in the store complete or not at all, and is what its manifest says.

A manifest from anywhere is believed only where it can be true.
"""

import json
import re
import stat
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from stored import manifest_of, put

from veracite.models import store as stores
from veracite.models.errors import ModelError
from veracite.models.files import is_name, stays_inside
from veracite.models.store import Store, Verified

FILES = {"model.gguf": b"weights", "more/words": b"words"}


def problems(store: Store, name: str) -> dict[str, str]:
    *_, verified = store.verify([name])
    assert isinstance(verified, Verified)
    return dict(verified.problems)


def left_behind(store: Store) -> list[str]:
    return [str(path) for path in (store.folder / ".staging").rglob("*")]


def test_verify_says_which_file_is_wrong(store: Store) -> None:
    place = put(store, "tiny", {**FILES, "extra": b"12"})
    assert problems(store, "tiny") == {}
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert left_behind(store) == []
    (place / "model.gguf").write_bytes(b"w3ights")
    (place / "more" / "words").unlink()
    (place / "more" / "words").symlink_to(place / "extra")
    (place / "extra").write_bytes(b"1")
    (place / "stray").write_bytes(b"")
    assert problems(store, "tiny") == {
        "extra": "it is missing, or no file of 2 bytes",
        "more/words": "it is missing, or no file of 5 bytes",
        "model.gguf": "its SHA-256 is another one",
        "stray": "it does not belong to the model",
    }


def test_what_the_manifest_does_not_say_is_not_adopted(store: Store) -> None:
    with store.stage() as staged:
        (staged / "model.gguf").write_bytes(b"weights")
        manifest = manifest_of(staged, "tiny")
        (staged / "stray").write_bytes(b"")
        with pytest.raises(ModelError, match="is not complete: stray"):
            store.adopt(staged, manifest)
    assert store.names() == ()
    assert left_behind(store) == []


@pytest.mark.parametrize("name", ["", "..", ".staging", "a/b", "/etc", "A", "a..b", "x" * 101])
def test_no_name_leads_out_of_the_store(store: Store, name: str) -> None:
    put(store, "tiny", FILES)
    with pytest.raises(ModelError):
        store.remove(name)
    with pytest.raises(ModelError):
        store.path(name)
    with pytest.raises(ModelError):
        put(store, name, FILES)
    assert store.names() == ("tiny",)


def test_a_chosen_model_is_found_again_or_said_to_be_gone(store: Store, tmp_path: Path) -> None:
    assert store.chosen_path("generator") is None
    put(store, "tiny", {"model.gguf": b"weights"})
    store.choose("generator", "tiny")
    assert store.chosen_path("generator") == store.place("tiny")
    elsewhere = tmp_path / "mine.gguf"
    elsewhere.touch()
    store.choose("generator", elsewhere)
    assert store.chosen_path("generator") == elsewhere
    elsewhere.unlink()
    with pytest.raises(ModelError, match="is gone"):
        store.chosen_path("generator")
    with pytest.raises(ModelError, match="no model named 'nothing'"):
        store.choose("generator", "nothing")
    assert store.chosen("generator") == str(elsewhere)
    store.choose("generator", None)
    assert store.chosen_path("generator") is None
    (store.folder / ".in-use.json").write_text("[]")
    with pytest.raises(ModelError, match="is damaged"):
        store.chosen_path("generator")
    with pytest.raises(ModelError, match="is damaged"):
        store.remove("tiny")
    assert store.names() == ("tiny",)


def test_what_a_dead_process_left_is_cleared_away(store: Store) -> None:
    with store.stage() as alive:
        # As after a kill: the folder is there, its lock is not.
        dead = alive.parents[1] / ".tmp-dead"
        (dead / "files").mkdir(parents=True)
        with store.stage():
            assert not dead.exists()
            assert alive.exists()


def test_a_folder_that_cannot_be_written_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ModelError, match="Not a directory"):
        put(Store(tmp_path / "file" / "models"), "tiny", FILES)


GOOD = stores.ModelManifest(
    name="tiny-1.5b-q4_k_m",
    kind="encoder",
    licence=None,
    source="someone/tiny",
    revision="0123abc",
    quantisation="Q4_K_M",
    files=(
        stores.StoredFile("model.onnx", 7, "a" * 64),
        stores.StoredFile("more/data", 0, "b" * 64),
    ),
    pinned=True,
    details={"pooling": "cls", "threshold": 0.5},
)
A_FILE = {"path": "a", "size": 1, "sha256": "a" * 64}


def changed(**values: Any) -> bytes:
    return json.dumps(
        json.loads(json.dumps({"schema": stores.SCHEMA, **asdict(GOOD)})) | values
    ).encode()


IMPOSSIBLE = (
    "/etc/passwd ../a a/../b a/.. . ./a a//b a/ a\\b C:a a\x00b a\nb manifest.json "
    "Manifest.JSON manifest.json/a"
)


@pytest.mark.parametrize(
    "paths",
    [*([path] for path in (*IMPOSSIBLE.split(" "), "", "x" * 256)), "aa", "aA", ("a", "a/b")],
)
def test_every_file_has_a_place_of_its_own_in_the_folder(paths: Sequence[str]) -> None:
    with pytest.raises(ModelError, match="no file of a model can be at"):
        stores.manifest_from(changed(files=[{**A_FILE, "path": path} for path in paths]))


NO_MANIFESTS = [b"", b"[]", b"\xff", b"[" * 100_000, b" " * 2**21]


@pytest.mark.parametrize(
    "said",
    [
        *NO_MANIFESTS,
        {"schema": "veracite.model/2"},
        {"name": "../a"},
        {"kind": "virus"},
        {"details": []},
        {"files": []},
        {"files": [A_FILE] * 1001},
        {"files": [{**A_FILE, "size": 2**63}]},
        {"files": [{**A_FILE, "sha256": "A" * 64}]},
    ],
    ids=lambda said: str(said)[:40],
)
def test_what_cannot_be_is_refused(said: bytes | dict[str, Any]) -> None:
    with pytest.raises(ModelError, match="The manifest cannot be used"):
        stores.manifest_from(said if isinstance(said, bytes) else changed(**said))


def test_a_manifest_of_another_model_is_told_with_the_models_name(store: stores.Store) -> None:
    place = put(store, "tiny", {"model.gguf": b"weights"})
    (place / "manifest.json").write_bytes(changed())
    assert stores.manifest_from(changed()) == GOOD
    with pytest.raises(ModelError, match=r"it says that its name is tiny-1\.5b-q4_k_m"):
        store.get("tiny")


def test_every_entry_can_be_pulled_and_kept() -> None:
    entries = stores.registry()
    assert max(Counter(entry.name for entry in entries).values()) == 1
    for entry in entries:
        assert is_name(entry.name)
        assert re.fullmatch(r"[\w.-]+/[\w.-]+", entry.repository)
        assert entry.revision is None or re.fullmatch(r"[0-9a-f]{40}", entry.revision)
        for file in entry.files:
            assert stays_inside(file.path)
        assert entry.kind != "generator" or entry.size
        assert entry.parameters
        assert entry.context
    assert "princeton-nlp/sup-simcse-bert-base-uncased" in {entry.repository for entry in entries}


def test_a_file_in_a_folder_of_the_hub_has_an_entry() -> None:
    entry = stores.entry_of("someone/Tiny-GGUF/sub/Tiny-1B-Q4_K_M.gguf")
    assert (entry.name, entry.repository) == ("tiny-1b-q4_k_m", "someone/Tiny-GGUF")
    assert entry.files == (stores.RemoteFile("sub/Tiny-1B-Q4_K_M.gguf"),)


@pytest.mark.parametrize("name", ["", "qwen", "a/b/c", "a/b/c.bin", "https://x/y/z.gguf", "/a/b"])
def test_what_is_no_model_is_told(name: str) -> None:
    with pytest.raises(ModelError, match="veracite models list"):
        stores.entry_of(name)
