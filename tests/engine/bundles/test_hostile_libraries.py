"""Bundles of libraries from an enemy are refused, for the right reason, and leave nothing behind.

What is true of every bundle is shown in ``test_hostile_models``.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from forging import Forge, Forgery, require_refused, tree, without
from indexing import ENCODER, open_library, synced

from veracite.engine.bundles.libraries import export_library, import_library
from veracite.engine.errors import USER_ERRORS
from veracite.engine.libraries import Libraries
from veracite.engine.paths import Paths
from veracite.index.progress import Encoded
from veracite.models.store import Copied

TEXT = "The Harrow mill burned down in 1904.\fIt was never rebuilt.\n"


def libraries(home: Path) -> Libraries:
    return Libraries(Paths(home / "data", home / "cache", home / "config.toml"))


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("good")
    (home / "documents").mkdir()
    for name in ("a.txt", "b.txt"):
        (home / "documents" / name).write_text(f"{name}: {TEXT}", encoding="utf-8")
    with open_library(libraries(home).create("mills")) as library:
        library.add([home / "documents"])
        synced(library)
    list(export_library(libraries(home), "mills", home / "good"))
    return home / "good"


def line(**changed: Any) -> Forge:
    """Something else about the first file."""

    def forge(bundle: Forgery) -> None:
        first, *others = bundle.entries["files.jsonl"].splitlines()
        said = json.loads(first)
        said.update(changed)
        lines = (json.dumps(said).encode(), *others, b"")
        bundle.entries["files.jsonl"] = b"\n".join(lines)

    return forge


def about(**others: Any) -> Forge:
    return lambda bundle: bundle.said["about"].update(others)


def entry(name: str, change: Callable[[bytes], bytes]) -> Forge:
    return lambda bundle: bundle.entries.update({name: change(bundle.entries[name])})


def vector(number: float) -> Forge:
    """Another vector behind the first hash."""
    new = np.full(32, number, dtype="<f2").tobytes()
    return entry("vectors/0", lambda content: content[:32] + new + content[32 + 64 :])


def encoders(*vectors: tuple[str, int]) -> Forge:
    """Other encoders of the same embeddings."""

    def forge(bundle: Forgery) -> None:
        said = [{"encoder": name, "dimension": dimension} for name, dimension in vectors]
        bundle.said["about"]["vectors"] = said
        for number in range(len(vectors)):
            bundle.entries[f"vectors/{number}"] = bundle.entries["vectors/0"]

    return forge


FORGERIES: dict[str, tuple[Forge, str]] = {
    "nothing about the library": (lambda b: b.said.update(about={}), "does not say what library"),
    "name that leads upwards": (about(name="../up"), "cannot be the name of a library"),
    "source that is no path": (about(sources=["relative"]), "is no path of a file"),
    "source with a zero byte": (about(sources=["/a\0b"]), "is no path of a file"),
    "texts that are missing": (without("texts.txt"), "not those of a library"),
    "encoder without a name": (encoders(("", 32)), "does not say what library"),
    "encoder of huge vectors": (encoders(("a", 2**40)), "does not say what library"),
    "encoder that cannot be shown": (
        encoders(("\x1b[2J", 32)),
        "an encoder twice, or one that can",
    ),
    "encoder twice": (encoders(("a", 32), ("a", 32)), "names an encoder twice"),
    "a file more": (lambda b: b.entries.update({"catalog.db": b""}), "not those of a library"),
    "line that is no JSON": (entry("files.jsonl", lambda c: b"{\n" + c), "cannot be used"),
    "line that is too deep": (
        entry("files.jsonl", lambda c: b"[" * 99_999 + b"\n"),
        "cannot be used",
    ),
    "line without an end": (
        entry("files.jsonl", lambda c: c[:-1]),
        "line about a file is not complete",
    ),
    "file twice": (entry("files.jsonl", lambda c: c.splitlines()[0] + b"\n" + c), "is there twice"),
    "path that leads upwards": (line(path="/a/../b"), "is no path"),
    "path that no system has": (line(path="/\ud800"), "is no path"),
    "path that is too long": (line(path="/" + "a" * 5000), "is no path"),
    "size below zero": (line(size=-1), "cannot be used"),
    "hash that is none": (line(sha256="x"), "cannot be used"),
    "no hash of a text": (line(sha256=""), "hash of .* is missing"),
    "page behind the text": (line(pages=[9999]), "page starts where none can"),
    "pages out of order": (line(pages=[9, 3]), "page starts where none can"),
    "row behind the text": (line(rows=[[9999, 1, 1]]), "row stands where none can"),
    "rows out of order": (line(rows=[[9, 1, 1], [3, 2, 1]]), "row stands where none can"),
    "row without cells": (line(rows=[[0, 1, 0]]), "row stands where none can"),
    "text that is longer": (line(bytes=2**40), "text is not complete"),
    "text that is shorter": (line(bytes=20), "where none can"),
    "text of no file": (entry("texts.txt", lambda c: c + b"more"), "belongs to no file"),
    "text that is not UTF-8": (entry("texts.txt", lambda c: b"\xff" + c[1:]), "not UTF-8"),
    "passage behind the text": (line(passages=[[0, 9999, None]]), "where none can be"),
    "passage that ends before it starts": (line(passages=[[9, 3, None]]), "where none can be"),
    "passages that overlap": (line(passages=[[0, 9, None], [3, 12, None]]), "where none can be"),
    "passage of no words": (line(passages=[[43, 44, None]]), "a passage is empty"),
    "vector of no passage": (entry("vectors/0", lambda c: bytes(32) + c[32:]), "no passage"),
    "vector twice": (entry("vectors/0", lambda c: c[:96] * 2), "is there twice"),
    "vector that is too long": (vector(300.0), "no unit vector"),
    "vector of no numbers": (vector(float("nan")), "no unit vector"),
    "vector that is cut off": (entry("vectors/0", lambda c: c[:-1]), "is not complete"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_bundle_leaves_nothing(name: str, good: Path, tmp_path: Path) -> None:
    home = libraries(tmp_path)
    require_refused(*FORGERIES[name], good, tmp_path, lambda path: import_library(home, path, None))


def test_the_same_bundle_without_forgery_is_taken(good: Path, tmp_path: Path) -> None:
    Forgery.of(good).write(tmp_path / "bundle")
    *_, name = import_library(libraries(tmp_path), tmp_path / "bundle", None)
    with open_library(libraries(tmp_path).folder(str(name))) as library:
        assert synced(library).documents == 2
        assert library.status().embedded == library.status().passages == 2
        (first, _) = library.documents()
        assert library.raw_text(first) == f"a.txt: {TEXT}"


def test_embeddings_of_several_encoders_travel(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT)
    with open_library(libraries(tmp_path).create("mills"), encoder_id=ENCODER) as library:
        library.add([tmp_path / "a.txt"])
        synced(library)
    with open_library(libraries(tmp_path).folder("mills"), encoder_id="other/1") as library:
        happening = library.sync()
        next(event for event in happening if isinstance(event, Encoded))
        happening.close()  # type: ignore[attr-defined]
    *written, _ = export_library(libraries(tmp_path), "mills", tmp_path / "bundle")
    steps = [(event.done, event.total) for event in written if isinstance(event, Copied)]
    assert steps == sorted(steps)
    assert steps[-1][0] == steps[-1][1]
    list(import_library(libraries(tmp_path), tmp_path / "bundle", "again"))
    for encoder in (ENCODER, "other/1"):
        with open_library(libraries(tmp_path).folder("again"), encoder_id=encoder) as library:
            assert library.status().embedded == 1


def test_a_library_that_changes_is_not_exported(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT)
    with open_library(libraries(tmp_path).create("mills")) as library:
        library.add([tmp_path / "a.txt"])
        happening = library.sync(wait_seconds=0)
        next(happening)
        with pytest.raises(USER_ERRORS, match="Another process is changing"):
            list(export_library(libraries(tmp_path), "mills", tmp_path / "bundle"))
        list(happening)
    assert not (tmp_path / "bundle").exists()
    list(export_library(libraries(tmp_path), "mills", tmp_path / "bundle"))


def test_an_import_that_is_stopped_leaves_nothing(good: Path, tmp_path: Path) -> None:
    happening = import_library(libraries(tmp_path), good, None)
    next(happening)
    happening.close()  # type: ignore[attr-defined]
    assert tree(tmp_path) == {}
