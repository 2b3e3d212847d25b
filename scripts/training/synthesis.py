"""Pairs generated from articles: true, false and unsupported claims about their sentences."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from sklearn.feature_extraction.text import TfidfVectorizer

from scripts.training import biography, edits, falsehoods
from scripts.training.articles import Article
from scripts.training.lexicon import MONTHS
from scripts.training.pairs import CONTRADICTED, NEUTRAL, NOT_SUPPORTED, SUPPORTED
from scripts.training.questions import kind
from scripts.training.subjects import Generated, asked, life, lowered, subject


class Maker:
    """Generates claims from a pool of articles, each article together with its neighbours."""

    def __init__(self, pool: list[Article], rng: random.Random) -> None:
        self.pool, self.rng = pool, rng
        texts = [a.title + " " + " ".join(a.sentences) for a in pool]
        vectors = TfidfVectorizer(sublinear_tf=True, stop_words="english").fit_transform(texts)
        self.near: list[list[int]] = []
        for start in range(0, len(pool), 500):
            likeness = (vectors[start : start + 500] @ vectors.T).toarray()
            for row, scores in enumerate(likeness):
                order = (-scores).argsort()[:14]
                mine = pool[start + row].title
                self.near.append([int(i) for i in order if pool[i].title != mine][:8])
        self.endings = [
            m.group()
            for a in pool
            for s in a.sentences
            if (
                m := re.search(
                    r"(?:, (?:which|where|who|making|because|after|although) [^,]{15,80}"
                    r"| (?:in|at|from|for|with|near) (?:the )?[A-Z][\w ]{3,30})(?=\.$)",
                    s,
                )
            )
        ]
        self.people = [i for i, a in enumerate(pool) if biography.about_person(a.sentences)]
        self.answers: dict[str, list[str]] = {}
        for article in pool:
            for question in article.questions:
                self.answers.setdefault(kind(question.answer), []).append(question.answer)

    def other(self, i: int) -> Article:
        """Return an article like the one given, under another title."""
        near = self.near[i]
        return self.pool[self.rng.choice(near)] if near else self.rng.choice(self.pool)

    def true(self, sentence: str) -> str:
        """Return the sentence as it is or edited without losing its truth."""
        changes = self.rng.choice((0, 1, 1, 2, 2, 3))
        for edit in self.rng.sample(edits.TRUE_EDITS, len(edits.TRUE_EDITS)):
            if changes <= 0:
                break
            changed = edit(sentence, self.rng)
            if changed:
                sentence, changes = changed, changes - 1
        return edits.capital(sentence)

    def false(self, sentence: str, i: int) -> str | None:
        """Return the sentence with one thing changed so that it is false."""
        if self.rng.random() < 0.3:
            near = [n for s in self.other(i).sentences for n in falsehoods.names(s)]
            mine = [n for s in self.pool[i].sentences for n in falsehoods.names(s)]
            changed = falsehoods.other_name(sentence, self.rng, near + mine)
            if changed:
                return changed
        for edit in self.rng.sample(falsehoods.FALSE_EDITS, len(falsehoods.FALSE_EDITS)):
            changed = edit(sentence, self.rng)
            if changed and changed != sentence:
                return changed
        return None

    def renamed(self, claim: str, article: Article) -> str:
        """Put the title for a leading pronoun, or a pronoun for a leading title."""
        name = subject(article.title)
        if claim.startswith(("He ", "She ")) and biography.about_person(article.sentences):
            return name + claim[claim.index(" ") :] if self.rng.random() < 0.6 else claim
        if claim.startswith("It ") and not biography.about_person(article.sentences):
            return name + claim[2:] if self.rng.random() < 0.3 else claim
        if claim.lower().startswith(name.lower() + " ") and self.rng.random() < 0.35:
            person = biography.about_person(article.sentences)
            word = biography.pronoun(" ".join(article.sentences)) if person else "It"
            return word + claim[len(name) :]
        return claim

    def claims(self, i: int, picks: int) -> Iterator[Generated]:
        """Generate claims about an article's sentences, questions and subject."""
        article, rng = self.pool[i], self.rng
        usable = [
            k
            for k, s in enumerate(article.sentences)
            if 5 <= len(s.split()) <= 45 and re.search(r"[a-z]{3}.* .*[a-z]{3}", s)
        ]
        if not usable:
            return
        ways = rng.choices(
            (
                self._true,
                self._false,
                self._hidden,
                self._fused,
                self._added,
                self._grafted,
                self._foreign,
                self._finer,
            ),
            weights=(3.0, 3.0, 1.6, 2.0, 1.3, 1.3, 0.5, 0.4),
            k=picks,
        )
        for way in ways:
            made = way(i, rng.choice(usable), usable)
            if made and 4 <= len(made.claim.split()) <= 55:
                yield made
        yield from asked(article, self.answers, rng)
        if biography.about_person(article.sentences):
            for way in (self._grafted, self._grafted, self._true, self._added):
                made = way(i, rng.choice(usable), usable)
                if made and 4 <= len(made.claim.split()) <= 55:
                    yield made
            yield from life(article, rng)

    def _true(self, i: int, k: int, usable: list[int]) -> Generated | None:
        article = self.pool[i]
        claim = self.renamed(self.true(article.sentences[k]), article)
        return Generated("true", claim, article, (k,), (), SUPPORTED)

    def _false(self, i: int, k: int, usable: list[int]) -> Generated | None:
        article = self.pool[i]
        claim = self.false(self.true(article.sentences[k]), i)
        if claim is None:
            return None
        return Generated("false", self.renamed(claim, article), article, (k,), (), CONTRADICTED)

    def _hidden(self, i: int, k: int, usable: list[int]) -> Generated | None:
        article = self.pool[i]
        if len(article.sentences) < 2:
            return None
        claim = self.renamed(self.true(article.sentences[k]), article)
        return Generated("hidden", claim, article, (), (k,), NEUTRAL)

    def _fused(self, i: int, k: int, usable: list[int]) -> Generated | None:
        article, rng = self.pool[i], self.rng
        others = [u for u in usable if u != k and len(article.sentences[u].split()) < 25]
        if not others or len(article.sentences[k].split()) > 25:
            return None
        other = rng.choice(others)
        first, second = self.true(article.sentences[k]), self.true(article.sentences[other])
        way = rng.random()
        needed: tuple[int, ...] = (k, other)
        hidden: tuple[int, ...] = ()
        label = SUPPORTED
        if way < 0.25:
            wrong = self.false(second, i)
            if wrong is None:
                return None
            second, label = wrong, CONTRADICTED
        elif way < 0.55:
            needed, hidden, label = (k,), (other,), NEUTRAL
        joiner = rng.choice((" and ", ", and ", "; ", ", while "))
        if rng.random() < 0.5:
            first, second = second, first
        claim = first.rstrip(".") + joiner + lowered(second)
        return Generated(
            f"fused{label}", self.renamed(claim, article), article, needed, hidden, label
        )

    def _added(self, i: int, k: int, usable: list[int]) -> Generated | None:
        article, rng = self.pool[i], self.rng
        claim = self.true(article.sentences[k]).rstrip(".")
        way = rng.random()
        if way < 0.5:
            ending = rng.choice(self.endings)
            claim += ending
        elif way < 0.65 and not re.search(r"\d{4}", claim):
            claim += f" in {rng.randint(1850, 2018)}"
        elif way < 0.8:
            near = [n for s in self.other(i).sentences for n in falsehoods.names(s)]
            text = " ".join(article.sentences)
            near = [n for n in near if n not in text]
            if not near:
                return None
            claim += rng.choice((" with ", " together with ", " and ", " for ")) + rng.choice(near)
        else:
            other = self.other(i)
            piece = self.true(rng.choice(other.sentences))
            if len(piece.split()) > 22:
                return None
            claim += rng.choice((", and ", " and ", "; ")) + lowered(piece)
        claim = self.renamed(edits.capital(claim), article)
        return Generated("added", claim, article, (k,), (), NEUTRAL)

    def _grafted(self, i: int, k: int, usable: list[int]) -> Generated | None:
        article = self.pool[i]
        other = self.other(i)
        if self.people and biography.about_person(article.sentences) and self.rng.random() < 0.6:
            other = self.pool[self.rng.choice(self.people)]
            if other.title == article.title:
                return None
        name, theirs = subject(article.title), subject(other.title)
        sentence = self.true(self.rng.choice(other.sentences))
        if theirs and theirs in sentence:
            claim = sentence.replace(theirs, name)
        elif m := re.match(r"(?:He|She|It|They) ", sentence):
            claim = name + sentence[m.end() - 1 :] if self.rng.random() < 0.6 else sentence
        elif self.rng.random() < 0.5:
            claim = sentence
        else:
            return None
        if any(claim[:60] in s for s in article.sentences):
            return None
        return Generated("grafted", claim, article, (), (), NOT_SUPPORTED)

    def _foreign(self, i: int, k: int, usable: list[int]) -> Generated | None:
        article, other = self.pool[i], self.other(i)
        mine, theirs = subject(article.title), subject(other.title)
        sentence = self.true(article.sentences[k])
        if mine and mine in sentence:
            claim = sentence.replace(mine, theirs)
        elif m := re.match(r"(?:He|She|It|They) (?=was|is|had|has|won|died)", sentence):
            claim = theirs + " " + sentence[m.end() :]
        else:
            return None
        return Generated("foreign", claim, article, (k,), (), NOT_SUPPORTED)

    def _finer(self, i: int, k: int, usable: list[int]) -> Generated | None:
        article, rng = self.pool[i], self.rng
        sentence = article.sentences[k]
        found = re.search(r"\b[Ii]n (1[5-9]\d\d|20[01]\d)\b", sentence)
        if not found:
            return None
        month = rng.choice(MONTHS)
        exact = rng.choice(
            (f"in {month} {found[1]}", f"on {month} {rng.randint(1, 28)}, {found[1]}")
        )
        claim = edits.capital(sentence.replace(found.group(), exact, 1))
        return Generated("finer", self.renamed(claim, article), article, (k,), (), NEUTRAL)
