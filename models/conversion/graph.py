"""The only door to onnx: a graph that grows node by node, and its bytes.

onnx is imported when the first graph is begun, never at import.
"""

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veracite.models.conversion.folder import unsupported
from veracite.models.conversion.tensors import Floats

__all__ = ["Graph", "symmetric_int8"]

_OPSET = 20
"""The first with Gelu."""
_IR_VERSION = 9

_LARGEST = 2**31 - 2**20
"""Bytes; protobuf's limit on one message, less room for the nodes."""


def symmetric_int8(weight: Floats, axis: int) -> tuple[NDArray[np.int8], Floats]:
    """The int8 values of a matrix, and the scale of each of its slices along ``axis``."""
    highest = np.abs(weight).max(axis=1 - axis)
    scale = np.where(highest > 0, highest / 127, 1).astype(np.float32)
    values = np.rint(weight / np.expand_dims(scale, 1 - axis))
    return np.clip(values, -127, 127).astype(np.int8), scale


class Graph:
    """A network from token ids, and what else is known of each token, to vectors of the tokens.

    Args:
        int8: Store matrices as int8 with a scale for each output, and compute in float32: opened
            with ``session.disable_quant_qdq=1``, onnxruntime multiplies them out as it loads them,
            so that a text's vector does not depend on its batch.
    """

    def __init__(self, int8: bool) -> None:
        self._onnx = _onnx()
        self._int8 = int8
        self._nodes: list[Any] = []
        self._constants: list[Any] = []
        self._size = 0

    def node(self, operator: str, *inputs: str, **attributes: Any) -> str:
        """Add a node with one output; returns the output's name."""
        output = f"{operator}.{len(self._nodes)}"
        self._nodes.append(
            self._onnx.helper.make_node(operator, inputs, [output], name=output, **attributes)
        )
        return output

    def constant(self, values: Any) -> str:
        """Add an array; returns its name.

        Raises:
            ModelError: the file would become larger than the format allows.
        """
        array = np.asarray(values)
        self._size += array.nbytes
        if self._size > _LARGEST:
            raise unsupported("it would take more than 2 GB")
        name = f"constant.{len(self._constants)}"
        self._constants.append(self._onnx.numpy_helper.from_array(array, name))
        return name

    def matrix(self, weight: Floats) -> str:
        """Add a matrix to multiply rows by, shape (inputs, outputs)."""
        if not self._int8:
            return self.constant(weight)
        values, scale = symmetric_int8(weight, axis=1)
        return self.node("DequantizeLinear", self.constant(values), self.constant(scale), axis=1)

    def looked_up(self, table: Floats, rows: str) -> str:
        """Add a table of vectors, shape (count, width), and look the vectors of ``rows`` up."""
        if not self._int8:
            return self.node("Gather", self.constant(table), rows)
        values, scale = symmetric_int8(table, axis=0)
        # Multiplied out after the look-up, so that a large vocabulary stays small in memory.
        found = self.node("Gather", self.constant(values), rows)
        scales = self.node("Gather", self.constant(scale[:, np.newaxis]), rows)
        return self.node("Mul", self.floats(found), scales)

    def floats(self, integers: str) -> str:
        """Integers as float32."""
        return self.node("Cast", integers, to=self._onnx.TensorProto.FLOAT)

    def finished(self, inputs: Sequence[str], output: str, width: int, note: str) -> bytes:
        """The bytes of the ONNX file.

        Args:
            inputs: Names of the integers that it takes, each of the shape (batch, tokens).
            output: Of the shape (batch, tokens, width); in the file it is last_hidden_state.
            note: Kept in the file as its description.
        """
        helper, kinds = self._onnx.helper, self._onnx.TensorProto
        nodes = [*self._nodes, helper.make_node("Identity", [output], ["last_hidden_state"])]
        rows = ["batch", "tokens"]
        graph = helper.make_graph(
            nodes,
            "encoder",
            [helper.make_tensor_value_info(name, kinds.INT64, rows) for name in inputs],
            [helper.make_tensor_value_info("last_hidden_state", kinds.FLOAT, [*rows, width])],
            self._constants,
        )
        model = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", _OPSET)],
            ir_version=_IR_VERSION,
            doc_string=note,
        )
        content: bytes = model.SerializeToString()
        return content


def _onnx() -> ModuleType:
    import onnx
    import onnx.helper
    import onnx.numpy_helper

    return onnx
