"""Bundles of models from an enemy are refused, for the right reason, and leave nothing behind."""

import os
import stat
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import checkpoints
import pytest
import tiny_gguf
from forging import DEFLATED, Forge, Forgery, in_directory, require_refused, tree

from veracite.engine.bundles.models import export_models, import_models
from veracite.engine.errors import USER_ERRORS
from veracite.models.store import Store, bring

SAYS_NOTHING = "does not say what it holds"
UNNAMED = "not those that its models' manifests name"
UNFIT, DAMAGED = "do not fit together", "no bundle, or damaged"
GGUF, ENCODER = "models/tiny/tiny.gguf", "models/small/encoder.json"
TINY, SMALL = "models/tiny/manifest.json", "models/small/manifest.json"


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle of a language model and an encoder."""
    home = tmp_path_factory.mktemp("good")
    store = Store(home / "models")
    checkpoints.write_folder(home / "small")
    for path in (tiny_gguf.make(home / "tiny.gguf"), home / "small"):
        list(bring(store, path))
    list(export_models(store, ["tiny", "small"], home / "good"))
    return home / "good"


def entry(name: str, content: bytes = b"", **others: int) -> Forge:
    """A forgery with one entry more."""
    return lambda bundle: bundle.add(name, content, **others)


def list_is(content: bytes) -> Forge:
    return lambda bundle: setattr(bundle, "list_bytes", content)


def file_is(path: str, content: bytes) -> Forge:
    return lambda bundle: bundle.entries.update({path: content})


def said_of(path: str, **changed: Any) -> Forge:
    """A JSON file that says something else."""
    return lambda bundle: bundle.put_json(path, bundle.json(path) | changed)


def file_of(manifest: str, **changed: Any) -> Forge:
    """A manifest that says something else of its first file."""

    def forge(bundle: Forgery) -> None:
        first, *others = bundle.json(manifest)["files"]
        said_of(manifest, files=[first | changed, *others])(bundle)

    return forge


def said(**changed: Any) -> Forge:
    return lambda bundle: bundle.said.update(changed)


def bytes_changed(change: Callable[[bytearray], Any]) -> Forge:
    return lambda bundle: setattr(bundle, "change_bytes", change)


def turned(content: bytearray) -> None:
    content[5000] ^= 1


def shortened(content: bytearray) -> None:
    del content[-3000:]


def record(name: str, offset: int, value: bytes) -> Forge:
    """Other bytes in the zip directory's record of an entry."""

    def patch(content: bytearray) -> None:
        start = in_directory(content, name) + offset
        content[start : start + len(value)] = value

    return bytes_changed(patch)


def weights(content: bytes) -> Forge:
    """Other weights, for which the manifest vouches."""
    return lambda bundle: vouched_for(bundle, TINY, GGUF, content)


def vouched_for(bundle: Forgery, manifest: str, path: str, content: bytes) -> None:
    bundle.entries[path] = content
    said = bundle.json(manifest)
    for file in said["files"]:
        if path.endswith("/" + file["path"]):
            file |= {"size": len(content), "sha256": sha256(content).hexdigest()}
    bundle.put_json(manifest, said)


def half_the_weights(bundle: Forgery) -> None:
    vouched_for(bundle, TINY, GGUF, bundle.entries[GGUF][: len(bundle.entries[GGUF]) // 2])


def encoder_reads(path: str) -> Forge:
    """An encoder whose weights are said to be somewhere else."""

    def forge(bundle: Forgery) -> None:
        said_of(ENCODER, file=path)(bundle)
        vouched_for(bundle, SMALL, ENCODER, bundle.entries[ENCODER])

    return forge


def no_network(bundle: Forgery) -> None:
    said_of(ENCODER, sha256=sha256(b"no network").hexdigest())(bundle)
    vouched_for(bundle, SMALL, ENCODER, bundle.entries[ENCODER])
    vouched_for(bundle, SMALL, "models/small/encoder.onnx", b"no network")


def one_file_more(bundle: Forgery) -> None:
    bundle.entries["models/small/more.py"] = b"print()"
    size, digest = len(b"print()"), sha256(b"print()").hexdigest()
    more = {"path": "more.py", "size": size, "sha256": digest}
    said_of(SMALL, files=[*bundle.json(SMALL)["files"], more])(bundle)


def moved(bundle: Forgery) -> None:
    """A manifest whose model is said to have the name of a folder above."""
    for path in list(bundle.entries):
        if path.startswith("models/tiny/"):
            bundle.entries[path.replace("/tiny/", "/other/")] = bundle.entries.pop(path)


def many(bundle: Forgery) -> None:
    for number in range(1001):
        bundle.entries[f"licences/{number}.txt"] = b""


def long_directory(bundle: Forgery) -> None:
    for number in range(20):
        bundle.add(f"licences/{number}.txt")
        bundle.more[-1][0].comment = b"x" * 60_000


FORGERIES: dict[str, tuple[Forge, str]] = {
    "absolute path": (entry("/tmp/escaped"), UNNAMED),
    "path upwards": (entry("models/../../escaped"), UNNAMED),
    "link": (entry("models/tiny/link", b"/etc/passwd", mode=stat.S_IFLNK | 0o777), UNNAMED),
    "manifest that leads upwards": (file_of(TINY, path="../../up"), "no file of a model can be at"),
    "name that leads upwards": (said_of(TINY, name=".."), "its name cannot be a model's"),
    "encoder that leads upwards": (encoder_reads("../../../../../../etc/passwd"), UNFIT),
    "name twice": (entry(GGUF, b"other"), "two of its entries have the same name"),
    "list twice": (entry("bundle.json", b"{}"), "two of its entries"),
    "bomb": (entry("licences/bomb", bytes(50_000_000), kind=DEFLATED), "claims to hold more"),
    "something compressed": (entry("licences/some", b"x" * 100, kind=DEFLATED), "is compressed"),
    "size that is not there": (record(GGUF, 20, b"\xff\xff\xff\x7f" * 2), "claims to hold more"),
    "too many entries": (many, "more than 1000 entries"),
    "directory too long": (long_directory, DAMAGED),
    "list too long": (list_is(b" " * 2**21), "too long"),
    "encrypted": (record(GGUF, 8, b"\1\0"), DAMAGED),
    "entry that lies elsewhere": (record(ENCODER, 42, b"\0\0\0\0"), DAMAGED),
    "entry before the beginning": (record(GGUF, 42, b"\xff\xff\xff\xef"), "no bundle|cannot be"),
    "no list": (list_is(b""), "has no bundle.json"),
    "list that is no JSON": (list_is(b"{"), SAYS_NOTHING),
    "list that is too deep": (list_is(b"[" * 100_000), SAYS_NOTHING),
    "another schema": (said(schema="veracite.bundle/9"), "made by another version"),
    "bundle of a library": (said(kind="library"), "`veracite library import` takes it"),
    "file that no manifest names": (entry("models/tiny/new"), UNNAMED),
    "another size": (file_of(TINY, size=1), UNNAMED),
    "another hash": (file_of(TINY, sha256="0" * 64), "the SHA-256 of tiny.gguf is not"),
    "byte that has turned": (bytes_changed(turned), "damaged"),
    "manifest of another model": (moved, "the manifest of another model"),
    "manifest that is no JSON": (file_is(TINY, b"no"), "manifest cannot be used"),
    "file with the name of a model's folder": (file_is("models/tiny", b"more"), UNNAMED),
    "weights that are no model": (weights(b"no model"), "is no GGUF file"),
    "weights that end too soon": (half_the_weights, "bytes are missing at its end"),
    "network that is none": (no_network, UNFIT),
    "encoder with a file more": (one_file_more, UNFIT),
    "encoder that is said to be a reranker": (said_of(SMALL, kind="cross-encoder"), UNFIT),
    "end that is missing": (bytes_changed(shortened), DAMAGED),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_bundle_leaves_nothing(name: str, good: Path, tmp_path: Path) -> None:
    store = Store(tmp_path / "a" / "b" / "models")
    require_refused(*FORGERIES[name], good, tmp_path, lambda path: import_models(store, path))


def test_the_same_bundle_without_forgery_is_taken(good: Path, tmp_path: Path) -> None:
    store = Store(tmp_path / "models")
    list(import_models(store, Forgery.of(good).write(tmp_path / "bundle")))
    assert store.names() == ("small", "tiny")


@pytest.mark.parametrize("content", [b"", b"PK", b"PK\3\4", b"no bundle" * 100])
def test_what_is_no_zip_file_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "bundle").write_bytes(content)
    with pytest.raises(USER_ERRORS, match=DAMAGED):
        list(import_models(Store(tmp_path / "models"), tmp_path / "bundle"))


@pytest.mark.parametrize("kind", [Path.mkdir, os.mkfifo, str])
def test_a_folder_or_pipe_is_no_bundle(kind: Callable[[Path], Any], tmp_path: Path) -> None:
    kind(tmp_path / "bundle")
    with pytest.raises(USER_ERRORS, match="cannot be read"):
        list(import_models(Store(tmp_path / "models"), tmp_path / "bundle"))


def test_of_two_models_none_is_taken_if_one_cannot_be(good: Path, tmp_path: Path) -> None:
    store = Store(tmp_path / "models")
    bundle = Forgery.of(good)
    no_network(bundle)  # the second one
    with pytest.raises(USER_ERRORS, match=UNFIT):
        list(import_models(store, bundle.write(tmp_path / "bundle")))
    assert store.names() == ()
    list(bring(store, tiny_gguf.make(tmp_path / "tiny.gguf", seed=5)))
    before = tree(store.folder)
    with pytest.raises(USER_ERRORS, match="another model named tiny"):
        list(import_models(store, good))
    assert tree(store.folder) == before


def test_an_import_that_is_stopped_leaves_nothing(good: Path, tmp_path: Path) -> None:
    store = Store(tmp_path / "models")
    happening = import_models(store, good)
    next(happening)
    happening.close()  # type: ignore[attr-defined]
    assert tree(tmp_path) == {}
