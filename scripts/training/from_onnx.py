"""Load the bundled network back into PyTorch, to measure or to train it further.

The stored int8 weights are multiplied out, so the module computes what onnxruntime computes with
``session.disable_quant_qdq=1``, up to rounding.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor
from transformers import BertConfig, BertModel

from scripts.training.model import Verifier

HEAD_WIDTH = 32
"""MiniLM's attention heads; no tensor of the file says how wide they are."""

Arrays = dict[str, npt.NDArray[np.generic]]


def weights_of(path: Path) -> dict[str, Tensor]:
    """Return the tensors of an exported verifier under the names of the module's parameters."""
    graph = onnx.load(str(path)).graph
    stored: Arrays = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    whole = stored | {
        node.output[0]: _multiplied_out(node, stored)
        for node in graph.node
        if node.op_type == "DequantizeLinear"
    }
    found: dict[str, Tensor] = {}
    for name, value in whole.items():
        if name.startswith(("trunk.", "head.")) and value.dtype == np.float32:
            found[name.removesuffix(".float")] = torch.tensor(np.array(value))
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in whole:
            layer = node.name.strip("/").removesuffix("/MatMul").replace("/", ".")
            found[f"{layer}.weight"] = torch.tensor(np.array(whole[node.input[1]]).T.copy())
    return {name: value for name, value in found.items() if not name.endswith(".scale")}


def _multiplied_out(node: onnx.NodeProto, stored: Arrays) -> npt.NDArray[np.float32]:
    values, scale = stored[node.input[0]], stored[node.input[1]]
    axis = next(attribute.i for attribute in node.attribute if attribute.name == "axis")
    shape = [1] * values.ndim
    shape[axis] = -1
    return np.asarray(values.astype(np.float32) * scale.reshape(shape), np.float32)


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
