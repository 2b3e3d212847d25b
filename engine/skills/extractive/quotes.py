"""What an answer may be made of: the sentences of passages, readable out of their context."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from veracite.engine.checkability import is_fragment, why_not_checkable
from veracite.engine.coreference import Context, is_dependent
from veracite.engine.overlap import content_words
from veracite.engine.phrases import PRONOUNS, VERBS
from veracite.index.documents import Passage, Sentence

__all__ = ["Quote", "Sentences", "quotes_of"]

Sentences = Callable[[Passage], Sequence[Sentence]]
"""Cuts a passage into its sentences."""

_FOOTNOTE = re.compile(r"\A\d{1,3}(?=[A-Z][a-z])")
"""A number of the sentence before, which stands where this one begins: "7For example"."""
_OPENING = re.compile(r"[\"“‘'«` ]*(?P<word>[^\W_][\w'’-]*)")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_VERB_LIKE = re.compile(r"[a-z]{2,}(?:ed|s)$")
_SHORT = 8
"""Words from which on a sentence hardly lacks a verb."""
_RUN_ON = 50
"""Words in a row that no sentence has without a comma, a colon, a dash or a bracket."""
_LONGEST = 100
"""Words of a sentence, at most: what has more is a table."""
_PAUSE = re.compile(r"[,;:()–—]|\s-\s")


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
    stands_alone: bool = True
    """False if it opens with a pronoun that may mean anything."""

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
        text = _FOOTNOTE.sub("", sentence.text, count=1)
        reading = context.read(text)
        if _is_whole(text) and why_not_checkable(text) is None:
            alone = reading.resolved is not None or not is_dependent(text)
            shown = reading.resolved or text
            found.append(Quote(place, number, passage, sentence.text, shown, alone))
    return found


def _is_whole(text: str) -> bool:
    """Whether a text is a sentence from its beginning to its end: no note, no row of a table."""
    opening = _OPENING.match(text)
    if is_fragment(text) or opening is None or opening["word"].islower():
        return False
    longest = max(len(part.split()) for part in _PAUSE.split(text))
    return longest <= _RUN_ON and len(text.split()) <= _LONGEST and _has_verb(text)


def _has_verb(text: str) -> bool:
    """False only for a short sentence in which nothing looks like a verb."""
    first, *rest = _WORD.findall(text) or [""]
    return (
        len(rest) >= _SHORT
        or first.lower() in PRONOUNS
        or any(word.lower() in VERBS or _VERB_LIKE.match(word) for word in rest)
    )
