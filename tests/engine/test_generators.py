"""Which language model is meant."""

from pathlib import Path

import pytest
import tiny_gguf

from veracite.engine.paths import Paths
from veracite.engine.settings import load
from veracite.models.errors import ModelError
from veracite.models.store import Choices, Store


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(tmp_path / "data", tmp_path / "cache", tmp_path / "config.toml")


def test_without_a_name_the_model_that_was_chosen_is_used(paths: Paths, tmp_path: Path) -> None:
    assert load(paths, {}, {}).check.model is None
    model = tiny_gguf.make(tmp_path / "tiny.gguf")
    Choices(Store(paths.models)).choose("generator", model)
    assert load(paths, {}, {}).check.model == str(model)
    assert load(paths, {"model": "other.gguf"}, {}).check.model == str(Path("other.gguf").resolve())
    model.unlink()
    with pytest.raises(ModelError, match="is gone"):
        load(paths, {}, {})


def test_a_name_that_nothing_has_is_told(paths: Paths) -> None:
    with pytest.raises(ModelError, match="no model or file 'smolm'"):
        load(paths, {"model": "smolm"}, {})
