"""Hard negatives by retrieval: a true claim beside the most similar passage of another article."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer

from scripts.training.articles import Article
from scripts.training.falsehoods import names
from scripts.training.pairs import NEUTRAL, SUPPORTED, Pair, headed
from scripts.training.subjects import subject
from scripts.training.synthesis import Maker
from veracite.models.bundled import bundled_encoder

Matrix = NDArray[np.float32]


def around(article: Article, k: int, words: int = 80, without: tuple[int, ...] = ()) -> str:
    """Return sentence ``k`` with its neighbours, about ``words`` words, some sentences left out."""
    chosen: list[int] = []
    size = 0
    for j in sorted(range(len(article.sentences)), key=lambda j: (abs(j - k), j)):
        if j in without:
            continue
        size += len(article.sentences[j].split())
        if chosen and size > words:
            break
        chosen.append(j)
    return " ".join(article.sentences[j] for j in sorted(chosen))


def encoded(articles: list[Article], cache: Path) -> Matrix:
    """Return the encoder's vectors of the articles' beginnings, shape (articles, 384)."""
    if cache.exists():
        loaded: Matrix = np.load(cache)
        if len(loaded) == len(articles):
            return loaded
    texts = [f"{a.heading}: {around(a, 0, 70)}" for a in articles]
    made: Matrix = bundled_encoder(2).encode(texts)
    np.save(cache, made)
    return made


def _words(text: str) -> set[str]:
    return {w[:6] for w in re.findall(r"\w+", text.lower()) if len(w) > 3 or w.isdigit()}


def lacks(claim: str, premise: str, most: float = 0.6) -> bool:
    """Tell whether a premise surely does not state a claim: it lacks its words and a name of it."""
    claimed, shown = _words(claim), _words(premise)
    if len(claimed & shown) > most * len(claimed):
        return False
    marks = [*names(claim), *re.findall(r"\b\d[\d,.]*\d\b", claim)]
    return any(m not in premise for m in marks) or len(claimed & shown) < 0.35 * len(claimed)


class Miner:
    """Finds for a claim the passages of other articles that look most like it."""

    def __init__(self, maker: Maker, vectors: Matrix) -> None:
        self.maker, self.vectors = maker, vectors
        texts = [a.heading + ": " + around(a, 0, 150) for a in maker.pool]
        self.terms = TfidfVectorizer(sublinear_tf=True, stop_words="english", ngram_range=(1, 2))
        self.matrix = self.terms.fit_transform(texts)
        self.titles: dict[str, list[int]] = {}
        for i, article in enumerate(maker.pool):
            self.titles.setdefault(article.title, []).append(i)

    def candidates(self, claims: list[tuple[int, str]]) -> list[list[int]]:
        """Return the most similar other articles of each claim, by words and by meaning."""
        found: list[list[int]] = []
        for start in range(0, len(claims), 400):
            part = claims[start : start + 400]
            words = (self.terms.transform([c for _, c in part]) @ self.matrix.T).toarray()
            meaning = self.vectors[[i for i, _ in part]] @ self.vectors.T
            for (i, _), by_words, by_meaning in zip(part, words, meaning, strict=True):
                order = [*(-by_words).argsort()[:4], *(-by_meaning).argsort()[:5]]
                mine = self.maker.pool[i].title
                found.append([int(j) for j in order if self.maker.pool[int(j)].title != mine])
        return found

    def _best(self, j: int, claim: str) -> int:
        """Return the sentence of article ``j`` that shares most with a claim."""
        wanted = _words(claim)
        sentences = self.maker.pool[j].sentences
        return max(range(len(sentences)), key=lambda k: len(wanted & _words(sentences[k])))

    def pairs(self, count: int, rng: random.Random) -> Iterator[Pair]:
        """Yield each claim with its own passage and with one or two that only look like it."""
        pool = self.maker.pool
        claims: list[tuple[int, str]] = []
        sources: list[int] = []
        for i in rng.sample(range(len(pool)), min(count, len(pool))):
            k = rng.randrange(len(pool[i].sentences))
            sentence = pool[i].sentences[k]
            if not 6 <= len(sentence.split()) <= 32:
                continue
            claim = self.maker.true(sentence)
            pronoun = re.match(r"(?:He|She|It) (?=was|is|had|has|\w+ed)", claim)
            if pronoun and rng.random() < 0.7:
                claim = subject(pool[i].title) + " " + claim[pronoun.end() :]
            claims.append((i, claim))
            sources.append(k)
        nearest = self.candidates(claims)
        for (i, claim), k, near in zip(claims, sources, nearest, strict=True):
            negatives = list(self._negatives(i, claim, k, near, rng))
            if negatives:
                own = headed(pool[i].heading, around(pool[i], k, rng.choice((30, 60, 90))))
                yield Pair("mined_own", own, claim, SUPPORTED)
                yield from rng.sample(negatives, min(len(negatives), rng.choice((1, 1, 2))))

    def _negatives(
        self, i: int, claim: str, k: int, near: list[int], rng: random.Random
    ) -> Iterator[Pair]:
        pool = self.maker.pool
        for j in near:
            text = around(pool[j], self._best(j, claim), rng.choice((30, 60, 90)))
            shown = headed(pool[j].heading if rng.random() < 0.7 else "", text)
            if lacks(claim, shown):
                yield Pair("mined_other", shown, claim, NEUTRAL)
                break
        same = [j for j in self.titles[pool[i].title] if j != i]
        if same:
            j = rng.choice(same)
            shown = headed(pool[j].heading, around(pool[j], self._best(j, claim)))
            if lacks(claim, shown, 0.5):
                yield Pair("mined_section", shown, claim, NEUTRAL)
        if len(pool[i].sentences) > 2:
            j = max(0, k - 1)
            shown = headed(pool[i].heading, around(pool[i], j, 70, without=(k,)))
            if lacks(claim, shown, 0.5):
                yield Pair("mined_hidden", shown, claim, NEUTRAL)
