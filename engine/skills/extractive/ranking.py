"""The sentences of passages, ranked by how likely each answers a question."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from veracite.engine.claims.checkability import names_source
from veracite.engine.judge.citations import RawText
from veracite.engine.skills.extractive.bearing import about, bearing
from veracite.engine.skills.extractive.questions import Question
from veracite.engine.skills.extractive.quotes import Quote, Sentences, quotes_of
from veracite.engine.skills.extractive.scoring import Odds, features, odds
from veracite.engine.wording.overlap import content_words, coverage
from veracite.index.documents import Passage

_SAID = 0.8
"""A sentence of whose words so many have been said is a repetition."""
_VECTORS = 4096
"""Texts whose embeddings are kept: windows, rounds and answers read the same sentences."""
_ELSEWHERE = re.compile(
    r"(?:main articles?|(?:further|more) (?:information|reading)|details)\s?:"
    r"|see also\b|not to be confused with\b|for other (?:uses|people|places)\b"
    r"|.{0,80}\barchived \(.*\bfrom the original\b",
    re.IGNORECASE,
)
"""How a sentence begins that only says where to read on."""
_SOURCE = re.compile(r"\bdoi:|https?://|www\.|\(PDF\)|\bpp?\. ?\d|\A(?:\^|\d+\. ?[\"“]|[\"“])")
"""What an entry of a bibliography has, and hardly a sentence without a verb."""
_ENTRY = re.compile(r"\A(?:\d+\. )?[A-Z][\w'’-]+, [A-Z]\S* .{0,80}\(\d{1,2} \w+ \d{4}\)\.?\Z")
"""How an entry of a bibliography begins: "Roberts, Iwan (10 May 2005)."."""
_ADDRESS = re.compile(r"(?:https?://\s?|www\.)\S+")
_ADDRESSES = 1 / 3
"""Of a text, that is no sentence."""


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
    raw_text: RawText
    _vectors: dict[str, NDArray[np.float32]] = field(default_factory=dict)

    def rank(self, question: str, passages: Sequence[Passage]) -> Ranking:
        """Ranks the sentences of passages, which come best first."""
        asked = Question(question)
        quotes = bearing(asked, self.quotes(passages), self.raw_text)
        quotes = about(asked, quotes, self.raw_text)
        rows = features(asked, quotes, self._near(asked, quotes))
        return Ranking(asked, quotes, odds(rows))

    def _near(self, asked: Question, quotes: Sequence[Quote]) -> list[float]:
        """Cosines of quotes to a question, without what their document is known to be about."""
        near = self.similarities(asked.text, [quote.encoded for quote in quotes])
        for known in {quote.about for quote in quotes if quote.about}:
            places = [place for place, quote in enumerate(quotes) if quote.about == known]
            texts = [quotes[place].encoded for place in places]
            again = self.similarities(asked.without(known), texts)
            for place, similarity in zip(places, again, strict=True):
                near[place] = max(near[place], similarity)
        return near

    def rank_parts(self, question: str, passages: Sequence[Passage]) -> tuple[Ranking, ...]:
        """A ranking for each part of a question."""
        return tuple(self.rank(part.text, passages) for part in Question(question).parts)

    def quotes(self, passages: Sequence[Passage]) -> tuple[Quote, ...]:
        """The sentences of passages that could answer something, in order."""
        found = quotes_of(passages, self.sentences, self.raw_text)
        return tuple(quote for quote in found if not _points_elsewhere(quote.text))

    def similarities(self, query: str, texts: Sequence[str]) -> list[float]:
        """Cosines of texts to a query; no texts need no encoder."""
        if not texts:
            return []
        vectors = self._encoded([query, *texts])
        return [float(cosine) for cosine in vectors[1:] @ vectors[0]]

    def _encoded(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if len(self._vectors) > _VECTORS:
            self._vectors.clear()
        if new := [text for text in dict.fromkeys(texts) if text not in self._vectors]:
            self._vectors.update(zip(new, self.encoder.encode(new), strict=True))
        return np.stack([self._vectors[text] for text in texts])


def _points_elsewhere(text: str) -> bool:
    """Whether a sentence tells where something stands rather than what."""
    addresses = sum(len(found.group()) for found in _ADDRESS.finditer(text))
    if _ELSEWHERE.match(text) or _ENTRY.match(text) or addresses > _ADDRESSES * len(text):
        return True
    return bool(_SOURCE.search(text)) and names_source(text)


def is_said(text: str, before: Sequence[str]) -> bool:
    """Whether a sentence repeats what stands before it."""
    own = content_words(text)
    return any(coverage(own, {word.stem for word in content_words(one)}) >= _SAID for one in before)
