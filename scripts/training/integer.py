"""The verifier as an ONNX network that multiplies 8-bit integers.

Every matrix product of the encoder layers is one of unsigned activations and signed weights, exact
in 32-bit sums, so that its result is the same on every processor and in every company; the rest
(normalisation, softmax, GELU, attention) is float32. Written for onnxruntime, with its own
operators where they save a pass over the activations.

- Activations have one range for all tokens (``calibrate``). Where a few channels exceed it, what
  is beyond goes into further channels with the same weights (after Zhao et al., Outlier Channel
  Splitting, 2019, section 3): those that make up the rest keep their precision.
- Two weights that are added to one another's products have magnitudes of at most 128 together: on
  processors that add two products in 16 bits (AVX2 without VNNI) 255 * 128 still fits.
- All sequences of a batch have the same length and the same cut between premise and claim, so
  nothing is padded or masked; of the last layer only the rows that are pooled are computed
  ([CLS] and the claim's).
- Tensors are laid out token by token, (tokens, batch, width): attention then reads each head
  where it stands, without transposing.
"""

from __future__ import annotations

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
    "attention.self",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
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
    channels: tuple[int, ...] = ()
    """Those that exceed the range, each as often as it takes further channels."""
    offsets: tuple[float, ...] = ()
    """What of their magnitude the channels before hold."""
    signs: tuple[int, ...] = ()
    """1 where a channel exceeds the range upwards, -1 downwards."""


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


def spread(weight: Floats, one: Range) -> Floats:
    """A matrix (inputs, outputs) with the rows of the further channels below."""
    signs = np.array(one.signs, np.float32)[:, None]
    return np.concatenate((weight, weight[list(one.channels)] * signs))


def network(weights: Weights, ranges: Ranges, heads: int) -> onnx.ModelProto:
    """The whole network: ``input_ids`` and ``token_type_ids`` (batch, tokens) to logits (batch, 3).

    Every row has the same number of tokens, and as many of type 1, at the end, as the others.
    """
    return _Network(weights, ranges, heads).model()


def stored(path: Path) -> Weights:
    """The weights of an exported network, their integers multiplied out: it is a checkpoint."""
    held = {i.name: numpy_helper.to_array(i) for i in onnx.load(str(path)).graph.initializer}
    found: dict[str, Floats] = {}
    for name, value in held.items():
        layer = name.removesuffix(".weight.int8")
        if layer != name:
            whole = value.astype(np.float32) * held[f"{layer}.weight.scale"]
            if layer.startswith("encoder."):
                # What follows are copies, for activations that exceed the integers' range.
                place = layer.rpartition(".")[0] if f".{SELF}." in layer else layer
                further = len(held.get(f"{place}.signs", ()))
                whole = whole[: len(whole) - further].T
            found[f"{layer}.weight"] = whole
        elif name.endswith((".bias", ".weight", ".distances")):
            found[name] = value
    return found


class _Network:
    """The graph while it is written."""

    def __init__(self, weights: Weights, ranges: Ranges, heads: int) -> None:
        self._apart = ""
        self._weights = weights
        self._ranges = ranges
        self._heads = heads
        self._width = self._weights["embeddings.word_embeddings.weight"].shape[1]
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[str, onnx.TensorProto] = {}

    def model(self) -> onnx.ModelProto:
        layers = sum(name.endswith("self.query.weight") for name in self._weights)
        states = self._embeddings()
        claim = self._claim_length()
        self._apart = self._distances()
        for number in range(layers):
            last = claim if number == layers - 1 else None
            states = self._layer(states, f"encoder.layer.{number}", last)
        self._head(states)
        graph = helper.make_graph(
            self._nodes,
            "verifier",
            [
                helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
                for name in INPUTS
            ],
            [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 3])],
            list(self._constants.values()),
        )
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
        return self._op("LayerNormalization", states, weight, bias, axis=-1, epsilon=EPSILON)

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
        held = self._op("QuantizeLinear", states, scale, zero)
        if not found.channels:
            return held
        further = self._op("Gather", states, self._whole(*found.channels), axis=2)
        signs, offsets = np.array(found.signs, np.float32), np.array(found.offsets, np.float32)
        further = self._op("Mul", further, self._constant(f"{place}.signs", signs))
        further = self._op("Sub", further, self._constant(f"{place}.offsets", offsets))
        further = self._op("QuantizeLinear", self._op("Relu", further), scale, zero)
        return self._op("Concat", held, further, axis=2)

    def _linear(self, states: str, name: str, place: str) -> str:
        """A layer on integers that ``_integers`` made for this place, back to floats."""
        weight = spread(self._weights[f"{name}.weight"].T, self._ranges[place])
        values, scales = integers(weight)
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
            apart = self._pooled(apart, claim, axis=1)
        query, key, value = (
            self._split(self._linear(given, f"{name}.{SELF}.{part}", f"{name}.{SELF}"))
            for part, given in (("query", asking), ("key", into), ("value", into))
        )
        scores = self._op(
            "FusedMatMul", query, key, domain=CONTRIB, transB=1, transBatchA=1, transBatchB=1,
            alpha=float((self._width // self._heads) ** -0.5),
        )  # fmt: skip
        shares = self._op("Softmax", self._op("Add", scores, apart), axis=-1)
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

    def _head(self, states: str) -> None:
        """[CLS], mean and maximum over the claim's tokens; products that no batch changes."""
        rows = self._op("Transpose", states, perm=[1, 0, 2])
        first = self._op("Slice", rows, self._whole(0), self._whole(1), self._whole(1))
        end = self._whole(np.iinfo(np.int64).max)
        claim = self._op("Slice", rows, self._whole(1), end, self._whole(1))
        # As a product, because a sum over the tokens of one row runs in another order than of many.
        count = self._op("Gather", self._op("Shape", claim), self._whole(1))
        ones = self._op(
            "ConstantOfShape", self._op("Concat", self._whole(1), count, axis=0),
            value=numpy_helper.from_array(np.ones(1, np.float32)),
        )  # fmt: skip
        summed = self._op("MatMul", ones, claim)
        mean = self._op("Div", summed, self._op("Cast", count, to=TensorProto.FLOAT))
        highest = self._op("ReduceMax", claim, self._whole(1), keepdims=1)
        pooled = self._op("Concat", first, mean, highest, axis=2)
        products = self._op("Mul", pooled, self._parameter("head.weight"))
        sums = self._op("ReduceSum", products, self._whole(2), keepdims=0)
        self._nodes.append(
            helper.make_node("Add", [sums, self._parameter("head.bias")], ["logits"])
        )
