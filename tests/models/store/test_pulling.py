"""A pull ends with the model that was announced in the store, or with nothing there.

The hub is played on loopback.
"""

import hashlib
import os
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest
import tiny_gguf
from checkpoints import write_folder, write_modules
from hub import PlayedHub, playing
from networks import lonely_network

from veracite.engine.offline import lifted
from veracite.models.bundled import bundled_encoder
from veracite.models.errors import ModelError
from veracite.models.store import Brought, Copied, Entry, ModelManifest, RemoteFile, Store, entry_of
from veracite.models.store.hub import Hub, Plan, pull

REPOSITORY = "someone/tiny-GGUF"
ENTRY = Entry(
    name="tiny",
    kind="generator",
    repository=REPOSITORY,
    files=(RemoteFile("tiny.gguf"),),
    licence="MIT",
    quantisation="F32",
)


@pytest.fixture(scope="module")
def gguf(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return tiny_gguf.make(
        tmp_path_factory.mktemp("made") / "tiny.gguf", vocabulary=4000
    ).read_bytes()


@pytest.fixture
def hub(gguf: bytes) -> Iterator[PlayedHub]:
    with playing() as played:
        played.put(REPOSITORY, tiny__gguf=gguf)
        yield played


def pulling(store: Store, hub: PlayedHub, entry: Entry = ENTRY) -> Generator[Copied | Brought]:
    with patch.dict("os.environ", HF_ENDPOINT=hub.endpoint):
        here = Hub(lifted)
    with here as opened:
        yield from pull(store, Plan.of(entry, store, opened), opened)


def pulled(store: Store, hub: PlayedHub, entry: Entry = ENTRY) -> ModelManifest:
    *_, last = pulling(store, hub, entry)
    assert isinstance(last, Brought)
    return last.manifest


def published(folder: Path) -> dict[str, bytes]:
    """A folder as the hub has it."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_a_pulled_model_is_what_was_announced(store: Store, hub: PlayedHub, gguf: bytes) -> None:
    events = list(pulling(store, hub))
    manifest = store.get("tiny")
    assert events[-1] == Brought(manifest)
    assert store.place("tiny").read_bytes() == gguf
    assert (manifest.source, manifest.revision) == (REPOSITORY, hub.commit(REPOSITORY))
    assert (manifest.licence, manifest.quantisation, manifest.pinned) == ("MIT", "F32", False)
    assert manifest.files[0].sha256 == hashlib.sha256(gguf).hexdigest()
    done = [event.done for event in events if isinstance(event, Copied)]
    assert done == sorted(done)
    assert (done[0], done[-1]) == (0, len(gguf))
    assert {event.total for event in events if isinstance(event, Copied)} == {len(gguf)}


def test_nothing_is_told_that_need_not_be(
    store: Store, hub: PlayedHub, capfd: pytest.CaptureFixture[str]
) -> None:
    with patch.dict(os.environ, {"HF_TOKEN": "secret"}):
        pulled(store, hub)
    assert len(hub.asked) == 2
    assert not any("authorization" in headers for headers in hub.headers)
    assert "secret" not in repr(hub.headers)
    assert {headers["user-agent"] for headers in hub.headers} == {"veracite"}
    assert capfd.readouterr() == ("", "")


def test_a_broken_download_goes_on_where_it_was(store: Store, hub: PlayedHub, gguf: bytes) -> None:
    hub.break_after = [1_000_000, 1, 300_000]
    pulled(store, hub)
    assert store.place("tiny").read_bytes() == gguf
    assert hub.downloads == [
        "tiny.gguf",
        "tiny.gguf bytes=1000000-",
        "tiny.gguf bytes=1000001-",
        "tiny.gguf bytes=1300001-",
    ]


def test_a_network_that_is_gone_is_told_as_such(store: Store, hub: PlayedHub) -> None:
    hub.break_after = [1_000_000, 0]
    with pytest.raises(ModelError) as gone:
        pulled(store, hub)
    assert gone.value.kind == "unreachable"


@pytest.mark.parametrize("entry", ["announced", "known"])
def test_other_bytes_are_not_kept(store: Store, hub: PlayedHub, gguf: bytes, entry: str) -> None:
    hub.sent["tiny.gguf"] = gguf[:-1] + b"!"
    wanted = ENTRY
    if entry == "known":
        hub.put(REPOSITORY, tiny__gguf=hub.sent["tiny.gguf"])
        file = RemoteFile("tiny.gguf", len(gguf), hashlib.sha256(gguf).hexdigest())
        wanted = replace(ENTRY, files=(file,))
    with pytest.raises(ModelError, match=r"is another file|another one than is known"):
        pulled(store, hub, wanted)
    assert store.names() == ()
    assert not [*store.folder.glob(".staging/tiny/*/tiny.gguf")]


@pytest.mark.parametrize("no_lengths", [False, True])
@pytest.mark.parametrize("by", [-1, 1])
def test_a_server_that_lies_about_a_size_is_found_out(
    store: Store, hub: PlayedHub, gguf: bytes, by: int, no_lengths: bool
) -> None:
    hub.sizes = {"tiny.gguf": len(gguf) + by}
    hub.no_lengths = no_lengths
    with pytest.raises(ModelError, match=f"where {len(gguf) + by:,} were announced"):
        pulled(store, hub)
    assert store.names() == ()


def test_more_than_the_disk_holds_is_not_begun(store: Store, hub: PlayedHub) -> None:
    hub.sizes = {"tiny.gguf": 10**18}
    with pytest.raises(ModelError, match=r"1000000000\.0 GB are needed on the disk"):
        pulled(store, hub)
    assert hub.downloads == []


def test_two_pulls_of_one_model_do_not_meet(store: Store, hub: PlayedHub, gguf: bytes) -> None:
    first = pulling(store, hub)
    next(first)
    with pytest.raises(ModelError, match="Another process is already fetching tiny"):
        pulled(store, hub)
    list(first)
    assert store.place("tiny").read_bytes() == gguf
    with pytest.raises(ModelError, match="There is a model named tiny already"):
        pulled(store, hub)


def test_a_refusal_is_told(store: Store, hub: PlayedHub) -> None:
    for hub.status in (401, 404, 503):
        with pytest.raises(ModelError, match=f"status {hub.status}"):
            pulled(store, hub)


@pytest.mark.parametrize(
    ("environ", "told"),
    [
        ({}, r"cannot be reached.*veracite models export"),
        ({"ALL_PROXY": "socks5://127.0.0.1:1", "NO_PROXY": ""}, "cannot be reached.*socksio"),
    ],
)
def test_without_a_network_the_other_way_is_told(
    store: Store, hub: PlayedHub, environ: dict[str, str], told: str
) -> None:
    hub.endpoint = "http://127.0.0.1:1"
    with patch.dict(os.environ, environ), pytest.raises(ModelError, match=told):
        pulled(store, hub)


def test_a_repository_of_language_models_names_its_files(store: Store, hub: PlayedHub) -> None:
    hub.put(REPOSITORY, README__md=b"words")
    for address in (REPOSITORY, f"{REPOSITORY}/other.gguf"):
        with pytest.raises(ModelError) as raised:
            pulled(store, hub, entry_of(address))
        assert f"it holds {REPOSITORY}/tiny.gguf." in raised.value.message
    del hub.repositories[REPOSITORY]["tiny.gguf"]
    with pytest.raises(ModelError, match=r"holds no file tiny\.gguf.*choose another model"):
        pulled(store, hub)


def test_an_encoder_is_converted_on_arrival(store: Store, hub: PlayedHub, tmp_path: Path) -> None:
    write_folder(tmp_path / "theirs")
    write_modules(tmp_path / "theirs", "cls")
    not_needed = {"pytorch_model.bin": b"the same", "README.md": b"words", "onnx/model.onnx": b"it"}
    hub.repositories["someone/Tiny-Encoder"] = published(tmp_path / "theirs") | not_needed
    manifest = pulled(store, hub, entry_of("someone/Tiny-Encoder"))
    assert not {path.rpartition("/")[2] for path in not_needed} & set(hub.downloads)
    assert manifest == store.get("tiny-encoder")
    ours = ["encoder.onnx", "tokenizer.json", "encoder.json"]
    assert [file.path for file in manifest.files] == ours
    assert (manifest.kind, manifest.licence, manifest.pinned) == ("encoder", "apache-2.0", False)
    assert manifest.details.keys() == {"pooling", "threshold", "max_length", "dimension"}
    with closing(bundled_encoder(folder=store.path("tiny-encoder"))) as encoder:
        assert encoder.encode(["a lamp"]).shape == (1, manifest.details["dimension"])
    assert not store.was_begun(manifest.name)


def test_another_kind_comes_as_its_makers_onnx(
    store: Store, hub: PlayedHub, tmp_path: Path
) -> None:
    write_folder(tmp_path / "theirs")
    theirs = published(tmp_path / "theirs")
    theirs["config.json"] = b'{"model_type": "distilbert", "max_position_embeddings": 40}'
    hub.repositories["someone/Other"] = theirs
    with pytest.raises(ModelError, match="it is of the kind 'distilbert'"):
        pulled(store, hub, entry_of("someone/Other"))
    assert hub.downloads == []
    theirs |= {"onnx/model.onnx": lonely_network(), "onnx/model.onnx_data": b"weights beside it"}
    manifest = pulled(store, hub, entry_of("someone/Other"))
    assert {"model.onnx", "model.onnx_data"} <= set(hub.downloads)
    assert "model.safetensors" not in hub.downloads
    with closing(bundled_encoder(folder=store.path(manifest.name))) as encoder:
        assert encoder.encode(["a lamp"]).shape == (1, 4)
