"""Biographies: pronouns under another person's heading, fluent inventions, tokenised texts."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from scripts.training import biography
from scripts.training.articles import Article
from scripts.training.lexicon import HONOURS, OCCUPATIONS, PLACES, UNIVERSITIES
from scripts.training.mining import around, lacks
from scripts.training.pairs import NEUTRAL, NOT_SUPPORTED, SUPPORTED, Pair, headed
from scripts.training.subjects import subject
from scripts.training.synthesis import Maker

_FIELDS = (
    "economics|law|history|philosophy|music|engineering|political science|literature|"
    "mathematics|theology|journalism|chemistry|architecture|drama|psychology|medicine"
).split("|")
_TRAITS = (
    "a distinctive style|a commitment to social justice|meticulous research|powerful vocals|"
    "strong leadership|groundbreaking contributions|a passion for education|versatility"
).split("|")


def tokenised(text: str) -> str:
    """Write a text as WikiBio does: lower case, brackets as -lrb-, spaces around punctuation."""
    text = text.replace("(", " -lrb- ").replace(")", " -rrb- ")
    text = re.sub(r"\s*(?<!\d)([.,;:!?])(?=\s|$)|(?<=\d)([,;:])(?=\s)", r" \1\2 ", text)
    text = re.sub(r"(\w)('s|s')(?!\w)", r"\1 \2", text)
    text = re.sub(r"[\"\u201c\u201d]", " '' ", text).replace("\u2013", " -- ")
    return re.sub(r"\s+", " ", text).strip().lower()


def is_person(article: Article) -> bool:
    """Tell whether an article's title names a person and its text begins with who that is."""
    name = subject(article.title)
    first = article.sentences[0]
    return (
        bool(re.fullmatch(r"(?:[A-Z][\w'.-]+ ?){2,4}", name))
        and name.split()[-1] in first[:120]
        and not re.match(r"(?:The|List|My|Operation|It|Love|Super|Best|National|House) ", name)
        and bool(
            biography.IS_A.search(first)
            or re.search(r"\bborn\b|\(\w* ?\w* ?1[5-9]\d\d", first[:140])
        )
        and not re.search(
            r"\b(?:film|song|album|novel|series|band|episode|character|war|show)\b", first[:130]
        )
    )


def _fluent(name: str, rng: random.Random) -> str:
    """Return a fluent invented sentence of the sort that a chatbot writes about a person."""
    year = rng.randint(1935, 2012)
    school, place, other = rng.choice(UNIVERSITIES), *rng.sample(PLACES, 2)
    honour, more = rng.sample(HONOURS, 2)
    field, job, second = rng.choice(_FIELDS), *rng.sample(OCCUPATIONS, 2)
    forms = (
        f"{name} earned a degree in {field} from {school} before beginning a career as a {job}.",
        f"Throughout a career spanning several decades, {name} received numerous awards, including "
        f"{honour} in {year} and {more} in {year + rng.randint(1, 9)}.",
        f"{name} is also known for {rng.choice(_TRAITS)} and has been praised by critics.",
        f"In {year}, {name} moved to {place} to work as a {job} and {second}.",
        f"Born and raised in {place}, {name} developed an interest in {field} at an early age.",
        f"{name} has lectured on {field} at {school} and at several institutions in {other}.",
        f"In addition to working as a {job}, {name} has been active in charities in {place}.",
        f"{name} served as chair of the department of {field} at {school} from {year} to "
        f"{year + rng.randint(2, 14)}.",
        f"{name} is the author of {rng.choice(('two', 'three', 'several', 'more than ten'))} books "
        f"on {field} and lives in {place}.",
        f"{name} was honoured with {honour} for contributions to {field}.",
        f"{name} retired in {year} and died in {place} after a long illness.",
        f"{name} made a first appearance on stage in {place} in {year} and soon became a {job}.",
        f"After studying {field} in {place}, {name} worked for a newspaper in {other}.",
    )
    return rng.choice(forms)


def _as_pronoun(claim: str, name: str, word: str) -> str:
    if claim.startswith(name + " "):
        return word + claim[len(name) :]
    return claim.replace(f"{name} ", f"{word.lower()} ", 1)


def invented(article: Article, rng: random.Random) -> Iterator[Pair]:
    """Yield invented sentences about a person, and the same where the text does say so."""
    name = subject(article.title)
    text = " ".join(article.sentences)
    claims = [_fluent(name, rng)]
    claims = [re.sub(r"\ba (?=[aeio][a-z])", "an ", c) for c in claims]
    claims += [c for c, _ in biography.invented(name, text, rng) if "He's" not in c][:1]
    word = biography.pronoun(text)
    for claim in claims:
        if not lacks(claim, text, 0.75):
            continue
        shown = around(article, rng.randrange(len(article.sentences)), rng.choice((50, 80, 110)))
        said = _as_pronoun(claim, name, word) if rng.random() < 0.4 else claim
        if rng.random() < 0.5:
            label = NOT_SUPPORTED if re.search(r"\b(?:born|[Bb]orn|died)\b", claim) else NEUTRAL
            yield Pair("person_invented", headed(article.heading, shown), said, label)
            continue
        sentences = list(article.sentences)[:5]
        told = _as_pronoun(claim, name, word) if rng.random() < 0.6 else claim
        sentences.insert(rng.randint(1, len(sentences)), told)
        yield Pair("person_told", headed(article.heading, " ".join(sentences)), said, SUPPORTED)


def strangers(maker: Maker, i: int, everybody: list[int], rng: random.Random) -> Iterator[Pair]:
    """Yield a pronoun claim under its own person's heading and under another person's."""
    article = maker.pool[i]
    persons = set(everybody)
    usable = [
        k
        for k, s in enumerate(article.sentences)
        if re.match(r"(?:He|She|His|Her) ", s) and 5 <= len(s.split()) <= 30
    ]
    name = subject(article.title)
    if article.sentences[0].startswith(name) and len(article.sentences[0].split()) < 35:
        usable.append(0)
    if not usable:
        return
    k = rng.choice(usable)
    claim = maker.true(article.sentences[k])
    word = biography.pronoun(" ".join(article.sentences))
    if claim.startswith(name + " ") and not claim[len(name) + 1 :][:1].isupper():
        claim = word + claim[len(name) :]
    if not re.match(r"(?:He|She|His|Her) ", claim):
        return
    own = headed(article.heading, around(article, k, rng.choice((40, 80))))
    yield Pair("person_own", own, claim, SUPPORTED)
    near = [j for j in maker.near[i] if j in persons] or everybody
    j = rng.choice(near if rng.random() < 0.6 else everybody)
    other = maker.pool[j]
    shown = headed(other.heading, around(other, rng.randrange(len(other.sentences)), 80))
    if other.title != article.title and lacks(claim, shown, 0.65):
        yield Pair("person_other", shown, claim, NOT_SUPPORTED)


def stated(article: Article, rng: random.Random) -> Iterator[Pair]:
    """Yield claims about birth, death, nationality and trade, named or with a pronoun."""
    name = subject(article.title)
    if not re.fullmatch(r"(?:[A-Z][\w'.-]+ ?){2,4}", name):
        return
    if not biography.IS_A.search(article.sentences[0]):
        return
    made = biography.stated(name, article.sentences, rng)
    word = biography.pronoun(" ".join(article.sentences))
    for claim, label in rng.sample(made, min(4, len(made))):
        said = _as_pronoun(claim, name, word) if rng.random() < 0.5 else claim
        shown = headed(article.heading, around(article, 0, rng.choice((30, 60, 90))))
        yield Pair("person_stated", shown, said, label)
