"""Comparisons: "Ducks are larger than swans" beside "Ducks are smaller than swans and geese".

A network finds the same words in both. What is compared, by what measure and which of them has more
of it is read from plain clauses; the rules stay silent on all others.
"""

import re
from dataclasses import dataclass

from veracite.engine.wording.contrasts import LIGHT, is_negation, opposites
from veracite.engine.wording.overlap import words

_SCALES = tuple(
    (frozenset(more.split()), frozenset(less.split()))
    for more, less in (
        ("larger bigger greater", "smaller"),
        ("taller higher", "lower shorter"),
        ("longer", "shorter"),
        ("older elder", "younger newer"),
        ("heavier", "lighter"),
        ("faster quicker", "slower"),
        ("warmer hotter", "colder cooler"),
        ("wider broader", "narrower"),
        ("deeper", "shallower"),
        ("stronger", "weaker"),
        ("richer wealthier", "poorer"),
        ("cheaper", "dearer costlier pricier"),
        ("earlier", "later"),
        ("brighter", "darker dimmer fainter"),
        ("louder", "quieter"),
        ("thicker", "thinner"),
        ("harder", "softer easier"),
        ("safer", "riskier"),
        ("better", "worse"),
        ("nearer closer", "farther further"),
        ("drier dryer", "wetter"),
        ("denser", "sparser"),
        ("sooner", "later"),
    )
)
_COMPARED = re.compile(
    r"(?P<one>[^,;:()]+?) (?P<be>is|are|was|were) (?P<degree>[^,;:()]*?)"
    r"(?P<graded>(?:(?:more|less) [\w-]+|[\w-]+er|worse)(?: (?:and|or) [\w-]+(?: [\w-]+)?)?)"
    r" than (?P<other>[^,;:()]+?)[.!]?"
)
_DEGREES = frozenset("more less fewer".split())
_GRADE = re.compile(r"(?:(more|less) )?([\w-]+)")
_PRONOUNS = frozenset("it he she they this that these those we you i one its there what".split())
_PARTIES = re.compile(r"\s(?:and|or)\s")
_MANNER = re.compile(
    r"(?:\w+ly|much|far|often|also|still|even|always|a (?:bit|little|lot)|some|about|over"
    r"|[\d.,]+\s?(?:%|[\w]+)|\s)*"
)
_END = re.compile(r"[,;:()]")
_SIDES = re.compile(r"(?P<before>.*?) than (?P<after>[^,;:()]+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Comparison:
    one: frozenset[str]
    others: frozenset[frozenset[str]]
    past: bool
    bare: bool
    """Whether nothing says how much more."""
    more: frozenset[str]
    """Scales of which the one has more, by a word for that end of each."""
    less: frozenset[str]


def compares(said: str, told: str) -> bool | None:
    """Whether a sentence says that of what a claim says there is more of there is.

    Args:
        said: A claim.
        told: A sentence of the library; it is read up to its first sign.

    Returns:
        False where the sentence says that there is less of it, None where it cannot be told.
    """
    mine, theirs = _comparison(said), _comparison(_END.split(told)[0])
    if mine is None or theirs is None or mine.past != theirs.past:
        return None
    along = bool(mine.more & theirs.more or mine.less & theirs.less)
    against = bool(mine.more & theirs.less or mine.less & theirs.more)
    if mine.others == {theirs.one} and mine.one in theirs.others:
        along, against = against, along
    elif mine.one != theirs.one or not mine.others <= theirs.others:
        return None
    if along == against:
        return None
    return mine.bare or None if along else False


def is_turned_round(said: str, told: str) -> bool:
    """Whether two texts compare the same from either side: "more then than now", "fewer now"."""
    mine, theirs = _SIDES.match(said), _SIDES.match(told)
    if mine is None or theirs is None:
        return False
    graded = any(
        any(word.text.lower() in side for pair in _SCALES for side in pair)
        or word.text.lower() in _DEGREES
        for contrast in opposites(mine["before"], theirs["before"])
        for word in (contrast.word, contrast.other)
    )
    behind = _party(theirs["after"])
    own = _party(mine["before"]), _party(mine["after"])
    return graded and bool(behind) and behind <= own[0] and not behind <= own[1]


def _comparison(text: str) -> _Comparison | None:
    match = _COMPARED.fullmatch(text.strip())
    if match is None or any(map(is_negation, words(text))):
        return None
    if not _MANNER.fullmatch(match["degree"]):
        return None
    one, other = match["one"], match["other"]
    if _PARTIES.search(one) or _PRONOUNS & {w.text.lower() for w in words(f"{one} {other}")}:
        return None
    others = frozenset(_party(part) for part in _PARTIES.split(other))
    if not _party(one) or not all(others):
        return None
    more, less = _grades(match["graded"])
    past, bare = match["be"] in ("was", "were"), not match["degree"]
    return _Comparison(_party(one), others, past, bare, more, less)


def _party(text: str) -> frozenset[str]:
    return frozenset(word.stem for word in words(text) if word.weight and word.stem not in LIGHT)


def _grades(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The scales that a text tells more and less of, by names of theirs."""
    more, less = set[str](), set[str]()
    for degree, word in _GRADE.findall(text):
        if degree:
            (more if degree == "more" else less).add(word)
        for high, low in _SCALES:
            if word in high or word in low:
                (more if word in high else less).add(min(high))
    return frozenset(more), frozenset(less)
