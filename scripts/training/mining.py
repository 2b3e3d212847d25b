"""Hard negatives by search: a claim beside the texts of others that share most words with it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

import tantivy

from scripts.training.articles import Article
from scripts.training.changes import names
from scripts.training.pairs import JOINT, NEUTRAL, SUPPORTED, Pair, headed

NEAREST = 9
"""Texts that are looked at for a claim."""


def _words(text: str) -> set[str]:
    return {w[:6] for w in re.findall(r"\w+", text.lower()) if len(w) > 3 or w.isdigit()}


def lacks(claim: str, premise: str, most: float = 0.6) -> bool:
    """Tell whether a premise surely does not state a claim: it lacks its words and a name of it."""
    claimed, shown = _words(claim), _words(premise)
    if len(claimed & shown) > most * len(claimed):
        return False
    marks = [*names(claim), *re.findall(r"\b\d[\d,.]*\d\b", claim)]
    return any(m not in premise for m in marks) or len(claimed & shown) < 0.35 * len(claimed)


class Nearest:
    """An index of texts by their words."""

    def __init__(self, texts: Sequence[str]) -> None:
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("text", stored=False, tokenizer_name="en_stem")
        builder.add_integer_field("place", stored=True, indexed=False)
        self._index = tantivy.Index(builder.build())
        writer = self._index.writer(100_000_000, 1)
        for place, text in enumerate(texts):
            writer.add_document(tantivy.Document(text=text, place=place))
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()

    def to(self, claim: str) -> list[int]:
        """Return the places of the texts nearest to a claim, best first."""
        words = " ".join(re.findall(r"\w+", claim.lower()))
        hits = self._searcher.search(self._index.parse_query(words, ["text"]), NEAREST).hits
        return [self._searcher.doc(at)["place"][0] for _, at in hits]


def strange(
    claims: Sequence[tuple[str, int]], sentences: Sequence[tuple[str, int]], count: int,
    rng: random.Random,
) -> Iterator[Pair]:  # fmt: skip
    """Yield claims beside one to three sentences of others.

    Args:
        claims: Each with the number of what it was written about.
        sentences: Each with the number of what it stands in.
        count: How many claims are drawn.
    """
    nearest = Nearest([text for text, _ in sentences])
    for claim, about in rng.choices(claims, k=count):
        found = (sentences[place] for place in nearest.to(claim))
        some = [text for text, of in found if of != about and lacks(claim, text, 0.7)]
        some = some[: rng.choice((1, 1, 2, 3))]
        if some:
            yield Pair("strange", JOINT.join(some), claim, NEUTRAL)


def mined(pool: Sequence[Article], rng: random.Random) -> Iterator[Pair]:
    """Yield for each article a sentence with its own passage and with one that is only like it."""
    nearest = Nearest([headed(a.heading, a.around(0, 150)) for a in pool])
    for article in pool:
        k = rng.randrange(len(article.sentences))
        claim = article.sentences[k]
        if not 6 <= len(claim.split()) <= 32:
            continue
        if rng.random() < 0.7:
            name = re.sub(r"\s*\([^)]*\)", "", article.title)
            if found := re.match(r"(?:He|She|It)(?= (?:was|is|had|has|\w+ed) )", claim):
                claim = name + claim[found.end() :]
        others = [pool[place] for place in nearest.to(claim)]
        passages = [
            headed(a.heading if rng.random() < 0.7 else "", _nearest_part(a, claim, rng))
            for a in others
            if a.title != article.title
        ]
        if len(article.sentences) > 2:
            passages.append(headed(article.heading, article.around(max(0, k - 1), 70, without=k)))
        negatives = [passage for passage in passages if lacks(claim, passage, 0.55)]
        if negatives:
            own = headed(article.heading, article.around(k, rng.choice((30, 60, 90))))
            yield Pair("mined_own", own, claim, SUPPORTED)
            for passage in rng.sample(negatives, min(len(negatives), rng.choice((1, 1, 2)))):
                yield Pair("mined_other", passage, claim, NEUTRAL)


def _nearest_part(article: Article, claim: str, rng: random.Random) -> str:
    """Return the sentence that shares most with a claim, among its neighbours."""
    wanted = _words(claim)
    places = range(len(article.sentences))
    best = max(places, key=lambda k: len(wanted & _words(article.sentences[k])))
    return article.around(best, rng.choice((30, 60, 90)))
