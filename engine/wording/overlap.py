"""Words in common: the plain lexical measures that stand beside the network.

A token is a lower-case word or number with its inflection cut off, so that "wrote two books" and
"a book written" meet in "book". Function words carry no weight.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from veracite.engine.wording.lists import by_word, listed

_REMEMBERED = 2048
"""Texts, at most; a claim's passages are some hundred sentences and parts of sentences."""
_WORD = re.compile(r"[^\W_]+(?:[.,'’][^\W_]+)*")
_ACCENTS = re.compile(r"[\u0300-\u036f]|['’]s?$")
"""And the ending of a possessive."""
_IRREGULAR = by_word("irregular forms")
_ENDINGS = (
    ("ies", "y"), ("ied", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", "e")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text."""

    text: str
    stem: str
    start: int
    end: int

    @property
    def weight(self) -> float:
        """How much it says: nothing for function words, more for numbers and capitalised words."""
        if self.stem in _FUNCTION_WORDS:
            return 0.0
        return 1.5 if self.text[0].isupper() or self.text[0].isdigit() else 1.0


@lru_cache(1 << 15)
def stem_of(word: str) -> str:
    """A word as it stands in a text without case, accents and inflection; light and symmetric."""
    plain = unicodedata.normalize("NFKD", word.replace(",", "").casefold())
    plain = _ACCENTS.sub("", plain)
    plain = _IRREGULAR.get(plain, plain)
    if plain.isdigit() or len(plain) <= 3:
        return plain
    for ending, replacement in _ENDINGS:
        if plain.endswith(ending) and len(plain) - len(ending) >= 3:
            plain = plain.removesuffix(ending) + replacement
            break
    else:
        if plain.endswith("s") and not plain.endswith(("ss", "us", "is")):
            plain = plain[:-1]
    # "stopp" and "stop", "move" and "mov" come together.
    if len(plain) > 3 and plain[-1] == plain[-2] and plain[-1] not in "aeiouls":
        plain = plain[:-1]
    return plain[:-1] if len(plain) > 4 and plain.endswith("e") else plain


_FUNCTION_WORDS = frozenset(map(stem_of, listed("function words")))


@lru_cache(_REMEMBERED)
def words(text: str) -> tuple[Word, ...]:
    """All words of a text, in order.

    What was asked for last is remembered: the rules read the same few sentences again and again.
    """
    return tuple([Word(m[0], stem_of(m[0]), *m.span()) for m in _WORD.finditer(text)])


def content_words(text: str) -> tuple[Word, ...]:
    """The words of a text that carry weight."""
    return tuple([word for word in words(text) if word.stem not in _FUNCTION_WORDS])


def stems(text: str) -> frozenset[str]:
    """The stems of the words of a text that carry weight."""
    return _stems_in(text) - _FUNCTION_WORDS


def coverage(claim: Sequence[Word], stems: Collection[str]) -> float:
    """The share, by weight, of a claim's words that are among ``stems``; 0 for no words."""
    total = sum(word.weight for word in claim)
    return sum(w.weight for w in claim if w.stem in stems) / total if total else 0.0


@lru_cache(_REMEMBERED)
def _stems_in(text: str) -> frozenset[str]:
    return frozenset(map(stem_of, _WORD.findall(text)))


class Terms:
    """The words of a claim that carry weight, by stem.

    Args:
        text: The claim.
    """

    def __init__(self, text: str) -> None:
        self.weights = {word.stem: word.weight for word in content_words(text)}
        self._whole = sum(self.weights.values())
        self._stems = frozenset(self.weights)

    def found(self, text: str) -> frozenset[str]:
        """The stems of the claim that a text has."""
        return self._stems & _stems_in(text)

    def rarity(self, texts: Collection[Iterable[str]]) -> dict[str, float]:
        """The weight of each stem, the greater the fewer texts have it.

        Args:
            texts: The stems of the claim that each of them has.
        """
        counts = Counter(chain(*texts))
        return {
            stem: weight * math.log(1 + (len(texts) + 1) / (counts[stem] + 0.5))
            for stem, weight in self.weights.items()
        }

    def share(self, stems: Iterable[str], by: Mapping[str, float] | None = None) -> float:
        """The share, by weight, of the claim that these stems are; 0 for a claim without words.

        Args:
            stems: Of the claim.
            by: Other weights than its own.
        """
        weights = self.weights if by is None else by
        whole = self._whole if by is None else math.fsum(by.values())
        return math.fsum(map(weights.__getitem__, stems)) / whole if whole else 0.0
