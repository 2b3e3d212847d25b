"""Where Veracite keeps things, and where it does not."""

from pathlib import Path

import pytest
import tiny_gguf

from veracite.engine.errors import InputError
from veracite.engine.libraries import Libraries
from veracite.engine.paths import Paths
from veracite.engine.settings import load
from veracite.models.errors import ModelError
from veracite.models.store import Store


def test_without_it_the_platform_decides(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for kind in ("DATA", "CACHE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))
    found = Paths.resolve({})
    assert found.data == tmp_path / "DATA" / "veracite"
    assert found.cache == tmp_path / "CACHE" / "veracite"
    assert found.config == tmp_path / "CONFIG" / "veracite" / "config.toml"
    monkeypatch.chdir(tmp_path)  # a relative place does not move with the working folder
    assert Paths.resolve({"VERACITE_DATA_DIR": "here"}).data == tmp_path / "here"


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "a/b", ".hidden", "-x", "a b", "x" * 65])
def test_a_name_cannot_lead_anywhere_else(paths: Paths, name: str) -> None:
    with pytest.raises(InputError, match="cannot be the name"):
        Libraries(paths).create(name)
    with pytest.raises(InputError, match="cannot be the name"):
        Libraries(paths).delete(name)


def test_the_same_sources_have_one_index_whatever_their_order(paths: Paths, tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    libraries = Libraries(paths)
    assert libraries.folder((one, other)) == libraries.folder((other, one, one))
    assert libraries.folder((one,)) != libraries.folder((other,))
    assert libraries.folder((one,)).is_relative_to(paths.cache)


def test_a_folder_that_cannot_be_made_is_explained(paths: Paths) -> None:
    paths.data.write_text("a file is in the way")
    with pytest.raises(InputError, match="cannot be used"):
        Libraries(paths).create("papers")


def test_without_a_name_the_model_that_was_chosen_is_used(paths: Paths, tmp_path: Path) -> None:
    assert load(paths, {}, {}).check.model is None
    model = tiny_gguf.make(tmp_path / "tiny.gguf")
    Store(paths.models).choose("generator", model)
    assert load(paths, {}, {}).check.model == str(model)
    assert load(paths, {"model": "other.gguf"}, {}).check.model == str(Path("other.gguf").resolve())
    with pytest.raises(ModelError, match="no model or file 'smolm'"):
        load(paths, {"model": "smolm"}, {})
    model.unlink()
    with pytest.raises(ModelError, match="is gone"):
        load(paths, {}, {})
