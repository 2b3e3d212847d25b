"""Networks of BERT's and MPNet's kind as an ONNX graph, built from their weights.

Devlin et al. (2019), section 3; MPNet (Song et al. 2020) adds a bias for the distance between two
tokens. What counts is what transformers computes: tests/models/conversion compares with it. onnx is
imported when the first graph is begun, never at import.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veracite.models.conversion.weights import Floats, Weights, unsupported
from veracite.models.onnx import padded_length

_OPSET = 20
"""The first with Gelu."""
_IR_VERSION = 9

_LARGEST = 2**31 - 2**20
"""Bytes; protobuf's limit on one message, less room for the nodes."""

_DISTANT = 128
"""Tokens; MPNet does not tell larger distances from each other."""

_INPUTS, _TYPES = ("input_ids", "attention_mask"), "token_type_ids"

_HEADS = {
    "bert": ("pooler.dense", "classifier"),
    "mpnet": ("classifier.dense", "classifier.out_proj"),
}
"""The dense layers of transformers' ForSequenceClassification on the first token's vector."""

_NEVER = float(np.finfo(np.float32).min)
"""Added to the score of what is not to be attended to."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """What the weights do not tell about a network."""

    family: str
    """bert or mpnet."""
    layers: int
    heads: int
    approximation: str
    """Of the activation, a Gelu: none or tanh."""
    epsilon: float
    """Of the layer normalisations."""

    @property
    def first_position(self) -> int:
        """The row of the position embeddings that belongs to a text's first token."""
        return 2 if self.family == "mpnet" else 0


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


@dataclass(frozen=True, slots=True)
class Size:
    """What a network can take, and the length of its vectors."""

    vocabulary: int
    tokens: int
    width: int


def size(weights: Weights, configuration: Configuration) -> Size:
    """The size of the network that has these weights.

    Raises:
        ModelError: the weights cannot belong to such a network.
    """
    vocabulary, width = weights.shape("embeddings.word_embeddings.weight")
    positions = weights.shape("embeddings.position_embeddings.weight")[0]
    found = Size(vocabulary, positions - configuration.first_position, width)
    if found.width % configuration.heads or found.tokens < 3:
        raise unsupported("its weights do not fit its config.json")
    return found


def build(
    weights: Weights, configuration: Configuration, output: str, *, int8: bool, note: str
) -> bytes:
    """The ONNX file of an encoder: input_ids, attention_mask -> last_hidden_state.

    That of a reranker takes token_type_ids as well and gives scores. The score of a pair is the one
    number of its first token. The others get one too: a single row would be multiplied by another
    routine, and rounded differently, than several.

    Args:
        weights: Of the network that ``configuration`` describes.
        configuration: What config.json says.
        output: "hidden", the vectors of all tokens; "pooler", the same behind the dense layer and
            tanh that BERT has for its first; "score".
        int8: Store the weights as int8; see ``Graph``.
        note: Text that the file is to hold.

    Raises:
        ModelError: weights are missing, damaged or of the wrong shape, or too large; or a reranker
            gives a pair several numbers.
    """
    return _Builder(weights, configuration, int8).built(output, note)


class _Builder:
    """Adds one part of a network after the other; every method returns its output's name."""

    def __init__(self, weights: Weights, configuration: Configuration, int8: bool) -> None:
        self._weights = weights
        self._configuration = configuration
        self._graph = Graph(int8)
        self._size = size(weights, configuration)
        self._node, self._constant = self._graph.node, self._graph.constant

    def built(self, output: str, note: str) -> bytes:
        width, scores = self._size.width, output == "score"
        hidden = self._hidden(_TYPES if scores else None)
        inner, outer = _HEADS[self._configuration.family]
        if output == "pooler":
            inner = "pooler.dense"
        if output != "hidden":
            hidden = self._node("Tanh", self._dense(inner, hidden, width, width))
        if not scores:
            return self._graph.finished(_INPUTS, hidden, width, note)
        if (numbers := self._weights.shape(f"{outer}.weight")[0]) != 1:
            raise unsupported(f"it gives a pair of texts {numbers} numbers, where a reranker has 1")
        return self._graph.finished(
            (*_INPUTS, _TYPES), self._dense(outer, hidden, width, 1), 1, note
        )

    def _hidden(self, types: str | None = None) -> str:
        tokens = self._node("Shape", "input_ids", start=1, end=2)
        hidden = self._embedded(tokens, types)
        outside = self._outside()
        if self._configuration.family == "mpnet":
            outside = self._node("Add", outside, self._distance_bias(tokens))
        for layer in range(self._configuration.layers):
            hidden = self._layer(hidden, layer, outside)
        return hidden

    def _ints(self, *values: object) -> list[str]:
        return [self._constant(np.array(value, dtype=np.int64)) for value in values]

    def _embedded(self, tokens: str, types: str | None) -> str:
        """Words, positions and BERT's segments, added and normalised; without types, its first."""
        table = partial(self._weights.table, columns=self._size.width)
        words = self._graph.looked_up(table("embeddings.word_embeddings"), "input_ids")
        positions = table("embeddings.position_embeddings")[self._configuration.first_position :]
        segments = np.zeros((1, self._size.width), dtype=np.float32)
        if self._weights.has("embeddings.token_type_embeddings.weight"):
            segments = table("embeddings.token_type_embeddings")
        positions = positions + segments[0]
        # A text of the greatest length may be padded beyond it.
        room = np.zeros((padded_length(len(positions)), self._size.width), dtype=np.float32)
        room[: len(positions)] = positions
        here = self._node("Slice", self._constant(room), *self._ints([0]), tokens)
        added = self._node("Add", words, here)
        if types is not None:
            # MPNet reads both texts of a pair alike.
            second = min(1, len(segments) - 1) if self._configuration.family == "bert" else 0
            further = self._constant(segments[[0, second]] - segments[0])
            added = self._node("Add", added, self._node("Gather", further, types))
        return self._norm("embeddings.LayerNorm", added)

    def _outside(self) -> str:
        """What is added to the scores of padding: shape (batch, 1, 1, tokens)."""
        mask = self._graph.floats("attention_mask")
        padding = self._node("Sub", self._constant(np.float32(1)), mask)
        scores = self._node("Mul", padding, self._constant(np.float32(_NEVER)))
        return self._node("Unsqueeze", scores, *self._ints([1, 2]))

    def _distance_bias(self, tokens: str) -> str:
        """MPNet's relative_attention_bias: shape (heads, tokens, tokens)."""
        table = self._weights.table("encoder.relative_attention_bias", self._configuration.heads)
        furthest = padded_length(self._size.tokens)
        distances = np.arange(-furthest, furthest + 1)
        by_distance = self._constant(table[buckets(distances, len(table))])
        zero, one, middle = self._ints(0, 1, furthest)
        end = self._node("Squeeze", tokens)
        places = self._node("Range", zero, end, one)
        columns = self._node("Add", places, middle)
        rows = self._node("Unsqueeze", places, *self._ints([1]))
        distance = self._node("Sub", columns, rows)
        return self._node("Transpose", self._node("Gather", by_distance, distance), perm=[2, 0, 1])

    def _layer(self, hidden: str, layer: int, outside: str) -> str:
        part = partial(self._weights.part, layer=layer)
        width = self._size.width
        attended = self._attended(hidden, layer, outside)
        mixed = self._dense(part("attended"), attended, width, width)
        hidden = self._norm(part("attended norm"), self._node("Add", mixed, hidden))
        inner = self._weights.shape(f"{part('inner')}.weight")[0]
        raised = self._node(
            "Gelu",
            self._dense(part("inner"), hidden, width, inner),
            approximate=self._configuration.approximation,
        )
        lowered = self._dense(part("outer"), raised, inner, width)
        return self._norm(part("outer norm"), self._node("Add", lowered, hidden))

    def _attended(self, hidden: str, layer: int, outside: str) -> str:
        """Scaled dot-product attention; ``outside`` is added to the scores."""
        width, heads = self._size.width, self._configuration.heads
        split, joined = self._ints([0, 0, heads, width // heads], [0, 0, width])

        def headed(part: str, axes: list[int], scale: float = 1) -> str:
            rows = self._dense(self._weights.part(part, layer), hidden, width, width, scale)
            return self._node("Transpose", self._node("Reshape", rows, split), perm=axes)

        query = headed("query", [0, 2, 1, 3], scale=(width / heads) ** -0.5)
        key, value = headed("key", [0, 2, 3, 1]), headed("value", [0, 2, 1, 3])
        scores = self._node("Add", self._node("MatMul", query, key), outside)
        mixed = self._node("MatMul", self._node("Softmax", scores, axis=-1), value)
        return self._node("Reshape", self._node("Transpose", mixed, perm=[0, 2, 1, 3]), joined)

    def _dense(self, name: str, rows: str, inputs: int, outputs: int, scale: float = 1) -> str:
        weight, bias = self._weights.dense(name, inputs, outputs)
        product = self._node("MatMul", rows, self._graph.matrix(weight * np.float32(scale)))
        return self._node("Add", product, self._constant(bias * np.float32(scale)))

    def _norm(self, name: str, rows: str) -> str:
        scale, shift = map(self._constant, self._weights.norm(name, self._size.width))
        epsilon = self._configuration.epsilon
        return self._node("LayerNormalization", rows, scale, shift, axis=-1, epsilon=epsilon)


def buckets(distances: NDArray[np.int64], rows: int) -> NDArray[np.int64]:
    """The row of MPNet's table for each distance (transformers' relative_position_bucket).

    The second half of the rows is for tokens that come later. The first half of each half is for
    one distance each, the rest for ranges of distances that grow logarithmically up to 128.
    """
    half, exact = rows // 2, rows // 4
    far = np.abs(distances)
    growth = np.log(np.maximum(far, exact).astype(np.float32) / np.float32(exact))
    ranges = exact + (growth / np.float32(np.log(_DISTANT / exact)) * (half - exact)).astype(int)
    return np.where(distances > 0, half, 0) + np.where(
        far < exact, far, np.minimum(ranges, half - 1)
    )
