"""Whether a sentence says all that a claim says, so that it can be no denial of it.

A network calls "kept the post for twenty-six years" a denial of "for 26 years". A denial has
something that differs: a figure, a name, a negation, an opposite, or a part of the claim that it
does not have. In doubt there is something.
"""

import re
from collections import Counter
from collections.abc import Sequence

from veracite.engine.comparing.premises import Candidate
from veracite.engine.comparing.sides import Sides
from veracite.engine.comparing.topics import all_names, topic_of
from veracite.engine.facts.measures import measures, weigh
from veracite.engine.facts.names import Name, in_family, stands_in
from veracite.engine.facts.numbers import Comparison
from veracite.engine.wording.contrasts import LIGHT, cases_apart, is_negation, opposites
from veracite.engine.wording.overlap import Word, content_words, stem, words
from veracite.engine.words import Claim

__all__ = ["repeats", "restates"]

_COVERED = 0.9
"""The share of what a claim says that the sentence must have."""
_SOME_WORDS = 3
_THING = re.compile(r"The ([a-z][\w-]*)")
"""What is only "the tower" may be what the heading names."""
_TITLED = re.compile(r"\b(?:Mr|Mrs|Ms|Miss|Lady|Sir)\b")
_TURNS = re.compile(
    r"\b(?:fail|refus|den(?:y|ie)|prevent|stopp|ceas|abandon|cancel|reject|unable|instead|rather"
    r"|false|wrong|except|former|formerly|until|unless|replac|almost|nearly|without"
    r"|all|every|each|none|no|only|both|always|never|most|some|many|several|half|part)\w*\b",
    re.IGNORECASE,
)
"""Words that turn or narrow what a sentence says."""


def restates(claim: Claim, candidate: Candidate) -> bool:
    """Whether a sentence has all of a claim and nothing that stands against it."""
    sides = Sides(claim, candidate)
    sentence = candidate.sentence.text
    if cases_apart(sides.said, sentence) or opposites(sides.said, sentence):
        return False
    if sides.other_number is not None:
        return False
    if _turns(sides.said) != _turns(sentence):
        return False
    return _says_the_figures(sides) and _is_of_the_subject(sides) and _says_the_rest(sides)


def repeats(claim: Claim, candidate: Candidate) -> bool:
    """Whether a sentence restates a claim and says nothing else, its subject's names aside.

    A claim of a few words, or of one whom only a pronoun names, is not said by who uses the same.
    """
    if len(content_words(claim.statement)) < _SOME_WORDS or topic_of(claim.statement).refers:
        return False
    sides, told = Sides(claim, candidate), candidate.sentence.text
    said = {word.stem for word in words(sides.said)}
    if not _in_one_order(content_words(sides.said), content_words(told)) or _is_titled(sides):
        return False
    if not all(_is_told_apart(name, sides) for name in sides.own.names):
        return False
    around = {word.stem for word in words(sides.around)}
    if not all(in_family(stem, around) for stem in sides.own.things - LIGHT):
        return False
    figures = [m.quantity for m in measures(told)]
    names = [(n.start, n.end) for n in topic_of(told).names]
    said |= _called(sides)
    return restates(claim, candidate) and all(
        in_family(word.stem, said)
        or word.stem in LIGHT
        or any(f.start <= word.start < f.end for f in figures)
        or any(start <= word.start < end for start, end in names)
        for word in content_words(told)
    )


def _called(sides: Sides) -> set[str]:
    """The stem of "tower" in "the tower", where the passage says the claim's subject is one."""
    thing = _THING.match(sides.told)
    if thing is None:
        return set()
    is_one = rf" (?:is|was) (?:an?|the) (?:[\w-]+ ){{0,4}}?{re.escape(thing[1])}\b"
    names = (name.text for name in sides.own.names)
    if any(re.search(re.escape(name) + is_one, sides.around) for name in names):
        return {stem(thing[1])}
    return set()


def _in_one_order(said: Sequence[Word], told: Sequence[Word]) -> bool:
    """Whether the words that both have follow one another in the same way."""
    mine, theirs = ([word.stem for word in side] for side in (said, told))
    return [s for s in mine if s in theirs] == [s for s in theirs if s in mine]


def _is_titled(sides: Sides) -> bool:
    """Whether the sentence has a "Mr" or "Mrs" that the claim has not."""
    said, told = (set(_TITLED.findall(text)) for text in (sides.said, sides.told))
    return bool(told - said)


def _is_told_apart(name: Name, sides: Sides) -> bool:
    """Whether the passage has more of a name than what it is one of: "the trust" is any trust."""
    there = [word for word in words(sides.around) if word.stem in name.stems]
    return any(word.text[0].isupper() for word in there) or len(name.stems) == 1


def _turns(text: str) -> Counter[str]:
    """How often each word that turns or narrows a text stands in it, beside its figures."""
    figures = [m.quantity for m in measures(text)]
    turns = [
        match.group().lower()
        for match in _TURNS.finditer(text)
        if not any(f.start <= match.start() < f.end for f in figures)
    ]
    return Counter([*turns, *("not" for word in words(text) if is_negation(word))])


def _says_the_figures(sides: Sides) -> bool:
    """Whether each figure is said, in the claim's order, and no other beside it."""
    claimed, stated = measures(sides.said), measures(sides.candidate.sentence.text)
    compared = weigh(claimed, stated)
    found = [c.stated for c in compared if c.stated is not None and _is_the_same(c)]
    if len(found) < len(claimed) or sorted(f.start for f in found) != [f.start for f in found]:
        return False
    kinds = {m.quantity.kind for m in claimed}
    return all(m.quantity in found for m in stated if m.quantity.kind in kinds)


def _is_the_same(figure: Comparison) -> bool:
    """Whether a figure is stated exactly; a date may be part of a fuller one."""
    stated = figure.stated
    if figure.outcome != "match" or stated is None:
        return False
    return figure.claimed.kind == "date" or figure.claimed.value == stated.value


def _is_of_the_subject(sides: Sides) -> bool:
    """Whether the sentence speaks of the claim's subject in the same place, by name or as "it"."""
    if sides.namesake():
        return False
    subject = f"{_before_who(sides)} {sides.told[: sides.other.end]}"
    there = {word.stem for word in words(subject)}
    if any(stands_in(name, subject) for name in sides.own.names):
        return True
    if not sides.own.names and sides.own.things & there:
        return True
    around = {word.stem for word in words(sides.around)}
    named = any(stands_in(name, sides.around) for name in sides.own.names)
    if _THING.match(sides.told) and not sides.other.names:
        return any(stands_in(name, sides.heading) for name in sides.own.names)
    return (
        sides.other.refers
        and not sides.other.names
        and (named or (not sides.own.names and sides.own.things <= around))
    )


def _before_who(sides: Sides) -> str:
    """The name in front of the sentence's clause, where that opens with "who"."""
    if not sides.told.startswith(("who ", "which ")):
        return ""
    before = sides.candidate.sentence.text.partition(sides.told)[0].rstrip(" ,")
    return next((name.text for name in all_names(before) if name.end == len(before)), "")


def _says_the_rest(sides: Sides) -> bool:
    """Whether its clause has the words behind the claim's subject, the names in their order."""
    stems = {word.stem for word in words(sides.told)}
    rest = _behind_the_subject(sides)
    said = sum(word.weight for word in rest if in_family(word.stem, stems))
    if not rest or said < _COVERED * sum(word.weight for word in rest):
        return False
    places = [_place(word, sides.told) for word in rest if word.text[0].isupper()]
    return None not in places and places == sorted(p for p in places if p is not None)


def _behind_the_subject(sides: Sides) -> list[Word]:
    figures = [m.quantity for m in measures(sides.said)]
    return [
        word
        for word in content_words(sides.said)
        if word.start >= sides.own.end
        and word.stem not in LIGHT
        and not any(f.start <= word.start < f.end for f in figures)
    ]


def _place(word: Word, clause: str) -> int | None:
    return next((w.start for w in words(clause) if w.stem == word.stem), None)
