"""The sentence encoder: texts to unit vectors whose dot product is their similarity."""

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from veracite.models.batches import padded, plan
from veracite.models.manifest import Manifest
from veracite.models.onnx import Session
from veracite.models.tokens import CLS, SEP, TokenIds, Tokenizer

__all__ = ["Encoder"]

Vectors = NDArray[np.float32]


class Encoder:
    """A network that reads a text and gives one vector, by mean pooling over its tokens.

    A text's vector depends on the text alone: it has the same bits whatever else is encoded
    in the same call, and in whatever order. Thread-safe; calls wait for each other.

    Args:
        model: Bytes of the ONNX file that ``manifest`` describes.
        tokenizer: Bytes of its ``tokenizer.json``.
        manifest: What ``bundled/encoder.json`` says.
        threads: Number of cores to use; all physical ones by default.

    Raises:
        ModelError: the model or its tokenizer cannot be loaded.
    """

    def __init__(
        self, model: bytes, tokenizer: bytes, manifest: Manifest, threads: int | None = None
    ) -> None:
        self.manifest = manifest
        self.dimension = int(manifest.details["dimension"])
        self.threshold = float(manifest.details["threshold"])
        """CEG's t for this encoder: passages less similar to a claim than this are dropped."""
        self._tokenizer = Tokenizer(tokenizer)
        self._session = Session(model, manifest.name, threads)

    @property
    def id(self) -> str:
        """Name and the start of the weights' SHA-256; vectors of another id do not compare."""
        return self.manifest.id

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Texts to unit vectors, shape (len(texts), dimension), in the order given.

        What exceeds the model's 256 tokens is not read.

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
                np.stack([_pooled(hidden[i, : len(s)]) for i, s in enumerate(batch)]),
            )

    def _sequence(self, text: str) -> TokenIds:
        ids = self._tokenizer.ids(text, self.manifest.max_length - 2)
        return np.fromiter(chain([CLS], ids, [SEP]), dtype=np.int64)

    def cancel(self) -> None:
        """Make the calls in progress raise ``Cancelled``, from any thread; later ones work."""
        self._session.terminate()

    def close(self) -> None:
        """Give the memory back; the encoder cannot be used any more."""
        self._session.close()


def _pooled(hidden: Vectors) -> Vectors:
    """The mean over a text's tokens, at length 1; hidden has shape (tokens, dimension)."""
    mean = hidden.mean(axis=0, dtype=np.float64)
    unit: Vectors = (mean / np.sqrt((mean * mean).sum())).astype(np.float32)
    return unit
