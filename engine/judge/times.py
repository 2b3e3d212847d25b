"""When something is said to have been so: the years that a sentence sets it in.

A year that goes with another verb ("elected in 2016") does not count, nor one that describes ("a
1990 film").
"""

import re
from collections.abc import Collection

from veracite.engine.wording.overlap import stem, words
from veracite.engine.wording.phrases import VERB_ENDING, VERBS
from veracite.engine.wording.quantities import Measure, Quantity, measures

_OPENING = ("in", "in the year", "during", "throughout", "until", "by")
_SETTING = frozenset("in on since by during until till".split())
_WHEN = re.compile(
    r"(?:(?P<governor>\w+)\s)?\b(?P<when>in|on|since|by|during|until|till|of|from|before|after|for"
    r"|around|between)\s"
    r"(?:(?:early|late|mid|the|about|year|spring|summer|autumn|winter|end|beginning|of)[ -])*$",
    re.IGNORECASE,
)


def when(claim: str, sentence: str, heading: str) -> tuple[list[Measure], list[Measure]]:
    """The years in which a claim and a sentence say that something was so.

    A sentence that names none has its heading's. Where "since 1988" covers the claim's year, both
    are given the claim's.
    """
    mine = [year for year in years(claim) if _governor(claim, year) is not None]
    stems = {word.stem for word in words(claim)}
    stated = years(sentence)
    theirs = [year for year in stated if _belongs(_governor(sentence, year), stems)]
    if any(_lasts(sentence, one, other) for one in theirs for other in mine):
        return mine, mine
    return mine, theirs or ([] if stated else years(heading))


def set_in(text: str) -> list[Quantity]:
    """The years in which, since or until which a text sets something, not "of 1810"."""
    found = ((m.quantity, _WHEN.search(text[: m.quantity.start])) for m in years(text))
    return [q for q, before in found if before is not None and before["when"].lower() in _SETTING]


def opening_year(text: str) -> Quantity | None:
    """The year that a sentence opens with: "In 2010 admission was £5." """
    first = next(iter(years(text)), None)
    if first is None or text[: first.quantity.start].strip().lower() not in _OPENING:
        return None
    return first.quantity


def years(text: str) -> list[Measure]:
    """The dates of a text that have a year."""
    return [m for m in measures(text) if m.quantity.kind == "date" and m.quantity.date[0]]


def _governor(text: str, measure: Measure) -> str | None:
    """The word that a date is said of; empty at the beginning, None for a date that describes."""
    match = _WHEN.search(text[: measure.quantity.start])
    return None if match is None else (match["governor"] or "")


def _lasts(text: str, stated: Measure, claimed: Measure) -> bool:
    """Whether "since 1988" or "until 1988" goes for a claim's year."""
    match = _WHEN.search(text[: stated.quantity.start])
    year, own = stated.quantity.date[0], claimed.quantity.date[0]
    if match is None or year is None or own is None or stated.until is not None:
        return False
    when = match["when"].lower()
    return (when in ("since", "from", "after") and own >= year) or (
        when in ("until", "till", "before") and own <= year
    )


def _belongs(governor: str | None, stems: Collection[str]) -> bool:
    if governor is None:
        return False
    verbal = governor in VERBS or VERB_ENDING.match(governor) is not None
    return not verbal or stem(governor) in stems
