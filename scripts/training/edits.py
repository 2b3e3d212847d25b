"""Edits of one sentence that keep it true.

Every edit returns a changed sentence, or None where it does not apply.
"""

from __future__ import annotations

import random
import re

from scripts.training.lexicon import MONTHS, NATIONALITIES, NUMBERS, SAME

_MONTH = "|".join(MONTHS)
_DAY_FIRST = re.compile(rf"\b(\d{{1,2}}) ({_MONTH}) (\d{{4}})\b")
_MONTH_FIRST = re.compile(rf"\b({_MONTH}) (\d{{1,2}}), (\d{{4}})\b")


def capital(text: str) -> str:
    """Begin with a capital and end with a full stop."""
    text = re.sub(r"\s+", " ", text).strip(" ,;:")
    if not text:
        return text
    text = text[0].upper() + text[1:]
    return text if text[-1] in '.!?"' else text + "."


def _enough(text: str, words: int = 5) -> str | None:
    return capital(text) if len(text.split()) >= words and re.search(r"\w", text) else None


def without_brackets(text: str, rng: random.Random) -> str | None:
    """Drop parentheses."""
    cut = re.sub(r"\s*\([^()]*\)", "", text)
    return _enough(cut) if cut != text else None


def without_opening(text: str, rng: random.Random) -> str | None:
    """Drop an opening adverbial: 'In 1990, he ...'."""
    found = re.match(
        r"(?:In|On|At|After|During|By|Since|Following|However|Also|As|With|For) ?"
        r"[^,]{0,60}, (?=(?:the|a|he|she|it|they|[A-Z]))",
        text,
    )
    if not found:
        found = re.match(r"(?:However|Also|Additionally|Moreover|Thus|Therefore), ", text)
    return _enough(text[found.end() :]) if found else None


def without_ending(text: str, rng: random.Random) -> str | None:
    """Drop a closing clause after a comma."""
    found = list(
        re.finditer(
            r",? (?:which|where|who|although|though|while|whereas|after|before|because|including|"
            r"such as|as well as|with|when|making|leading|until) ",
            text,
        )
    )
    found = [m for m in found if len(text[: m.start()].split()) >= 6 and "," in m.group()]
    return _enough(text[: rng.choice(found).start()]) if found else None


def one_clause(text: str, rng: random.Random) -> str | None:
    """Keep one of two coordinated clauses."""
    parts = re.split(
        r"(?:,|;) (?:and|but|while) (?=(?:he|she|it|they|the|his|her|its|was|is)\b)|; ",
        text,
        maxsplit=1,
    )
    if len(parts) != 2:
        return None
    second_stands = re.match(r"(?:he|she|it|they|the|his|her|its) ", parts[1])
    return _enough(parts[1] if second_stands and rng.random() < 0.5 else parts[0])


def other_date(text: str, rng: random.Random) -> str | None:
    """Write '31 March 1942' as 'March 31, 1942' and the other way round."""
    swapped = _DAY_FIRST.sub(r"\2 \1, \3", text)
    return (
        swapped
        if swapped != text
        else (swapped if (swapped := _MONTH_FIRST.sub(r"\2 \1 \3", text)) != text else None)
    )


def vaguer(text: str, rng: random.Random) -> str | None:
    """Say less about a time or a number: the month, the year, the decade, 'more than'."""

    def month(match: re.Match[str]) -> str:
        year = match[3]
        name = match[2] if match[1].isdigit() else match[1]
        return f"{name} {year}" if rng.random() < 0.5 else year

    for pattern in (_DAY_FIRST, _MONTH_FIRST):
        if found := re.search(r"\bon " + pattern.pattern, text):
            inner = pattern.search(found.group())
            if inner:
                return text.replace(found.group(), "in " + month(inner), 1)
    decade = re.search(r"\b[Ii]n (1[5-9]\d|20[01])(\d)\b(?!s|[-\u2013])", text)
    if decade and rng.random() < 0.6:
        return text.replace(decade.group(), f"in the {decade[1]}0s", 1)
    if (found := re.search(r"(?<![\w.,$-])(\d{1,3}),(\d{3})(?![\w,.])", text)) and int(found[2]):
        return text.replace(found.group(), f"more than {found[1]},000", 1)
    return None


def number_word(text: str, rng: random.Random) -> str | None:
    """Write a small number as a word, or as a figure."""
    for i in rng.sample(range(2, 21), 19):
        if re.search(rf"(?<![\w,.-]){i} (?=[a-z]{{3}})", text):
            return re.sub(rf"(?<![\w,.-]){i} (?=[a-z]{{3}})", f"{NUMBERS[i]} ", text, count=1)
        if re.search(rf"\b{NUMBERS[i]} (?=[a-z]{{3}})", text):
            return re.sub(rf"\b{NUMBERS[i]} (?=[a-z]{{3}})", f"{i} ", text, count=1)
    return None


def synonym(text: str, rng: random.Random) -> str | None:
    """Replace up to three phrases by ones that mean the same."""
    changes = 0
    for old, new in rng.sample(SAME, len(SAME)):
        pattern = rf"\b{re.escape(old)}(?!\w)"
        if re.search(pattern, text):
            text = re.sub(pattern, new, text, count=1)
            changes += 1
            if changes == 3:
                break
    return capital(text) if changes else None


def without_adjective(text: str, rng: random.Random) -> str | None:
    """Drop one describing word from 'an American former ...'."""
    pattern = (
        r"\b(a|an|the) (?:former|professional|retired|prominent|famous|popular|noted|"
        rf"well-known|award-winning|{'|'.join(NATIONALITIES)}) (?=[a-z])"
    )
    found = re.search(pattern, text)
    if not found:
        return None
    article, rest = found[1], text[found.end() :]
    if article != "the":
        article = "an" if rest[:1] in "aeiou" else "a"
    return text[: found.start()] + f"{article} {rest}"


TRUE_EDITS = (
    without_brackets,
    without_opening,
    without_ending,
    one_clause,
    other_date,
    vaguer,
    number_word,
    synonym,
    synonym,
    without_adjective,
)
