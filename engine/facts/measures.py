"""What a number means beyond its figure: its unit, the range it opens, the limit it sets.

``engine/facts/numbers.py`` compares figures for the decision; this compares what they measure, for
telling people what agrees and what does not.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from veracite.engine.facts.clock import clock_times
from veracite.engine.facts.fractions import fractions
from veracite.engine.facts.names import designations
from veracite.engine.facts.numbers import Comparison, compare
from veracite.engine.facts.quantities import Quantity, extract
from veracite.engine.facts.units import counts_and_measures, of_one_dimension, same_measure

_EXCEEDED = 2.0
"""How many times "more than 40" may be exceeded by what it is still said of."""
_RANGE = re.compile(r"\s?(?:-|–|—|to|and|until|till|through)\s?")
_RANGE_STARTS = re.compile(r"\b(?:from|between)\s+(?:\w+\s+){0,2}$", re.IGNORECASE)
_CODES = {"€": "eur", "eur": "eur", "$": "usd", "usd": "usd", "£": "gbp", "gbp": "gbp", "¥": "jpy"}
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


def weigh(claimed: Sequence[Measure], stated: Sequence[Measure]) -> tuple[Comparison, ...]:
    """For each quantity of a claim: is it stated, another of its kind, or neither?

    As ``numbers.compare``, but the same in another unit or within a range agrees, and what a limit
    leaves open ("up to 300" beside 210) is neither.
    """
    if not claimed:
        return ()
    plain = compare([m.quantity for m in claimed], [m.quantity for m in stated])
    matched = {
        s.quantity
        for c, outcome in zip(claimed, plain, strict=True)
        for s in stated
        if (_matches(outcome) and outcome.stated == s.quantity) or _agree(c, s)
    }
    return tuple(_weigh_one(c, p, stated, matched) for c, p in zip(claimed, plain, strict=True))


def leaves_open(stated: Measure, claimed: Quantity) -> bool:
    """Whether a limit has room for a claim's figure: "up to 300" for 210."""
    other = stated.quantity
    if stated.limit is None or other.kind != claimed.kind or other.unit != claimed.unit:
        return False
    if stated.limit == "most":
        return claimed.value <= other.value
    return other.value <= claimed.value <= _EXCEEDED * other.value


def _weigh_one(
    measure: Measure, plain: Comparison, stated: Sequence[Measure], matched: set[Quantity]
) -> Comparison:
    claimed = measure.quantity
    if _matches(plain):
        return plain
    for other in stated:
        if _agree(measure, other):
            return Comparison(claimed, "match", other.quantity)
    if plain.outcome == "match":
        return Comparison(claimed, "conflict", plain.stated)
    if any(leaves_open(other, claimed) for other in stated):
        return Comparison(claimed, "missing")
    instead = [
        other.quantity
        for other in stated
        if other.quantity not in matched
        and (
            of_one_dimension(claimed, other.quantity)
            or compare([claimed], [other.quantity])[0].outcome == "conflict"
        )
    ]
    if instead:
        return Comparison(claimed, "conflict", min(instead, key=lambda q: _distance(claimed, q)))
    return Comparison(claimed, "missing")


def _matches(plain: Comparison) -> bool:
    """Whether figures that are the same are so in their currency and their unit, too."""
    claimed, stated = plain.claimed, plain.stated
    if plain.outcome != "match" or stated is None:
        return False
    if claimed.kind == "money":
        return claimed.unit == stated.unit
    if counts_and_measures(claimed, stated):
        return False
    return not of_one_dimension(claimed, stated) or same_measure(claimed, stated)


def _distance(one: Quantity, other: Quantity) -> float:
    """How far apart two quantities are: what is nearest is most likely what was got wrong."""
    if one.date[0] is not None and other.date[0] is not None:
        return abs(one.date[0] - other.date[0])
    return abs(one.value - other.value)


def _agree(claimed: Measure, stated: Measure) -> bool:
    """Whether one lies in the other's range, or they are the same in two units."""
    one, other = claimed.quantity, stated.quantity
    if _within(one, stated) or _within(other, claimed):
        return True
    return one.unit != other.unit and same_measure(one, other)


def _within(quantity: Quantity, measure: Measure) -> bool:
    start, end = measure.quantity, measure.until
    if end is None or quantity.kind != end.kind:
        return False
    if quantity.kind != "date":
        return start.value <= quantity.value <= end.value
    years = (start.date[0], quantity.date[0], end.date[0])
    if None in years or (quantity.date[1] and quantity.date[0] in (years[0], years[2])):
        return False
    return years[0] <= years[1] <= years[2]  # type: ignore[operator]


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
    unit = _CODES.get((code or "").lower(), quantity.unit)
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
