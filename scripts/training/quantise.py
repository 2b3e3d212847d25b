"""Store an ONNX model's large weights as int8, computing in float32 as before.

Every float initialiser read by a MatMul or a Gather becomes an int8 tensor with one scale per
output channel (MatMul) or per row (Gather), followed by a DequantizeLinear node. Opened with the
session option ``session.disable_quant_qdq=1`` onnxruntime folds these nodes away when it loads
the file, so the arithmetic is float32: a row's result does not depend on its batch.

    python -m scripts.training.quantise model.fp32.onnx model.onnx
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
from onnx import helper, numpy_helper

SMALLEST = 4096
"""Initialisers with fewer elements stay float32: they save nothing and cost precision."""

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.int8]


def symmetric_int8(weight: Floats, axis: int) -> tuple[Bytes, Floats]:
    """Return the int8 values of a matrix and the scale of each slice along ``axis``."""
    others = tuple(i for i in range(weight.ndim) if i != axis)
    highest = np.abs(weight).max(axis=others)
    scale = np.where(highest > 0, highest / 127.0, 1.0).astype(np.float32)
    shape = [1] * weight.ndim
    shape[axis] = -1
    values = np.clip(np.rint(weight / scale.reshape(shape)), -127, 127).astype(np.int8)
    return values, scale


def _channel_axes(graph: onnx.GraphProto) -> dict[str, int]:
    """Name each initialiser that a MatMul or a Gather reads, with its channel axis."""
    axes: dict[str, int] = {}
    for node in graph.node:
        if node.op_type == "MatMul":
            axes.setdefault(node.input[1], 1)
        elif node.op_type == "Gather":
            axes.setdefault(node.input[0], 0)
        elif node.op_type == "Gemm":
            transposed = any(a.name == "transB" and a.i == 1 for a in node.attribute)
            axes.setdefault(node.input[1], 0 if transposed else 1)
    return axes


def quantise_weights(onnx_in: Path, onnx_out: Path) -> None:
    """Write ``onnx_in`` with its MatMul, Gemm and Gather weights as per-channel int8."""
    model = onnx.load(str(onnx_in))
    graph = model.graph
    axes = _channel_axes(graph)
    kept: list[onnx.TensorProto] = []
    added: list[onnx.TensorProto] = []
    nodes: list[onnx.NodeProto] = []
    renamed: dict[str, str] = {}
    for tensor in graph.initializer:
        axis = axes.get(tensor.name)
        weight = numpy_helper.to_array(tensor)
        if axis is None or weight.dtype != np.float32 or weight.ndim != 2 or weight.size < SMALLEST:
            kept.append(tensor)
            continue
        values, scale = symmetric_int8(weight, axis)
        base = tensor.name
        added.append(numpy_helper.from_array(values, f"{base}.int8"))
        added.append(numpy_helper.from_array(scale, f"{base}.scale"))
        added.append(numpy_helper.from_array(np.zeros_like(scale, np.int8), f"{base}.zero"))
        renamed[base] = f"{base}.float"
        nodes.append(
            helper.make_node(
                "DequantizeLinear",
                [f"{base}.int8", f"{base}.scale", f"{base}.zero"],
                [renamed[base]],
                name=f"{base}.dequantise",
                axis=axis,
            )
        )
    for node in graph.node:
        for position, name in enumerate(node.input):
            if name in renamed:
                node.input[position] = renamed[name]
    nodes.extend(graph.node)
    del graph.initializer[:]
    graph.initializer.extend(kept + added)
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, str(onnx_out))


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("onnx_in", type=Path)
    parser.add_argument("onnx_out", type=Path)
    given = parser.parse_args()
    quantise_weights(given.onnx_in, given.onnx_out)


if __name__ == "__main__":
    main()
