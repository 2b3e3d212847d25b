"""What a sentence is about, and which pronouns may mean it.

By form alone: no list of first names, no parser. Where a form leaves open what a name stands for,
the pronouns that it may not fit do not get it: a wrong subject is worse than none.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from veracite.engine.phrases import VERB_ENDING, VERBS, any_of
from veracite.engine.subject_words import (
    ADVERBIAL,
    CONNECTIVE,
    DATE,
    EXPLETIVE,
    HUMANS,
    IMPERSONAL,
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
    "described",
    "gender_of",
    "is_of_another",
    "is_said_of_subject",
    "main_clause",
    "named",
    "noun_of",
    "people_in",
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
    article: str = ""
    """What goes in front of it within a sentence: "the" of "the University of Oslo"."""
    plural: bool = False
    """True if its verb is: "The Wolves are a band"."""
    kinds: frozenset[str] = frozenset()
    """The words of what it is said to be: "rock", "band". "The band" may then mean it."""
    is_sure: bool = False
    """True if its form tells of whom it is the name; false for one word that may be anything."""


_PRONOUN = re.compile(
    any_of("he she it they his her its their this these those that both") + r"\b", re.IGNORECASE
)
# An event is "his second"; what he was in before is not.
_HIS_EVENT = re.compile(r"(?:it|this|that) (?:is|was) (his|her)\b", re.IGNORECASE)
# "The company" stands for a name. "The film industry" does not, but a name too many in the query
# costs little. "The university of Oslo" and "the song of the club" need none.
_ROLE_NOUN = re.compile(
    rf"(?:former|latter|couple|pair|duo|trio|{any_of(PEOPLE)}|{any_of(THINGS)})\b", re.IGNORECASE
)
_ROLE = re.compile(rf"(?:the|this|that) {_ROLE_NOUN.pattern}", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“](?P<name>[A-Z][^\"“”]{1,80})[\"”](?= (?:\(|is |was |are |were )|, )")
_NO_ROLE = re.compile(r" (?:of|in|for|from|at|called|named|you are|you're)\b| [A-Z]")

_PART = r"(?:[A-Z][\w'’.&-]*|[A-Z]\.)"
_JOIN = r"(?: (?:of|the|de|da|di|du|van|von|der|den|la|le|and|&|al|bin|ibn|for|in))"
_SHORTENED = re.compile(r" (?:Jr|Sr|Inc|Corp|Co|Ltd|Bros)\.$|\b(?:[A-Z]\.){2,}$")
_NICKNAME = r" [\"“(]\w[\w .'’-]{0,20}[\"”)](?= [A-Z])"
_MORE = rf"(?:{_JOIN}{{0,2}} {_PART}|{_NICKNAME}|(?: \d[\d.]*)(?![\w,])){{0,6}}"
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
_IS = r"(?:is|was|are|were|remains|became)"
_ASIDE = re.compile(r"(?: ?\([^()]{0,200}\)|,(?! (?:and|or)\b)[^,.;]{3,80},)")
_KIND = re.compile(
    rf" {_IS} (?:an?|the|one of the) (?P<kind>[^.;]*?)(?=[.;]| (?:who|that|which|known|based|in|of"
    r"|from|with|for|by|located|founded|formed|at|on|and (?:is|was|has))\b|$)"
)
_PLURAL = re.compile(r" (?:are|were|have)\b")
_VERB = (
    r"(?:is|was|are|were|has|have|had|did|does|can|could|will|would|may|must|became|consists"
    r"|contains|includes|stands|lies|covers|began|opened)\b"
)
# "The tallest building there is the Gran Torre, ...": the name comes last.
_INVERTED = re.compile(
    r"(?i:the|one of the|its|their) (?P<kind>[^.,;:()]{3,80}?) (?:is|was)"
    r"(?: (?:called|named|currently|now|also|considered to be|(?:widely )?believed to be"
    r"|thought to be|known as))* (?P<article>[Tt]he )?[\"“]?"
    rf"(?P<name>{_PART}{_MORE})[\"”]?(?=[.,]|,? \(|,? (?:which|who|in|with|at|of)\b|$)"
)
# "The first artificial heart was ...", "A falcon does not ...", "Clay drums are ...".
_DESCRIBED = re.compile(
    r"(?P<article>[Tt]he|[Aa]n?) (?P<name>[a-z][\w-]*(?: [\w-]+){0,4}?)"
    rf"(?: \([^()]{{0,60}}\))?(?:,[^,.;]{{3,60}},)? {_VERB}"
)
_NAMELESS = re.compile(
    r"(?P<article>)(?P<name>[A-Z][a-z]+(?<!ly)(?: [a-z-]+){0,2}?s|[A-Z][a-z]+(?<!ly) [a-z-]+)"
    r"(?:,[^,.;]{3,60},)? (?:are|were|have)\b"
)
_SOMEONE = re.compile(r"\b(?:he|she|his|her|him)\b", re.IGNORECASE)


def main_clause(sentence: str) -> str:
    """The sentence from its subject on: "In 1990, however, he ..." without what stands in front."""
    for _ in range(3):
        lead = (
            CONNECTIVE.match(sentence)
            or EXPLETIVE.match(sentence)
            or DATE.match(sentence)
            or ADVERBIAL.match(sentence)
        )
        if lead is None:
            break
        sentence = sentence[lead.end() :]
    return sentence


def pronoun_of(sentence: str) -> Pronoun | None:
    """How a sentence speaks of its subject, if not by name; "role" for "the company".

    A role that a name goes with ("the director, Ada Brown,", "the novel Dune") needs no other.
    """
    sentence = EXPLETIVE.sub("", sentence, count=1)
    clause = main_clause(sentence)
    if _name_with_role(clause) or IMPERSONAL.match(clause):
        return None
    for text in (clause, sentence):
        if match := _HIS_EVENT.match(text) or _PRONOUN.match(text):
            return _PRONOUNS.get(match.group(match.lastindex or 0).lower(), "they")
        if (role := _ROLE.match(text)) and not _NO_ROLE.match(text, role.end()):
            return "role"
    return None


_PRONOUNS: dict[str, Pronoun] = {
    **{"he": "he", "his": "he", "she": "she", "her": "she", "it": "it", "its": "it"}
}


_DEFINITE = re.compile(
    r"(?:the|this|that) (?P<noun>[a-z][a-z-]+)(?=['’]s\b|,? [a-z])", re.IGNORECASE
)


def noun_of(sentence: str) -> str | None:
    """The noun that a sentence calls its subject by: "company" for "The company grew"."""
    match = _DEFINITE.match(main_clause(sentence))
    return match.group("noun").lower() if match else None


_OF_ANOTHER = re.compile(r"(?:his|her|its|their)(?: [\w-]+){1,4}", re.IGNORECASE)


def is_of_another(sentence: str) -> bool:
    """True if the subject is someone's or something's own: "His brother", "Its main product"."""
    match = _OF_ANOTHER.match(main_clause(sentence))
    if match is None:
        return False
    return match.group()[:3].lower() in ("its", "the") or HUMANS.search(match.group()) is not None


_STATE = re.compile(r" (?:is|was|are|were|has been|had been|have been|consists|lies|stands)\b")
_BY_THING = re.compile(rf"\b(?:by|with|into|than|like) (?:the )?(?P<name>{_PART}{_MORE})")


def is_said_of_subject(sentence: str) -> bool:
    """True if a sentence only says what its subject is or was, and names no rival for "it"."""
    clause = main_clause(sentence)
    if any(not named(match.group("name")).person for match in _BY_THING.finditer(clause)):
        return False
    if _INVERTED.match(clause):
        return True
    if match := _DESCRIBED.match(clause) or _NAMELESS.match(clause):
        return re.search(r"\b(?:is|was|are|were)$", match.group()) is not None
    pronoun = re.match(r"(?:it|they)\b", clause, re.IGNORECASE)
    match = pronoun or _QUOTED.match(clause) or _NAME.match(clause)
    rest = _ASIDE.sub("", clause[match.end() :], count=2) if match else ""
    return _STATE.match(rest) is not None


def speaks_of_someone(sentence: str) -> bool:
    """True if the subject, whatever it is called, may be what "he" means in the next sentence."""
    clause = main_clause(sentence)
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
    clause = main_clause(sentence)
    if (title := _QUOTED.match(clause)) is not None:
        about = _kinds(clause[title.end() :])
        return Subject(title.group("name"), False, True, kinds=about, is_sure=bool(about))
    rest = clause.lstrip("\"'“‘(")
    with_role = _name_with_role(rest)
    match = with_role or _NAME.match(rest)
    if match is None:
        return None
    full = match.group("name")
    bare = full.rstrip(",'’")
    name = re.sub(r"['’]s$", "", bare if _SHORTENED.search(bare) else bare.rstrip(".,'’"))
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
    verb = rf"(?:['’]s)?,? (?:{_VERB if clause != sentence else 'is|was|has|had|were|are'}|\()|,"
    if single and not re.match(verb, following):
        return None
    if with_role is not None:
        of_people = HUMANS.search(rest[: match.start("name")]) is not None
        subject = Subject(name, person=of_people, thing=not of_people or not named(name).person)
        told = " ".join(rest[: match.start("name")].lower().replace(",", " ").split()[1:])
        return replace(subject, kinds=frozenset(told.split()) | _kinds(following), is_sure=True)
    subject = named(name, article=(match.group("article") or "").strip(), following=following)
    if full.endswith(("'s", "’s")) and HUMANS.search(" ".join(following.split()[:3])):
        return Subject(name, person=False, thing=False)  # "John Smith's mother"
    article, kinds = (match.group("article") or "").strip(), _kinds(following)
    titled = article in ("A", "An") and kinds  # "A Summer There is a film"
    return replace(
        subject,
        name=f"{article} {subject.name}" if titled else subject.name,
        article="the" if article.lower() == "the" else "",
        plural=_PLURAL.match(_ASIDE.sub("", following, count=2)) is not None,
        kinds=kinds,
        is_sure=not single or bool(_LIVED.match(following) or _KIND.match(following)),
    )


def described(sentence: str) -> Subject | None:
    """What a sentence that starts with no name is about.

    The name at its end ("The capital is Oslo."), or a thing without one ("The first tower was").
    """
    clause = main_clause(sentence)
    if match := _INVERTED.match(clause):
        name, kind = match.group("name").rstrip(".,"), match.group("kind").lower()
        if name.split()[0].lower() in NO_NAMES or _in_capitals(name):
            return None
        of_people = HUMANS.search(kind) is not None
        article = (match.group("article") or "").strip().lower()
        return Subject(
            *(name, of_people, not of_people, article),
            kinds=frozenset(kind.split()),
            is_sure=of_people == named(name, article=article).person,
        )
    match = _DESCRIBED.match(clause)
    if match is None and (match := _NAMELESS.match(clause)) is not None:
        match = None if match.group("name").split()[0].lower() in NO_NAMES else match
    if match is None or HUMANS.search(match.group("name").lower()):
        return None
    words = set(match.group("name").split())
    if words & {"of", "and", "or"} or words & VERBS or _DUMMY.search(match.group("name")):
        return None
    if match.group("article").lower() == "the" and len(words) == 1:
        return None  # "The population", "The squadron": of something
    plural = _PLURAL.search(match.group()[-6:]) is not None
    return Subject(match.group("name"), False, True, match.group("article").lower(), plural)


# "The answer is ...", "The reason was ...": the text goes on about something else.
_DUMMY = re.compile(
    r"\b(?i:answer|reason|result|fact|idea|problem|question|example|way|thing|time|year|day|number"
    r"|rest|first|second|last|one|other|others|same|former|latter|case|total|amount|average|point|aspect|part|feature|goal|aim)s?$"
)


def _kinds(following: str) -> frozenset[str]:
    """What the words after a name say that it is: "band" for "(formed in 1960) is a rock band"."""
    match = _KIND.match(_ASIDE.sub("", following, count=2))
    if match is None:
        return frozenset()
    phrases = re.split(r",? (?:and|or) |, ", _PARTICIPLE.sub("", match.group("kind")))
    heads = {phrase.split()[-1] for phrase in phrases if phrase.split()}
    words = re.findall(r"[a-z][\w-]+", match.group("kind"))
    return frozenset(word for word in words if word in heads or _ROLE_NOUN.fullmatch(word))


# "film written by Ada Brown": what follows is no kind.
_PARTICIPLE = re.compile(r" (?:[a-z]+ed|written|drawn|shown|held|led|built|run|made|sung)\b.*")


# Not "in Los Angeles", "the Sydney Bears".
_NAME_OF_SOMEONE = re.compile(
    rf"(?<!\bthe )(?<!\bThe )(?<!\bin )(?<!\bIn )(?<!\bat )(?<![\w.'’&-]){_PART}{_MORE}"
)


def people_in(sentence: str) -> Iterator[str]:
    """The names in a sentence that may be those of people, titles of works among them."""
    for match in _NAME_OF_SOMEONE.finditer(sentence):
        name = re.sub(r"['’]s$", "", match.group().rstrip(".,'’"))
        if " " in name and named(name).person:
            yield name


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
    human = _OF_PERSON.match(following) or HUMANS.search(" ".join(sorted(_kinds(following))))
    if (len(words) > 1 and 1 <= len(capitals) <= 5) or human:
        return Subject(name, person=True, thing=False)
    return Subject(name, person=False, thing=True)


def _is_code(word: str) -> bool:
    """True for "PA-31T", "IBM" and "747"; false for "II" and initials."""
    return any(map(str.isdigit, word)) or (
        len(word) > 2
        and (word.isalpha() and word.isupper())
        and not (set(word) <= set("IVX") or word in _HONOURS)
    )


_HONOURS = frozenset("OAM OBE MBE CBE KBE DBE FRS FBA PhD MD".split())


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
