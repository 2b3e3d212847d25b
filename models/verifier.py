"""The verifier: does this passage support or contradict that claim?

A cross-encoder reads both at once, the premise (the passage) always first: what it learnt about
"A says B" is worth nothing for "B says A".
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from veracite.models.onnx import Manifest, OpenNetwork, TokenIds, alike

LABELS = ("supported", "neutral", "contradicted")
"""The columns of every result, in this order."""

Pair = tuple[str, str]
"""Premise and claim."""

Probabilities = NDArray[np.float32]

_CLAIM_TOKENS = 200
"""A claim is read up to here, so that some premise is left to judge it by."""


class Verifier(OpenNetwork):
    """A network that reads premise and claim and gives three probabilities.

    A pair's probabilities depend on the pair alone: they have the same bits whatever else is
    scored in the same call, and in whatever order. All pairs of a batch have one length and one
    cut between premise and claim: the network neither pads nor masks. Batches are judged side by
    side, one on each core. Thread-safe.

    Args:
        model: Bytes of the ONNX file that ``manifest`` describes.
        tokenizer: Bytes of its ``tokenizer.json``, which knows the special tokens of a pair.
        manifest: What ``bundled/verifier.json`` says.
        threads: Number of cores to use; all physical ones by default.

    Raises:
        ModelError: the model or its tokenizer cannot be loaded.
        ValueError: it judges by other labels.
    """

    def __init__(
        self, model: bytes, tokenizer: bytes, manifest: Manifest, threads: int | None = None
    ) -> None:
        labels = list(manifest.details["labels"])
        super().__init__(model, tokenizer, manifest, threads, side_by_side=True)
        self._columns = [labels.index(label) for label in LABELS]
        self._inputs = [str(name) for name in manifest.details["inputs"]]
        self._temperature = float(manifest.details["temperature"])
        self._room = manifest.max_length - 2 - len(self._tokenizer.between)
        """How many tokens premise and claim have together."""

    def score(self, pairs: Sequence[Pair]) -> Probabilities:
        """Pairs of premise and claim to probabilities, shape (len(pairs), 3), columns ``LABELS``.

        They are calibrated by the manifest's temperature; each row sums to 1. A premise that does
        not fit beside its claim is cut at its end, a claim is cut after 200 tokens.

        Raises:
            Cancelled: ``cancel`` was called meanwhile.
            ModelError: the model was closed or failed to run.
        """
        probabilities = np.empty((len(pairs), len(LABELS)), dtype=np.float32)
        for positions, batch in self.stream(pairs):
            probabilities[positions] = batch
        return probabilities

    def stream(self, pairs: Sequence[Pair]) -> Iterator[tuple[list[int], Probabilities]]:
        """The same batch by batch, as they are done: positions in ``pairs``, probabilities.

        For callers that show progress or stop in between. Raises as ``score`` does.
        """
        return self._stream(pairs, self._session.generation())

    def room(self, claim: str) -> int:
        """How many tokens of premise fit beside a claim."""
        return self._room - len(self._claim(claim))

    def tokens(self, text: str) -> int:
        """How many tokens a text takes as a premise; past the model's length it is not counted."""
        return len(self._tokenizer.ids(text, self.manifest.max_length))

    def fits(self, premise: str, claim: str) -> bool:
        """Whether all of a premise is read beside a claim."""
        return self.tokens(premise) <= self.room(claim)

    def _stream(
        self, pairs: Sequence[Pair], generation: int
    ) -> Iterator[tuple[list[int], Probabilities]]:
        # A passage is judged with many claims and a claim with many passages: cut each one once.
        premise_ids = lru_cache(maxsize=4096)(partial(self._tokenizer.ids, most=self._room))
        claim_ids = lru_cache(maxsize=4096)(self._claim)
        begin, end = [self._tokenizer.first], [self._tokenizer.last]
        between = self._tokenizer.between
        sequences, shapes = [], []
        for premise, claim in pairs:
            second = claim_ids(claim)
            first = premise_ids(premise)[: self._room - len(second)]
            tokens = (begin, first, between, second, end)
            sequences.append(np.concatenate(tokens, dtype=np.int64))
            shapes.append((len(sequences[-1]), len(second) + 1))

        def judged(positions: list[int]) -> tuple[list[int], Probabilities]:
            ids = np.stack([sequences[position] for position in positions])
            return positions, self._judged(ids, shapes[positions[0]][1], generation)

        yield from self._side_by_side(judged, alike(shapes), generation)

    def _judged(self, ids: NDArray[np.int64], claim_tokens: int, generation: int) -> Probabilities:
        """The rows of a batch to probabilities; each ends with so many tokens of its claim."""
        rows, tokens = ids.shape
        types = np.repeat((0, 1), (tokens - claim_tokens, claim_tokens))
        inputs = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.tile(types, (rows, 1)),
        }
        logits = self._session.run({name: inputs[name] for name in self._inputs}, generation)
        return np.stack([self._probabilities(row) for row in logits])

    def _claim(self, claim: str) -> TokenIds:
        return self._tokenizer.ids(claim, _CLAIM_TOKENS)

    def _probabilities(self, logits: NDArray[np.float32]) -> Probabilities:
        """One pair's logits to its row of probabilities."""
        scaled = logits[self._columns].astype(np.float64) / self._temperature
        weights = np.exp(scaled - scaled.max())
        row: Probabilities = (weights / weights.sum()).astype(np.float32)
        return row
