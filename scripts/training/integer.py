"""Verifier and encoder as ONNX networks that multiply 8-bit integers.

Every matrix product of the encoder layers is one of unsigned activations and signed weights, exact
in 32-bit sums, so that its result is the same on every processor and in every company; the rest
(normalisation, softmax, GELU, attention) is float32. Written for onnxruntime, with its own
operators where they save a pass over the activations.

- Activations have one range for all tokens (``calibrate``). The few channels that exceed it are
  multiplied into it and their weights divided by as much (after Xiao et al., SmoothQuant, 2023,
  section 4, where every channel is): the others keep their precision.
- Two weights that are added to one another's products have magnitudes of at most 128 together: on
  processors that add two products in 16 bits (AVX2 without VNNI) 255 * 128 still fits.
- All sequences of a batch have the same length and the same cut between premise and claim, so
  nothing is padded or masked; of the verifier's last layer only the rows that are pooled are
  computed ([CLS] and the claim's).
- Tensors are laid out token by token, (tokens, batch, width): attention then reads each head
  where it stands, without transposing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

WEIGHT_LIMIT, PAIR_LIMIT = 127, 128
OPSET, IR_VERSION = 20, 9
CONTRIB = "com.microsoft"
INPUTS = ("input_ids", "token_type_ids")
EPSILON = 1e-5

SELF, OUT, UP, DOWN = (
    "attention.self attention.output.dense intermediate.dense output.dense".split()
)
"""What the activations of a layer that are multiplied go into; the first: query, key and value."""

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.int8]
Weights = Mapping[str, Floats]
"""By the names of the exported network; matrices as (outputs, inputs)."""


@dataclass(frozen=True)
class Range:
    """How the activations before one matrix become integers from 0 to 255."""

    scale: float
    zero: int
    factors: Floats
    """What each channel is multiplied by before, and its weights are divided by: at most 1."""


Ranges = Mapping[str, Range]
"""By layer and place, as in ``encoder.layer.0.output.dense``."""


def integers(weight: Floats) -> tuple[Bytes, Floats]:
    """A matrix (inputs, outputs) as integers and the scale of each output."""
    size = np.abs(weight)
    even = len(size) // 2 * 2
    pairs = (size[:even:2] + size[1:even:2]).max(axis=0)
    # Rounding may add half a unit to each of a pair.
    scale = np.maximum(size.max(axis=0) / WEIGHT_LIMIT, pairs / (PAIR_LIMIT - 1))
    scale = np.where(scale > 0, scale, 1.0).astype(np.float32)
    return np.rint(weight / scale).astype(np.int8), scale


def network(
    weights: Weights, ranges: Ranges, heads: int, epsilon: float = EPSILON
) -> onnx.ModelProto:
    """The whole network: ``input_ids`` (batch, tokens) to ``vectors`` (batch, width), their means.

    With a head it is the verifier: ``input_ids`` and ``token_type_ids`` to ``logits`` (batch, 3).
    Every row has the same number of tokens, and as many of type 1, at the end, as the others.

    Args:
        weights: With ``encoder.distances``, attention adds what belongs to two tokens' distance.
        epsilon: Of the normalisations.
    """
    return _Network(weights, ranges, heads, epsilon).model()


def stored(path: Path) -> Weights:
    """The weights of an exported network, their integers multiplied out: it is a checkpoint."""
    held = {i.name: numpy_helper.to_array(i) for i in onnx.load(str(path)).graph.initializer}
    found: dict[str, Floats] = {}
    for name, value in held.items():
        layer = name.removesuffix(".weight.int8")
        if layer != name:
            whole = value.astype(np.float32) * held[f"{layer}.weight.scale"]
            if layer.startswith("encoder."):
                place = layer.rpartition(".")[0] if f".{SELF}." in layer else layer
                whole = (whole * held[f"{place}.factors"][:, None]).T
            found[f"{layer}.weight"] = whole
        elif name.endswith((".bias", ".weight", ".distances")):
            found[name] = value
    return found


class _Network:
    """The graph while it is written."""

    def __init__(self, weights: Weights, ranges: Ranges, heads: int, epsilon: float) -> None:
        self._apart = ""
        self._epsilon = epsilon
        self._weights = weights
        self._ranges = ranges
        self._heads = heads
        self._width = self._weights["embeddings.word_embeddings.weight"].shape[1]
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[str, onnx.TensorProto] = {}

    def model(self) -> onnx.ModelProto:
        layers = sum(name.endswith("self.query.weight") for name in self._weights)
        pairs = "head.weight" in self._weights
        states = self._embeddings()
        claim = self._claim_length() if pairs else None
        if "encoder.distances" in self._weights:
            self._apart = self._distances()
        for number in range(layers):
            last = claim if number == layers - 1 else None
            states = self._layer(states, f"encoder.layer.{number}", last)
        rows = self._op("Transpose", states, perm=[1, 0, 2])
        if pairs:
            self._logits(rows)
        else:
            self._op("Squeeze", self._mean(rows), self._whole(1))
        inputs = INPUTS if pairs else INPUTS[:1]
        output, width = ("logits", 3) if pairs else ("vectors", self._width)
        self._nodes[-1].output[:] = [output]
        info, constants = helper.make_tensor_value_info, list(self._constants.values())
        taken = [info(name, TensorProto.INT64, ["batch", "tokens"]) for name in inputs]
        given = [info(output, TensorProto.FLOAT, ["batch", width])]
        name = "verifier" if pairs else "encoder"
        graph = helper.make_graph(self._nodes, name, taken, given, constants)
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(CONTRIB, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)

    def _op(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        name = f"{kind}.{len(self._nodes)}"
        self._nodes.append(
            helper.make_node(kind, inputs, [name], name=name, domain=domain, **attributes)
        )
        return name

    def _constant(self, name: str, value: npt.NDArray[Any]) -> str:
        self._constants.setdefault(name, numpy_helper.from_array(np.array(value, order="C"), name))
        return name

    def _whole(self, *numbers: int) -> str:
        """A list of whole numbers."""
        return self._constant("_".join(map(str, ("i", *numbers))), np.array(numbers, np.int64))

    def _number(self, number: int) -> str:
        return self._constant(f"n_{number}", np.array(number, np.int64))

    def _parameter(self, name: str) -> str:
        return self._constant(name, self._weights[name])

    def _norm(self, states: str, name: str) -> str:
        weight, bias = self._parameter(f"{name}.weight"), self._parameter(f"{name}.bias")
        return self._op("LayerNormalization", states, weight, bias, axis=-1, epsilon=self._epsilon)

    def _embeddings(self) -> str:
        """Word and place, normalised: (tokens, batch, width)."""
        name = "embeddings.word_embeddings.weight"
        values, scales = integers(self._weights[name].T)
        ids = self._op("Transpose", "input_ids", perm=[1, 0])
        stored = self._op("Gather", self._constant(f"{name}.int8", values.T), ids)
        scale = self._op("Gather", self._constant(f"{name}.scale", scales[:, None]), ids)
        words = self._op("Mul", self._op("Cast", stored, to=TensorProto.FLOAT), scale)
        tokens = self._op("Gather", self._op("Shape", "input_ids"), self._whole(1))
        table = self._parameter("embeddings.position_embeddings.weight")
        places = self._op("Slice", table, self._whole(0), tokens, self._whole(0))
        places = self._op("Unsqueeze", places, self._whole(1))
        return self._norm(self._op("Add", words, places), "embeddings.LayerNorm")

    def _distances(self) -> str:
        """What attention adds by the distance of two tokens: (heads, tokens, tokens)."""
        table = self._weights["encoder.distances"]
        tokens = self._op("Gather", self._op("Shape", "input_ids"), self._number(1))
        places = self._op("Range", self._number(0), tokens, self._number(1))
        ahead = self._op("Sub", places, self._op("Unsqueeze", places, self._whole(1)))
        at = self._op("Add", ahead, self._number(table.shape[1] // 2))
        return self._op("Gather", self._parameter("encoder.distances"), at, axis=1)

    def _claim_length(self) -> str:
        """How many tokens of each row are the claim's, as a list of one number."""
        row = self._op("Gather", "token_type_ids", self._whole(0))
        return self._op("ReduceSum", row, self._whole(1), keepdims=0)

    def _integers(self, states: str, place: str) -> str:
        """Activations as integers, by the range of this place."""
        found = self._ranges[place]
        scale = self._constant(f"{place}.scale", np.array(found.scale, np.float32))
        zero = self._constant(f"{place}.zero", np.array(found.zero, np.uint8))
        factors = self._constant(f"{place}.factors", found.factors)
        return self._op("QuantizeLinear", self._op("Mul", states, factors), scale, zero)

    def _linear(self, states: str, name: str, place: str) -> str:
        """A layer on integers that ``_integers`` made for this place, back to floats."""
        factors = self._ranges[place].factors
        values, scales = integers(self._weights[f"{name}.weight"].T / factors[:, None])
        return self._op(
            "MatMulIntegerToFloat",
            states,
            self._constant(f"{name}.weight.int8", values),
            f"{place}.scale",
            self._constant(f"{name}.weight.scale", scales),
            f"{place}.zero",
            self._constant(f"{name}.weight.zero", np.zeros(len(scales), np.int8)),
            self._parameter(f"{name}.bias"),
            domain=CONTRIB,
        )

    def _layer(self, states: str, name: str, claim: str | None) -> str:
        """One layer; where the claim's length is given, only of [CLS] and the claim's rows."""
        into = self._integers(states, f"{name}.{SELF}")
        asking, kept, apart = into, states, self._apart
        if claim is not None:
            asking, kept = self._pooled(into, claim), self._pooled(states, claim)
            apart = self._pooled(apart, claim, axis=1) if apart else apart
        query, key, value = (
            self._split(self._linear(given, f"{name}.{SELF}.{part}", f"{name}.{SELF}"))
            for part, given in (("query", asking), ("key", into), ("value", into))
        )
        scores = self._op(
            "FusedMatMul", query, key, domain=CONTRIB, transB=1, transBatchA=1, transBatchB=1,
            alpha=float((self._width // self._heads) ** -0.5),
        )  # fmt: skip
        scores = self._op("Add", scores, apart) if apart else scores
        shares = self._op("Softmax", scores, axis=-1)
        mixed = self._op("FusedMatMul", shares, value, domain=CONTRIB, transBatchB=1)
        mixed = self._op("Transpose", mixed, perm=[2, 0, 1, 3])
        mixed = self._op("Reshape", mixed, self._whole(0, 0, self._width))
        added = self._dense(mixed, f"{name}.{OUT}")
        states = self._norm(self._op("Add", added, kept), f"{name}.attention.output.LayerNorm")
        wide = self._op("Gelu", self._dense(states, f"{name}.{UP}"), domain=CONTRIB)
        added = self._dense(wide, f"{name}.{DOWN}")
        return self._norm(self._op("Add", added, states), f"{name}.output.LayerNorm")

    def _dense(self, states: str, name: str) -> str:
        return self._linear(self._integers(states, name), name, name)

    def _split(self, states: str) -> str:
        """(tokens, batch, width) to (tokens, batch, heads, width of a head)."""
        shape = self._whole(0, 0, self._heads, self._width // self._heads)
        return self._op("Reshape", states, shape)

    def _pooled(self, states: str, claim: str, axis: int = 0) -> str:
        """The first token and the claim's."""
        along, end = self._whole(axis), self._whole(np.iinfo(np.int64).max)
        first = self._op("Slice", states, self._whole(0), self._whole(1), along)
        rest = self._op("Slice", states, self._op("Neg", claim), end, along)
        return self._op("Concat", first, rest, axis=axis)

    def _logits(self, rows: str) -> str:
        """[CLS], mean and maximum over the claim's tokens; products that no batch changes."""
        first = self._op("Slice", rows, self._whole(0), self._whole(1), self._whole(1))
        end = self._whole(np.iinfo(np.int64).max)
        claim = self._op("Slice", rows, self._whole(1), end, self._whole(1))
        highest = self._op("ReduceMax", claim, self._whole(1), keepdims=1)
        pooled = self._op("Concat", first, self._mean(claim), highest, axis=2)
        products = self._op("Mul", pooled, self._parameter("head.weight"))
        sums = self._op("ReduceSum", products, self._whole(2), keepdims=0)
        return self._op("Add", sums, self._parameter("head.bias"))

    def _mean(self, rows: str) -> str:
        """Over the tokens of each row: (batch, tokens, width) to (batch, 1, width)."""
        # As a product, because a sum over the tokens of one row runs in another order than of many.
        count = self._op("Gather", self._op("Shape", rows), self._whole(1))
        ones = self._op(
            "ConstantOfShape", self._op("Concat", self._whole(1), count, axis=0),
            value=numpy_helper.from_array(np.ones(1, np.float32)),
        )  # fmt: skip
        summed = self._op("MatMul", ones, rows)
        return self._op("Div", summed, self._op("Cast", count, to=TensorProto.FLOAT))
