"""What a name stands for: a person, something else, or several.

By form alone: no list of first names, no parser. Where a form leaves that open, it is neither.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from veracite.engine.wording.lists import listed, one_of

_PEOPLE = re.compile(rf"\b{one_of('people')}(?![\w-])")
# Capitalised only because they open the sentence.
NO_NAMES = frozenset(listed("openings"))
TITLE = re.compile(
    r"(?P<he>Mr\.?|Sir|Lord|King|Prince|Father)|(?P<she>Mrs\.?|Ms\.?|Miss|Lady|Dame|Queen|Princess)"
    r"|Dr\.?|Prof(?:essor|\.)?|Capt(?:ain|\.)?|President|General|Colonel|Major|Lieutenant|Sergeant"
    r"|Senator|Judge|Justice|Rev(?:erend|\.)?"
)
NO_PERSON = frozenset(listed("no person"))
HUMANS = re.compile(
    rf"\b(?:{one_of('humans')}|spokes\w+|[a-z]+(?:ist|ian|man|woman))\b|{_PEOPLE.pattern}"
)

_PART = r"(?:[A-Z][\w'’.&-]*|[A-Z]\.)"
_JOIN = r"(?: (?:of|the|de|da|di|du|van|von|der|den|la|le|and|&|al|bin|ibn|for|in))"
_NICKNAME = r" [\"“(]\w[\w .'’-]{0,20}[\"”)](?= [A-Z])"
NAME = rf"{_PART}(?:{_JOIN}{{0,2}} {_PART}|{_NICKNAME}|(?: \d[\d.]*)(?![\w,])){{0,6}}"
# Not "in Los Angeles", "the Sydney Bears".
_NAME_OF_SOMEONE = re.compile(
    rf"(?<!\bthe )(?<!\bThe )(?<!\bin )(?<!\bIn )(?<!\bat )(?<![\w.'’&-]){NAME}"
)
_LIVED = re.compile(
    r",? ?(?:\((?:[^()]{0,40}\b)?(?:born\b|died\b|b\. |n[ée]e\b|\d{3,4}(?:/\d{4})?\s?[–-])|born\b"
    r"|(?:was|is) born\b|died\b|married\b)"
)
_ASIDE = re.compile(r"(?: ?\([^()]{0,200}\)|,(?! (?:and|or)\b)[^,.;]{3,80},)")
_KIND = re.compile(
    r" (?:is|was|are|were|remains|became) (?:an?|the|one of the) (?P<kind>[^.;]*?)"
    r"(?=[.;]| (?:who|that|which|known|based|in|of|from|with|for|by|located"
    r"|founded|formed|at|on|and (?:is|was|has))\b|$)"
)
_HONOURS = frozenset("OAM OBE MBE CBE KBE DBE FRS FBA PhD MD".split())


@dataclass(frozen=True, slots=True)
class Subject:
    """A name, and what "he" or "it" in the next sentence may mean."""

    name: str
    person: bool
    """True if it may be a person's: "John Smith", "Captain Brown"."""
    thing: bool
    """True if it may be that of anything but a person. Neither for several: "Ann and Bob"."""
    article: str = ""
    """What goes in front of it within a sentence: "the" of "the University of Oslo"."""
    is_told: bool = False
    """True if its sentence says what it is, or of its life."""
    is_sure: bool = False
    """True if its form tells of whom it is the name; false for one word that may be anything."""


def named(name: str, *, article: str = "", following: str = "") -> Subject:
    """What a name may stand for.

    Args:
        article: What stands before it: people have none.
        following: The rest of its sentence: "(born 1950)" is said of people alone.
    """
    words = re.findall(r"[\w&.'’-]+", name)
    joined = {"of", "the", "for", "in"} & set(words)
    coded = any(map(_is_code, words))
    told = not NO_PERSON.isdisjoint(word.lower().rstrip(".") for word in words)
    if {"and", "&"} & set(words) and not (told or joined):
        return Subject(name, person=False, thing="&" in words)
    if TITLE.match(name) and TITLE.fullmatch(words[0]) and len(words) > 1:
        return Subject(name, person=True, thing=False)
    if _LIVED.match(following):
        return Subject(name, person=True, thing=False)
    if article or joined or coded or told:
        return Subject(name, person=False, thing=True)
    capitals = [word for word in words if word[0].isupper() and len(word.rstrip(".")) > 1]
    if (len(words) > 1 and 1 <= len(capitals) <= 5) or _is_said_of_people(following):
        return Subject(name, person=True, thing=False)
    return Subject(name, person=False, thing=True)


def _is_code(word: str) -> bool:
    """True for "PA-31T", "IBM" and "747"; false for "II" and initials."""
    return any(map(str.isdigit, word)) or (
        len(word) > 2
        and (word.isalpha() and word.isupper())
        and not (set(word) <= set("IVX") or word in _HONOURS)
    )


def people_in(sentence: str) -> Iterator[str]:
    """The names in a sentence that may be those of people, titles of works among them."""
    for match in _NAME_OF_SOMEONE.finditer(sentence):
        name = re.sub(r"['’]s$", "", match.group().rstrip(".,'’"))
        if " " in name and named(name).person:
            yield name


def _is_said_of_people(following: str) -> bool:
    """Whether the words after a name call it a person: "(born in 1960) is a Welsh painter"."""
    match = _KIND.match(without_asides(following))
    kind = match.group("kind") if match else ""
    heads = re.findall(r"[\w-]+(?=,? (?:and|or) |, |$)", kind)
    return bool(HUMANS.search(" ".join(heads)) or _PEOPLE.search(kind))


def says_what_it_is(following: str) -> bool:
    """True if the words after a name tell of a life, or of what kind it is."""
    return bool(_LIVED.match(following) or _KIND.match(following))


def without_asides(following: str) -> str:
    """The words after a name without two asides at most: "(born in 1960)", ", a lawyer,"."""
    return _ASIDE.sub("", following, count=2)
