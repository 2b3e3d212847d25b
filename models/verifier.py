"""The verifier: does this passage support or contradict that claim?

A cross-encoder reads both at once, the premise (the passage) always first: what it learnt about
"A says B" is worth nothing for "B says A".
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from veracite.models.onnx import ROWS, Manifest, OpenNetwork, TokenIds, alike

LABELS = ("supported", "neutral", "contradicted")
"""The columns of every result, in this order."""

_CALLED = {
    "supported": "supported supports support entailment entails entail entailed consistent factual "
    "faithful grounded",
    "neutral": "neutral neither unsupported notsupported notentailment nonentailment notentailed "
    "notenoughinfo nei inconsistent unfaithful hallucinated",
    "contradicted": "contradicted contradicts contradict contradiction contradictory refuted "
    "refutes refute",
}
"""What others call the labels; of two, the one that does not support is *neutral*."""

Pair = tuple[str, str]
"""Premise and claim."""

Probabilities = NDArray[np.float32]

_CLAIM_TOKENS = 200
"""A claim is read up to here, so that some premise is left to judge it by."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What puts a network's probabilities on the scale of another's, so that both can be compared
    with the same bars: a slope and an intercept for the log odds of either side (Platt 1999)."""

    supported: tuple[float, float]
    contradicted: tuple[float, float]

    def applied(self, rows: Probabilities) -> Probabilities:
        """The probabilities on the other scale, shape and columns as given; 0 stays 0."""
        sides = rows.T[[0, 2]].astype(np.float64)
        slope, intercept = np.array((self.supported, self.contradicted)).T[:, :, np.newaxis]
        odds = sides**slope * np.exp(intercept)
        sides = odds / (odds + (1 - sides) ** slope)
        sides /= np.maximum(sides.sum(axis=0), 1.0)
        found: Probabilities = np.stack([sides[0], 1 - sides.sum(axis=0), sides[1]], axis=1)
        return found.astype(np.float32)


def meant_by(names: Sequence[str]) -> tuple[str, ...] | None:
    """Which of ``LABELS`` the names of a network's numbers mean, in their order.

    None where that is unclear: a name is not known, two mean the same, or none means *supported*.
    """
    plain = ("".join(filter(str.isalpha, name.lower())) for name in names)
    labels = [next((one for one in LABELS if name in _CALLED[one].split()), "") for name in plain]
    clear = len({*labels, ""}) == len(labels) + 1 and "supported" in labels and len(labels) > 1
    return tuple(labels) if clear else None


class Verifier(OpenNetwork):
    """A network that reads premise and claim and gives three probabilities.

    A pair's probabilities depend on the pair alone: they have the same bits whatever else is
    scored in the same call, and in whatever order. All pairs of a batch have one length and one
    cut between premise and claim: the network neither pads nor masks. Another's network, which may
    round otherwise in company, runs singly: the manifest's ``rows`` is 1 then. Batches are judged
    side by side, one on each core. Thread-safe.

    Args:
        model: Bytes of the ONNX file that ``manifest`` describes.
        tokenizer: Bytes of its ``tokenizer.json``, which knows the special tokens of a pair.
        manifest: What the ``verifier.json`` beside them says.
        threads: Number of cores to use; all physical ones by default.
        labels: Which of ``LABELS`` the network's numbers mean, in their order, if not those of the
            manifest. One that it lacks has the probability 0.
        scale: On which probabilities are given, if not on its own.

    Raises:
        ModelError: the model or its tokenizer cannot be loaded.
        ValueError: it judges by other labels.
    """

    def __init__(
        self,
        model: bytes,
        tokenizer: bytes,
        manifest: Manifest,
        threads: int | None = None,
        labels: Sequence[str] | None = None,
        scale: Scale | None = None,
    ) -> None:
        details = manifest.details
        self._scale = scale
        self._labels = [LABELS.index(label) for label in labels or details["labels"]]
        """The place in ``LABELS`` of each number that the network gives."""
        super().__init__(model, tokenizer, manifest, threads, side_by_side=True)
        self._temperature = float(details["temperature"])
        self._rows = int(details.get("rows", ROWS))
        self._claim_type = int(details.get("claim_type", 1))
        self._room = manifest.max_length - 2 - len(self._tokenizer.between)
        """How many tokens premise and claim have together."""
        self._longest = min(_CLAIM_TOKENS, self._room * 4 // 5)

    @property
    def id(self) -> str:
        """As of any network; on another scale, or with other labels, it is another one."""
        if self._scale is None:
            return self.manifest.id
        fitted = hashlib.sha256(repr((self._labels, self._scale)).encode()).hexdigest()
        return f"{self.manifest.id}, fitted {fitted[:8]}"

    def score(self, pairs: Sequence[Pair]) -> Probabilities:
        """Pairs of premise and claim to probabilities, shape (len(pairs), 3), columns ``LABELS``.

        They are calibrated by the manifest's temperature; each row sums to 1. A premise that does
        not fit beside its claim is cut at its end, a claim is cut after 200 tokens, or at four
        fifths of what a network reads that reads little.

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
        generation = self._session.generation()
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

        return self._side_by_side(judged, alike(shapes, self._rows), generation)

    def fits(self, premise: str, claim: str) -> bool:
        """Whether all of a premise is read beside a claim."""
        # Past the model's length tokens are not counted.
        tokens = len(self._tokenizer.ids(premise, self.manifest.max_length))
        return tokens <= self._room - len(self._claim(claim))

    def _judged(self, ids: NDArray[np.int64], claim_tokens: int, generation: int) -> Probabilities:
        """The rows of a batch to probabilities; each ends with so many tokens of its claim.

        Raises:
            KeyError: the network asks for something that two texts have not.
            ValueError: it gives other numbers than one for each label.
        """
        rows, tokens = ids.shape
        types = np.repeat((0, self._claim_type), (tokens - claim_tokens, claim_tokens))
        inputs = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.tile(types, (rows, 1)),
        }
        given = {name: inputs[name] for name in self._session.inputs}
        logits = self._session.run(given, generation)
        if logits.ndim == 3:  # one of ours, which gives every token its numbers
            logits = logits[:, 0]
        if logits.shape != (rows, len(self._labels)):
            raise ValueError(f"{logits.shape} numbers for {rows} pairs")
        found = np.stack([self._probabilities(row) for row in logits])
        return self._scale.applied(found) if self._scale else found

    def _claim(self, claim: str) -> TokenIds:
        return self._tokenizer.ids(claim, self._longest)

    def _probabilities(self, logits: NDArray[np.float32]) -> Probabilities:
        """One pair's logits to its row of probabilities."""
        scaled = logits.astype(np.float64) / self._temperature
        weights = np.exp(scaled - scaled.max())
        row = np.zeros(len(LABELS), dtype=np.float32)
        row[self._labels] = weights / weights.sum()
        return row
