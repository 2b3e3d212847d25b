"""Numbers, dates and quantities: what a small network reads badly and a few rules read well.

``extract`` finds them in a text, ``compare`` says for each one of a claim whether a piece of
evidence states it, states another of its kind, or says nothing of the sort.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

__all__ = ["Comparison", "Quantity", "compare", "extract"]

Kind = Literal["number", "percent", "money", "ordinal", "date"]
Outcome = Literal["match", "conflict", "missing"]
Hedge = Literal["exactly", "about", "above", "below"]

_MONTHS = {
    name: number
    for number, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
         "august aug", "september sept sep", "october oct", "november nov", "december dec"), 1)
    for name in names.split()
}  # fmt: skip
_ONES = {
    word: value
    for value, word in enumerate(
        """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
    fifteen sixteen seventeen eighteen nineteen""".split()
    )
}
_TENS = {
    word: 10 * (value + 2)
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split())
}
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_ORDINALS = {
    word: value
    for value, word in enumerate(
        """first second third fourth fifth sixth seventh eighth ninth tenth eleventh
        twelfth""".split(),
        1,
    )
}
_CURRENCIES = {"$": "usd", "€": "eur", "£": "gbp", "¥": "jpy"}
_CURRENCY_WORDS = {"dollar": "usd", "euro": "eur", "pound": "gbp", "yen": "jpy"}

_MONTH = r"(?P<{0}>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\b\.?"
_YEAR = r"(?P<{0}>1\d{{3}}|20\d{{2}})"
_DATES = (
    rf"\b{_YEAR.format('y1')}-(?P<n1>0[1-9]|1[0-2])-(?P<d1>[0-3]\d)\b",
    rf"\b{_MONTH.format('m2')}\s+(?P<d2>[0-3]?\d)(?:st|nd|rd|th)?,?\s+{_YEAR.format('y2')}\b",
    rf"\b(?P<d3>[0-3]?\d)(?:st|nd|rd|th)?\.?\s+(?:of\s+)?{_MONTH.format('m3')},?\s+"
    rf"{_YEAR.format('y3')}\b",
    rf"\b{_MONTH.format('m4')}\s+(?:of\s+)?{_YEAR.format('y4')}\b",
    rf"\b{_MONTH.format('m5')}\s+(?P<d5>[0-3]?\d)(?:st|nd|rd|th)?\b(?!,\d)",
    rf"\b(?P<d6>[0-3]?\d)(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH.format('m6')}(?=\W|$)",
)
_WORDS = "|".join(sorted({*_ONES, *_TENS}, key=len, reverse=True))
_TOKEN = re.compile(
    "|".join(f"(?:{date})" for date in _DATES) + r"|(?:(?P<currency>[$€£¥])\s?)?(?<![\w.])"
    r"(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?:(?P<th>st|nd|rd|th)\b)?(?P<decade>s\b)?(?:\s?(?P<scale>hundred|thousand|million|billion|"
    r"trillion)\b)?(?P<percent>\s?(?:%|percent\b|per\s?cent\b))?"
    rf"|\b(?P<words>(?:{_WORDS})"
    rf"(?:[\s-]+(?:and\s+)?(?:{_WORDS}|hundred|thousand|million|billion))*)\b"
    r"(?P<wpercent>\s(?:percent\b|per\s?cent\b))?"
    r"|\b(?P<ordinal>" + "|".join(_ORDINALS) + r")\b",
    re.IGNORECASE,
)
_NO_UNIT = frozenset(
    """of and or in to on at for by with from the a an is was were are as""".split()
)
_UNIT = re.compile(r"[\s-]?([^\W\d_]+)")
_HEDGES: dict[str, Hedge] = {
    "about": "about", "around": "about", "approximately": "about", "roughly": "about",
    "some": "about", "circa": "about", "close to": "about", "a good": "above",
    "over": "above", "more than": "above", "at least": "above", "above": "above",
    "nearly": "below", "almost": "below", "under": "below", "up to": "below",
    "less than": "below", "fewer than": "below", "at most": "below", "below": "below",
}  # fmt: skip
_HEDGE = re.compile(rf"\b({'|'.join(_HEDGES)})\s*$", re.IGNORECASE)
_ROOM: dict[Hedge, tuple[float, float]] = {
    "exactly": (1.0, 1.0),
    "about": (0.93, 1.07),
    "above": (1.0, 1.2),
    "below": (0.8, 1.0),
}
"""Between which shares of a hedged figure the exact one may lie."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number or a date in a text."""

    text: str
    start: int
    end: int
    kind: Kind
    value: float = 0.0
    """Of a number; unused for a date."""
    date: tuple[int | None, int | None, int | None] = (None, None, None)
    """Year, month, day; what is not said is None."""
    decade: bool = False
    """Whether the date is the ten years from its year on ("the 1980s")."""
    unit: str | None = None
    """The word after a number, singular, or the currency."""
    hedge: Hedge = "exactly"
    """What stands before a number: "about 300", "more than 300"."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One quantity of a claim beside a piece of evidence."""

    claimed: Quantity
    outcome: Outcome
    stated: Quantity | None = None
    """What the evidence says instead (conflict) or likewise (match)."""


def extract(text: str) -> tuple[Quantity, ...]:
    """All numbers and dates of a text, in order."""
    return tuple(q for m in _TOKEN.finditer(text) if (q := _quantity(text, m)) is not None)


def _quantity(text: str, match: re.Match[str]) -> Quantity | None:
    found = {key: value for key, value in match.groupdict().items() if value}
    start, end = match.start(), match.end()
    start += len(match.group()) - len(match.group().lstrip())
    said = text[start:end]
    dated = [key for key in found if key[-1].isdigit()]
    if dated:
        parts = {key[0]: found[key] for key in dated}
        month = int(parts["n"]) if "n" in parts else _MONTHS[parts["m"].lower()]
        year = int(parts["y"]) if "y" in parts else None
        day = int(parts["d"]) if "d" in parts else None
        return Quantity(said, start, end, "date", date=(year, month, day))
    if "ordinal" in found:
        return Quantity(said, start, end, "ordinal", float(_ORDINALS[found["ordinal"].lower()]))
    if "words" in found:
        return _in_words(text, said, start, end, found)
    return _in_digits(text, said, start, end, found)


def _in_words(text: str, said: str, start: int, end: int, found: dict[str, str]) -> Quantity | None:
    if found["words"].lower() in ("one", "zero"):
        return None  # "one of the", "no one": rarely a count
    total = current = 0.0
    for word in re.findall(r"[a-z]+", found["words"].lower()):
        if word == "hundred":
            current = (current or 1) * 100
        elif word in _SCALES:
            total, current = total + (current or 1) * _SCALES[word], 0.0
        elif word != "and":
            current += _ONES[word] if word in _ONES else _TENS[word]
    kind: Kind = "percent" if "wpercent" in found else "number"
    return Quantity(
        said,
        start,
        end,
        kind,
        total + current,
        unit=_unit(text, end),
        hedge=_hedge(text, start),
    )


def _in_digits(text: str, said: str, start: int, end: int, found: dict[str, str]) -> Quantity:
    digits = found["digits"]
    value = float(digits.replace(",", "")) * _SCALES.get(found.get("scale", "").lower(), 1.0)
    if "percent" in found:
        return Quantity(said, start, end, "percent", value, hedge=_hedge(text, start))
    if "th" in found:
        return Quantity(said, start, end, "ordinal", value)
    unit = _unit(text, end)
    if "currency" in found or unit in _CURRENCY_WORDS:
        currency = _CURRENCIES.get(found.get("currency", "")) or _CURRENCY_WORDS[unit or ""]
        return Quantity(said, start, end, "money", value, unit=currency, hedge=_hedge(text, start))
    plain_year = len(digits) == 4 and digits.isdigit() and "scale" not in found
    if plain_year and 1000 <= value < 2100 and (unit not in _MEASURES):
        return Quantity(
            said, start, end, "date", date=(int(value), None, None), decade="decade" in found
        )
    return Quantity(said, start, end, "number", value, unit=unit, hedge=_hedge(text, start))


_MEASURES = frozenset(
    """meter metre kilometer kilometre mile foot feet kg kilogram ton tonne litre liter hour
    day person people member student employee square cubic km m ft unit copy page household
    customer""".split()
)


def _unit(text: str, end: int) -> str | None:
    match = _UNIT.match(text, end)
    if match is None:
        return None
    word = match.group(1).lower()
    if word in _NO_UNIT:
        return None
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def _hedge(text: str, start: int) -> Hedge:
    match = _HEDGE.search(text, max(0, start - 20), start)
    return _HEDGES[match.group(1).lower()] if match else "exactly"


def _same(claimed: Quantity, stated: Quantity) -> bool:
    if "date" in (claimed.kind, stated.kind):
        if claimed.kind != stated.kind:
            return False
        if claimed.decade and stated.date[0] is not None and claimed.date[0] is not None:
            return stated.date[0] // 10 == claimed.date[0] // 10
        return all(c is None or c == s for c, s in zip(claimed.date, stated.date, strict=True))
    if (claimed.kind == "percent") != (stated.kind == "percent"):
        return False
    if claimed.value == stated.value:
        return True
    return (
        _rounds(stated.value, claimed)
        or _within(stated.value, claimed)
        or _within(claimed.value, stated)
    )


def _within(exact: float, hedged: Quantity) -> bool:
    least, most = _ROOM[hedged.hedge]
    return least * hedged.value <= exact <= most * hedged.value


def _rounds(exact: float, claimed: Quantity) -> bool:
    """Whether a claim's rounded figure (3.5 million) is the exact one (3,512,000) rounded."""
    digits = re.sub(r"[^\d]", "", claimed.text).rstrip("0")
    if len(digits) < 2 or claimed.value == 0 or claimed.kind == "ordinal":
        return False
    return float(f"{exact:.{len(digits) - 1}e}") == claimed.value


def _comparable(claimed: Quantity, stated: Quantity) -> bool:
    """Whether the two could be answers to the same question."""
    if claimed.kind != stated.kind:
        return False
    if claimed.kind == "date":
        return any(
            c is not None and s is not None for c, s in zip(claimed.date, stated.date, strict=True)
        )
    return claimed.kind != "number" or claimed.unit == stated.unit


def compare(claimed: Sequence[Quantity], stated: Sequence[Quantity]) -> tuple[Comparison, ...]:
    """For each quantity of a claim: does the evidence state it, another of its kind, or none?

    A quantity of the evidence that matches one of the claim's is no conflict for another.
    """
    matched = {s for c in claimed for s in stated if _same(c, s)}
    return tuple(_compare_one(quantity, stated, matched) for quantity in claimed)


def _compare_one(
    claimed: Quantity, stated: Sequence[Quantity], matched: set[Quantity]
) -> Comparison:
    for other in stated:
        if _same(claimed, other):
            return Comparison(claimed, "match", other)
    for other in stated:
        if other not in matched and _comparable(claimed, other):
            return Comparison(claimed, "conflict", other)
    return Comparison(claimed, "missing")
