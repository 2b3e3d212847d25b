"""Read the weights of an exported network back into PyTorch.

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

from scripts.training.integer import SELF, Floats
from scripts.training.transformer import buckets

INTEGERS, SCALE = ".weight.int8", ".weight.scale"
NAMES = {
    "attention.self.query": "attention.attn.q",
    "attention.self.key": "attention.attn.k",
    "attention.self.value": "attention.attn.v",
    "attention.output.dense": "attention.attn.o",
    "attention.output.LayerNorm": "attention.LayerNorm",
}
"""What transformers calls otherwise."""


def weights_of(path: Path) -> dict[str, Tensor]:
    """Return the tensors of an exported verifier under MPNet's names, and its head's."""
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
    table = stored["encoder.distances"].T
    longest = (len(table) + 1) // 2
    apart = buckets(longest)
    bias = np.zeros((int(apart.max()) + 1, table.shape[1]), np.float32)
    bias[apart[0]], bias[apart[1:, 0]] = table[longest - 1 :], table[: longest - 1][::-1]
    found["encoder.relative_attention_bias.weight"] = bias
    places = found["embeddings.position_embeddings.weight"]
    found["embeddings.position_embeddings.weight"] = np.pad(places, ((2, 0), (0, 0)))
    return {_renamed(name): torch.tensor(value.copy()) for name, value in found.items()}


def _renamed(name: str) -> str:
    for ours, theirs in NAMES.items():
        name = name.replace(ours, theirs)
    return name
