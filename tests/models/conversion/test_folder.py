"""What a folder says of its parts is followed where we can, and refused in words elsewhere."""

import json
from pathlib import Path

import pytest
from checkpoints import write_modules

from veracite.models.conversion import read_modules
from veracite.models.conversion.network import find_weights
from veracite.models.errors import ModelError


@pytest.mark.parametrize(
    ("config", "pooling"),
    [
        ({"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False}, "mean"),
        ({"pooling_mode_cls_token": True, "include_prompt": True}, "cls"),
        ({"pooling_mode": "mean", "embedding_dimension": 384}, "mean"),
        ({"pooling_mode": "cls"}, "cls"),
    ],
)
def test_both_ways_of_saying_the_pooling_are_read(
    tmp_path: Path, config: dict[str, object], pooling: str
) -> None:
    write_modules(tmp_path, "mean_tokens", "Normalize")
    (tmp_path / "1_Pooling" / "config.json").write_text(json.dumps(config))
    assert read_modules(tmp_path) == (tmp_path, pooling)


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"pooling_mode_max_tokens": True}, "'max'"),
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True}, "'cls, mean"),
        ({"pooling_mode": "lasttoken"}, "'lasttoken'"),
        ({}, "'nothing'"),
    ],
)
def test_another_pooling_is_refused(tmp_path: Path, config: dict[str, object], said: str) -> None:
    write_modules(tmp_path, "mean_tokens")
    (tmp_path / "1_Pooling" / "config.json").write_text(json.dumps(config))
    with pytest.raises(ModelError, match=f"are made by {said}"):
        read_modules(tmp_path)


def test_parts_that_change_the_vectors_are_refused(tmp_path: Path) -> None:
    write_modules(tmp_path, "mean_tokens", "Dense")
    with pytest.raises(ModelError, match="a part of the kind 'Dense'"):
        read_modules(tmp_path)


@pytest.mark.parametrize("path", ["../elsewhere", "/etc", "..", ".", "a/../../b", "a\\b", 5])
def test_parts_are_in_folders_of_the_folder(tmp_path: Path, path: object) -> None:
    (tmp_path / "modules.json").write_text(json.dumps([{"path": path, "type": "Transformer"}]))
    with pytest.raises(ModelError, match=r"modules\.json is damaged"):
        read_modules(tmp_path)


@pytest.mark.parametrize("content", ["{}", "[1]", "[", '[{"type": "Pooling"}]', "[" * 100_000])
def test_damaged_modules_are_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "modules.json").write_text(content)
    with pytest.raises(ModelError, match=r"modules\.json is damaged"):
        read_modules(tmp_path)


def test_weights_in_many_files_are_refused_in_words(tmp_path: Path) -> None:
    assert find_weights(tmp_path) is None
    (tmp_path / "model.safetensors.index.json").touch()
    with pytest.raises(ModelError, match="spread over several files"):
        find_weights(tmp_path)
