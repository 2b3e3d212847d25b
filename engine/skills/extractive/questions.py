"""What a question asks for: its words, and the kind of thing that could answer it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from veracite.engine.names import names
from veracite.engine.overlap import Word, content_words
from veracite.engine.phrases import any_of
from veracite.engine.quantities import Kind as QuantityKind
from veracite.engine.quantities import extract

__all__ = ["Kind", "Question", "Stretch"]

Kind = Literal["date", "number", "name"]

_DATE = re.compile(
    r"\bwhen\b|\b(?:what|which|in what|in which) (?:\w+ )?(?:year|date|day|month|century|decade)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\bnumber of\b"
    r"|\bhow (?:many|much|old|long|far|tall|big|large|high|deep|fast|heavy|wide|often)\b"
    r"|\b(?:what|which) (?:\w+ )?(?:number|percent(?:age)?|population|age|price|cost|size|length"
    r"|height|distance|temperature|amount|rate)\b",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"\b(?:who|whose|whom|where)\b|\b(?:what|which) (?:\w+ ){0,2}?"
    + any_of(
        """name city country state county town place island continent river mountain team player
        actor actress band singer company person president king queen author director character
        song album film movie book show university school company brand language religion"""
    )
    + r"\b",
    re.IGNORECASE,
)
_QUANTITIES: dict[Kind, frozenset[QuantityKind]] = {
    "date": frozenset({"date", "time"}),
    "number": frozenset({"number", "percent", "money"}),
}


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a sentence that could answer a question."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Question:
    """A question, read by rules: NQ's and people's are often neither capitalised nor complete."""

    text: str

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """Its words that carry weight."""
        return content_words(self.text)

    @cached_property
    def stems(self) -> frozenset[str]:
        """Of its words."""
        return frozenset(word.stem for word in self.words)

    @cached_property
    def kind(self) -> Kind | None:
        """Of what would answer it; None where its form does not tell."""
        patterns: tuple[tuple[Kind, re.Pattern[str]], ...] = (
            ("number", _NUMBER), ("date", _DATE), ("name", _NAME)
        )  # fmt: skip
        return next((kind for kind, pattern in patterns if pattern.search(self.text)), None)

    def answers(self, sentence: str) -> tuple[Stretch, ...]:
        """The stretches of a sentence that are of this kind and not said by the question."""
        return tuple(self._of_kind(sentence)) if self.kind else ()

    def _of_kind(self, sentence: str) -> Iterator[Stretch]:
        if self.kind == "name":
            for name in names(sentence):
                if not name.stems <= self.stems:
                    yield Stretch(name.text, name.start, name.end)
            return
        assert self.kind is not None
        for quantity in extract(sentence):
            asked = quantity.text.casefold() in self.text.casefold()
            if quantity.kind in _QUANTITIES[self.kind] and not asked:
                yield Stretch(quantity.text, quantity.start, quantity.end)
