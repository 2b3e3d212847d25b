"""How a sentence speaks of its subject without naming it: "she", "its", "the company"."""

import re
from typing import Literal

from veracite.engine.claims.openings import EXPLETIVE, IMPERSONAL, main_clause
from veracite.engine.wording.name_kinds import NAME, Subject
from veracite.engine.wording.phrases import VERB_ENDING, VERBS, any_of
from veracite.engine.wording.subject_words import HUMANS, NO_NAMES, ROLE_NOUN, TITLE

Pronoun = Literal["he", "she", "it", "they", "role"]
_PRONOUN = re.compile(
    any_of("he she it they his her its their this these those that both") + r"\b", re.IGNORECASE
)
_PRONOUNS: dict[str, Pronoun] = {
    "he": "he",
    "his": "he",
    "she": "she",
    "her": "she",
    "it": "it",
    "its": "it",
}
# An event is "his second"; what he was in before is not.
_HIS_EVENT = re.compile(r"(?:it|this|that) (?:is|was) (his|her)\b", re.IGNORECASE)
_ROLE = re.compile(rf"(?:the|this|that) {ROLE_NOUN.pattern}", re.IGNORECASE)
_NO_ROLE = re.compile(r" (?:of|in|for|from|at|called|named|you are|you're)\b| [A-Z]")
_PART = re.compile(
    r" ([a-z][\w-]*) (?:is|are|was|were|has|have|had|will|would|can|could|may|must|does|did)\b"
)
_ADVERBS = frozenset(
    """also then now later still never soon once first itself alone all both today here there ever
    often always just even only again currently""".split()
)
# "The director, Dr Ada Brown, also": no list, as "the bank, Unite, and the council" is.
_APPOSITION = re.compile(
    r"(?i:the|this|that|its|their|our|my) (?P<role>(?:[a-z][\w-]* ){0,3}[a-z][\w-]*),"
    rf" (?:[Tt]he )?(?P<name>{NAME})(?=,(?! (?:and|or)\b)| \()"
)
_DEFINITE = re.compile(r"(?i:the|this|that) (?P<noun>[A-Za-z][A-Za-z-]+)(?=['’]s\b|,? [a-z])")
_OF_ANOTHER = re.compile(r"(?:his|her|its|their)(?: [\w-]+){1,4}", re.IGNORECASE)
_SOMEONE = re.compile(r"\b(?:he|she|his|her|him)\b", re.IGNORECASE)
_STANDS_FOR = re.compile(
    r"(?P<his>his|her|its|their)(?= [a-z])|(?:he|she|it|they)(?=,? [a-z])"
    r"|(?:the|this|that) [a-z-]+"
    r"(?=['’]s\b|,|(?: (?:[a-z]+ly|also|then|now|later))? (?P<verb>[a-z]+))",
    re.IGNORECASE,
)


def pronoun_of(sentence: str) -> Pronoun | None:
    """How a sentence speaks of its subject, if not by name; "role" for "the company".

    A role that a name goes with ("the director, Ada Brown,", "the novel Dune") needs no other.
    """
    sentence = EXPLETIVE.sub("", sentence, count=1)
    clause = main_clause(sentence)
    if name_with_role(clause) or IMPERSONAL.match(clause):
        return None
    for text in (clause, sentence):
        if match := _HIS_EVENT.match(text) or _PRONOUN.match(text):
            return _PRONOUNS.get(match.group(match.lastindex or 0).lower(), "they")
        if (role := _ROLE.match(text)) and not (
            _NO_ROLE.match(text, role.end()) or _is_part(text[role.end() :])
        ):
            return "role"
    return None


def _is_part(following: str) -> bool:
    """Whether a role noun is only part of a subject: "the program grep was"."""
    match = _PART.match(following)
    return match is not None and not (
        match[1] in VERBS or match[1] in _ADVERBS or VERB_ENDING.match(match[1])
    )


def is_dependent(sentence: str) -> bool:
    """True if a sentence speaks of its subject by a pronoun or a role ("the company")."""
    return pronoun_of(sentence) is not None


def name_with_role(clause: str) -> re.Match[str] | None:
    """The name in "the director, Ada Brown," or "the novel Dune", if a clause starts so."""
    apposition = _APPOSITION.match(clause)
    if apposition and VERBS.isdisjoint(apposition.group("role").split()):
        return apposition
    role = _ROLE.match(clause)
    if role and role.group().split()[-1].islower() and clause.startswith(" ", role.end()):
        return re.compile(rf"(?P<name>{NAME})").match(clause, role.end() + 1)
    return None


def noun_of(sentence: str) -> str | None:
    """The noun that a sentence calls its subject by: "company" for "The company grew"."""
    match = _DEFINITE.match(main_clause(sentence))
    return match.group("noun").lower() if match else None


def is_of_another(sentence: str) -> bool:
    """True if the subject is someone's or something's own: "His brother", "Its main product"."""
    match = _OF_ANOTHER.match(main_clause(sentence))
    if match is None:
        return False
    return match.group()[:3].lower() in ("its", "the") or HUMANS.search(match.group()) is not None


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


def gender_of(name: str) -> Pronoun | None:
    """What a title tells of a person: "Mrs Brown" is a "she"."""
    match = TITLE.fullmatch(name.split()[0])
    if match is None:
        return None
    return "he" if match.group("he") else "she" if match.group("she") else None


def with_name(statement: str, subject: Subject) -> str | None:
    """The statement with its subject's name for the pronoun or role it starts with.

    "In 1970, he moved." becomes "In 1970, John Smith moved."; None where that is not sure.
    """
    clause = main_clause(statement)
    at = len(statement) - len(clause)
    match = _STANDS_FOR.match(clause)
    if match is None or not _may_be_verb(match.group("verb")):
        return None
    name = f"{subject.article} {subject.name}" if subject.article else subject.name
    name = name if at else name[0].upper() + name[1:]
    if match.group("his"):
        name += "'" if subject.plural and name.endswith("s") else "'s"
    return statement[:at] + name + clause[match.end() :]


def _may_be_verb(word: str | None) -> bool:
    """False for what makes "the film" a part of "the film industry"."""
    return word is None or word in VERBS or word[-1] == "s" or VERB_ENDING.match(word) is not None
