"""What changes places between a claim and a sentence: who sells and who buys, what comes first.

A network finds the same words in both. The rules see only plain clauses and stay silent on all
others.
"""

import re
from itertools import pairwise

from veracite.engine.wording.contrasts import is_negation
from veracite.engine.wording.overlap import stems, words

_Stems = frozenset[str]

_SELL = re.compile(r"\b(?:sells?|sold)\b")
_BUY = re.compile(r"\b(?:buys?|bought|purchase[sd]?|acquire[sd]?)\b")
_TO = re.compile(r"\bto (?!\w+ing\b)(?:the )?((?:[A-Z][\w'’&-]*\s?)+)")
_FROM = re.compile(r"\bfrom (?:the )?((?:[A-Z][\w'’&-]*\s?)+)")
_OWNER = re.compile(r"\b([A-Z][\w-]*)['’]s\b")
_NAMES = re.compile(r"\b[A-Z][\w&-]*")
_CONTRAST = re.compile(r"\b(?:but|and|though|yet) (?:not|no|never|none)\b", re.IGNORECASE)
"""What sets something that is not so beside something that is."""
_SPAN = r"(?:\w+ (?:second|minute|hour|day|week|month|year|decade|centurie|century)s?)"
_STATE_BEFORE = re.compile(r"\b(?:levels?|values?|states?|sizes?|numbers?|than|as|it was) before\b")
"""How things were before is compared with, not told as what comes first."""
_ORDERS = (
    re.compile(rf"^(?:{_SPAN} )?[Aa]fter (?!{_SPAN},? )(?P<first>[^,;.]+), (?P<then>[^;.]+)"),
    re.compile(r"(?P<first>[^;.]+?),? (?:and |but )?(?:then|followed by|before) (?P<then>[^;.]+)"),
    re.compile(r"(?P<then>[^;.]+?),? after (?P<first>[^;.]+)"),
)
_AGAINST = re.compile(
    r"\b(?:advis|vot|decid|argu|spoke|speak|recommend|rul|warn)\w* (?:\w+ ){0,3}?against\b",
    re.IGNORECASE,
)
_FOR = re.compile(
    r"\b(?:advis|vot|decid|argu|spoke|speak|recommend|rul|support|approv|favou?r|propos)\w*\b",
    re.IGNORECASE,
)


def changes_hands(said: str, told: str) -> bool | None:
    """Whether two texts tell of one sale, and who sells in one buys in the other.

    Returns:
        False where the same sell, or buy, in both, by whichever verb; None where nobody can tell.
    """
    mine, theirs = _trade(said), _trade(told)
    if mine is None or theirs is None:
        return None
    (seller, buyer), (other_seller, other_buyer) = mine, theirs
    if seller & other_buyer or buyer & other_seller:
        return not (seller & other_seller or buyer & other_buyer)
    return False if seller & other_seller or buyer & other_buyer else None


def exchanges(said: str, told: str) -> bool:
    """Whether what is denied and what is not, or what comes first and then, change places."""
    return _exchanges_denial(said, told) or _exchanges_order(said, told)


def is_advised_against(said: str, told: str) -> bool:
    """Whether a sentence tells of advice or a vote against what a claim says there was one for."""
    return (
        _AGAINST.search(told) is not None
        and _FOR.search(said) is not None
        and "against" not in said
        and not any(map(is_negation, words(said)))
    )


def _trade(text: str) -> tuple[_Stems, _Stems] | None:
    """Who sells and who buys, by the stems of their names."""
    sells, buys = _SELL.search(text), _BUY.search(text)
    if (sells is None) == (buys is None):
        return None
    verb = sells or buys
    if verb is None or re.search(r"\b(?:is|are|was|were|been|be)\s$", text[: verb.start()]):
        return None
    subject = stems(" ".join(_NAMES.findall(text[: verb.start()])))
    behind = text[verb.end() :]
    other = (_TO if sells else _FROM).search(behind)
    party = stems(other[1]) if other else frozenset[str]()
    if not sells and not party and (owner := _OWNER.search(behind)):
        party = stems(owner[1])
    return (subject, party) if sells else (party, subject)


def _exchanges_denial(said: str, told: str) -> bool:
    if not (_CONTRAST.search(said) and _CONTRAST.search(told)):
        return False
    mine, theirs = _denied(said), _denied(told)
    here, there = stems(said) - mine, stems(told) - theirs
    return bool(mine & there) and bool(theirs & here)


def _denied(text: str) -> _Stems:
    """The stems of the words that a "no" or "not" stands right before."""
    found = words(text)
    return frozenset(two.stem for one, two in pairwise(found) if is_negation(one) and two.weight)


def _exchanges_order(said: str, told: str) -> bool:
    mine, theirs = _order(said), _order(told)
    if mine is None or theirs is None:
        return False
    both = (mine[0] & mine[1]) | (theirs[0] & theirs[1])
    (first, then), (other_first, other_then) = (
        tuple(side - both for side in order) for order in (mine, theirs)
    )
    return bool(then & other_first and first & other_then and not then & other_then)


def _order(text: str) -> tuple[_Stems, _Stems] | None:
    """The stems of what comes first and of what comes then, where a text tells of two."""
    if _STATE_BEFORE.search(text):
        return None
    for pattern in _ORDERS:
        if match := pattern.search(text):
            return stems(match["first"]), stems(match["then"])
    return None
