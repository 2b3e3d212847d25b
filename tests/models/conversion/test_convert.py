"""A folder from Hugging Face becomes an encoder that opens, with its own pooling and threshold.

What a folder says of its parts is followed where we can, and refused in words elsewhere.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from checkpoints import (
    POSITIONS,
    VOCABULARY,
    hidden_states,
    random_weights,
    write_folder,
    write_modules,
)

from veracite.models.conversion import Network, Weights, convert, find_weights, read_modules
from veracite.models.encoder import Encoder
from veracite.models.errors import ModelError
from veracite.models.onnx import read_network

TEXT = "a lamp"
IDS = [VOCABULARY.index(piece) for piece in ("[CLS]", "a", "l", "##a", "##m", "##p", "[SEP]")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_folder(tmp_path / "folder")
    return tmp_path / "folder"


def converted(folder: Path, name: str = "small") -> Encoder:
    out = folder.parent / f"out-{len(list(folder.parent.iterdir()))}"
    out.mkdir()
    convert(folder, out, name, "Apache-2.0")
    return Encoder(*read_network(out, "encoder"))


def say(folder: Path, name: str, content: Any) -> None:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content))


def similarity(encoder: Encoder, expected: Any) -> float:
    (vector,) = encoder.encode([TEXT])
    return float(vector @ expected / np.linalg.norm(expected))


@pytest.mark.parametrize(
    ("modules", "name", "pooling"),
    [
        (None, "small", "mean"),
        ("mean_tokens", "sup-simcse", "mean"),
        ("cls_token", "sup-simcse", "cls"),
        (None, "sup-simcse-bert-base-uncased", "pooler"),
        (None, "x/unsup-simcse-bert-base-uncased", "cls"),
    ],
)
def test_a_vector_is_pooled_as_its_makers_mean_it(
    folder: Path, modules: str | None, name: str, pooling: str
) -> None:
    weights = random_weights("bert")
    hidden = hidden_states("bert", weights, IDS)
    dense = weights["pooler.dense.weight"] @ hidden[0] + weights["pooler.dense.bias"]
    pooled = {"mean": hidden.mean(axis=0), "cls": hidden[0], "pooler": np.tanh(dense)}
    if modules:
        write_modules(folder, modules, "Normalize")
    encoder = converted(folder, name)
    assert similarity(encoder, pooled[pooling]) > 1 - 1e-5
    assert (encoder.manifest.licence, encoder.dimension) == ("Apache-2.0", 32)


def test_cegs_threshold_belongs_to_cegs_encoder_alone(folder: Path) -> None:
    """METHODS: 0.5 belongs to SimCSE."""
    assert converted(folder, "princeton-nlp/sup-simcse-bert-base-uncased").threshold == 0.5
    for name in ("sup-simcse-roberta-base", "unsup-simcse-bert-base-uncased", "small"):
        encoder = converted(folder, name)
        assert encoder.threshold != 0.5
        assert "1152 pairs" in encoder.manifest.details["threshold_origin"]


def test_the_shortest_of_the_lengths_counts(folder: Path) -> None:
    say(folder, "tokenizer_config.json", {"model_max_length": 10**30})
    assert converted(folder).manifest.max_length == POSITIONS
    say(folder, "sentence_bert_config.json", {"max_seq_length": 8, "do_lower_case": False})
    within, beyond = converted(folder).encode(["a b c d e f", "a b c d e f g"])
    assert within.tobytes() == beyond.tobytes()


def test_a_tokenizer_of_another_model_is_refused(folder: Path) -> None:
    with (folder / "vocab.txt").open("a") as vocabulary:
        vocabulary.write("one more\n")
    with pytest.raises(ModelError, match="knows more tokens"):
        converted(folder)


@pytest.mark.parametrize("name", ["config.json", "vocab.txt", "model.safetensors"])
def test_a_missing_file_is_refused_in_words(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(ModelError) as caught:
        converted(folder)
    assert caught.value.message.endswith(".")
    assert caught.value.advice.endswith(".")


def test_an_encoder_published_as_onnx_is_taken_as_it_is(folder: Path, sentences: list[str]) -> None:
    said = json.loads((folder / "config.json").read_bytes())
    network = Network(Weights(folder / "model.safetensors"), said)
    (folder / "onnx").mkdir()
    (folder / "onnx" / "model.onnx").write_bytes(network.built("hidden", note=""))
    (folder / "model.safetensors").unlink()
    said = {"model_type": "distilbert", "max_position_embeddings": POSITIONS}
    say(folder, "config.json", said)
    hidden = hidden_states("bert", random_weights("bert"), IDS)
    assert similarity(converted(folder), hidden.mean(axis=0)) > 1 - 1e-5
    write_modules(folder, "cls_token", "Normalize")
    encoder = converted(folder)
    assert similarity(encoder, hidden[0]) > 1 - 1e-5
    told = {key: encoder.manifest.details[key] for key in ("batch", "dimension", "max_length")}
    assert told == {"batch": 1, "dimension": 32, "max_length": POSITIONS - 2}
    assert encoder.encode([" ".join(sentences[:9])]).shape == (1, 32)


@pytest.mark.parametrize(
    ("config", "pooling"),
    [
        ({"pooling_mode_cls_token": True, "include_prompt": True}, "cls"),
        ({"pooling_mode": "mean", "embedding_dimension": 384}, "mean"),
        ({"pooling_mode_max_tokens": True}, "'max'"),
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True}, "'cls, mean"),
        ({"pooling_mode": "lasttoken"}, "'lasttoken'"),
        ({}, "'nothing'"),
    ],
)
def test_both_spellings_of_pooling(tmp_path: Path, config: dict[str, object], pooling: str) -> None:
    write_modules(tmp_path, "mean_tokens", "Normalize")
    say(tmp_path, "1_Pooling/config.json", config)
    if "'" not in pooling:
        assert read_modules(tmp_path) == (tmp_path, pooling)
        return
    with pytest.raises(ModelError, match=f"are made by {pooling}"):
        read_modules(tmp_path)


def test_parts_that_change_the_vectors_are_refused(tmp_path: Path) -> None:
    write_modules(tmp_path, "mean_tokens", "Dense")
    with pytest.raises(ModelError, match="a part of the kind 'Dense'"):
        read_modules(tmp_path)


PATHS = ["../elsewhere", "/etc", "..", ".", "a/../../b", "a\\b", 5]
NO_MODULES = ["{}", "[1]", "[", '[{"type": "Pooling"}]', "[" * 100_000]


@pytest.mark.parametrize(
    "content",
    [*NO_MODULES, *(json.dumps([{"path": path, "type": "Transformer"}]) for path in PATHS)],
)
def test_damaged_modules_or_paths_out_of_the_folder_fail(tmp_path: Path, content: str) -> None:
    (tmp_path / "modules.json").write_text(content)
    with pytest.raises(ModelError, match=r"modules\.json is damaged"):
        read_modules(tmp_path)


def test_weights_in_many_files_are_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors.index.json").touch()
    with pytest.raises(ModelError, match="spread over several files"):
        find_weights(tmp_path)
