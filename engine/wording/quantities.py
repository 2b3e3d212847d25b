"""Numbers, dates, times and measures in a text, in every form that people write them.

``extract`` reads digits, dates and number words; ``measures`` also fractions, times in words and
prices, and what a number means beyond its figure: the range that it opens, the limit that it sets.
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, cast

from veracite.engine.wording.lists import any_of, by_word, data_of, listed
from veracite.engine.wording.names import designations

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
    r"\b(?P<H1>[01]?\d|2[0-3]):(?P<M1>[0-5]\d)(?::[0-5]\d)?(?:\s?(?P<P1>[ap])\.?m\b)?",
    r"\b(?P<H2>1[0-2]|[1-9])\.(?P<M2>[0-5]\d)\s?(?P<P2>[ap])\.?m\b",
    r"\b(?P<H3>1[0-2]|[1-9])\s?(?P<P3>[ap])\.?m\b",
    r"\b(?P<H4>[01]\d|2[0-3])(?P<M4>[0-5]\d)(?=\s?(?:h|hrs|hours|local|UTC|GMT|Z|[A-Z][SD]T)\b)",
)
_WORDS = "|".join(sorted({*ONES, *_TENS}, key=len, reverse=True))
_FULL_MONTH = re.compile(
    rf"\b{any_of(months.split()[0] for months in data_of('months'))}\.$", re.IGNORECASE
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

_FIGURE = re.compile(r"(?<![\d,.])[1-9](?:\d{0,2}(?:,\d{3})++|\d{3,11}+)(?![.,]?\d)")
_HOURS = {word: hour for word, hour in ONES.items() if 1 <= hour <= 12}
_HOUR = rf"(?:{'|'.join(_HOURS)}|1[0-2]|[1-9])"
_MINUTES = {"half": 30, "quarter": 15, "a quarter": 15, "five": 5, "ten": 10, "twenty": 20}
_TIME = re.compile(
    rf"\b(?:(?P<minutes>{'|'.join(_MINUTES)}) (?P<side>past|to) (?P<hour>{_HOUR})"
    rf"|(?P<sharp>{_HOUR})(?: o['’]clock|(?= in the (?:morning|afternoon|evening)))"
    r"|(?P<fixed>noon|midday|midnight))\b"
    r"(?:\s?(?P<half>[ap])\.?m\b\.?| in the (?P<part>morning|afternoon|evening)\b)?",
    re.IGNORECASE,
)
_FIXED = {"noon": 720.0, "midday": 720.0, "midnight": 0.0}
_FRACTION = re.compile(
    r"\b(?:(?:a |one )?(?P<share>(?:half|third|quarter|fifth)|two thirds|three quarters)"
    r"(?=(?: of)? (?:the|its|their|his|her|all|our)\b)"
    r"|(?P<piece>half a|a quarter of a) (?P<scale>thousand|million|billion|trillion)\b"
    r"|(?P<part>half|a quarter of) (?=an? (?P<unit>\w+))"
    r"|(?P<count>(?:a|half a|two|three) dozen)(?= \w))",
    re.IGNORECASE,
)
_SHARES: dict[str, float] = data_of("shares")
_RANGE = re.compile(r"\s?(?:-|–|—|to|and|until|till|through)\s?")
_THROUGH = ("-", "–", "—", "until", "till", "through")
_RANGE_STARTS = re.compile(r"\b(?:from|between)\s+(?:\w+\s+){0,2}$", re.IGNORECASE)
_SHORT_SCALES = {"k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9}
_BEFORE = re.compile(r"\b(EUR|USD|GBP)\s?$")
_BEHIND = re.compile(r"(?P<scale>(?:k|m|mn|bn)\b)?(?:\s?(?P<currency>€|£|\$|¥|(?:EUR|USD|GBP)\b))?")
_PENCE = re.compile(r"\s?pence\b|p\b")
_MOST, _LEAST = (
    re.compile(rf"\b{any_of(words)}\s+$", re.IGNORECASE) for words in data_of("limits").values()
)


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

    @property
    def figure(self) -> tuple[float, tuple[int | None, int | None, int | None]]:
        """Its value or its date, whatever it measures."""
        return self.value, self.date

    def may_be(self, other: "Quantity") -> bool:
        """Whether the two could be of one thing: of a kind, and of a unit where both have one."""
        return self.kind == other.kind and len({self.unit, other.unit} - {None}) < 2


def grouped_as(text: str, other: str) -> str:
    """The other text with figures grouped as the first one has them: "14000" for "14,000". What
    may be a year stays."""
    for figure in _FIGURE.findall(text):
        bare = figure.replace(",", "")
        form = bare if "," in figure else f"{int(bare):,}"
        if not 1000 <= int(bare) < 2100:
            other = re.sub(rf"(?<![\d,.]){form}(?![.,]?\d)", figure, other)
    return other


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
    parts = {key[0]: value for key, value in found.items() if key[-1].isdigit()}
    if "H" in parts:
        hour, minute = int(parts["H"]), int(parts.get("M", 0))
        return Quantity(*place, "time", _of_day(hour, minute, parts.get("P", "")))
    if parts:
        return _date(place, parts)
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


def _of_day(hour: int, minutes: int, half: str) -> float:
    """Minutes after midnight; ``half`` is "a", "p", a part of the day, or empty."""
    if half:
        hour = hour % 12 + 12 * (half.lower() in ("p", "afternoon", "evening"))
    return float(hour * 60 + minutes)


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
    if match is None or match[1].lower() in _NO_UNIT:
        return None
    word = match[1].lower()
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def hedge_of(text: str, start: int) -> Hedge:
    """What stands before a number."""
    match = _HEDGE.search(text, max(0, start - 20), start)
    return cast(Hedge, _HEDGES[match.group(1).lower()]) if match else "exactly"


@dataclass(frozen=True, slots=True)
class Measure:
    """A quantity with what stands around it."""

    quantity: Quantity
    until: Quantity | None = None
    """The end of the range that it opens ("from 1990 to 1995")."""
    limit: Literal["least", "most"] | None = None
    """Whether it only says how much at least ("more than 40") or at most ("up to 40")."""


@lru_cache(1024)
def measures(text: str) -> tuple[Measure, ...]:
    """The quantities of a text; the numbers of names ("Apollo 11") are none."""
    taken = [(d.start, d.end) for d in designations(text)]
    found = [
        _priced(text, q)
        for q in extract(text)
        if not any(start <= q.start < end for start, end in taken)
    ]
    times = [_time(match) for match in _TIME.finditer(text)]
    found = [q for q in found if not any(map(q.overlaps, times))] + times
    shares = map(_fraction, _FRACTION.finditer(text))
    found += [f for f in shares if not any(map(f.overlaps, found))]
    found.sort(key=lambda q: q.start)
    pairs = zip(found, (*found[1:], None), strict=False)
    return tuple([Measure(q, _until(text, q, after), _limit(text, q)) for q, after in pairs])


def _priced(text: str, quantity: Quantity) -> Quantity:
    """ "4,870 €", "EUR 5 million", "£5m" and "80 pence": money, however it is written."""
    if quantity.kind not in ("number", "money"):
        return quantity
    if quantity.kind == "number" and _PENCE.match(text, quantity.end):
        return replace(quantity, kind="money", value=quantity.value / 100, unit="gbp")
    behind = _BEHIND.match(text, quantity.end)
    before = _BEFORE.search(text[max(0, quantity.start - 5) : quantity.start])
    code = (before and before[1]) or (behind and behind["currency"])
    if quantity.kind == "number" and not code:
        return quantity
    scale = _SHORT_SCALES.get(((behind and behind["scale"]) or "").lower(), 1.0)
    unit = CURRENCIES.get(code, code.lower()) if code else quantity.unit
    end = behind.end() if behind else quantity.end
    priced = replace(quantity, kind="money", value=quantity.value * scale, unit=unit)
    return replace(priced, text=text[quantity.start : end], end=end)


def _until(text: str, quantity: Quantity, following: Quantity | None) -> Quantity | None:
    if following is None or quantity.kind == "ordinal" or following.kind == "ordinal":
        return None
    between = text[quantity.end : following.start]
    if (season := _season(quantity, between, following)) is not None:
        return season
    told = between.strip() in _THROUGH or _RANGE_STARTS.search(text[: quantity.start])
    return following if told and _RANGE.fullmatch(between) else None


def _season(year: Quantity, between: str, following: Quantity) -> Quantity | None:
    """The second year of "1993-94" and "1993/94"."""
    first = year.date[0]
    if first is None or year.date[1] or between not in ("-", "–", "/"):
        return None
    if following.kind != "number" or len(following.text) != 2 or following.value <= first % 100:
        return None
    last = first - first % 100 + int(following.value)
    return replace(following, kind="date", value=0.0, date=(last, None, None))


def _limit(text: str, quantity: Quantity) -> Literal["least", "most"] | None:
    if quantity.kind not in ("number", "percent", "money"):
        return None
    before = text[max(0, quantity.start - 30) : quantity.start]
    return "most" if _MOST.search(before) else "least" if _LEAST.search(before) else None


def _time(match: re.Match[str]) -> Quantity:
    place = (match.group(), match.start(), match.end())
    if fixed := match["fixed"]:
        return Quantity(*place, "time", _FIXED[fixed.lower()])
    spoken = (match["hour"] or match["sharp"]).lower()
    hour = (_HOURS[spoken] if spoken in _HOURS else int(spoken)) % 12
    minutes = _MINUTES[match["minutes"].lower()] if match["minutes"] else 0
    minutes = -minutes if (match["side"] or "").lower() == "to" else minutes
    half = match["half"] or match["part"] or ""
    return Quantity(*place, "time", _of_day(hour, minutes, half) % 1440, either=not half)


def _fraction(match: re.Match[str]) -> Quantity:
    said, text = match.group().rstrip(), match.string
    place = (said, match.start(), match.start() + len(said))
    if count := match["count"]:
        return Quantity(*place, "number", _SHARES[count.lower()], hedge="about")
    hedge = hedge_of(text, match.start())
    if share := match["share"]:
        return Quantity(*place, "percent", _SHARES[share.lower()], hedge=hedge)
    value = 0.5 if said.lower().startswith("half") else 0.25
    if match["part"]:
        return Quantity(*place, "number", value, unit=match["unit"].lower())
    value *= SCALES[match["scale"].lower()]
    return Quantity(*place, "number", value, unit=unit_behind(text, place[2]), hedge=hedge)
