"""The sentence encoder: texts to unit vectors whose dot product is their similarity.

CEG's threshold t belongs to an encoder: similarities of one say little about those of another. The
bundled encoder's was found on passages that CEG retrieved (scripts/export_encoder.py). For an
encoder that nobody has measured the same is done with claims and passages of our own, which ship
with the package: t is the similarity under which as large a share of all pairs lies as lies under
the bundled encoder's t.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from veracite.models.onnx import ROWS, STEP, Manifest, OpenNetwork, TokenIds, padded, plan

Vectors = NDArray[np.float32]


class Encoder(OpenNetwork):
    """A network that reads a text and gives one vector.

    The manifest's ``pooling`` says how it comes from the vectors of the text's tokens: their "mean"
    (the default), or "cls", the first token's alone. A network may also give the text's vector
    itself.

    A text's vector depends on the text alone: it has the same bits whatever else is encoded
    in the same call, and in whatever order. A network that rounds otherwise in company runs singly:
    the manifest's ``batch`` is 1 then. Batches are encoded side by side, one on each core.
    Thread-safe.

    Args:
        model: Bytes of the ONNX file that ``manifest`` describes.
        tokenizer: Bytes of its ``tokenizer.json``.
        manifest: What the ``encoder.json`` beside them says.
        threads: Number of cores to use; all physical ones by default.

    Raises:
        ModelError: the model or its tokenizer cannot be loaded.
        KeyError: it pools in another way.
    """

    def __init__(
        self, model: bytes, tokenizer: bytes, manifest: Manifest, threads: int | None = None
    ) -> None:
        super().__init__(model, tokenizer, manifest, threads, side_by_side=True)
        self.dimension = int(manifest.details["dimension"])
        self.threshold = float(manifest.details["threshold"])
        """CEG's t for this encoder: passages less similar to a claim than this are dropped."""
        self._pooling = _POOLINGS[str(manifest.details.get("pooling", "mean"))]
        self._rows = int(manifest.details.get("batch", ROWS))

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Texts to unit vectors, shape (len(texts), dimension), in the order given.

        What exceeds the manifest's ``max_length`` tokens is not read.

        Raises:
            Cancelled: ``cancel`` was called meanwhile.
            ModelError: the model was closed or failed to run.
        """
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for positions, batch in self.stream(texts):
            vectors[positions] = batch
        return vectors

    def stream(self, texts: Sequence[str]) -> Iterator[tuple[list[int], Vectors]]:
        """The same batch by batch, as they are done: positions in ``texts`` and their vectors.

        For callers that show progress or stop in between. Raises as ``encode`` does.
        """
        generation = self._session.generation()
        sequences = [self._sequence(text) for text in texts]
        # A network without a mask takes sequences of exactly one length.
        step = STEP if "attention_mask" in self._session.inputs else 1

        def encoded(positions: list[int]) -> tuple[list[int], Vectors]:
            batch = [sequences[position] for position in positions]
            ids = padded(batch, step)
            mask = padded([np.ones_like(sequence) for sequence in batch], step)
            known = {"input_ids": ids, "attention_mask": mask, "token_type_ids": ids * 0}
            hidden = self._session.run({n: known[n] for n in self._session.inputs}, generation)
            # Of shape (rows, tokens, dimension), or (rows, dimension) from a network that pools.
            rows = (row[: len(s)] for row, s in zip(hidden, batch, strict=True))
            pooled = map(self._pooling, rows) if hidden.ndim == 3 else hidden
            return positions, np.stack([_unit(vector) for vector in pooled])

        batches = plan([len(sequence) for sequence in sequences], self._rows, step)
        return self._side_by_side(encoded, batches, generation)

    def _sequence(self, text: str) -> TokenIds:
        ids = self._tokenizer.ids(text, self.manifest.max_length - 2)
        parts = ([self._tokenizer.first], ids, [self._tokenizer.last])
        return np.concatenate(parts, dtype=np.int64)


_POOLINGS: dict[str, Callable[[Vectors], NDArray[np.float64]]] = {
    "mean": lambda hidden: hidden.mean(axis=0, dtype=np.float64),
    "cls": lambda hidden: hidden[0].astype(np.float64),
}
"""From the vectors of a text's tokens, shape (tokens, dimension), to the text's own."""


def _unit(vector: NDArray[np.floating]) -> Vectors:
    """The vector at length 1."""
    exact = vector.astype(np.float64)
    unit: Vectors = (exact / np.sqrt((exact * exact).sum())).astype(np.float32)
    return unit


def sample_pairs() -> list[tuple[str, str]]:
    """Each claim with the same number of passages, no passage with two claims."""
    claims, passages = _sample()
    return [(claims[i % len(claims)], passage) for i, passage in enumerate(passages)]


def sample_vectors(encoder: Encoder) -> Vectors:
    """What an encoder makes of the claims and passages, whatever dimension its manifest says."""
    rows: dict[int, Vectors] = {}
    claims, passages = _sample()
    for places, batch in encoder.stream([*claims, *passages]):
        rows.update(zip(places, batch, strict=True))
    return np.stack([rows[place] for place in range(len(rows))])


def matched_threshold(vectors: Vectors, known: Encoder) -> tuple[float, str]:
    """The threshold under which as large a share of all pairs lies as under a known one.

    Args:
        vectors: What the other encoder makes of the sample (see ``sample_vectors``).
        known: The encoder whose threshold was measured.

    Returns:
        The threshold, and in words where it comes from.
    """
    usual = _similarities(sample_vectors(known))
    share = float((usual < known.threshold).mean())
    return round(float(np.quantile(_similarities(vectors), share)), 2), (
        f"drops as large a share ({share:.0%}) of {len(usual)} pairs of short texts as "
        f"{known.manifest.name} at {known.threshold} (models/similarity.json)"
    )


def _similarities(vectors: Vectors) -> Vectors:
    """Those of all claims with all passages, in one dimension."""
    claims = len(_sample()[0])
    return (vectors[:claims] @ vectors[claims:].T).ravel()


def _sample() -> tuple[list[str], list[str]]:
    """Claims and passages, as texts to try encoders with."""
    said = json.loads(files("veracite.models").joinpath("similarity.json").read_bytes())
    return said["claims"], said["passages"]
