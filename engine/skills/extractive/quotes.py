"""What an answer may be made of: the sentences of passages, readable out of their context."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from veracite.engine.checkability import is_fragment, why_not_checkable
from veracite.engine.coreference import Context
from veracite.engine.overlap import content_words
from veracite.index.documents import Passage, Sentence

__all__ = ["Quote", "Sentences", "quotes_of"]

Sentences = Callable[[Passage], Sequence[Sentence]]
"""Cuts a passage into its sentences."""


@dataclass(frozen=True)
class Quote:
    """A sentence of a passage, as an answer would write it."""

    place: int
    """Of its passage, from 0."""
    number: int
    """Of the sentence within the passage, from 0."""
    passage: Passage
    verbatim: str
    text: str
    """Verbatim, or with its subject's name for "she" or "the company" where that is sure."""

    @cached_property
    def stems(self) -> frozenset[str]:
        """Of its words."""
        return frozenset(word.stem for word in content_words(self.text))

    @cached_property
    def headed_stems(self) -> frozenset[str]:
        """Of its words and its heading's."""
        heading = self.passage.heading or ""
        return self.stems | {word.stem for word in content_words(heading)}


def quotes_of(passages: Sequence[Passage], sentences: Sentences) -> tuple[Quote, ...]:
    """The sentences of passages that state something, in order."""
    return tuple(
        quote
        for place, passage in enumerate(passages)
        for quote in _quotes(place, passage, sentences(passage))
    )


def _quotes(place: int, passage: Passage, sentences: Sequence[Sentence]) -> list[Quote]:
    context = Context()
    for level, heading in enumerate((passage.heading or "").split(" > "), start=1):
        context.enter(heading, level)
    found = []
    for number, sentence in enumerate(sentences):
        reading = context.read(sentence.text)
        if not is_fragment(sentence.text) and why_not_checkable(sentence.text) is None:
            shown = reading.resolved or sentence.text
            found.append(Quote(place, number, passage, sentence.text, shown))
    return found
