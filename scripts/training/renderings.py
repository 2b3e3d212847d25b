"""Equal ways of writing figures, dates and times: the claim stays supported."""

from __future__ import annotations

import random
import re

from scripts.training.edits import number_word, other_date
from scripts.training.figures import ordinal
from scripts.training.lexicon import MONTHS, NUMBERS, ORDINALS

_MONTH = "|".join(MONTHS)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SHARES = {
    "50": "half", "25": "a quarter", "75": "three quarters", "33": "about a third",
    "20": "a fifth", "10": "a tenth", "67": "about two thirds", "66": "about two thirds",
}  # fmt: skip


def spelled(value: int) -> str:
    """Return a number below 10,000 in words."""
    if value <= 20:
        return NUMBERS[value]
    if value < 100:
        rest = value % 10
        return _TENS[value // 10 - 2] + (f"-{NUMBERS[rest]}" if rest else "")
    if value < 1000:
        rest = value % 100
        return f"{spelled(value // 100)} hundred" + (f" and {spelled(rest)}" if rest else "")
    if value % 1000 and value % 100 == 0 and value < 10_000:
        return f"{spelled(value // 100)} hundred"
    rest = value % 1000
    joint = " and " if rest < 100 else ", "
    return f"{spelled(value // 1000)} thousand" + (joint + spelled(rest) if rest else "")


def in_words(text: str, rng: random.Random) -> str | None:
    """Write a figure below 1,000, or a round one below 10,000, in words."""
    for match in re.finditer(r"(?<![\w.,$/-])(\d,?\d{3}|\d{1,3})(?= [a-z]{3})", text):
        value = int(match[1].replace(",", ""))
        before = text[: match.start()].rstrip().rsplit(None, 1)
        if value < 2 or (value > 999 and value % 100) or 1000 < value < 2100:
            continue
        if before and (before[-1] in MONTHS or re.fullmatch(r"(?:[Nn]o\.|[A-Z]\w*)", before[-1])):
            continue
        return text[: match.start()] + spelled(value) + text[match.end() :]
    return None


def in_figures(text: str, rng: random.Random) -> str | None:
    """Write a number in words as a figure."""
    for value in rng.sample(range(2, 100), 98):
        words = spelled(value)
        if re.search(
            rf"(?<![\w-]){words} (?!hundred|thousand|million|billion)(?=[a-z]{{3}})", text
        ):
            return re.sub(rf"(?<![\w-]){words} (?=[a-z]{{3}})", f"{value} ", text, count=1)
    return None


def grouped(text: str, rng: random.Random) -> str | None:
    """Write 12,000 as 12000, 12 thousand, or 3.2 million as 3,200,000, or the other way round."""
    if found := re.search(r"(?<![\w.,$])(\d{1,3}),(\d{3})(?![\w,.]?\d)", text):
        plain = f"{found[1]}{found[2]}"
        short = f"{float(found[1] + '.' + found[2]):g} thousand"
        new = short if found[2].endswith("00") and rng.random() < 0.6 else plain
        return text[: found.start()] + new + text[found.end() :]
    if found := re.search(r"(?<![\d.,])(\d{1,3}(?:\.\d{1,3})?) million\b", text):
        return text[: found.start()] + f"{round(float(found[1]) * 1e6):,}" + text[found.end() :]
    if found := re.search(r"(?<![\d,])(\d{1,3}),(\d)00,000\b", text):
        return (
            text[: found.start()]
            + f"{float(found[1] + '.' + found[2]):g} million"
            + text[found.end() :]
        )
    return None


def as_share(text: str, rng: random.Random) -> str | None:
    """Write 50 % as half, % as per cent, and the other way round."""
    found = re.search(r"(?<![\d.])(\d{1,2})(?: ?%| per ?cent)(?= of\b)", text)
    if found and found[1] in _SHARES and rng.random() < 0.8:
        return text[: found.start()] + _SHARES[found[1]] + text[found.end() :]
    if "%" in text:
        return re.sub(r" ?%", rng.choice((" percent", " per cent")), text, count=1)
    if found := re.search(r"(?<=\d) per ?cent\b", text):
        return text[: found.start()] + "%" + text[found.end() :]
    if found := re.search(r"\b(half|a quarter|a third) of the\b", text):
        shares = {"half": "50%", "a quarter": "25%", "a third": "about 33%"}
        return text[: found.start(1)] + shares[found[1]] + text[found.end(1) :]
    return None


def other_times(text: str, rng: random.Random) -> str | None:
    """Write a date or a time otherwise: 3rd of March 1942, the 1990s, the 19th century."""
    if found := re.search(rf"\b(\d{{1,2}}) ({_MONTH}) (\d{{4}})\b", text):
        day, month, year = found[1], found[2], found[3]
        if not 1 <= int(day) <= 31:
            return None
        new = rng.choice(
            (f"{month} {day}, {year}", f"{ordinal(int(day))} {month} {year}",
             f"{month} {ordinal(int(day))}, {year}", f"{day} {month[:3]} {year}")
        )  # fmt: skip
        return text[: found.start()] + new + text[found.end() :]
    if found := re.search(rf"\b({_MONTH}) (\d{{1,2}}), (\d{{4}})\b", text):
        month, day, year = found[1], found[2], found[3]
        if not 1 <= int(day) <= 31:
            return None
        new = rng.choice((f"{day} {month} {year}", f"{ordinal(int(day))} {month} {year}"))
        return text[: found.start()] + new + text[found.end() :]
    if found := re.search(r"\b[Ii]n (1[5-9]|20)(\d)(\d)(?![\d\u2013-]|, the|/)", text):
        lead = "In" if found.group()[0] == "I" else "in"
        century = int(found[1]) + 1
        forms = [
            f"{lead} the {found[1]}{found[2]}0s",
            f"{lead} the year {found[1]}{found[2]}{found[3]}",
        ]
        if int(found[2] + found[3]) > 5:
            forms.append(f"{lead} the {ordinal(century)} century")
        return text[: found.start()] + rng.choice(forms) + text[found.end() :]
    return None


def ordinal_other(text: str, rng: random.Random) -> str | None:
    """Write 3rd as third and third as 3rd."""
    if found := re.search(r"\b(\d)(?:st|nd|rd|th)\b", text):
        value = int(found[1])
        if 1 <= value <= 9:
            return text[: found.start()] + ORDINALS[value - 1] + text[found.end() :]
    for value in rng.sample(range(3, 10), 7):
        if re.search(rf"\b{ORDINALS[value - 1]}(?= [a-z])", text):
            return re.sub(rf"\b{ORDINALS[value - 1]}(?= [a-z])", ordinal(value), text, count=1)
    return None


RENDERINGS = (
    in_words,
    in_figures,
    grouped,
    grouped,
    as_share,
    other_times,
    other_times,
    ordinal_other,
    other_date,
    number_word,
)
"""Edits that keep a sentence exactly as true as it was (or say a little less)."""
