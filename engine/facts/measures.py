"""What a number means beyond its figure: its unit, the range it opens, the limit it sets.

``engine/facts/weighing.py`` compares what is found here.
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from veracite.engine.facts.names import designations
from veracite.engine.facts.quantities import CURRENCIES, Quantity, extract
from veracite.engine.facts.spoken import clock_times, fractions

_RANGE = re.compile(r"\s?(?:-|–|—|to|and|until|till|through)\s?")
_RANGE_STARTS = re.compile(r"\b(?:from|between)\s+(?:\w+\s+){0,2}$", re.IGNORECASE)
_SHORT_SCALES = {"k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9}
_BEFORE = re.compile(r"\b(EUR|USD|GBP)\s?$")
_BEHIND = re.compile(r"(?P<scale>(?:k|m|mn|bn)\b)?(?:\s?(?P<currency>€|£|\$|¥|(?:EUR|USD|GBP)\b))?")
_PENCE = re.compile(r"\s?pence\b|p\b")
_MOST = re.compile(
    r"\b(?:up to|at most|no more than|not more than|a maximum of|under|less than|fewer than|below"
    r"|as many as|as much as)\s+(?:about\s+)?$",
    re.IGNORECASE,
)
_LEAST = re.compile(
    r"\b(?:at least|not? (?:fewer|less) than|a minimum of|more than|over|above)\s+$",
    re.IGNORECASE,
)


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
    times = clock_times(text)
    found = [q for q in found if not any(map(q.overlaps, times))] + times
    found += [f for f in fractions(text) if not any(map(f.overlaps, found))]
    found.sort(key=lambda q: q.start)
    following = [*found[1:], None][: len(found)]
    made = [
        Measure(q, _until(text, q, after), _limit(text, q))
        for q, after in zip(found, following, strict=True)
    ]
    return tuple(made)


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
    return replace(
        quantity,
        text=text[quantity.start : end],
        end=end,
        kind="money",
        value=quantity.value * scale,
        unit=unit,
    )


def _until(text: str, quantity: Quantity, following: Quantity | None) -> Quantity | None:
    if following is None or quantity.kind == "ordinal" or following.kind == "ordinal":
        return None
    between = text[quantity.end : following.start]
    if (season := _season(quantity, between, following)) is not None:
        return season
    if not _RANGE.fullmatch(between):
        return None
    if between.strip() in ("-", "–", "—") or _RANGE_STARTS.search(text[: quantity.start]):
        return following
    return following if between.strip() in ("until", "till", "through") else None


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
