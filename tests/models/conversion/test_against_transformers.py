"""The converted networks compute what transformers computes, from the files that it writes.

Needs torch and transformers, which veracite itself does not (the extra ``train``).
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from veracite.models.conversion.convert import read_configuration
from veracite.models.conversion.network import build
from veracite.models.conversion.weights import Weights, find_weights
from veracite.models.onnx import Session

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

BERT: dict[str, Any] = {
    "vocab_size": 60,
    "hidden_size": 48,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 80,
    "max_position_embeddings": 320,
    "initializer_range": 0.3,
}
TANH = {"hidden_act": "gelu_new"}
"""The other Gelu."""

NETWORKS: dict[str, tuple[str, dict[str, Any]]] = {
    "bert": ("Bert", BERT),
    "bert inside a masked language model": ("Bert", BERT | TANH),
    "mpnet": ("MPNet", BERT | {"pad_token_id": 1}),
}


@pytest.fixture(params=NETWORKS, scope="module")
def network(request: pytest.FixtureRequest) -> Any:
    """A network of transformers' with random weights, and no parameter left at zero or one."""
    family, settings = NETWORKS[request.param]
    torch.manual_seed(7)
    head = "ForMaskedLM" if "inside" in request.param else "Model"
    config = getattr(transformers, f"{family}Config")(**settings)
    made = getattr(transformers, family + head)(config).eval()
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    return made


@pytest.fixture(params=["safetensors", "pytorch"], scope="module")
def folder(
    request: pytest.FixtureRequest, network: Any, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    path = tmp_path_factory.mktemp("folder")
    network.save_pretrained(path)
    if request.param == "pytorch":
        (path / "model.safetensors").unlink()
        torch.save(network.state_dict(), path / "pytorch_model.bin")
    return path


def batch() -> Mapping[str, Any]:
    """Sequences of several lengths, one longer than MPNet's longest distance, padded."""
    lengths = np.array([300, 5, 140, 17])
    mask = (np.arange(304) < lengths[:, np.newaxis]).astype(np.int64)
    ids = np.random.default_rng(3).integers(3, 60, mask.shape)
    return {"input_ids": ids, "attention_mask": mask}


def converted(folder: Path, output: str = "hidden") -> Session:
    configuration = read_configuration(json.loads((folder / "config.json").read_bytes()))
    weights = Weights(find_weights(folder) or folder, configuration.family)
    return Session(build(weights, configuration, output, int8=False, note=""), "converted")


def theirs(network: Any) -> Any:
    """What transformers computes for ``batch``, the padding as each family expects it."""
    inner = getattr(network, network.base_model_prefix, network)
    inputs = {name: torch.tensor(values) for name, values in batch().items()}
    padding = inner.config.pad_token_id or 0
    inputs["input_ids"][inputs["attention_mask"] == 0] = padding
    with torch.no_grad():
        return inner(**inputs)


def test_hidden_states_agree(network: Any, folder: Path) -> None:
    ours = converted(folder).run(batch())
    expected = theirs(network).last_hidden_state.numpy()
    real = batch()["attention_mask"].astype(bool)
    difference = np.abs(ours - expected)[real].max()
    print(f"{type(network).__name__}: {difference:.2e} of {np.abs(expected[real]).max():.1f}")
    assert difference < 1e-4
    assert expected[real].std() > 0.5


def test_poolers_agree(network: Any, folder: Path) -> None:
    output = theirs(network)
    if getattr(output, "pooler_output", None) is None:
        pytest.skip("has no pooler")
    ours = converted(folder, "pooler").run(batch())[:, 0]
    np.testing.assert_allclose(ours, output.pooler_output.numpy(), atol=1e-4)


SCORERS = ("bert", "mpnet")


@pytest.mark.parametrize("kind", SCORERS)
def test_scores_agree(kind: str, tmp_path: Path) -> None:
    family, settings = NETWORKS[kind]
    torch.manual_seed(7)
    config = getattr(transformers, f"{family}Config")(**settings, num_labels=1)
    made = getattr(transformers, f"{family}ForSequenceClassification")(config).eval()
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    made.save_pretrained(tmp_path)
    inputs: dict[str, Any] = dict(batch())
    types = (np.arange(304) >= np.array([[9], [2], [100], [8]])).astype(np.int64)
    padding = config.pad_token_id or 0
    theirs = {name: torch.tensor(values) for name, values in inputs.items()}
    theirs["input_ids"][theirs["attention_mask"] == 0] = padding
    if kind == "bert":  # the others have no second segment, and some refuse to hear of it
        theirs["token_type_ids"] = torch.tensor(types)
    with torch.no_grad():
        expected = made(**theirs).logits[:, 0].numpy()
    ours = converted(tmp_path, "score").run(inputs | {"token_type_ids": types})[:, 0, 0]
    print(f"{kind}: {np.abs(ours - expected).max():.2e} of {np.abs(expected).max():.2f}")
    np.testing.assert_allclose(ours, expected, atol=1e-4)
    assert expected.std() > 0.01
