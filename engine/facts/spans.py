"""Times from one to another: which end of a span a claim gives, or what lies within it.

A network finds "The mill opens at 17:00" in "open from 10:00 to 17:00", and misses "open at noon".
"""

import re
from collections.abc import Sequence

from veracite.engine.facts.measures import Measure, measures, weigh
from veracite.engine.facts.quantities import Quantity
from veracite.engine.wording.overlap import stems

_FROM_TO = re.compile(r"\bfrom ([^,.;:()]+?) to ([^,.;:()]+)", re.IGNORECASE)
_START = re.compile(
    r"\b(?:start(?:s|ed)?|begins?|began|begun|opens|opened|opening|became|becomes|appointed|elected"
    r"|joined|founded|established|introduced|launched|born|since|from)\b",
    re.IGNORECASE,
)
_END = re.compile(
    r"\b(?:clos(?:es|ed|ing)|end(?:s|ed)?|finish(?:es|ed)?|stop(?:s|ped)?|left|leaves|retired"
    r"|resigned|until|till|ceased|expires|expired|abolished|died)\b",
    re.IGNORECASE,
)


def turns_back(said: str, told: str) -> bool:
    """Whether what goes from one to another in a claim goes back in a sentence: A to B, B to A."""
    mine = [tuple(map(stems, match.groups())) for match in _FROM_TO.finditer(said)]
    theirs = [tuple(map(stems, match.groups())) for match in _FROM_TO.finditer(told)]
    return any(
        one[0] and one[1] and one[0] <= other[1] and one[1] <= other[0] and one[0] != one[1]
        for one in mine
        for other in theirs
    )


def swaps_ends(said: str, told: str) -> bool:
    """Whether a claim lets begin at a time what a sentence lets end then, or the other way round.

    Silent where the sentence has the claim's own word for it: it may then tell of two things.
    """
    start, end = _START.search(said), _END.search(said)
    word = start or end
    if word is None or (start and end) or re.search(rf"\b{word[0]}\b", told, re.IGNORECASE):
        return False
    for claimed in _points(said):
        for first, last in _spans(told):
            own, other = (first, last) if start else (last, first)
            if _same(claimed, other) and not _same(claimed, own):
                return True
    return False


def lies_within(said: str, told: str) -> bool:
    """Whether a claim's time of day lies between those from and to which a sentence holds."""
    if _START.search(said) or _END.search(said):
        return False
    stated, spans = measures(told), _spans(told)
    return any(
        weigh([one], stated)[0].outcome == "match"
        and not any(_same(one, end) for span in spans for end in span)
        for one in _points(said)
        if spans and one.quantity.kind == "time"
    )


def _points(text: str) -> Sequence[Measure]:
    """Dates and times that open no span."""
    found = measures(text)
    ends = {m.until for m in found if m.until is not None}
    return [
        m
        for m in found
        if m.quantity.kind in ("date", "time") and m.until is None and m.quantity not in ends
    ]


def _spans(text: str) -> list[tuple[Quantity, Quantity]]:
    return [
        (m.quantity, m.until)
        for m in measures(text)
        if m.until is not None and m.quantity.kind in ("date", "time")
    ]


def _same(claimed: Measure, stated: Quantity) -> bool:
    return weigh([claimed], [Measure(stated)])[0].outcome == "match"
