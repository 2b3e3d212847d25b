"""Edits of one sentence that make it false.

Every edit returns a changed sentence, or None where it does not apply.
"""

from __future__ import annotations

import random
import re

from scripts.training.lexicon import (
    MONTHS,
    NATIONALITIES,
    NUMBERS,
    OCCUPATIONS,
    OPPOSITES,
    ORDINALS,
)

_YEAR = re.compile(r"\b(1[0-9]\d\d|20[0-2]\d)\b")
_NUMBER = re.compile(r"(?<![\w.,-])(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?![\w-]|[.,]\d)")
_WORD = r"[A-Z][\w\u00c0-\u024f'-]+"
_NAME = re.compile(rf"(?<![.\u201c\"] )(?<!^)\b{_WORD}(?: (?:of |de |van |von )?{_WORD})*")
_VERB = r"(?:is|was|are|were|has|had|can|could|will|would|did|does|may|must|should)"
_AUXILIARY = re.compile(rf"\b{_VERB}\b(?! not)")
_MONTH = "|".join(MONTHS)


def other_year(text: str, rng: random.Random) -> str | None:
    """Change one year."""
    found = list(_YEAR.finditer(text))
    if not found:
        return None
    match = rng.choice(found)
    step = rng.choice((1, 1, 2, 3, 4, 5, 7, 10, 12, 20, 30, 40)) * rng.choice((-1, 1))
    return text[: match.start()] + str(int(match[1]) + step) + text[match.end() :]


def other_month(text: str, rng: random.Random) -> str | None:
    """Change a month, or the day of it."""
    found = re.search(rf"\b({_MONTH})\b(?: (\d{{1,2}})\b)?", text)
    if not found or (found[1] in ("May", "March") and not found[2]):
        return None
    if found[2] and rng.random() < 0.5:
        day = rng.choice([d for d in range(1, 29) if str(d) != found[2]])
        return text[: found.start(2)] + str(day) + text[found.end(2) :]
    month = rng.choice([m for m in MONTHS if m != found[1]])
    return text[: found.start(1)] + month + text[found.end(1) :]


def other_number(text: str, rng: random.Random) -> str | None:
    """Change a figure, a number word or an ordinal."""
    found = [m for m in _NUMBER.finditer(text) if not _YEAR.fullmatch(m[1])]
    if found:
        match = rng.choice(found)
        value = float(match[1].replace(",", ""))
        if value == int(value):
            near = [1, 2, 3] if value < 30 else [int(value * f) + 1 for f in (0.1, 0.3, 0.5, 1, 2)]
            changed = int(value) + rng.choice(near) * (1 if value < 5 else rng.choice((-1, 1)))
            new = f"{abs(changed):,}" if "," in match[1] else str(abs(changed))
        else:
            new = f"{value * rng.choice((0.5, 0.8, 1.3, 2)):.1f}"
        if new != match[1]:
            return text[: match.start()] + new + text[match.end() :]
    for words, shortest in ((NUMBERS, 2), (ORDINALS, 1)):
        for word in rng.sample(words[shortest:], len(words) - shortest):
            if re.search(rf"\b{word}\b", text):
                other = rng.choice([w for w in words[shortest:] if w != word])
                return re.sub(rf"\b{word}\b", other, text, count=1)
    return None


def negated(text: str, rng: random.Random) -> str | None:
    """Insert a negation, or take one out."""
    if found := re.search(r" (?:not|never)\b", text):
        return text[: found.start()] + text[found.end() :]
    matches = list(_AUXILIARY.finditer(text))
    if not matches:
        return None
    match = matches[0]
    word = rng.choice((" not", " not", " never"))
    return text[: match.end()] + word + text[match.end() :]


def opposite(text: str, rng: random.Random) -> str | None:
    """Replace one word by its opposite."""
    places = [m for m in re.finditer(r"\b[a-z]+\b", text) if m.group() in OPPOSITES]
    if not places:
        return None
    match = rng.choice(places)
    return text[: match.start()] + rng.choice(OPPOSITES[match.group()]) + text[match.end() :]


def other_kind(text: str, rng: random.Random) -> str | None:
    """Change a nationality or an occupation."""
    for words in rng.sample((NATIONALITIES, OCCUPATIONS), 2):
        places = [m for m in re.finditer(r"\b[A-Za-z]+\b", text) if m.group() in words]
        if places:
            match = rng.choice(places)
            other = rng.choice([w for w in words if w != match.group()])
            changed = text[: match.start()] + other + text[match.end() :]
            article = r"\1n " if other[0] in "AEIOUaeiou" else r"\1 "
            return re.sub(rf"\b([Aa])n? (?={other})", article, changed)
    return None


def names(text: str) -> list[str]:
    """Return the capitalised names inside a sentence, months and nationalities apart."""
    found = [m.group() for m in _NAME.finditer(text)]
    return [
        n
        for n in found
        if n not in MONTHS
        and n not in NATIONALITIES
        and len(n) > 3
        and n not in ("The", "This", "However", "American", "English")
    ]


def other_name(text: str, rng: random.Random, others: list[str]) -> str | None:
    """Replace a name by another with as many words."""
    inside = names(text)
    rng.shuffle(inside)
    for name in inside:
        fitting = [
            o
            for o in others
            if len(o.split()) == len(name.split()) and o not in text and name not in o
        ]
        if fitting:
            return text.replace(name, rng.choice(fitting), 1)
    return None


FALSE_EDITS = (
    other_year,
    other_year,
    other_month,
    other_number,
    other_number,
    negated,
    opposite,
    other_kind,
)
