"""Copied sentences with a figure, date, name or negation changed, and equal renderings of them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from scripts.training import falsehoods
from scripts.training.articles import Article
from scripts.training.edits import capital
from scripts.training.figures import CHANGES, names_exchanged, negated_variously
from scripts.training.mining import around
from scripts.training.pairs import CONTRADICTED, NEUTRAL, NOT_SUPPORTED, SUPPORTED, Pair, headed
from scripts.training.renderings import RENDERINGS
from scripts.training.subjects import subject
from scripts.training.synthesis import Maker

_HEDGES = (
    (r"\b(?:about|approximately|around|nearly|almost|roughly|some) (?=\d)", "exactly ", "about"),
    (r"\b(?:up to|at least|more than|over) (?=\d)", "exactly ", "bound"),
    (r"\b[Mm]ost (?=[a-z]+s\b|of the)", "All ", "most"),
    (r"\b[Ss]ome (?=[a-z]+s\b|of the)", "All ", "some"),
    (r"\b[Mm]any (?=[a-z]+s\b|of the)", "All ", "many"),
    (r"\busually ", "always ", "usually"),
    (r"\boften ", "always ", "often"),
    (r"\bsometimes ", "always ", "sometimes"),
    (r"\b(?:may|might|could) have been\b", "was", "may"),
    (r"\b(?:may|might) be\b", "is", "may"),
    (r"\b(?:is|was) (?:believed|thought|said|reported|alleged|claimed) to be\b", "is", "believed"),
    (r"\bprobably ", "certainly ", "probably"),
    (r"\b(?:possibly|perhaps) ", "certainly ", "possibly"),
    (r"\bone of the (?=\w+est )", "the single ", "one of"),
    (r"\bpartly ", "entirely ", "partly"),
    (r"\bmainly ", "only ", "mainly"),
    (r"\bprimarily ", "exclusively ", "mainly"),
)
_KIN = (
    "{}'s brother", "{}'s father", "{}'s daughter", "{}'s teacher", "A pupil of {}",
)  # fmt: skip
_SISTERS = (
    "The forerunner of {}", "The successor of {}", "The main rival of {}", "A replica of {}",
    "The sister organisation of {}", "A later work about {}",
)  # fmt: skip


def _shown(article: Article, k: int, sentence: str, rng: random.Random) -> str:
    """Show a sentence in the place of sentence ``k``: alone, with a heading, in its passage."""
    way = rng.random()
    if way < 0.4:
        return sentence if rng.random() < 0.6 else headed(article.heading, sentence)
    text = around(article, k, rng.choice((40, 60, 80)))
    text = text.replace(article.sentences[k], sentence, 1)
    return headed(article.heading if rng.random() < 0.6 else "", text)


def _both(
    kind: str, article: Article, k: int, changed: str, label: int, rng: random.Random
) -> Iterator[Pair]:
    """Yield a sentence and its changed version as claims, each against both texts or one."""
    old = article.sentences[k]
    turned = rng.random() < 0.5
    given, other = (changed, old) if turned else (old, changed)
    yield Pair(kind, _shown(article, k, given, rng), capital(given), SUPPORTED)
    yield Pair(kind, _shown(article, k, given, rng), capital(other), label)


def changed_facts(maker: Maker, i: int, k: int, rng: random.Random) -> Iterator[Pair]:
    """Yield one changed fact of a sentence, with the unchanged claim beside it."""
    article = maker.pool[i]
    sentence = article.sentences[k]
    if rng.random() < 0.3:
        inside = [n for s in article.sentences for n in falsehoods.names(s)]
        near = [n for s in maker.other(i).sentences for n in falsehoods.names(s)]
        pool = inside if rng.random() < 0.6 else near
        if changed := falsehoods.other_name(sentence, rng, pool):
            yield from _both("changed_name", article, k, changed, CONTRADICTED, rng)
            return
        if changed := names_exchanged(sentence, rng):
            yield from _both("exchanged_names", article, k, changed, NOT_SUPPORTED, rng)
            return
    edits = [*CHANGES, falsehoods.other_year, falsehoods.other_month, falsehoods.other_number]
    edits += [falsehoods.other_number, falsehoods.other_number, falsehoods.other_year]
    edits += [falsehoods.other_month, falsehoods.opposite, falsehoods.other_kind]
    for edit in rng.sample(edits, len(edits)):
        if edit in (negated_variously, falsehoods.opposite) and rng.random() < 0.4:
            continue
        changed = edit(sentence, rng)
        if changed and changed != sentence:
            yield from _both(f"changed_{edit.__name__}", article, k, changed, CONTRADICTED, rng)
            return


def equal_facts(maker: Maker, i: int, k: int, rng: random.Random) -> Iterator[Pair]:
    """Yield a sentence with a figure or date written otherwise, and the same with another value."""
    article = maker.pool[i]
    sentence = article.sentences[k]
    for edit in rng.sample(RENDERINGS, len(RENDERINGS)):
        changed = edit(sentence, rng)
        if not changed or changed == sentence:
            continue
        yield Pair("equal", _shown(article, k, sentence, rng), capital(changed), SUPPORTED)
        wrongs = (falsehoods.other_year, falsehoods.other_month, falsehoods.other_number)
        for wrong in rng.sample(wrongs, len(wrongs)):
            false = wrong(sentence, rng)
            again = edit(false, random.Random(3)) if false and false != sentence else None
            if false and again and again != false and _differs(sentence, false, changed, again):
                yield Pair(
                    "equal_not", _shown(article, k, sentence, rng), capital(again), CONTRADICTED
                )
                return
        return


def _differs(old: str, new: str, first: str, second: str) -> bool:
    """Tell whether a false value still shows after it was written otherwise."""
    values = set(re.findall(r"\w+", new)) - set(re.findall(r"\w+", old))
    return bool(values & set(re.findall(r"\w+", second))) and first != second


def qualified(maker: Maker, i: int, k: int, rng: random.Random) -> Iterator[Pair]:
    """Yield claims that say more than the text: no hedge, another time, another party."""
    article = maker.pool[i]
    sentence = article.sentences[k]
    for pattern, new, name in rng.sample(_HEDGES, len(_HEDGES)):
        found = re.search(pattern, sentence)
        if found:
            word = new if found.group()[0].isupper() else new[0].lower() + new[1:]
            stronger = sentence[: found.start()] + word + sentence[found.end() :]
            yield from _both_ways(f"hedge_{name}", article, k, stronger, rng)
            break
    year = re.search(r"\b([Ii]n) (1[5-9]\d\d|20[01]\d)\b", sentence)
    if year and (later := _another_time(maker, i, sentence, year, rng)):
        state = re.match(r"In \d{4}, .* (?:had|was|were|has) ", later)
        label = NEUTRAL if state else NOT_SUPPORTED
        yield Pair("other_time", _shown(article, k, sentence, rng), later, label)
        yield Pair("other_time", _shown(article, k, later, rng), later, SUPPORTED)
    name_of = subject(article.title)
    if sentence.startswith(name_of + " ") and len(sentence.split()) > 6:
        person = re.search(r"\b(?:he|she|his|her)\b", " ".join(article.sentences))
        party = rng.choice(_KIN if person else _SISTERS).format(name_of)
        claim = capital(party + sentence[len(name_of) :])
        given = _shown(article, k, sentence, rng)
        turned = rng.random() < 0.5
        given = _shown(article, k, claim, rng) if turned else given
        yield Pair("other_party", given, sentence if turned else claim, NEUTRAL)
        yield Pair("other_party", given, claim if turned else sentence, SUPPORTED)


def _both_ways(
    kind: str, article: Article, k: int, stronger: str, rng: random.Random
) -> Iterator[Pair]:
    shown = _shown(article, k, article.sentences[k], rng)
    yield Pair(kind, shown, capital(stronger), NOT_SUPPORTED)
    yield Pair(kind, _shown(article, k, stronger, rng), capital(stronger), SUPPORTED)
    yield Pair(kind, shown, capital(article.sentences[k]), SUPPORTED)


def _another_time(
    maker: Maker, i: int, sentence: str, year: re.Match[str], rng: random.Random
) -> str | None:
    """Return a statement about another year in which something else is so, too."""
    rest = sentence[: year.start()] + "in @" + sentence[year.end() :]
    if re.search(r"\b(?:born|died|founded|established)\b", rest):
        return None
    changed = falsehoods.other_number(rest, rng) or falsehoods.opposite(rest, rng)
    if not changed or "@" not in changed or re.search(r"\d{4}", rest):
        return None
    new = int(year[2]) + rng.choice((-9, -6, -4, 3, 4, 5, 8, 12))
    return capital(changed.replace("in @", f"{year[1]} {new}", 1))
