"""Long claims: two or three statements of a text as one claim, whole, with one wrong or missing."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from scripts.training.articles import Article
from scripts.training.asides import softened
from scripts.training.edits import capital, without_brackets, without_ending
from scripts.training.pairs import (
    CONTRADICTED,
    JOINT,
    NEUTRAL,
    NOT_SUPPORTED,
    SUPPORTED,
    Pair,
    headed,
)
from scripts.training.subjects import subject
from scripts.training.synthesis import Maker

_JOINTS = ("{a} {b}", "{a} {b}", "{a} {b}", "{x}, and {y}", "{x}; {y}", "{x}, while {y}")
_THIRDS = ("{a} {b}", "{a} Moreover, {y}", "{a} Also, {y}", "{a} {b}")


def _joined(parts: list[str], rng: random.Random) -> str:
    """Join statements as sentences or clauses of one claim."""
    text = parts[0]
    for n, part in enumerate(parts[1:]):
        form = rng.choice(_JOINTS if n == 0 else _THIRDS)
        text = form.format(a=text, b=part, x=text.rstrip("."), y=softened(part))
    return text


def _usable(article: Article) -> list[int]:
    return [
        k
        for k, s in enumerate(article.sentences)
        if 7 <= len(s.split()) <= 32 and s[-1] in '."' and not s.startswith(("These", "This"))
    ]


def _premise(
    article: Article, text: list[str], needed: list[int], rng: random.Random, heading: bool
) -> str:
    """Show sentences ``text`` as a passage or as joined sentences; the needed ones always."""
    name = article.heading if heading or rng.random() < 0.6 else ""
    order = sorted(range(len(text)), key=lambda k: (k not in needed, abs(k - needed[0])))
    chosen: list[int] = []
    size = 0
    for k in order:
        size += len(text[k].split())
        if size > 135 and k not in needed:
            break
        chosen.append(k)
    if rng.random() < 0.3:
        chosen = [*needed, *[k for k in chosen if k not in needed][: rng.randint(0, 2)]]
        rng.shuffle(chosen)
        return JOINT.join(headed(name, text[k]) for k in chosen if text[k])
    return headed(name, " ".join(text[k] for k in sorted(chosen) if text[k]))


def _graft(maker: Maker, i: int, rng: random.Random) -> str | None:
    """Return another article's statement about this article's subject."""
    other = maker.other(i)
    usable = _usable(other)
    if not usable:
        return None
    sentence = maker.true(other.sentences[rng.choice(usable)])
    mine, theirs = subject(maker.pool[i].title), subject(other.title)
    return sentence.replace(theirs, mine) if theirs else sentence


def long_claims(maker: Maker, i: int, rng: random.Random) -> Iterator[Pair]:
    """Yield one long claim's true, incomplete and altered versions against fitting premises."""
    article = maker.pool[i]
    usable = _usable(article)
    if len(usable) < 2:
        return
    count = 3 if len(usable) > 3 and rng.random() < 0.45 else 2
    picked = sorted(rng.sample(usable, count))
    if rng.random() < 0.6:
        start = rng.randrange(len(usable) - count + 1)
        picked = usable[start : start + count]
    parts = [_short(maker, article.sentences[k], rng) for k in picked]
    if sum(len(p.split()) for p in parts) > 68:
        return
    if not re.search(r"^(?:\S+ ){1,6}(?:are|were) ", parts[0]):
        parts[0] = maker.renamed(parts[0], article)
    heading = (
        subject(article.title).split(" ")[-1].lower() not in article.sentences[picked[0]].lower()
    )
    text = list(article.sentences)
    claim = _joined(parts, rng)
    which = rng.randrange(count)
    full = _premise(article, text, picked, rng, heading)
    kind = f"long{count}"
    if rng.random() < 0.7:
        yield Pair(kind, full, claim, SUPPORTED)
    way = rng.random()
    if way < 0.34:
        hidden = [s for k, s in enumerate(text) if k != picked[which]]
        rest = [k - (k > picked[which]) for k in picked if k != picked[which]]
        if apart(parts[which], " ".join(hidden)):
            yield Pair(
                f"{kind}_missing", _premise(article, hidden, rest, rng, heading), claim, NEUTRAL
            )
    elif way < 0.6:
        grafted = _graft(maker, i, rng)
        if grafted and len(grafted.split()) < 30:
            wrong = _joined([*parts[:which], grafted, *parts[which + 1 :]], rng)
            if rng.random() < 0.5:
                yield Pair(f"{kind}_graft", full, wrong, NOT_SUPPORTED)
            else:
                given = [*text[: picked[-1] + 1], grafted, *text[picked[-1] + 1 :]]
                needed = [*picked, picked[-1] + 1]
                shown = _premise(article, given, needed, rng, heading)
                yield Pair(f"{kind}_graft", shown, wrong, SUPPORTED)
    else:
        yield from _altered(maker, i, kind, claim, parts, picked, which, heading, rng)


def _altered(
    maker: Maker,
    i: int,
    kind: str,
    claim: str,
    parts: list[str],
    picked: list[int],
    which: int,
    heading: bool,
    rng: random.Random,
) -> Iterator[Pair]:
    """Yield the claim altered, and the claim as it is against an altered text."""
    article = maker.pool[i]
    if rng.random() < 0.5:
        altered = maker.false(parts[which], i)
        if altered and altered != parts[which]:
            wrong = _joined([*parts[:which], altered, *parts[which + 1 :]], rng)
            shown = _premise(article, list(article.sentences), picked, rng, heading)
            yield Pair(f"{kind}_altered", shown, wrong, CONTRADICTED)
        return
    text = list(article.sentences)
    changed = maker.false(text[picked[which]], i)
    if changed and not apart(changed, parts[which], 0.6):
        text[picked[which]] = changed
        if _touched(article.sentences[picked[which]], changed, parts[which]):
            shown = _premise(article, text, picked, rng, heading)
            yield Pair(f"{kind}_altered", shown, claim, CONTRADICTED)


def _touched(old: str, new: str, claim: str) -> bool:
    """Tell whether what was changed between two sentences is something that the claim says."""
    gone = set(re.findall(r"\w+", old)) - set(re.findall(r"\w+", new))
    came = set(re.findall(r"\w+", new)) - set(re.findall(r"\w+", old))
    if gone:
        return gone <= set(re.findall(r"\w+", claim))
    return bool(came & {"not", "never", "no", "longer"}) and old[:40] == claim[:40]


def apart(part: str, text: str, most: float = 0.55) -> bool:
    """Tell whether a text lacks much of what a statement says."""
    words = set(re.findall(r"\w{4,}|\d+", part.lower()))
    return len(words & set(re.findall(r"\w{4,}|\d+", text.lower()))) < most * len(words)


def _short(maker: Maker, sentence: str, rng: random.Random) -> str:
    """Return the statement as a summary would give it: without what can be left out."""
    if rng.random() < 0.6:
        for edit in (without_brackets, without_ending):
            sentence = edit(sentence, rng) or sentence
        return capital(sentence)
    return maker.true(sentence)
