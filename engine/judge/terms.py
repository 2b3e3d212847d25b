"""A claim's words, and which of them a text has."""

import math
import re
from collections.abc import Iterable, Mapping

from veracite.engine.wording.overlap import Word, content_words, stem_of

_WORD = re.compile(r"[^\W_]+(?:[.,'’][^\W_]+)*")
_PREFIX = 3
"""Letters that two forms of a word have in common: what lacks them is not looked at further."""


class Terms:
    """The words of a claim that carry weight, by stem.

    Args:
        text: The claim.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.words: tuple[Word, ...] = content_words(text)
        self.weights: dict[str, float] = {word.stem: word.weight for word in self.words}
        self._whole = sum(self.weights.values())
        self._prefixes = frozenset(stem[:_PREFIX] for stem in self.weights)
        self._found: dict[str, frozenset[str]] = {}

    def found(self, text: str) -> frozenset[str]:
        """The stems of the claim that a text has."""
        known = self._found.get(text)
        if known is None:
            tokens = set(_WORD.findall(text.casefold()))
            near = [token for token in tokens if token[:_PREFIX] in self._prefixes]
            stems = set(map(stem_of, near))
            known = self._found[text] = frozenset(stems & self.weights.keys())
        return known

    def share(self, stems: Iterable[str], by: Mapping[str, float] | None = None) -> float:
        """The share, by weight, of the claim that these stems are; 0 for a claim without words.

        Args:
            stems: Of the claim.
            by: Other weights than its own.
        """
        weights = self.weights if by is None else by
        whole = self._whole if by is None else math.fsum(by.values())
        return math.fsum(map(weights.__getitem__, stems)) / whole if whole else 0.0
