"""The networks of BERT's kind as an ONNX graph, built from their weights.

Devlin et al. (2019), section 3; RoBERTa (Liu et al. 2019) and DistilBERT (Sanh et al. 2019) differ
in names and positions, MPNet (Song et al. 2020) adds a bias for the distance between two tokens.
What counts is what transformers computes: tests/models/conversion compares with it.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from veracite.models.batches import padded_length
from veracite.models.conversion.configuration import Configuration
from veracite.models.conversion.folder import unsupported
from veracite.models.conversion.graph import Graph
from veracite.models.conversion.weights import Weights

__all__ = ["Size", "build", "build_scorer", "size"]

_DISTANT = 128
"""Tokens; MPNet does not tell larger distances from each other."""

_INPUTS, _TYPES = ("input_ids", "attention_mask"), "token_type_ids"

_DENSE_AND_OUT = ("classifier.dense", "Tanh", "classifier.out_proj")
_HEADS = {
    "bert": ("pooler.dense", "Tanh", "classifier"),
    "roberta": _DENSE_AND_OUT,
    "mpnet": _DENSE_AND_OUT,
    "distilbert": ("pre_classifier", "Relu", "classifier"),
}
"""What transformers' ForSequenceClassification has on the first token's vector."""

_NEVER = float(np.finfo(np.float32).min)
"""Added to the score of what is not to be attended to."""


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
    positions = weights.rows("embeddings.position_embeddings.weight")
    found = Size(
        vocabulary=weights.rows("embeddings.word_embeddings.weight"),
        tokens=positions - configuration.first_position,
        width=weights.width(),
    )
    if found.width % configuration.heads or found.tokens < 3:
        raise unsupported("its weights do not fit its config.json")
    return found


def build(
    weights: Weights, configuration: Configuration, *, pooler: bool, int8: bool, note: str
) -> bytes:
    """The ONNX file of an encoder: input_ids, attention_mask -> last_hidden_state.

    Args:
        weights: Of the network that ``configuration`` describes.
        configuration: What config.json says.
        pooler: Give every token's vector the dense layer and tanh that BERT has for its first.
        int8: Store the weights as int8; see ``Graph``.
        note: Text that the file is to hold.

    Raises:
        ModelError: weights are missing, damaged or of the wrong shape, or too large.
    """
    return _Builder(weights, configuration, int8).encoder(pooler, note)


def build_scorer(weights: Weights, configuration: Configuration, *, int8: bool, note: str) -> bytes:
    """The ONNX file of a cross-encoder: input_ids, attention_mask, token_type_ids -> a score.

    The score of a pair is the one number of its first token. The others get one too: a single row
    would be multiplied by another routine, and rounded differently, than several.

    Args: see ``build``.

    Raises:
        ModelError: as ``build``, and where the network gives a pair several numbers.
    """
    return _Builder(weights, configuration, int8).scorer(note)


class _Builder:
    """Adds one part of a network after the other; every method returns its output's name."""

    def __init__(self, weights: Weights, configuration: Configuration, int8: bool) -> None:
        self._weights = weights
        self._configuration = configuration
        self._graph = Graph(int8)
        self._size = size(weights, configuration)
        self._node, self._constant = self._graph.node, self._graph.constant

    def encoder(self, pooler: bool, note: str) -> bytes:
        hidden, width = self._hidden(), self._size.width
        if pooler:
            hidden = self._node("Tanh", self._dense("pooler.dense", hidden, width, width))
        return self._graph.finished(_INPUTS, hidden, width, note)

    def scorer(self, note: str) -> bytes:
        hidden, width = self._hidden(_TYPES), self._size.width
        inner, activation, outer = _HEADS[self._configuration.family]
        if (numbers := self._weights.rows(f"{outer}.weight")) != 1:
            raise unsupported(f"it gives a pair of texts {numbers} numbers, where a reranker has 1")
        hidden = self._node(activation, self._dense(inner, hidden, width, width))
        score = self._dense(outer, hidden, width, 1)
        return self._graph.finished((*_INPUTS, _TYPES), score, 1, note)

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
            # All families but BERT read both texts of a pair alike.
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
        inner = self._weights.rows(f"{part('inner')}.weight")
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
