"""A folder from Hugging Face becomes an encoder that opens, with its own pooling and threshold."""

import json
import subprocess
import sys
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

from veracite.models.conversion import convert, read_configuration
from veracite.models.conversion.network import Network, Weights
from veracite.models.encoder import Encoder
from veracite.models.errors import ModelError
from veracite.models.onnx import read_network

TEXT = "a lamp"
IDS = [VOCABULARY.index(piece) for piece in ("[CLS]", "a", "l", "##a", "##m", "##p", "[SEP]")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_folder(tmp_path / "folder")
    return tmp_path / "folder"


def opened(out: Path) -> Encoder:
    return Encoder(*read_network(out, "encoder"))


def converted(folder: Path, name: str = "small") -> Encoder:
    out = folder.parent / f"out-{len(list(folder.parent.iterdir()))}"
    out.mkdir()
    convert(folder, out, name, "Apache-2.0")
    return opened(out)


def say(folder: Path, name: str, content: Any) -> None:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content))


def similarity(encoder: Encoder, expected: Any) -> float:
    (vector,) = encoder.encode([TEXT])
    return float(vector @ expected / np.linalg.norm(expected))


def test_without_a_word_the_mean_is_taken(folder: Path) -> None:
    encoder = converted(folder)
    hidden = hidden_states("bert", random_weights("bert"), IDS)
    assert similarity(encoder, hidden.mean(axis=0)) > 1 - 1e-5
    assert encoder.manifest.details["pooling"] == "mean"
    assert encoder.manifest.licence == "Apache-2.0"
    assert encoder.dimension == 32


def test_modules_decide_about_the_pooling(folder: Path) -> None:
    hidden = hidden_states("bert", random_weights("bert"), IDS)
    expected = {
        "cls_token": hidden[0],
        "mean_tokens": hidden.mean(axis=0),
    }
    for mode, pooled in expected.items():
        write_modules(folder, mode, "Normalize")
        assert similarity(converted(folder, "sup-simcse"), pooled) > 1 - 1e-5


def test_simcse_takes_the_pooler_and_without_supervision_the_first_token(folder: Path) -> None:
    weights = random_weights("bert")
    first = hidden_states("bert", weights, IDS)[0]
    pooled = np.tanh(weights["pooler.dense.weight"] @ first + weights["pooler.dense.bias"])
    assert similarity(converted(folder, "sup-simcse-bert-base-uncased"), pooled) > 1 - 1e-5
    assert similarity(converted(folder, "x/unsup-simcse-bert-base-uncased"), first) > 1 - 1e-5


def test_cegs_threshold_belongs_to_cegs_encoder_alone(folder: Path) -> None:
    """METHODS: 0.5 belongs to SimCSE."""
    assert converted(folder, "princeton-nlp/sup-simcse-bert-base-uncased").threshold == 0.5
    others = ("sup-simcse-roberta-base", "unsup-simcse-bert-base-uncased", "small")
    for name in others:
        encoder = converted(folder, name)
        assert encoder.threshold != 0.5
        assert "1152 pairs" in encoder.manifest.details["threshold_origin"]


def test_the_shortest_of_the_lengths_counts(folder: Path) -> None:
    assert converted(folder).manifest.max_length == POSITIONS
    say(folder, "tokenizer_config.json", {"model_max_length": 10**30})
    assert converted(folder).manifest.max_length == POSITIONS
    say(folder, "sentence_bert_config.json", {"max_seq_length": 8, "do_lower_case": False})
    encoder = converted(folder)
    within, beyond = encoder.encode(["a b c d e f", "a b c d e f g"])
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


def published(folder: Path, network: bytes, **config: Any) -> None:
    """Leave the folder an ONNX file in place of its weights, of a kind that is not built anew."""
    (folder / "model.safetensors").unlink()
    (folder / "onnx").mkdir()
    (folder / "onnx" / "model.onnx").write_bytes(network)
    said = {"model_type": "distilbert", "max_position_embeddings": POSITIONS, **config}
    say(folder, "config.json", said)


def test_an_encoder_published_as_onnx_is_taken_as_it_is(folder: Path, sentences: list[str]) -> None:
    weights = Weights(folder / "model.safetensors")
    configuration = read_configuration(json.loads((folder / "config.json").read_bytes()))
    published(folder, Network(weights, configuration).built("hidden", note=""))
    hidden = hidden_states("bert", random_weights("bert"), IDS)
    assert similarity(converted(folder), hidden.mean(axis=0)) > 1 - 1e-5
    write_modules(folder, "cls_token", "Normalize")
    encoder = converted(folder)
    assert similarity(encoder, hidden[0]) > 1 - 1e-5
    told = {key: encoder.manifest.details[key] for key in ("batch", "dimension", "max_length")}
    assert told == {"batch": 1, "dimension": 32, "max_length": POSITIONS - 2}
    assert encoder.encode([" ".join(sentences[:9])]).shape == (1, 32)


def test_importing_the_converter_loads_nothing_heavy() -> None:
    code = "import sys, veracite.models.conversion\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"onnx", "onnxruntime", "tokenizers", "torch"} & set(done.stdout.split())
