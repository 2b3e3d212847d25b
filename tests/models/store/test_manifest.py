"""A manifest from anywhere is believed only where it can be true."""

import json
from dataclasses import asdict
from typing import Any

import pytest
from stored import put

from veracite.models.errors import ModelError
from veracite.models.store import Store
from veracite.models.store.manifest import SCHEMA, ModelManifest, StoredFile, manifest_from

GOOD = ModelManifest(
    name="tiny-1.5b-q4_k_m",
    kind="encoder",
    licence=None,
    source="someone/tiny",
    revision="0123abc",
    context=512,
    parameters=1_500_000_000,
    quantisation="Q4_K_M",
    files=(StoredFile("model.onnx", 7, "a" * 64), StoredFile("more/data", 0, "b" * 64)),
    pinned=True,
    details={"pooling": "cls", "threshold": 0.5},
)
A_FILE = {"path": "a", "size": 1, "sha256": "a" * 64}


def changed(**values: Any) -> bytes:
    return json.dumps(json.loads(json.dumps({"schema": SCHEMA, **asdict(GOOD)})) | values).encode()


def test_a_manifest_reads_as_it_was_written() -> None:
    assert manifest_from(changed()) == GOOD


IMPOSSIBLE = (
    "/etc/passwd ../a a/../b a/.. . ./a a//b a/ a\\b C:a a\x00b a\nb manifest.json "
    "Manifest.JSON manifest.json/a"
)


@pytest.mark.parametrize("path", [*IMPOSSIBLE.split(" "), "", "x" * 256])
def test_no_path_leads_out_of_the_folder(path: str) -> None:
    with pytest.raises(ModelError, match="no file of a model can be at"):
        manifest_from(changed(files=[{**A_FILE, "path": path}]))


@pytest.mark.parametrize("other", ["a", "A", "a/b"])
def test_no_two_files_are_in_one_place(other: str) -> None:
    with pytest.raises(ModelError, match="no file of a model can be at"):
        manifest_from(changed(files=[A_FILE, {**A_FILE, "path": other}]))


@pytest.mark.parametrize(
    "values",
    [
        {"schema": "veracite.model/2"},
        {"name": "../a"},
        {"name": 1},
        {"kind": "virus"},
        {"kind": []},
        {"licence": 1},
        {"context": -1},
        {"context": True},
        {"parameters": 1e300},
        {"pinned": None},
        {"details": []},
        {"files": []},
        {"files": {}},
        {"files": [1]},
        {"files": [A_FILE] * 1001},
        {"files": [{**A_FILE, "size": None}]},
        {"files": [{**A_FILE, "size": 2**63}]},
        {"files": [{**A_FILE, "sha256": "A" * 64}]},
        {"files": [{**A_FILE, "sha256": None}]},
        {"files": [{**A_FILE, "path": 1}]},
    ],
    ids=str,
)
def test_what_cannot_be_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ModelError, match="The manifest cannot be used"):
        manifest_from(changed(**values))


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b"[" * 100_000, b" " * 2**21])
def test_what_is_no_manifest_is_refused(content: bytes) -> None:
    with pytest.raises(ModelError, match="The manifest cannot be used"):
        manifest_from(content)


def test_a_damaged_manifest_is_told_with_the_models_name(store: Store) -> None:
    place = put(store, "tiny", {"model.gguf": b"weights"})
    (place / "manifest.json").write_text("{}")
    with pytest.raises(ModelError, match=r"The model tiny has no usable manifest\.json"):
        store.get("tiny")
    (place / "manifest.json").write_bytes(changed())
    with pytest.raises(ModelError, match=r"its name is tiny-1\.5b"):
        store.get("tiny")
    assert store.names() == ("tiny",)
