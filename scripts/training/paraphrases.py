"""Rewordings by rule, each with a twin that says something else, and claims that need a bridge."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from scripts.training import falsehoods
from scripts.training.articles import Article
from scripts.training.biography import about_person
from scripts.training.edits import capital, synonym
from scripts.training.lengthy import apart
from scripts.training.mining import around
from scripts.training.pairs import (
    CONTRADICTED,
    JOINT,
    NEUTRAL,
    NOT_SUPPORTED,
    SUPPORTED,
    Pair,
    headed,
)
from scripts.training.subjects import lowered, subject
from scripts.training.synthesis import Maker

_FRONT = re.compile(
    r"^((?:In|On|At|After|During|By|Since|From|Before|Under|Between|Throughout|Within) "
    r"[^,]{3,50}), ((?:the|a|an|he|she|it|they|[A-Z])[^;:\"]{15,160})\.$"
)
_BACK = re.compile(
    r"^((?:The|A|He|She|It|They|[A-Z][a-z]+)[^;:\"]{15,120}[^,]) "
    r"((?:in|on|during|after|since) (?:the )?(?:[A-Z]\w+ )?(?:\d{1,2}, )?\d{4})\.$"
)
_EVENT = re.compile(
    r"^(?P<who>(?:The )?[A-Z][^,;:()\"]{2,60}?|He|She|It)(?: \([^)]*\))? was "
    r"(?:also |first |officially )?"
    r"(?P<did>founded|established|built|released|published|completed|opened|created|introduced|"
    r"destroyed|discovered|invented|formed|launched|abolished|born|constructed|elected|killed)\b"
    r"(?P<rest>[^,;]*?)\b(?P<when>in (?:\w+ )?\d{4}|on \w+ \d{1,2}, \d{4}|on \d{1,2} \w+ \d{4})"
)
_NOUN = {
    "founded": "founding", "established": "establishment", "built": "building",
    "released": "release", "published": "publication", "completed": "completion",
    "opened": "opening", "created": "creation", "introduced": "introduction",
    "destroyed": "destruction", "discovered": "discovery", "invented": "invention",
    "formed": "formation", "launched": "launch", "abolished": "abolition", "born": "birth",
    "constructed": "construction", "elected": "election", "killed": "death",
}  # fmt: skip
_IS = re.compile(
    r"^(?P<who>[A-Z][^,;()]{2,60}?)(?: \([^)]*\))? (?:is|was) (?:an?|the) "
    r"(?P<what>[^,.;()]{6,60}?)"
    r"(?=[,.;]| (?:who|that|which|from|and|where|whose|written|directed)\b)"
)


def _reworded(text: str, rng: random.Random) -> str | None:
    """Move an opening or a closing adverbial, or turn an event into a noun."""
    ways = [_front_to_back, _back_to_front, _as_noun, _as_noun, _cleft]
    for way in rng.sample(ways, len(ways)):
        made = way(text, rng)
        if made and made != text:
            return made
    return None


def _front_to_back(text: str, rng: random.Random) -> str | None:
    m = _FRONT.match(text)
    return capital(f"{m[2]} {m[1][0].lower()}{m[1][1:]}") if m and "," not in m[2] else None


def _back_to_front(text: str, rng: random.Random) -> str | None:
    m = _BACK.match(text)
    return capital(f"{m[2]}, {lowered(m[1])}") if m and _plain(m[1]) else None


def _as_noun(text: str, rng: random.Random) -> str | None:
    m = _EVENT.match(text)
    if not m or m["who"] in ("He", "She", "It"):
        return None
    who, noun, when = m["who"], _NOUN[m["did"]], m["when"]
    who = lowered(who)
    if " and " in who:
        return None
    forms = [f"The {noun} of {who} came {when}", f"The {noun} of {who} took place {when}"]
    year = re.search(r"\d{4}", when)
    if year:
        forms.append(f"{year[0]} was the year of the {noun} of {who}")
    return capital(rng.choice(forms))


def _cleft(text: str, rng: random.Random) -> str | None:
    m = _BACK.match(text)
    if not m or not _plain(m[1]) or m[2].startswith(("since", "after")):
        return None
    return capital(f"It was {m[2]} that {lowered(m[1])}")


def _plain(text: str) -> bool:
    """Tell whether an adverbial after a text surely belongs to all of it."""
    return not re.search(r",|\band\b|\bbut\b|\d{4}|\b(?:that|which|who|when|before|after)\b", text)


def rewordings(maker: Maker, i: int, k: int, rng: random.Random) -> Iterator[Pair]:
    """Yield a reworded sentence, and the rewording of a false version of it."""
    article = maker.pool[i]
    sentence = re.sub(r"\s*\([^()]*\)", "", article.sentences[k])
    made = _reworded(sentence, rng)
    if not made:
        return
    if rng.random() < 0.4:
        made = synonym(made, rng) or made
    heading = article.heading if rng.random() < 0.6 else ""
    shown = headed(heading, article.sentences[k])
    if rng.random() < 0.5:
        shown = headed(heading, around(article, k, 60))
    yield Pair("reworded", shown, made, SUPPORTED)
    edits = (
        falsehoods.other_year,
        falsehoods.other_year,
        falsehoods.opposite,
        falsehoods.other_number,
    )
    for edit in rng.sample(edits, len(edits)):
        false = edit(made, rng)
        if false and false != made:
            yield Pair("reworded_false", shown, false, CONTRADICTED)
            return


def _described(article: Article) -> str | None:
    m = _IS.match(article.sentences[0])
    if not m or subject(article.title).split()[-1] not in m["who"]:
        return None
    what = m["what"]
    return what if len(what.split()) >= 2 and " of the most " not in what else None


def bridges(maker: Maker, i: int, rng: random.Random) -> Iterator[Pair]:
    """Yield claims that need the sentence that says what the subject is, and another one."""
    article = maker.pool[i]
    what = _described(article)
    later = [
        k
        for k, s in enumerate(article.sentences[1:], 1)
        if re.match(r"(?:He|She|It) (?:was|is|had|has|\w+ed|won|became)\b", s)
        and 5 < len(s.split()) < 28
    ]
    if what is None or not later:
        return
    for k in rng.sample(later, min(2, len(later))):
        yield from _bridge(maker, i, k, what, rng)


def _bridge(maker: Maker, i: int, k: int, what: str, rng: random.Random) -> Iterator[Pair]:
    article = maker.pool[i]
    rest = maker.true(article.sentences[k])
    m = re.match(r"(?:He|She|It) ", rest)
    if not m:
        return
    rest = rest[m.end() :]
    name = subject(article.title)
    vowel = what[0] in "aeiouAEIOU"
    forms = ("The {w} {r}", "{A} {w} {r}", "{n}, {a} {w}, {r}")
    form = rng.choice(forms)

    def said(of: str) -> str:
        return capital(
            form.format(w=of, r=rest, n=name, a="an" if vowel else "a", A="An" if vowel else "A")
        )

    first, needed = article.sentences[0], article.sentences[k]
    both = [headed(article.heading, first), headed(article.heading, needed)]
    joined = " ".join((first, *article.sentences[max(1, k - 1) : k + 1]))
    shown = (
        headed(article.heading, joined) if rng.random() < 0.6 else JOINT.join(rng.sample(both, 2))
    )
    yield Pair("bridge", shown, said(what), SUPPORTED)
    way = rng.random()
    other = maker.other(i)
    another = _described(other)
    if (
        way < 0.4
        and another
        and not set(another.split()[-1:]) & set(" ".join(article.sentences).split())
    ):
        if (another[0] in "aeiouAEIOU") == vowel and about_person(other.sentences) == about_person(
            article.sentences
        ):
            yield Pair("bridge_wrong", shown, said(another), NOT_SUPPORTED)
            given = headed(other.heading, f"{other.sentences[0]}")
            yield Pair(
                "bridge_apart",
                given + JOINT + headed(article.heading, needed),
                said(what),
                NOT_SUPPORTED,
            )
    elif way < 0.7 and apart(rest, first):
        yield Pair("bridge_half", headed(article.heading, first), said(what), NEUTRAL)
    else:
        false = maker.false(rest, i)
        if false and false != rest and not false.startswith("Not "):
            rest = false[0].lower() + false[1:] if rest[0].islower() else false
            yield Pair("bridge_false", shown, said(what), CONTRADICTED)
