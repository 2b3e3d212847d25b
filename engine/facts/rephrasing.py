"""A premise in a claim's own terms: the same figures, dates and measures written the same way.

A small network reads "26 years" beside "twenty-six years", or "550 cm" beside "5.5 metres", as two
different things. What rules know to be equal is written alike before it is read; quotes and
explanations keep the document's own words.
"""

import re

from veracite.engine.facts.measures import measures
from veracite.engine.facts.numbers import same_time
from veracite.engine.facts.quantities import Quantity
from veracite.engine.facts.units import same_measure

__all__ = ["in_terms_of"]

_UNIT = re.compile(r"[\s-]?[^\W\d_]+")
_LIMITS = tuple(
    re.compile(rf"\b(?:{phrases})(?= [\d£$€]| (?:a|one|two|three|four|five)\b)", re.IGNORECASE)
    for phrases in (
        "at most|no more than|not more than|a maximum of",
        "at least|no fewer than|no less than|not less than|a minimum of",
    )
)
"""Words for the same limit of what follows."""
_FISCAL = re.compile(r"\bfiscal year (?=\d{4}\b)", re.IGNORECASE)
_FY = re.compile(r"\bFY\s?(?=\d{4}\b)")
_ROUNDING = 0.002
"""How far apart, as a share, a measure may be in two units that are to be one for the verifier."""


def in_terms_of(claim: str, premise: str) -> str:
    """The premise with every quantity that the claim has too as the claim writes it."""
    for limit in _LIMITS:
        if same := limit.search(claim):
            premise = limit.sub(same.group().lower(), premise)
    claimed = [measure.quantity for measure in measures(claim)]
    if not claimed:
        return premise
    if _FISCAL.search(claim):
        premise = _FY.sub("fiscal year ", premise)
    elif _FY.search(claim):
        premise = _FISCAL.sub("FY ", premise)
    parts, done = [], 0
    for measure in measures(premise):
        stated = measure.quantity
        if stated.start < done or any(c.text.lower() == stated.text.lower() for c in claimed):
            continue
        for other in claimed:
            if _equal(other, stated):
                own, end = other.text, stated.end
            elif other.unit != stated.unit and same_measure(other, stated, _ROUNDING):
                own, end = claim[other.start : _unit_end(claim, other)], _unit_end(premise, stated)
            else:
                continue
            parts += [premise[done : stated.start], own]
            done = end
            break
    return "".join([*parts, premise[done:]])


def _equal(claimed: Quantity, stated: Quantity) -> bool:
    if claimed.kind != stated.kind or claimed.decade != stated.decade:
        return False
    if claimed.kind == "date":
        return claimed.date == stated.date and not (claimed.either or stated.either)
    if claimed.kind == "time":
        return same_time(claimed, stated)
    if claimed.kind == "money" and claimed.unit != stated.unit:
        return False
    return claimed.value == stated.value


def _unit_end(text: str, quantity: Quantity) -> int:
    match = _UNIT.match(text, quantity.end)
    return match.end() if match else quantity.end
