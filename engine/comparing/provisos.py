"""What a sentence excepts, and what it tells of an earlier time: a claim without it says more."""

import re

from veracite.engine.facts.measures import measures, weigh
from veracite.engine.wording.contrasts import is_negation
from veracite.engine.wording.overlap import words

__all__ = ["excepts", "is_of_earlier"]

_EXCEPTION = re.compile(
    r"\b(?:except(?: for)?|excluding|apart from|with the exception of|but not)\s+"
    r"(?P<what>[^,.;:()]+)",
    re.IGNORECASE,
)
_EARLIER = re.compile(
    r"\W{0,2}\s?(?:(?:an?|the|one|two|\w+) (?:year|month|week|day|decade)s? "
    r"(?:before|earlier|ago|previously)|in the previous \w+|last (?:year|month|week))",
    re.IGNORECASE,
)


def excepts(told: str, said: str) -> bool:
    """Whether a sentence excepts ("daily except on Sundays") a case that a claim says it of."""
    if _EXCEPTION.search(said) or any(map(is_negation, words(said))):
        return False
    own = {word.stem for word in words(said) if word.weight}
    for match in _EXCEPTION.finditer(told):
        what = {word.stem for word in words(match["what"]) if word.weight}
        before = {word.stem for word in words(told[: match.start()])}
        if what and what <= own and not what <= before:
            return True
    return False


def is_of_earlier(told: str, said: str) -> bool:
    """Whether a claim's figure is told of "a year before", of which the claim says nothing."""
    return _EARLIER.search(said) is None and any(
        figure.outcome == "match"
        and figure.stated is not None
        and figure.stated.kind != "date"
        and _EARLIER.match(told, figure.stated.end) is not None
        for figure in weigh(measures(said), measures(told))
    )
