"""The bundled models for many methods on the same questions: what one asked the next one gets.

Both give a text, or a pair, the same numbers to the last bit in whichever batch it is.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from veracite.engine.judging.verify import PairScorer
from veracite.models.encoder import Encoder

__all__ = ["RememberingEncoder", "RememberingVerifier"]

_MOST = 50_000
"""Texts, or pairs, that are remembered: some 80 MB of vectors."""


class RememberingEncoder:
    """The encoder, asked for new texts alone.

    Args:
        encoder: Who encodes.
    """

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._known: dict[str, NDArray[np.float32]] = {}

    @property
    def id(self) -> str:
        """The encoder's."""
        return self._encoder.id

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of the texts, at least one; shape (len(texts), dimension)."""
        if len(self._known) > _MOST:
            self._known.clear()
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._encoder.encode(new), strict=True))
        return np.stack([self._known[text] for text in texts])


class RememberingVerifier:
    """The verifier, asked for new pairs alone.

    Args:
        verifier: Who scores.
    """

    def __init__(self, verifier: PairScorer) -> None:
        self._verifier = verifier
        self._known: dict[tuple[str, str], NDArray[np.float32]] = {}

    @property
    def id(self) -> str:
        """The verifier's."""
        return self._verifier.id

    def fits(self, premise: str, claim: str) -> bool:
        """Whether all of a premise is read beside a claim."""
        return self._verifier.fits(premise, claim)

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Scores of the pairs, at least one, as ``PairScorer`` has them."""
        if len(self._known) > _MOST:
            self._known.clear()
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        if new:
            self._known.update(zip(new, self._verifier.score(new), strict=True))
        return np.stack([self._known[pair] for pair in pairs])
