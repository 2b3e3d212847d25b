"""Numbers, dates and times in a text, in every form that people write them."""

import re
from dataclasses import dataclass
from typing import Literal, cast

from veracite.engine.wording.lists import by_word, data_of, listed

Kind = Literal["number", "percent", "money", "ordinal", "date", "time"]
Hedge = Literal["exactly", "about", "above", "below"]
_Place = tuple[str, int, int]
"""The text of a quantity, and where it starts and ends."""

_MONTHS = {
    name: number for number, names in enumerate(data_of("months"), 1) for name in names.split()
}
ONES = {word: value for value, word in enumerate(listed("ones"))}
_TENS = {word: 10 * value for value, word in enumerate(listed("tens"), 2)}
SCALES: dict[str, float] = data_of("scales")
_ORDINALS = {word: value for value, word in enumerate(listed("ordinals"), 1)}
CURRENCIES: dict[str, str] = data_of("currency signs")
_CURRENCY_WORDS: dict[str, str] = data_of("currency words")

_MONTH = r"(?P<{0}>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\b\.?"
_NO_VERB = r"(?!(?-i:may|march)\b)"
"""As in "those under 18 may enter"."""
_YEAR = r"(?P<{0}>1\d{{3}}|20\d{{2}})"
_DATES = (
    rf"\b{_YEAR.format('y1')}-(?P<n1>0[1-9]|1[0-2])-(?P<d1>[0-3]\d)\b",
    rf"\b{_MONTH.format('m2')}\s+(?P<d2>[0-3]?\d)(?:st|nd|rd|th)?,?\s+{_YEAR.format('y2')}\b",
    rf"\b(?P<d3>[0-3]?\d)(?:st|nd|rd|th)?\.?\s+(?:of\s+)?{_MONTH.format('m3')},?\s+"
    rf"{_YEAR.format('y3')}\b",
    rf"\b{_MONTH.format('m4')}\s+(?:of\s+)?{_YEAR.format('y4')}\b",
    rf"\b{_NO_VERB}{_MONTH.format('m5')}\s+(?P<d5>[0-3]?\d)(?:st|nd|rd|th)?\b(?!,\d)",
    rf"\b(?P<d6>[0-3]?\d)(?:st|nd|rd|th)?\s+(?:of\s+)?{_NO_VERB}{_MONTH.format('m6')}(?=\W|$)",
    rf"\b(?P<a7>[0-3]?\d)/(?P<b7>[0-3]?\d)/{_YEAR.format('y7')}\b",
    rf"\b(?P<d8>[0-3]?\d)\.(?P<n8>1[0-2]|0?[1-9])\.{_YEAR.format('y8')}\b",
)
_TIMES = (
    r"\b(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?::[0-5]\d)?(?:\s?(?P<half>[ap])\.?m\b)?",
    r"\b(?P<dottedhour>1[0-2]|[1-9])\.(?P<dottedminute>[0-5]\d)\s?(?P<dottedhalf>[ap])\.?m\b",
    r"\b(?P<whole>1[0-2]|[1-9])\s?(?P<part>[ap])\.?m\b",
    r"\b(?P<clock>(?:[01]\d|2[0-3])[0-5]\d)"
    r"(?=\s?(?:h|hrs|hours|local|UTC|GMT|Z|[A-Z][SD]T)\b)",
)
_WORDS = "|".join(sorted({*ONES, *_TENS}, key=len, reverse=True))
_FULL_MONTH = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)"
    r"\.$",
    re.IGNORECASE,
)
"""What no point shortens: it ends a sentence."""
_TOKEN = re.compile(
    "|".join(f"(?:{moment})" for moment in (*_DATES, *_TIMES))
    + r"|(?:(?P<currency>[$€£¥])\s?)?(?<![\w.])(?<!(?-i:[A-Z])-)"
    r"(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?:(?P<th>st|nd|rd|th)\b)?(?P<decade>s\b)?(?:\s?(?P<scale>hundred|thousand|million|billion|"
    r"trillion)\b)?(?P<percent>\s?(?:%|percent\b|per\s?cent\b))?"
    rf"|\b(?P<words>(?:{_WORDS})"
    rf"(?:[\s-]+(?:and\s+)?(?:{_WORDS}|hundred|thousand|million|billion))*)\b"
    r"(?P<wpercent>\s(?:percent\b|per\s?cent\b))?"
    r"|\b(?P<ordinal>" + "|".join(_ORDINALS) + r")\b",
    re.IGNORECASE,
)
_NO_UNIT = frozenset(listed("no units"))
_COUNTED = frozenset(listed("counted"))
_DEGREES = re.compile(r"\s?(?:°|º|℃|℉)")
_UNIT = re.compile(r"[\s-]?([^\W\d_]+)")
_HEDGES = by_word("hedges")
_HEDGE = re.compile(rf"\b({'|'.join(_HEDGES)})\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number or a date in a text."""

    text: str
    start: int
    end: int
    kind: Kind
    value: float = 0.0
    """Of a number; of a time the minutes after midnight; unused for a date."""
    date: tuple[int | None, int | None, int | None] = (None, None, None)
    """Year, month, day; what is not said is None."""
    either: bool = False
    """Whether month and day may be the other way round ("3/5/2019"), or a time before noon or
    after it ("half past nine")."""
    decade: bool = False
    """Whether the date is the ten years from its year on ("the 1980s")."""
    unit: str | None = None
    """The word after a number, singular, or the currency."""
    hedge: Hedge = "exactly"
    """What stands before a number: "about 300", "more than 300"."""

    def overlaps(self, other: "Quantity") -> bool:
        """Whether the two share a part of their text."""
        return self.start < other.end and other.start < self.end


def extract(text: str) -> tuple[Quantity, ...]:
    """All numbers and dates of a text, in order."""
    found = [_quantity(text, match) for match in _TOKEN.finditer(text)]
    return tuple([quantity for quantity in found if quantity is not None])


def _quantity(text: str, match: re.Match[str]) -> Quantity | None:
    found = {key: value for key, value in match.groupdict().items() if value}
    start, end = match.start(), match.end()
    start += len(match.group()) - len(match.group().lstrip())
    if _FULL_MONTH.search(match.group()):
        end -= 1
    place = (text[start:end], start, end)
    dated = [key for key in found if key[-1].isdigit()]
    if dated:
        return _date(place, {key[0]: found[key] for key in dated})
    if found.keys() & {"hour", "dottedhour", "whole", "clock"}:
        return Quantity(*place, "time", _minutes(found))
    if "ordinal" in found:
        return Quantity(*place, "ordinal", float(_ORDINALS[found["ordinal"].lower()]))
    return (_in_words if "words" in found else _in_digits)(text, place, found)


def _date(place: _Place, parts: dict[str, str]) -> Quantity | None:
    year = int(parts["y"]) if "y" in parts else None
    if "a" not in parts:
        month = int(parts["n"]) if "n" in parts else _MONTHS[parts["m"].lower()]
        day = int(parts["d"]) if "d" in parts else None
        return Quantity(*place, "date", date=(year, month, day))
    # With slashes: month first as in America, unless it cannot be.
    first, second = int(parts["a"]), int(parts["b"])
    month, day = (second, first) if first > 12 else (first, second)
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    return Quantity(*place, "date", date=(year, month, day), either=first <= 12 and second <= 12)


def _minutes(found: dict[str, str]) -> float:
    if "clock" in found:
        return float(int(found["clock"][:2]) * 60 + int(found["clock"][2:]))
    found = {key.removeprefix("dotted"): value for key, value in found.items()}
    hour, minute = int(found.get("hour") or found["whole"]), int(found.get("minute", 0))
    half = (found.get("half") or found.get("part") or "").lower()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return float(hour * 60 + minute)


def _in_words(text: str, place: _Place, found: dict[str, str]) -> Quantity | None:
    if found["words"].lower() in ("one", "zero"):
        return None  # "one of the", "no one": rarely a count
    total = current = 0.0
    for word in re.findall(r"[a-z]+", found["words"].lower()):
        if word == "hundred":
            current = (current or 1) * 100
        elif word in SCALES:
            total, current = total + (current or 1) * SCALES[word], 0.0
        elif word != "and":
            current += ONES[word] if word in ONES else _TENS[word]
    kind: Kind = "percent" if "wpercent" in found else "number"
    unit, hedge = unit_behind(text, place[2]), hedge_of(text, place[1])
    return Quantity(*place, kind, total + current, unit=unit, hedge=hedge)


def _in_digits(text: str, place: _Place, found: dict[str, str]) -> Quantity:
    digits = found["digits"]
    value = float(digits.replace(",", "")) * SCALES.get(found.get("scale", "").lower(), 1.0)
    hedge = hedge_of(text, place[1])
    if "percent" in found:
        return Quantity(*place, "percent", value, hedge=hedge)
    if "th" in found:
        return Quantity(*place, "ordinal", value)
    unit = unit_behind(text, place[2])
    if "currency" in found or unit in _CURRENCY_WORDS:
        currency = CURRENCIES.get(found.get("currency", "")) or _CURRENCY_WORDS[unit or ""]
        return Quantity(*place, "money", value, unit=currency, hedge=hedge)
    plain_year = len(digits) == 4 and digits.isdigit() and "scale" not in found
    if plain_year and 1000 <= value < 2100 and unit not in _COUNTED:
        return Quantity(*place, "date", date=(int(value), None, None), decade="decade" in found)
    return Quantity(*place, "number", value, unit=unit, hedge=hedge)


def unit_behind(text: str, end: int) -> str | None:
    """The word behind a number, singular, if it tells what is counted or measured."""
    if _DEGREES.match(text, end):
        return "°"
    match = _UNIT.match(text, end)
    if match is None:
        return None
    word = match.group(1).lower()
    if word in _NO_UNIT:
        return None
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def hedge_of(text: str, start: int) -> Hedge:
    """What stands before a number."""
    match = _HEDGE.search(text, max(0, start - 20), start)
    return cast(Hedge, _HEDGES[match.group(1).lower()]) if match else "exactly"
