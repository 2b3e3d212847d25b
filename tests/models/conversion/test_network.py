"""Small random encoders give the same hidden states as plain numpy, from both formats."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from checkpoints import (
    FAMILIES,
    POSITIONS,
    VOCABULARY,
    Arrays,
    Floats,
    config,
    hidden_states,
    random_weights,
    write_folder,
)
from torch_files import write_pytorch

from veracite.models.conversion import Network, Weights, find_weights
from veracite.models.errors import ModelError
from veracite.models.onnx import Session

LENGTHS = {"bert": POSITIONS, "mpnet": POSITIONS - 2}
"""The longest texts; MPNet leaves the first two of its positions to padding."""


def converted(folder: Path) -> Session:
    said = json.loads((folder / "config.json").read_bytes())
    network = Network(Weights(find_weights(folder) or folder), said)
    return Session(network.built("hidden", note=""), "converted")


def run(session: Session, texts: list[list[int]]) -> list[Floats]:
    """The hidden states of each text's own tokens, all texts in one padded batch."""
    lengths = np.array([len(text) for text in texts])
    mask = (np.arange(48) < lengths[:, np.newaxis]).astype(np.int64)
    ids = np.zeros_like(mask)
    ids[mask.astype(bool)] = np.concatenate(texts)
    rows = session.run({"input_ids": ids, "attention_mask": mask})
    return [row[:length] for row, length in zip(rows, lengths, strict=True)]


def some_texts(longest: int) -> list[list[int]]:
    random = np.random.default_rng(5)
    return [random.integers(0, len(VOCABULARY), size).tolist() for size in (longest, 1, 17)]


@pytest.mark.parametrize("family", FAMILIES)
def test_hidden_states_are_those_of_plain_numpy(tmp_path: Path, family: str) -> None:
    weights = write_folder(tmp_path, family)
    texts = some_texts(LENGTHS[family])
    for ours, text in zip(run(converted(tmp_path), texts), texts, strict=True):
        np.testing.assert_allclose(ours, hidden_states(family, weights, text), atol=2e-5)


@pytest.mark.parametrize("prefix", ["", "bert.", "0.auto_model."])
def test_both_formats_hold_the_same_network(tmp_path: Path, prefix: str) -> None:
    weights = {f"{prefix}{name}": array for name, array in random_weights("bert").items()}
    weights["cls.predictions.bias"] = np.zeros(3, dtype=np.float32)
    # As they are called where a checkpoint comes from TensorFlow.
    norms = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}
    for new, old in norms.items() if prefix == "bert." else ():
        weights = {name.replace(new, old): array for name, array in weights.items()}
    write_folder(tmp_path, "bert", weights)
    (expected,) = run(converted(tmp_path), [[1, 2, 3]])
    (tmp_path / "model.safetensors").unlink()
    write_pytorch(tmp_path / "pytorch_model.bin", weights)
    (ours,) = run(converted(tmp_path), [[1, 2, 3]])
    assert ours.tobytes() == expected.tobytes()
    plain = hidden_states("bert", random_weights("bert"), [1, 2, 3])
    np.testing.assert_allclose(ours, plain, atol=2e-5)


QUERY = "encoder.layer.1.attention.self.query.weight"

DAMAGES: dict[str, tuple[Callable[[Arrays], object], str]] = {
    "missing": (lambda found: found.pop(QUERY), f"{QUERY} is missing"),
    "shape": (lambda found: found.update({QUERY: found[QUERY][1:]}), "has the shape"),
    "undefined": (lambda found: found[QUERY].__setitem__((3, 3), np.nan), "are no numbers"),
    "infinite": (lambda found: found[QUERY].__setitem__((3, 3), np.inf), "are no numbers"),
    "no words": (lambda found: found.pop("embeddings.word_embeddings.weight"), "hold 0 encoders"),
    "twice": (
        lambda found: found.update({f"a.{name}": array for name, array in list(found.items())}),
        "hold 2 encoders",
    ),
    "no table": (
        lambda found: found.update({"embeddings.word_embeddings.weight": np.ones(4, np.float32)}),
        "is no table",
    ),
    "positions": (
        lambda found: found.update(
            {"embeddings.position_embeddings.weight": np.ones((2, 32), np.float32)}
        ),
        "do not fit",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_weights_that_do_not_fit_are_refused(tmp_path: Path, damage: str) -> None:
    change, reason = DAMAGES[damage]
    weights = random_weights("bert")
    change(weights)
    write_folder(tmp_path, "bert", weights)
    with pytest.raises(ModelError, match=reason):
        converted(tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        {"model_type": "t5"},
        {"hidden_act": "relu"},
        {"position_embedding_type": "relative_key"},
        {"is_decoder": True},
        {"num_hidden_layers": 10**9},
        {"num_hidden_layers": 3},
        {"num_attention_heads": 5},
        {"layer_norm_eps": "small"},
    ],
    ids=str,
)
def test_other_networks_are_refused(tmp_path: Path, change: dict[str, object]) -> None:
    write_folder(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps(config("bert") | change))
    with pytest.raises(ModelError):
        converted(tmp_path)
