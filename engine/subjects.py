"""What a sentence is about, and which pronouns may mean it.

By form alone: no list of first names, no parser. Where a form leaves open what a name stands for,
the pronouns that it may not fit do not get it: a wrong subject is worse than none.
"""

import re
from dataclasses import dataclass
from typing import Literal

from veracite.engine.phrases import VERB_ENDING, VERBS, any_of
from veracite.engine.subject_words import (
    HUMANS,
    MONTH,
    NO_NAMES,
    NO_PERSON,
    PEOPLE,
    STATES,
    THINGS,
    TITLE,
)

__all__ = [
    "Pronoun",
    "Subject",
    "gender_of",
    "named",
    "pronoun_of",
    "speaks_of_someone",
    "subject_of",
]

Pronoun = Literal["he", "she", "it", "they", "role"]


@dataclass(frozen=True, slots=True)
class Subject:
    """A name, and what "he" or "it" in the next sentence may mean."""

    name: str
    person: bool
    """True if it may be a person's: "John Smith", "Captain Brown"."""
    thing: bool
    """True if it may be that of anything but a person. Neither for several: "Ann and Bob"."""


_CONNECTIVE = re.compile(
    any_of(
        "and but so then also however later afterwards? thereafter meanwhile today eventually"
        " finally moreover furthermore additionally subsequently since_then by_then"
    )
    + r"\b,? ",
    re.IGNORECASE,
)
_ADVERBIAL = re.compile(
    any_of(
        "in on at by after before during since from until as for with under between when while"
        " according(?=_to) despite"
    )
    + r"\b[^,;:.]{1,60}, ",
    re.IGNORECASE,
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
# A date needs no comma: "On 30 November 2007 a Cessna 152 ...".
_DATE = re.compile(
    r"(?:in|on|by|since|during|around|until|from) (?:(?:early|late|mid|the)[ -])*"
    rf"(?:(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? )?(?:{_DAY} )?{MONTH}(?: {_DAY}\b)?"
    r"(?:,? (?:of )?\d{4})?|\d{4}s?|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day),? "
    r"(?=(?:an?|the|he|she|it|they|his|her|its|their|this)\b|(?-i:[A-Z]))",
    re.IGNORECASE,
)
# "It" that stands for nothing: "It's important to note that the pilot ...".
_EXPLETIVE = re.compile(
    r"it(?: is| was|['’]s| has been| should be| must be) (?:also |\w+ly )?"
    + any_of(
        """important worth noteworthy notable known believed estimated thought said reported claimed
        likely unlikely clear possible true noted accepted assumed argued alleged"""
    )
    + r"(?: (?:to [a-z]+|noting|mentioning|remembering))?,? that ",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    any_of("he she it they his her its their this these those that both") + r"\b", re.IGNORECASE
)
# An event is "his second"; what he was in before is not.
_HIS_EVENT = re.compile(r"(?:it|this|that) (?:is|was) (his|her)\b", re.IGNORECASE)
# "The company" stands for a name. "The film industry" does not, but a name too many in the query
# costs little.
_ROLE = re.compile(
    rf"(?:the|this|that) (?:former|latter|couple|pair|{any_of(PEOPLE)}|{any_of(THINGS)})\b",
    re.IGNORECASE,
)

_PART = r"(?:[A-Z][\w'’.&-]*|[A-Z]\.)"
_JOIN = r"(?: (?:of|the|de|da|di|du|van|von|der|den|la|le|and|&|al|bin|ibn|for|in))"
_MORE = rf"(?:{_JOIN}{{0,2}} {_PART}|(?: \d[\d.]*)(?![\w,])){{0,6}}"
_NAME = re.compile(rf"(?P<article>(?:[Tt]he|[Aa]n?) )?(?P<name>{_PART}{_MORE})")
# "The director, Dr Ada Brown, also": no list, as "the bank, Unite, and the council" is.
_APPOSITION = re.compile(
    r"(?i:the|this|that|its|their|our|my) (?P<role>(?:[a-z][\w-]* ){0,3}[a-z][\w-]*),"
    rf" (?:[Tt]he )?(?P<name>{_PART}{_MORE})(?=,(?! (?:and|or)\b)| \()"
)
_LIVED = re.compile(
    r",? ?(?:\((?:[^()]{0,40}\b)?(?:born\b|died\b|b\. |n[ée]e\b|\d{3,4}(?:/\d{4})?\s?[–-])|born\b"
    r"|(?:was|is) born\b|died\b|married\b)"
)
_OF_PERSON = re.compile(
    r",? ?(?:graduated|studied|attended|grew up|retired|(?:is|was) (?:an?|the) (?:[\w-]+ ){0,4}?"
    r"[a-z]+(?:ist|ian|er|or|man|woman))\b"
)
_OF_THING = re.compile(
    r" (?:is|was|are|were|has been|had been) (?:\w+ly )?(?:"
    + any_of(
        """founded built opened established released published launched registered located situated
        incorporated manufactured designed constructed completed acquired destroyed demolished"""
    )
    + rf"\b|(?:an?|the|one of the) (?:[\w'’-]+,? ){{0,4}}?{any_of(THINGS)}"
    r"(?=[,.;]|$| (?:of|in|that|which|from|and|for|by|on|with|at|based|located|founded)\b))"
)
_SOMEONE = re.compile(r"\b(?:he|she|his|her|him)\b", re.IGNORECASE)


def _main_clause(sentence: str) -> str:
    """The sentence from its subject on: "In 1990, however, he ..." without what stands in front."""
    for _ in range(3):
        lead = (
            _CONNECTIVE.match(sentence)
            or _EXPLETIVE.match(sentence)
            or _DATE.match(sentence)
            or _ADVERBIAL.match(sentence)
        )
        if lead is None:
            break
        sentence = sentence[lead.end() :]
    return sentence


def pronoun_of(sentence: str) -> Pronoun | None:
    """How a sentence speaks of its subject, if not by name; "role" for "the company".

    A role that a name goes with ("the director, Ada Brown,", "the novel Dune") needs no other.
    """
    sentence = _EXPLETIVE.sub("", sentence, count=1)
    clause = _main_clause(sentence)
    if _name_with_role(clause):
        return None
    for text in (clause, sentence):
        if match := _HIS_EVENT.match(text) or _PRONOUN.match(text):
            return _PRONOUNS.get(match.group(match.lastindex or 0).lower(), "they")
        if _ROLE.match(text):
            return "role"
    return None


_PRONOUNS: dict[str, Pronoun] = {
    **{"he": "he", "his": "he", "she": "she", "her": "she", "it": "it", "its": "it"}
}


def speaks_of_someone(sentence: str) -> bool:
    """True if the subject, whatever it is called, may be what "he" means in the next sentence."""
    clause = _main_clause(sentence)
    if _SOMEONE.search(clause):
        return False
    opening = " ".join(clause.split()[:5])
    word = re.match(r"([A-Z][\w'’-]+) ([a-z]+)\b", clause)
    acts = word is not None and (word.group(2) in VERBS or VERB_ENDING.match(word.group(2)))
    if word is not None and acts and not word.group(1).endswith("s"):
        return word.group(1).lower() not in NO_NAMES  # "Smith flew"
    return HUMANS.search(opening) is not None


def subject_of(sentence: str) -> Subject | None:
    """The proper name that a sentence starts with, its subject; None if it starts otherwise."""
    rest = _main_clause(sentence).lstrip("\"'“‘(")
    with_role = _name_with_role(rest)
    match = with_role or _NAME.match(rest)
    if match is None:
        return None
    full = match.group("name")
    name = re.sub(r"['’]s$", "", full.rstrip(".,'’"))
    first = name.split()[0]
    if first.lower() in NO_NAMES or (first.rstrip(".").lower() in STATES and "." in full[:6]):
        return None
    following = rest[match.end() :]
    # A label, a line of its own, "Latrobe, Pa.": nothing is said of the name.
    if re.match(r":|\(\w", following) or not re.search(r"\b[a-z]", following) or _in_capitals(name):
        return None
    # One capitalised word may be any noun; it is a name if it looks like one in itself.
    single = " " not in name and not re.search(r"[A-Z0-9].*[A-Z0-9]", name)
    if single and name.endswith("ly") and following.startswith(","):
        return None  # "Specifically, ..."
    if single and not re.match(r"(?:['’]s)?,? (?:\(|is|was|has|had|were|are)|,|\s\(", following):
        return None
    if with_role is not None:
        of_people = HUMANS.search(rest[: match.start("name")]) is not None
        return Subject(name, person=of_people, thing=not of_people or not named(name).person)
    subject = named(name, article=(match.group("article") or "").strip(), following=following)
    if full.endswith(("'s", "’s")) and HUMANS.search(" ".join(following.split()[:3])):
        return Subject(name, person=False, thing=False)  # "John Smith's mother"
    return subject


def named(name: str, *, article: str = "", following: str = "") -> Subject:
    """What a name may stand for.

    Args:
        article: What stands before it: people have none.
        following: The rest of its sentence: "was founded in ..." is said of no person.
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
    if article or joined or coded or told or _OF_THING.match(following):
        return Subject(name, person=False, thing=True)
    capitals = [word for word in words if word[0].isupper() and len(word.rstrip(".")) > 1]
    if (len(words) > 1 and 1 <= len(capitals) <= 4) or _OF_PERSON.match(following):
        return Subject(name, person=True, thing=False)
    return Subject(name, person=False, thing=True)


def _is_code(word: str) -> bool:
    """True for "PA-31T", "IBM" and "747"; false for "II" and initials."""
    return any(map(str.isdigit, word)) or (
        len(word) > 2 and word.isalpha() and word.isupper() and not set(word) <= set("IVX")
    )


def gender_of(name: str) -> Pronoun | None:
    """What a title tells of a person: "Mrs Brown" is a "she"."""
    match = TITLE.fullmatch(name.split()[0])
    if match is None:
        return None
    return "he" if match.group("he") else "she" if match.group("she") else None


def _in_capitals(name: str) -> bool:
    """True for "PRESS NOTE", a heading rather than a name."""
    return " " in name and name.isupper() and not re.search(r"\d", name)


def _name_with_role(clause: str) -> re.Match[str] | None:
    """The name in "the director, Ada Brown," or "the novel Dune", if a clause starts so."""
    apposition = _APPOSITION.match(clause)
    if apposition and VERBS.isdisjoint(apposition.group("role").split()):
        return apposition
    role = _ROLE.match(clause)
    if role and role.group().split()[-1].islower() and clause.startswith(" ", role.end()):
        return re.compile(rf"(?P<name>{_PART}{_MORE})").match(clause, role.end() + 1)
    return None
