"""Load the bundled network back into PyTorch, to measure or to train it further.

The stored integers are multiplied out: the module computes in floats, with the same weights, what
the network computes with integers (``integer``).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor
from transformers import BertConfig, BertModel

from scripts.training.integer import SELF, Floats
from scripts.training.model import Verifier

HEAD_WIDTH = 32
"""MiniLM's attention heads; no tensor of the file says how wide they are."""

INTEGERS, SCALE = ".weight.int8", ".weight.scale"


def weights_of(path: Path) -> dict[str, Tensor]:
    """Return the tensors of an exported verifier under the names of the module's parameters."""
    graph = onnx.load(str(path)).graph
    stored = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    found: dict[str, Floats] = {}
    for name, value in stored.items():
        if name.endswith(INTEGERS):
            layer = name.removesuffix(INTEGERS)
            whole = value.astype(np.float32) * stored[f"{layer}{SCALE}"]
            if layer.startswith("encoder."):
                # What follows are copies, for activations that exceed the integers' range.
                place = layer.rpartition(".")[0] if f".{SELF}." in layer else layer
                further = stored.get(f"{place}.signs", ())
                whole = whole[: len(whole) - len(further)].T
            found[f"{layer}.weight"] = whole
        elif name.endswith((".bias", ".weight")):
            found[name] = value
    return {
        name if name.startswith("head.") else f"trunk.{name}": torch.tensor(value.copy())
        for name, value in found.items()
    }


def from_onnx(path: Path, attention: str = "sdpa") -> Verifier:
    """Return the verifier of an ONNX file that ``export_verifier`` wrote, ready to judge.

    Raises:
        RuntimeError: the file lacks parameters of the module or has others.
    """
    weights = weights_of(path)
    words, width = weights["trunk.embeddings.word_embeddings.weight"].shape
    places = len(weights["trunk.embeddings.position_embeddings.weight"])
    config = BertConfig(
        vocab_size=words,
        hidden_size=width,
        max_position_embeddings=places,
        num_hidden_layers=sum(name.endswith("self.query.weight") for name in weights),
        num_attention_heads=width // HEAD_WIDTH,
        intermediate_size=len(weights["trunk.encoder.layer.0.intermediate.dense.weight"]),
    )
    config._attn_implementation = attention
    model = Verifier(BertModel(config, add_pooling_layer=False))
    model.load_state_dict(weights)
    return model.eval()
