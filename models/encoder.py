"""The sentence encoder: texts to unit vectors whose dot product is their similarity."""

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from veracite.models.batches import padded, plan
from veracite.models.errors import ModelError
from veracite.models.manifest import Manifest
from veracite.models.onnx import Session
from veracite.models.tokens import TokenIds, Tokenizer

__all__ = ["Encoder"]

Vectors = NDArray[np.float32]


class Encoder:
    """A network that reads a text and gives one vector.

    The manifest's ``pooling`` says how it comes from the vectors of the text's tokens: their "mean"
    (the default), or "cls", the first token's alone.

    A text's vector depends on the text alone: it has the same bits whatever else is encoded
    in the same call, and in whatever order. Thread-safe; calls wait for each other.

    Args:
        model: Bytes of the ONNX file that ``manifest`` describes.
        tokenizer: Bytes of its ``tokenizer.json``.
        manifest: What the ``encoder.json`` beside them says.
        threads: Number of cores to use; all physical ones by default.

    Raises:
        ModelError: the model or its tokenizer cannot be loaded, or it pools in another way.
    """

    def __init__(
        self, model: bytes, tokenizer: bytes, manifest: Manifest, threads: int | None = None
    ) -> None:
        self.manifest = manifest
        self.dimension = int(manifest.details["dimension"])
        self.threshold = float(manifest.details["threshold"])
        """CEG's t for this encoder: passages less similar to a claim than this are dropped."""
        pooling = str(manifest.details.get("pooling", "mean"))
        if pooling not in _POOLINGS:
            raise ModelError(
                f"The model {manifest.name} makes its vectors in a way that is not supported.",
                "Use an encoder made for this version of veracite.",
            )
        self._pooling = _POOLINGS[pooling]
        self._tokenizer = Tokenizer(tokenizer)
        self._session = Session(model, manifest.name, threads)

    @property
    def id(self) -> str:
        """Name and the start of the weights' SHA-256; vectors of another id do not compare."""
        return self.manifest.id

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
        return self._stream(texts, self._session.generation())

    def _stream(self, texts: Sequence[str], generation: int) -> Iterator[tuple[list[int], Vectors]]:
        sequences = [self._sequence(text) for text in texts]
        for positions in plan([len(sequence) for sequence in sequences]):
            batch = [sequences[position] for position in positions]
            mask = padded([np.ones_like(sequence) for sequence in batch])
            hidden = self._session.run(
                {"input_ids": padded(batch), "attention_mask": mask}, generation
            )
            yield (
                positions,
                np.stack([_unit(self._pooling(hidden[i, : len(s)])) for i, s in enumerate(batch)]),
            )

    def _sequence(self, text: str) -> TokenIds:
        ids = self._tokenizer.ids(text, self.manifest.max_length - 2)
        return np.fromiter(
            chain([self._tokenizer.first], ids, [self._tokenizer.last]), dtype=np.int64
        )

    def cancel(self) -> None:
        """Make the calls in progress raise ``Cancelled``, from any thread; later ones work."""
        self._session.terminate()

    def close(self) -> None:
        """Give the memory back; the encoder cannot be used any more."""
        self._session.close()


def _mean(hidden: Vectors) -> NDArray[np.float64]:
    """The mean over a text's tokens; hidden has shape (tokens, dimension)."""
    mean: NDArray[np.float64] = hidden.mean(axis=0, dtype=np.float64)
    return mean


def _first(hidden: Vectors) -> NDArray[np.float64]:
    """The vector of a text's first token; hidden has shape (tokens, dimension)."""
    first: NDArray[np.float64] = hidden[0].astype(np.float64)
    return first


_POOLINGS = {"mean": _mean, "cls": _first}


def _unit(vector: NDArray[np.float64]) -> Vectors:
    """The vector at length 1."""
    unit: Vectors = (vector / np.sqrt((vector * vector).sum())).astype(np.float32)
    return unit
