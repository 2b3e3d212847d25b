"""What a sentence excepts, denies or tells of an earlier time: a claim without it says more."""

import re

from veracite.engine.facts.measures import measures, weigh
from veracite.engine.wording.contrasts import is_negation
from veracite.engine.wording.overlap import stems, words

_EXCEPTION = re.compile(
    r"\b(?:except(?: for)?(?! that)|excluding|apart from|with the exception of|but not)\s+"
    r"(?P<what>[^,.;:()]+)",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(
    r"(?:^|[;,.]\s|\b(?:and|but|while)\s)(?:only |the |an? |its |their )*(?P<what>[^,;.:()]+?)"
    r"(?:, (?:which|who)[^,;.]+,)? (?:is|are|was|were|has been|have been|had been) "
    r"(?:left out|excluded|omitted|not included)\b",
    re.IGNORECASE,
)
_LEAVING_OUT = re.compile(r"\b(?:left|leav\w+|exclu\w+|omi\w+|only)\b", re.IGNORECASE)
_EARLIER = re.compile(
    r"\W{0,2}\s?(?:(?:an?|the|one|two|\w+) (?:year|month|week|day|decade)s? "
    r"(?:before|earlier|ago|previously)|in the previous \w+|last (?:year|month|week))",
    re.IGNORECASE,
)
_REASON = r"(?:because of|because|due to|owing to|caused by|as a result of|on account of)"
_NO_REASON = re.compile(rf"\bnot\b(?:,[^,;]*,)?\s{_REASON}\s(?P<what>[^,.;:()]+)", re.IGNORECASE)
_GIVEN = re.compile(rf"\b{_REASON}\s(?P<what>[^,.;:()]+)", re.IGNORECASE)
_NOT_OF = re.compile(
    r"\b(?:those|that|the ones?) (?:of|from|in|at|on|for) (?P<what>[^,.;:()]+?) "
    r"(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would)(?: not\b|n['’]t\b)",
    re.IGNORECASE,
)
_STILL = re.compile(r"\b(?:still|to this day|nowadays|currently|at present)\b", re.IGNORECASE)
_PAST = re.compile(r"\b(?:was|were|had|used to|former|formerly)\b", re.IGNORECASE)
_PRESENT = re.compile(
    r"\b(?:still|is|are|has|have|remains?|continues?|today|now|since|currently)\b", re.IGNORECASE
)


def denies_reason(told: str, said: str) -> bool:
    """Whether a sentence denies the reason that a claim gives: "and not because of the fire"."""
    given = _GIVEN.search(said)
    if given is None or any(map(is_negation, words(said))):
        return False
    reason = stems(given["what"])
    return any(
        2 * len(stems(match["what"]) & reason) >= len(reason) > 0
        for match in _NO_REASON.finditer(told)
    )


def is_said_not_of(told: str, said: str) -> bool:
    """Whether a sentence says that it is otherwise with what a claim speaks of.

    As in "The bricks of the hall came from Osmerby; those of the station did not".
    """
    if any(map(is_negation, words(said))):
        return False
    own = stems(said)
    return any(what and what <= own for what in (stems(m["what"]) for m in _NOT_OF.finditer(told)))


def is_over(told: str, said: str) -> bool:
    """Whether a claim says that something still is, and a sentence only that it was."""
    return (
        _STILL.search(said) is not None
        and _PAST.search(told) is not None
        and _PRESENT.search(told) is None
    )


def excepts(told: str, said: str) -> bool:
    """Whether a sentence excepts ("daily except on Sundays") a case that a claim says it of."""
    return not any(map(is_negation, words(said))) and excepts_case(told, said)


def excepts_case(told: str, said: str) -> bool:
    """Whether a sentence excepts a case that a claim speaks of, be it as one where it is not so."""
    if _EXCEPTION.search(said):
        return False
    own = {word.stem for word in words(said) if word.weight}
    left_out = () if _LEAVING_OUT.search(said) else _LEFT_OUT.finditer(told)
    for match in (*_EXCEPTION.finditer(told), *left_out):
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
