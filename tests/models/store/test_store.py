"""A model is in the store complete or not at all, and is what its manifest says."""

import stat
from pathlib import Path

import pytest
from stored import manifest_of, put

from veracite.models.errors import ModelError
from veracite.models.store import Store, Verified

FILES = {"model.gguf": b"weights", "licence/LICENSE": b"words"}


def problems(store: Store, name: str) -> dict[str, str]:
    *_, verified = store.verify([name])
    assert isinstance(verified, Verified)
    return dict(verified.problems)


def left_behind(store: Store) -> list[str]:
    return [str(path) for path in (store.folder / ".staging").rglob("*")]


def test_an_adopted_model_is_listed_found_and_private(store: Store) -> None:
    assert store.names() == ()
    assert not store.folder.exists()
    place = put(store, "tiny", FILES)
    assert store.names() == ("tiny",)
    assert place == store.path("tiny")
    manifest = store.get("tiny")
    assert {file.path: file.size for file in manifest.files} == {
        "licence/LICENSE": 5,
        "model.gguf": 7,
    }
    assert (manifest.size, manifest.details, manifest.pinned) == (12, {}, False)
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert left_behind(store) == []


def test_verify_says_which_file_is_wrong(store: Store) -> None:
    place = put(store, "tiny", {**FILES, "extra": b"12"})
    assert problems(store, "tiny") == {}
    (place / "model.gguf").write_bytes(b"w3ights")
    (place / "licence" / "LICENSE").unlink()
    (place / "licence" / "LICENSE").symlink_to(place / "extra")
    (place / "extra").write_bytes(b"1")
    (place / "stray").write_bytes(b"")
    assert problems(store, "tiny") == {
        "extra": "it has 1 bytes and should have 2",
        "licence/LICENSE": "it is a link or no file",
        "model.gguf": "its SHA-256 is another one",
        "stray": "it does not belong to the model",
    }


@pytest.mark.parametrize("wrong", ["missing", "longer", "stray", "link"])
def test_what_the_manifest_does_not_say_is_not_adopted(store: Store, wrong: str) -> None:
    with store.stage() as staged:
        (staged / "model.gguf").write_bytes(b"weights")
        (staged / "other").write_bytes(b"1")
        manifest = manifest_of(staged, "tiny")
        match wrong:
            case "missing":
                (staged / "other").unlink()
            case "longer":
                (staged / "other").write_bytes(b"12")
            case "stray":
                (staged / "stray").write_bytes(b"")
            case "link":
                (staged / "other").unlink()
                (staged / "other").symlink_to(staged / "model.gguf")
        with pytest.raises(ModelError, match="is not complete"):
            store.adopt(staged, manifest)
    assert store.names() == ()
    assert left_behind(store) == []


def test_a_removed_model_is_gone_and_used_no_longer(store: Store) -> None:
    put(store, "tiny", FILES)
    put(store, "other", FILES, kind="encoder")
    store.choose("generator", "tiny")
    store.choose("encoder", "other")
    store.remove("tiny")
    assert (store.names(), left_behind(store)) == (("other",), [])
    assert store.chosen_path("generator") is None
    assert store.chosen_path("encoder") == store.path("other")
    with pytest.raises(ModelError, match="no model named 'tiny'"):
        store.remove("tiny")


@pytest.mark.parametrize("name", ["", "..", ".staging", "a/b", "/etc", "A", "a..b", "x" * 101])
def test_no_name_leads_out_of_the_store(store: Store, name: str) -> None:
    put(store, "tiny", FILES)
    with pytest.raises(ModelError):
        store.remove(name)
    with pytest.raises(ModelError):
        store.path(name)
    with pytest.raises(ModelError), store.stage(name):
        pass
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
