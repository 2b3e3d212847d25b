"""A claim's numbers, dates and times beside the evidence's.

What a small network reads badly and a few rules read well: ``compare`` says for each quantity of a
claim whether the evidence states it, states another of its kind, or says nothing of the sort.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from veracite.engine.facts.quantities import Hedge, Quantity

Outcome = Literal["match", "conflict", "missing"]

_ROOM: dict[Hedge, tuple[float, float]] = {
    "exactly": (1.0, 1.0),
    "about": (0.93, 1.07),
    "above": (1.0, 1.2),
    "below": (0.8, 1.0),
}
"""Between which shares of a hedged figure the exact one may lie."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One quantity of a claim beside a piece of evidence."""

    claimed: Quantity
    outcome: Outcome
    stated: Quantity | None = None
    """What the evidence says instead (conflict) or likewise (match)."""


def _same(claimed: Quantity, stated: Quantity) -> bool:
    if "date" in (claimed.kind, stated.kind):
        if claimed.kind != stated.kind:
            return False
        if claimed.decade and stated.date[0] is not None and claimed.date[0] is not None:
            return stated.date[0] // 10 == claimed.date[0] // 10
        return any(
            all(c is None or c == s for c, s in zip(one, other, strict=True))
            for one in _readings(claimed)
            for other in _readings(stated)
        )
    if "time" in (claimed.kind, stated.kind):
        return claimed.kind == stated.kind and same_time(claimed, stated)
    if (claimed.kind == "percent") != (stated.kind == "percent"):
        return False
    if claimed.value == stated.value:
        return True
    return (
        _rounds(stated.value, claimed)
        or _within(stated.value, claimed)
        or _within(claimed.value, stated)
    )


def same_time(one: Quantity, other: Quantity) -> bool:
    """Whether two times are one; "half past nine" may be in the morning or in the evening."""
    if one.either or other.either:
        return one.value % 720 == other.value % 720
    return one.value == other.value


def _readings(date: Quantity) -> list[tuple[int | None, int | None, int | None]]:
    year, month, day = date.date
    return [date.date, (year, day, month)] if date.either else [date.date]


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
        ) and not (
            stated.date[0] is None
            and claimed.date[0] is not None
            and all(
                None in (c, s) or c == s for c, s in zip(claimed.date, stated.date, strict=True)
            )
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
