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
    write_safetensors,
)
from torch_files import write_pytorch

from veracite.models.conversion.convert import read_configuration
from veracite.models.conversion.network import build
from veracite.models.conversion.weights import Weights, find_weights
from veracite.models.errors import ModelError
from veracite.models.onnx import Session

LENGTHS = {"bert": POSITIONS, "mpnet": POSITIONS - 2}
"""The longest texts; MPNet leaves the first two of its positions to padding."""


def converted(folder: Path, output: str = "hidden", *, int8: bool = False) -> Session:
    configuration = read_configuration(json.loads((folder / "config.json").read_bytes()))
    weights = Weights(find_weights(folder) or folder, configuration.family)
    return Session(build(weights, configuration, output, int8=int8, note=""), "converted")


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
    write_folder(tmp_path, "bert", weights)
    (expected,) = run(converted(tmp_path), [[1, 2, 3]])
    (tmp_path / "model.safetensors").unlink()
    write_pytorch(tmp_path / "pytorch_model.bin", weights)
    (ours,) = run(converted(tmp_path), [[1, 2, 3]])
    assert ours.tobytes() == expected.tobytes()


@pytest.mark.parametrize("kind", ["F16", "BF16"])
def test_half_precision_is_read(tmp_path: Path, kind: str) -> None:
    weights = write_folder(tmp_path)
    if kind == "F16":
        stored = {name: array.astype(np.float16) for name, array in weights.items()}
        rounded = {name: array.astype(np.float32) for name, array in stored.items()}
        write_safetensors(tmp_path / "model.safetensors", stored, kind)
    else:
        halves = {name: (array.view(np.uint32) >> 16) for name, array in weights.items()}
        rounded = {name: (half << 16).view(np.float32) for name, half in halves.items()}
        stored16 = {name: half.astype(np.uint16) for name, half in halves.items()}
        write_safetensors(tmp_path / "model.safetensors", stored16, kind)
    (ours,) = run(converted(tmp_path), [[5, 6, 7, 8]])
    np.testing.assert_allclose(ours, hidden_states("bert", rounded, [5, 6, 7, 8]), atol=2e-5)


@pytest.mark.parametrize("int8", [False, True])
def test_company_and_padding_change_no_bits(tmp_path: Path, int8: bool) -> None:
    write_folder(tmp_path, "mpnet")
    session = converted(tmp_path, int8=int8)
    texts = some_texts(38)
    together = run(session, texts)
    for text, among in zip(texts, together, strict=True):
        assert run(session, [text])[0].tobytes() == among.tobytes()


def test_int8_weights_come_close(tmp_path: Path) -> None:
    weights = write_folder(tmp_path, "mpnet")
    (text, *_) = some_texts(38)
    ours = run(converted(tmp_path, int8=True), [text])[0].mean(axis=0)
    expected = hidden_states("mpnet", weights, text).mean(axis=0)
    cosine = ours @ expected / np.linalg.norm(ours) / np.linalg.norm(expected)
    assert 0.99 < cosine < 1 - 1e-7


def test_the_pooler_is_a_dense_layer_and_a_tanh(tmp_path: Path) -> None:
    weights = write_folder(tmp_path, "bert")
    (ours,) = run(converted(tmp_path, "pooler"), [[9, 8, 7]])
    first = hidden_states("bert", weights, [9, 8, 7])[0]
    dense = weights["pooler.dense.weight"] @ first + weights["pooler.dense.bias"]
    np.testing.assert_allclose(ours[0], np.tanh(dense), atol=2e-5)


def test_norms_may_be_called_as_in_tensorflow(tmp_path: Path) -> None:
    weights = random_weights("bert")
    old = {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace(
            "LayerNorm.bias", "LayerNorm.beta"
        ): array
        for name, array in weights.items()
    }
    write_folder(tmp_path, "bert", old)
    (ours,) = run(converted(tmp_path), [[1, 2]])
    np.testing.assert_allclose(ours, hidden_states("bert", weights, [1, 2]), atol=2e-5)


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
    ("change", "reason"),
    [
        ({"model_type": "t5"}, "of the kind 't5'"),
        ({"model_type": ["bert"]}, "of the kind"),
        ({"hidden_act": "relu"}, "its activation is 'relu'"),
        ({"position_embedding_type": "relative_key"}, "not that of a plain encoder"),
        ({"is_decoder": True}, "not that of a plain encoder"),
        ({"num_hidden_layers": 0}, "no sound num_hidden_layers"),
        ({"num_hidden_layers": 10**9}, "no sound num_hidden_layers"),
        ({"num_hidden_layers": 3}, "is missing"),
        ({"num_attention_heads": True}, "no sound num_attention_heads"),
        ({"num_attention_heads": 5}, "do not fit"),
        ({"layer_norm_eps": "small"}, "no sound layer_norm_eps"),
    ],
)
def test_other_networks_are_refused_by_name(
    tmp_path: Path, change: dict[str, object], reason: str
) -> None:
    write_folder(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps(config("bert") | change))
    with pytest.raises(ModelError, match=reason) as caught:
        converted(tmp_path)
    assert caught.value.message.endswith(".")
    assert caught.value.advice.endswith(".")
