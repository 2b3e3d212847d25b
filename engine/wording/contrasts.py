"""Words that tell one case from another, and words that say the opposite."""

import re
from collections.abc import Sequence
from operator import attrgetter

from veracite.engine.wording.lists import data_of, listed, one_of
from veracite.engine.wording.overlap import Word, stem_of, words

_CASES = tuple(frozenset(map(stem_of, line.split())) for line in data_of("cases"))
"""Of one line each: what is said of one is not said of another."""
_CASES_OF = {
    word: tuple(place for place, case in enumerate(_CASES) if word in case)
    for word in frozenset().union(*_CASES)
}
_OPPOSITE_TO: dict[str, list[tuple[frozenset[str], frozenset[str]]]] = {}
"""Of a stem the group that it is in, and the group that is opposed to that."""
for _pair in data_of("opposites"):
    _one, _other = (frozenset(map(stem_of, group.split())) for group in _pair)
    for _here, _against in ((_one, _other), (_other, _one)):
        for _stem in _here:
            _OPPOSITE_TO.setdefault(_stem, []).append((_here, _against))
_NO_DENIAL = re.compile(
    r"\b(?:no|not) (?:more|less|fewer|later|earlier|sooner) than\b|\bnot (?:only|just|merely)\b"
    r"|\bno doubt\b|\b(?:nothing|nowhere|nobody|none) (?:but|else|other than)\b",
    re.IGNORECASE,
)
_DENIAL = re.compile(rf"\b{one_of('negations')}\b|\w*n['’]t\b", re.IGNORECASE)

LIGHT = frozenset(listed("light words"))
"""Stems of words that a claim stands or falls without."""


Contrast = tuple[Word, Word]
"""A word of one text and the word of another that stands against it."""


def is_negation(word: Word) -> bool:
    """Whether a word denies what it goes with."""
    return _DENIAL.fullmatch(word.text) is not None


def is_denied(text: str) -> bool:
    """Whether a word denies anything in a text; "no more than" and "not only" deny nothing."""
    return _DENIAL.search(_NO_DENIAL.sub(" ", text)) is not None


def cases_apart(one: str, other: str) -> Contrast | None:
    """The first words that make two texts speak of different cases: winter and summer."""
    mine, theirs = _common(one), _common(other)
    both = {w.stem for w in mine} & {w.stem for w in theirs}
    first, against = _by_case(mine), _by_case(theirs)
    apart = (c for c in sorted(first.keys() & against.keys()) if not both & _CASES[c])
    return next(((first[case], against[case]) for case in apart), None)


def opposites(one: str, other: str) -> tuple[Contrast, ...]:
    """Words of which the other text has the opposite and not the word itself."""
    mine, theirs = words(one), words(other)
    own = {word.stem for word in mine}
    there = {word.stem: word for word in reversed(theirs)}
    found = []
    for word in mine:
        if word.stem in there:
            continue
        for here, against in _OPPOSITE_TO.get(word.stem, ()):
            others = [there[stem] for stem in (against & there.keys()) - own]
            if others and not here & there.keys():
                found.append((word, min(others, key=attrgetter("start"))))
    return tuple(found)


def _common(text: str) -> list[Word]:
    """The words that are no part of a name; the names of days count."""
    return [w for w in words(text) if w.text.islower() or w.stem in _CASES[0]]


def _by_case(found: Sequence[Word]) -> dict[int, Word]:
    """The first word of each of ``_CASES``."""
    return {case: word for word in reversed(found) for case in _CASES_OF.get(word.stem, ())}
