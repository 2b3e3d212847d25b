"""A claim's quantities beside the evidence's: stated, another of the kind, or nothing of the sort.

What a small network reads badly and a few rules read well: figures in any form, unit and range.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Literal

from veracite.engine.wording.lists import data_of
from veracite.engine.wording.quantities import Hedge, Measure, Quantity, measures

Outcome = Literal["match", "conflict", "missing"]

_ROOM: dict[Hedge, tuple[float, float]] = {
    "exactly": (1.0, 1.0),
    "about": (0.93, 1.07),
    "above": (1.0, 1.2),
    "below": (0.8, 1.0),
}
"""Between which shares of a hedged figure the exact one may lie."""
_EXCEEDED = 2.0
"""How many times "more than 40" may be exceeded by what it is still said of."""
_UNITS: dict[str, tuple[str, float]] = {
    name: (dimension, factor)
    for dimension, units in data_of("units").items()
    for names, factor in units.items()
    for name in names.split()
}
_NEAR, _NEAR_YEARS, _NEAR_MINUTES = 0.2, 5, 60
"""How far apart figures are that a network takes for one another, as a share; years; and times."""
_ROUNDING = 0.02
"""How far apart the same measure may be in two units, as a share."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One quantity of a claim beside a piece of evidence."""

    claimed: Quantity
    outcome: Outcome
    stated: Quantity | None = None
    """What the evidence says instead (conflict) or likewise (match)."""


def weigh(claimed: Sequence[Measure], stated: Sequence[Measure]) -> tuple[Comparison, ...]:
    """For each quantity of a claim: is it stated, another of its kind, or neither?

    The same in another unit or within a range agrees, and what a limit leaves open ("up to 300"
    beside 210) is neither. What matches one quantity of the claim is no conflict for another.
    """
    found = []
    for claim in claimed:
        same = list(islice((s.quantity for s in stated if _same(claim.quantity, s.quantity)), 1))
        agreeing = [one for one in same if _is_as_measured(claim.quantity, one)]
        agreeing += [s.quantity for s in stated if _agree(claim, s)]
        found.append((claim.quantity, same, agreeing))
    matched = frozenset(quantity for *_, agreeing in found for quantity in agreeing)
    return tuple(_compared(*one, stated, matched) for one in found)


def conflicting(said: str, read: str) -> bool:
    """Whether a text has another quantity in the place of one that a claim has."""
    return any(c.outcome == "conflict" for c in weigh(measures(said), measures(read)))


def is_near(compared: Comparison) -> bool:
    """Whether the evidence has a figure in the place of a claim's that is near it: dates by years,
    times by an hour, the same in another unit, all else by a fifth or by one."""
    one, other = compared.claimed, compared.stated
    if compared.outcome != "conflict" or other is None:
        return False
    if one.kind == "date":
        return None not in (one.date[0], other.date[0]) and _distance(one, other) <= _NEAR_YEARS
    if one.kind == "time":
        return _distance(one, other) <= _NEAR_MINUTES
    if one.value == other.value:  # another spelling of the unit is no other unit
        return one.kind == "money" or {one.unit, other.unit} <= _UNITS.keys()
    mine, theirs = _in_one_unit(one, other) or (one.value, other.value)
    return abs(mine - theirs) <= max(1, _NEAR * max(mine, theirs))


def leaves_open(stated: Measure, claimed: Quantity) -> bool:
    """Whether a limit has room for a claim's figure: "up to 300" for 210."""
    other = stated.quantity
    if stated.limit is None or other.kind != claimed.kind or other.unit != claimed.unit:
        return False
    if stated.limit == "most":
        return claimed.value <= other.value
    return other.value <= claimed.value <= _EXCEEDED * other.value


def _compared(
    claimed: Quantity,
    same: Sequence[Quantity],
    agreeing: Sequence[Quantity],
    stated: Sequence[Measure],
    matched: frozenset[Quantity],
) -> Comparison:
    """One comparison.

    Args:
        claimed: The claim's.
        same: The first of the same figure.
        agreeing: Those that are the same in their unit as well, or agree in another way.
        stated: The evidence's.
        matched: Those of them that match any of the claim's.
    """
    if agreeing or same:
        return Comparison(claimed, "match" if agreeing else "conflict", [*agreeing, *same][0])
    others = [s.quantity for s in stated if s.quantity not in matched]
    instead = [q for q in others if _in_one_unit(claimed, q) or _comparable(claimed, q)]
    if not instead or any(leaves_open(other, claimed) for other in stated):
        return Comparison(claimed, "missing")
    return Comparison(claimed, "conflict", min(instead, key=lambda q: _distance(claimed, q)))


def _is_as_measured(claimed: Quantity, stated: Quantity) -> bool:
    """Whether figures that are the same are so in their currency and their unit, too.

    "60 °C" and "sixty members" are not: one measures, the other counts. Nor are 41 metres and 41
    minutes.
    """
    if claimed.kind == "money":
        return claimed.unit == stated.unit
    numbers = claimed.kind == stated.kind == "number"
    units = (claimed.unit, stated.unit)
    if numbers and None not in units and "degree" not in units:
        known = [_UNITS[unit][0] if unit in _UNITS else unit == "°" for unit in units]
        if known[0] != known[1]:
            return False
    return _in_one_unit(claimed, stated) is None or _same_measure(claimed, stated)


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
    return one.unit != other.unit and _same_measure(one, other)


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


def _same(claimed: Quantity, stated: Quantity) -> bool:
    kind, other = claimed.kind, stated.kind
    if kind != other and not {"date", "time", "percent"}.isdisjoint((kind, other)):
        return False
    if kind == "date":
        if claimed.decade and stated.date[0] is not None and claimed.date[0] is not None:
            return stated.date[0] // 10 == claimed.date[0] // 10
        return any(
            all(c is None or c == s for c, s in zip(one, other, strict=True))
            for one, other in product(_readings(claimed), _readings(stated))
        )
    if kind == "time":
        # "half past nine" may be in the morning or in the evening.
        day = 720 if claimed.either or stated.either else 1440
        return claimed.value % day == stated.value % day
    is_rounded = claimed.value == stated.value or _rounds(stated.value, claimed)
    return is_rounded or _is_about(stated.value, claimed) or _is_about(claimed.value, stated)


def _readings(date: Quantity) -> list[tuple[int | None, int | None, int | None]]:
    year, month, day = date.date
    return [date.date, (year, day, month)] if date.either else [date.date]


def _is_about(exact: float, hedged: Quantity) -> bool:
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
        both = [pair for pair in zip(claimed.date, stated.date, strict=True) if None not in pair]
        has_no_year = stated.date[0] is None and claimed.date[0] is not None
        return bool(both) and not (has_no_year and all(c == s for c, s in both))
    return claimed.kind != "number" or claimed.unit == stated.unit


def _same_measure(one: Quantity, other: Quantity) -> bool:
    """Whether two quantities of one dimension are the same, roughly where one is said roughly."""
    values = _in_one_unit(one, other)
    if values is None:
        return False
    room = _ROUNDING if one.hedge == other.hedge == "exactly" else 4 * _ROUNDING
    return abs(values[0] - values[1]) <= room * max(values)


def _in_one_unit(one: Quantity, other: Quantity) -> tuple[float, float] | None:
    """Two numbers in the base unit of what both measure, say, a length; None if they do not."""
    mine, theirs = (_UNITS.get(q.unit or "") if q.kind == "number" else None for q in (one, other))
    if mine is None or theirs is None or mine[0] != theirs[0]:
        return None
    return one.value * mine[1], other.value * theirs[1]
