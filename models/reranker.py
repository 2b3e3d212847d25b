"""The reranker: how well does this passage answer that query?

A cross-encoder reads both at once, so it orders passages better than the comparison of two vectors
does, and is too slow for more than the best of them (Nogueira and Cho, 2019, section 3).
"""

from collections.abc import Sequence
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veracite.models.bundled import stored
from veracite.models.onnx import Manifest, OpenNetwork, padded, plan

Scores = NDArray[np.float32]


class Reranker(OpenNetwork):
    """A network that reads a query and a passage and gives one number.

    A pair's score depends on the pair alone: it has the same bits whatever else is scored in the
    same call, and in whatever order. Thread-safe; calls wait for each other.

    Args:
        model: Bytes of the ONNX file that ``manifest`` describes.
        tokenizer: Bytes of its ``tokenizer.json``.
        manifest: What the ``reranker.json`` beside them says.
        threads: Number of cores to use; all physical ones by default.

    Raises:
        ModelError: the model or its tokenizer cannot be loaded.
        ValueError: it joins texts in another way.
    """

    def __init__(
        self, model: bytes, tokenizer: bytes, manifest: Manifest, threads: int | None = None
    ) -> None:
        super().__init__(model, tokenizer, manifest, threads)
        self._separators = int(manifest.details["separators"])
        if self._separators not in (1, 2):
            raise ValueError(f"{self._separators} signs between two texts")

    def score(self, pairs: Sequence[tuple[str, str]]) -> Scores:
        """Pairs of query and passage to scores, shape (len(pairs),), higher for a better fit.

        Scores of one query compare with each other; they are no probabilities. A query is cut at
        half of what the model reads, a passage where it does not fit beside its query.

        Raises:
            Cancelled: ``cancel`` was called meanwhile.
            ModelError: the model was closed or failed to run.
        """
        generation = self._session.generation()
        half = self.manifest.max_length // 2
        query_ids = lru_cache(maxsize=4096)(partial(self._tokenizer.ids, most=half))
        first, last = self._tokenizer.first, self._tokenizer.last
        between = [last] * self._separators
        sequences, types = [], []
        for query, passage in pairs:
            asked = query_ids(query)
            room = self.manifest.max_length - len(asked) - len(between) - 2
            found = self._tokenizer.ids(passage, room)
            parts = ([first], asked, between, found, [last])
            sequences.append(np.concatenate(parts, dtype=np.int64))
            types.append(np.repeat((0, 1), (len(asked) + 1 + len(between), len(found) + 1)))
        scores = np.empty(len(pairs), dtype=np.float32)
        for positions in plan([len(sequence) for sequence in sequences]):
            batch = [sequences[position] for position in positions]
            numbers = self._session.run(
                {
                    "input_ids": padded(batch),
                    "attention_mask": padded([np.ones_like(sequence) for sequence in batch]),
                    "token_type_ids": padded([types[position] for position in positions]),
                },
                generation,
            )
            scores[positions] = numbers[:, 0, 0]
        return scores


def stored_reranker(folder: Path, threads: int | None = None) -> Reranker:
    """Open a reranker of the store.

    Raises:
        ModelError: A file is missing or is not what the manifest says.
    """
    return stored(Reranker, folder, "reranker", threads)
