"""Figures in the cells of tables, with the unit that stands in the name of their column."""

import re
from dataclasses import replace

from veracite.engine.facts.measures import Measure, measures, weigh
from veracite.engine.facts.numbers import same_time
from veracite.engine.facts.quantities import Quantity
from veracite.engine.facts.units import is_unit, of_one_dimension
from veracite.engine.wording.overlap import words

__all__ = ["agrees", "figure_of", "without_unit"]

_CURRENCY = r"€|\$|£|¥|EUR|USD|GBP"
_SCALE = r"m|mn|bn|k|million|billion|thousand"
_PRICED = re.compile(
    rf"(?:(?:US|A|C)?(?P<sign>{_CURRENCY})\s?(?P<behind>{_SCALE})?s?"
    rf"|(?P<before>{_SCALE})s?\s(?:of\s)?(?P<other>{_CURRENCY}|dollars|euros|pounds))"
)
_SCALED = re.compile(r"(?:in )?(?:(?P<word>thousand|million|billion)s?|(?P<noughts>['’]?000)s?)")
_PERCENT = re.compile(r"%|per ?cent|percentage")
_SYMBOL = re.compile(r"[a-z°µ²³/]{1,5}|°[CF]|[kMGT]?Wh?|[kMG]?Hz")
"""Of a unit that no rule converts: mph, km², MW."""
_NAMED = re.compile(
    r"^(?P<name>.*?)(?:\s*[(\[](?P<aside>[^()\[\]]+)[)\]]|,\s(?P<last>[^,]+)|\sin\s(?P<told>\S+))$"
)
_NOTES = re.compile(r"\[\w{1,3}\]|[*†‡]+$")
_HEDGED = re.compile(r"(?:(?:c|ca|approx|about|around|circa)\.?|~)?\s*", re.IGNORECASE)
_SIGNS = {"EUR": "€", "euros": "€", "USD": "$", "dollars": "$", "GBP": "£", "pounds": "£"}
_NOUGHTS = (1e3, 1e6, 1e9)


def without_unit(name: str) -> tuple[str, str | None]:
    """The name of a column or row, and the unit that it ends in: "Weight (kg)", "Revenue, €m"."""
    if name.strip() == "%":
        return "", "%"
    if name.endswith(" %"):
        return name[:-2], "%"
    match = _NAMED.match(name)
    if match is None:
        return name, None
    unit = (match["aside"] or match["last"] or match["told"]).strip().removeprefix("in ")
    known = any(p.fullmatch(unit) for p in (_PRICED, _SCALED, _PERCENT)) or is_unit(unit.lower())
    if known or (match["aside"] and _SYMBOL.fullmatch(unit)):
        return match["name"], unit
    return name, None


def figure_of(cell: str, unit: str | None) -> Measure | None:
    """The one figure that is all a cell says, in the unit of its column if it has none itself."""
    cell = _NOTES.sub("", cell).strip()
    found = measures(cell)
    if len(found) != 1 or found[0].limit:
        return None
    own = found[0].quantity
    behind = cell[own.end :].strip()
    before = cell[: own.start]
    if not _HEDGED.fullmatch(before) or (before and own.kind == "date") or len(words(behind)) > 1:
        return None
    if behind or unit is None or own.kind not in ("number", "date"):
        return found[0]
    if own.kind == "date" and (own.date[1] or own.date[0] is None):
        return found[0]
    return next(iter(measures(_in_unit(cell, unit))), None)


def agrees(claimed: Measure, stated: Measure) -> bool | None:
    """Whether a cell's figure is the claim's; None where they cannot be told the same or apart."""
    one, other = claimed.quantity, stated.quantity
    if claimed.until or stated.until:
        return None
    if {one.kind, other.kind} == {"date", "number"}:
        one, other = _as_number(one), _as_number(other)
    if one.kind == other.kind == "date":
        return _same_date(one, other)
    if one.kind != other.kind:
        same = {one.kind, other.kind} <= {"number", "money", "percent", "ordinal"}
        return True if same and one.value == other.value else None
    if one.kind == "time":
        return same_time(one, other)
    if one.kind == "ordinal":
        return one.value == other.value
    if not _comparable(one, other):
        return None
    if claimed.limit is not None:
        if one.value == other.value:
            return None
        return (other.value > one.value) == (claimed.limit == "least")
    if weigh([Measure(one)], [Measure(other)])[0].outcome == "match":
        return True
    rounded = weigh([Measure(other)], [Measure(one)])[0].outcome == "match"
    scaled = other.value and one.value / other.value
    if rounded or scaled in _NOUGHTS or (scaled and 1 / scaled in _NOUGHTS):
        return None
    return False


def _comparable(one: Quantity, other: Quantity) -> bool:
    if one.kind == "money":
        return one.unit == other.unit
    if one.kind == "number" and (is_unit(one.unit) or is_unit(other.unit)):
        return of_one_dimension(one, other)
    return True


def _same_date(one: Quantity, other: Quantity) -> bool | None:
    if one.either or other.either:
        return weigh([Measure(one)], [Measure(other)])[0].outcome == "match" or None
    if one.decade and other.date[0] is not None and one.date[0] is not None:
        return other.date[0] // 10 == one.date[0] // 10
    pairs = list(zip(one.date, other.date, strict=True))
    if any(None not in pair and pair[0] != pair[1] for pair in pairs):
        return False
    return None if any(own is not None and there is None for own, there in pairs) else True


def _as_number(quantity: Quantity) -> Quantity:
    """ "1350" as a number rather than a year."""
    if quantity.kind == "number" or quantity.date[1] or quantity.date[0] is None:
        return quantity
    return replace(quantity, kind="number", value=float(quantity.date[0]))


def _in_unit(cell: str, unit: str) -> str:
    if priced := _PRICED.fullmatch(unit):
        sign = priced["sign"] or priced["other"]
        scale = priced["behind"] or priced["before"] or ""
        return f"{_SIGNS.get(sign, sign)}{cell}{' ' if len(scale) > 2 else ''}{scale}"
    if _PERCENT.fullmatch(unit):
        return f"{cell}%"
    if scaled := _SCALED.fullmatch(unit):
        return f"{cell} {scaled['word'] or 'thousand'}"
    return f"{cell} {unit}"
