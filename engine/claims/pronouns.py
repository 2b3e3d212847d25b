"""What a sentence is about: a name, a pronoun such as "she", or a role such as "the company".

What stands in front of the subject ("In 1990, however, ...") is passed over.
"""

import re
from dataclasses import replace
from typing import Literal

from veracite.engine.wording.name_kinds import (
    HUMANS,
    NAME,
    NO_NAMES,
    ROLE_NOUN,
    STATES,
    Subject,
    is_in_capitals,
    kinds_in,
    named,
    says_what_it_is,
    without_asides,
)
from veracite.engine.wording.phrases import VERB_ENDING, VERBS, any_of

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
_ROLE = re.compile(rf"(?:the|this|that) {ROLE_NOUN.pattern}", re.IGNORECASE)
_NO_ROLE = re.compile(r" (?:of|in|for|from|at|called|named|you are|you're)\b| [A-Z]")
_DEFINITE = re.compile(r"(?i:the|this|that) (?P<noun>[A-Za-z][A-Za-z-]+)(?=['’]s\b|,? [a-z])")
_OF_ANOTHER = re.compile(r"(?:his|her|its|their)(?: [\w-]+){1,4}", re.IGNORECASE)
_SOMEONE = re.compile(r"\b(?:he|she|his|her|him)\b", re.IGNORECASE)
_STANDS_FOR = re.compile(
    r"(?P<his>his|her|its|their)(?= [a-z])|(?:he|she|it|they)(?=,? [a-z])"
    r"|(?:the|this|that) [a-z-]+"
    r"(?=['’]s\b|,|(?: (?:[a-z]+ly|also|then|now|later))? (?P<verb>[a-z]+))",
    re.IGNORECASE,
)
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan\.?|Feb\.?|Mar\.?|Apr\.?|Jun\.?|Jul\.?|Aug\.?|Sept?\.?|Oct\.?|Nov\.?|Dec\.?)"
)
_CONNECTIVE = re.compile(
    any_of(
        "and but so then also however later afterwards? thereafter meanwhile today eventually"
        " finally moreover furthermore additionally subsequently since_then by_then"
    )
    + r"\b,? |"
    + any_of(
        "yes no well currently initially originally overall therefore thus similarly likewise"
        " nevertheless nonetheless consequently instead sadly unfortunately"
    )
    + ", ",
    re.IGNORECASE,
)
_ADVERBIAL = re.compile(
    any_of(
        "in on at by after before during since from until as for with under between when while"
        " throughout upon despite unlike besides following because(?=_of) due(?=_to) outside inside"
        " within across around near among beyond alongside led born raised founded based released"
        " along(?=_with) prior(?=_to) based(?=_on) contrary(?=_to) according(?=_to)"
    )
    + r"\b[^,;:.]{1,60}, ",
    re.IGNORECASE,
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
# A date needs no comma: "On 30 November 2007 a Cessna 152 ...".
_DATE = re.compile(
    r"(?:in|on|by|since|during|around|until|from) (?:(?:early|late|mid|the)[ -])*"
    rf"(?:(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? )?(?:{_DAY} )?{_MONTH}(?: {_DAY}\b)?"
    r"(?:,? (?:of )?\d{4})?|\d{4}s?|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day),? "
    r"(?=(?:an?|the|he|she|it|they|his|her|its|their|this)\b|(?-i:[A-Z]))",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"“](?P<name>[A-Z][^\"“”]{1,80})[\"”](?= (?:\(|is |was |are |were )|, )")
_LEADING_NAME = re.compile(rf"(?P<article>(?:[Tt]he|[Aa]n?) )?(?P<name>{NAME})")
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
    rf"(?P<name>{NAME})[\"”]?(?=[.,]|,? \(|,? (?:which|who|in|with|at|of)\b|$)"
)
_STATE = re.compile(r" (?:is|was|are|were|has been|had been|have been|consists|lies|stands)\b")


_BY_THING = re.compile(rf"\b(?:by|with|into|than|like) (?:the )?(?P<name>{NAME})")


def pronoun_of(sentence: str) -> Pronoun | None:
    """How a sentence speaks of its subject, if not by name; "role" for "the company"."""
    for text in (main_clause(sentence), sentence):
        if match := _PRONOUN.match(text):
            return _PRONOUNS.get(match.group().lower(), "they")
        if (role := _ROLE.match(text)) and not _NO_ROLE.match(text, role.end()):
            return "role"
    return None


def is_dependent(sentence: str) -> bool:
    """True if a sentence speaks of its subject by a pronoun or a role ("the company")."""
    return pronoun_of(sentence) is not None


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


def main_clause(sentence: str) -> str:
    """The sentence from its subject on: "In 1990, however, he ..." without what stands in front."""
    for _ in range(3):
        lead = _CONNECTIVE.match(sentence) or _DATE.match(sentence) or _ADVERBIAL.match(sentence)
        if lead is None:
            break
        sentence = sentence[lead.end() :]
    return sentence


def subject_of(sentence: str) -> Subject | None:
    """The proper name that a sentence starts with, its subject; None if it starts otherwise."""
    clause = main_clause(sentence)
    if (title := _QUOTED.match(clause)) is not None:
        about = kinds_in(clause[title.end() :])
        return Subject(title.group("name"), False, True, kinds=about, is_sure=bool(about))
    rest = clause.lstrip("\"'“‘(")
    match = _LEADING_NAME.match(rest)
    if match is None:
        return None
    full = match.group("name")
    name = re.sub(r"['’]s$", "", full.rstrip(".,'’"))
    first = name.split()[0]
    if first.lower() in NO_NAMES or (first.rstrip(".").lower() in STATES and "." in full[:6]):
        return None
    following = rest[match.end() :]
    # A label, a line of its own, "Latrobe, Pa.": nothing is said of the name.
    if re.match(r":|\(\w", following) or not re.search(r"\b[a-z]", following):
        return None
    if is_in_capitals(name):
        return None
    # One capitalised word may be any noun; it is a name if it looks like one in itself.
    single = " " not in name and not re.search(r"[A-Z0-9].*[A-Z0-9]", name)
    if single and name.endswith("ly") and following.startswith(","):
        return None  # "Specifically, ..."
    verb = rf"(?:['’]s)?,? (?:{_VERB if clause != sentence else 'is|was|has|had|were|are'}|\()|,"
    if single and not re.match(verb, following):
        return None
    article, kinds = (match.group("article") or "").strip(), kinds_in(following)
    subject = named(name, article=article, following=following)
    if full.endswith(("'s", "’s")) and HUMANS.search(" ".join(following.split()[:3])):
        return Subject(name, person=False, thing=False)  # "John Smith's mother"
    titled = article in ("A", "An") and kinds  # "A Summer There is a film"
    return replace(
        subject,
        name=f"{article} {subject.name}" if titled else subject.name,
        article="the" if article.lower() == "the" else "",
        plural=_PLURAL.match(without_asides(following)) is not None,
        kinds=kinds,
        is_sure=not single or says_what_it_is(following),
    )


def named_last(sentence: str) -> Subject | None:
    """What a sentence is about that has its subject's name at its end: "The capital is Oslo."."""
    match = _INVERTED.match(main_clause(sentence))
    if match is None:
        return None
    name, kind = match.group("name").rstrip(".,"), match.group("kind").lower()
    if name.split()[0].lower() in NO_NAMES or is_in_capitals(name):
        return None
    of_people = HUMANS.search(kind) is not None
    article = (match.group("article") or "").strip().lower()
    return Subject(
        *(name, of_people, not of_people, article),
        kinds=frozenset(kind.split()),
        is_sure=of_people == named(name, article=article).person,
    )


def is_said_of_subject(sentence: str) -> bool:
    """True if a sentence only says what its subject is or was, and names no rival for "it"."""
    clause = main_clause(sentence)
    if any(not named(match.group("name")).person for match in _BY_THING.finditer(clause)):
        return False
    if _INVERTED.match(clause):
        return True
    pronoun = re.match(r"(?:it|they)\b", clause, re.IGNORECASE)
    match = pronoun or _QUOTED.match(clause) or _LEADING_NAME.match(clause)
    rest = without_asides(clause[match.end() :]) if match else ""
    return _STATE.match(rest) is not None
