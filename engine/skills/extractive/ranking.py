"""The sentences of passages, ranked by how likely each answers a question."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from veracite.engine.overlap import content_words, coverage
from veracite.engine.skills.extractive.questions import Question
from veracite.engine.skills.extractive.quotes import Quote, Sentences, quotes_of
from veracite.engine.skills.extractive.scoring import Odds, features, odds
from veracite.index.documents import Passage
from veracite.index.embeddings import encoder_text

__all__ = ["Ranker", "Ranking", "SentenceEncoder", "is_said"]

_SAID = 0.8
"""A sentence of whose words so many have been said is a repetition."""


class SentenceEncoder(Protocol):
    """What these skills need of an encoder."""

    @property
    def id(self) -> str:
        """Name and the start of the weights' SHA-256."""
        ...

    def encode(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Unit vectors, shape (len(texts), dimension)."""
        ...


@dataclass(frozen=True)
class Ranking:
    """What passages say on a question."""

    question: Question
    quotes: tuple[Quote, ...]
    """In the order of the passages."""
    odds: Odds
    """What each is worth as an answer."""

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Places of the quotes, the likeliest first."""
        return tuple(sorted(range(len(self.quotes)), key=lambda place: -self.odds.shares[place]))


@dataclass(frozen=True, slots=True)
class Ranker:
    """The bundled models, as far as ranking needs them."""

    encoder: SentenceEncoder
    sentences: Sentences

    def rank(self, question: str, passages: Sequence[Passage]) -> Ranking:
        """Ranks the sentences of passages, which come best first."""
        asked = Question(question)
        quotes = quotes_of(passages, self.sentences)
        texts = [encoder_text(quote.passage.heading, quote.verbatim) for quote in quotes]
        found = features(asked, quotes, self.similarities(question, texts))
        return Ranking(asked, quotes, odds(found))

    def similarities(self, query: str, texts: Sequence[str]) -> list[float]:
        """Cosines of texts to a query; no texts need no encoder."""
        if not texts:
            return []
        vectors = self.encoder.encode([query, *texts])
        return [float(cosine) for cosine in vectors[1:] @ vectors[0]]


def is_said(text: str, before: Sequence[str]) -> bool:
    """Whether a sentence repeats what stands before it."""
    own = content_words(text)
    return any(coverage(own, {word.stem for word in content_words(one)}) >= _SAID for one in before)
