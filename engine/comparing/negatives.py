"""Denials without a "not": "nobody was hurt", "no new one may be started", "second-hand"."""

import re

from veracite.engine.wording.contrasts import is_denied
from veracite.engine.wording.overlap import stems

__all__ = ["denies_by_subject", "is_second_hand", "says_it_of_a_relative"]

_NOBODY = re.compile(
    r"(?:^|[;,:.]\s|\b(?:and|but|though|although)\s)(?:nobody|no one|no-one|none of them)\s"
    r"(?P<what>[^,;.:]+)",
    re.IGNORECASE,
)
_SOMEBODY = re.compile(
    r"\W*(?:several|many|some|most|a number of|dozens of|\w+ of the|two|three|four|five)\s"
    r"(?:people|men|women|children|sailors|passengers|persons|members|soldiers|workers|others)\b",
    re.IGNORECASE,
)
_HARMED = re.compile(
    r"\b(?:kill|die|dead|death|drown|hurt|injur|perish|wound|(?:lose|lost) (?:their|his|her) li)"
)
_NO_ONE_MAY = re.compile(
    r"\bno (?P<what>(?:\w+ ){1,3})(?:may|can|must|shall|should|is to|are to) be (?P<verb>\w+)",
    re.IGNORECASE,
)
_ANY = stems("one ones other others such")
"""What stands for something without naming it."""
_MAY = re.compile(r"\b(?:may|can|could|might|(?:is|are) allowed to|(?:is|are) free to)\b")
_NEW = re.compile(
    r"\b(?:bought|acquired|purchased|sold|got|delivered|brand) new(?=[.,;]|$| (?:in|from|at|by)\b)",
    re.IGNORECASE,
)
_SECOND_HAND = re.compile(r"\b(?:second[- ]?hand|pre-owned|used when bought)\b", re.IGNORECASE)
_RELATIVES = (
    "mother father brother sister uncle aunt son daughter wife husband grandmother grandfather"
    " cousin nephew niece"
).split()
_CLEFT = re.compile(
    rf"\bit was (?:his|her|their|the|\w+['’]s) (?P<who>{'|'.join(_RELATIVES)}) (?:who|that) "
    r"(?P<what>[^,;.]+)",
    re.IGNORECASE,
)


def denies_by_subject(said: str, told: str) -> bool:
    """Whether nobody came to the harm that a claim tells of, or no such thing may be done."""
    if is_denied(said):
        return False
    nobody = _NOBODY.search(told)
    if nobody is not None and _SOMEBODY.match(said):
        return _HARMED.search(said) is not None and _HARMED.search(nobody["what"]) is not None
    forbidden = _NO_ONE_MAY.search(told)
    if forbidden is None or not _MAY.search(said):
        return False
    return stems(f"{forbidden['what']} {forbidden['verb']}") - _ANY <= stems(said)


def is_second_hand(said: str, told: str) -> bool:
    """Whether a claim says that something was got new, and a sentence that it was not."""
    return (
        _NEW.search(said) is not None
        and _SECOND_HAND.search(told) is not None
        and _SECOND_HAND.search(said) is None
    )


def says_it_of_a_relative(said: str, told: str) -> bool:
    """Whether a claim names another relative than the one whom a sentence points out."""
    cleft = _CLEFT.search(told)
    own = stems(said)
    if cleft is None or stems(cleft["who"]) <= own or is_denied(said):
        return False
    _, _, behind_verb = cleft["what"].partition(" ")
    return bool(own & stems(" ".join(_RELATIVES))) and bool(own & stems(behind_verb))
