"""What a sentence is about: the name that it starts with or ends on, or a thing without one."""

import re
from dataclasses import replace

from veracite.engine.claims.openings import main_clause
from veracite.engine.claims.pronouns import name_with_role
from veracite.engine.wording.name_kinds import (
    NAME,
    Subject,
    is_in_capitals,
    kinds_in,
    named,
    says_what_it_is,
    without_asides,
)
from veracite.engine.wording.phrases import VERBS
from veracite.engine.wording.subject_words import HUMANS, NO_NAMES, STATES

_QUOTED = re.compile(r"[\"“](?P<name>[A-Z][^\"“”]{1,80})[\"”](?= (?:\(|is |was |are |were )|, )")
_SHORTENED = re.compile(r" (?:Jr|Sr|Inc|Corp|Co|Ltd|Bros)\.$|\b(?:[A-Z]\.){2,}$")
_NAME = re.compile(rf"(?P<article>(?:[Tt]he|[Aa]n?) )?(?P<name>{NAME})")
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
# "The first artificial heart was ...", "A falcon does not ...", "Clay drums are ...".
_DESCRIBED = re.compile(
    r"(?P<article>[Tt]he|[Aa]n?) (?P<name>[a-z][\w-]*(?: [\w-]+){0,4}?)"
    rf"(?: \([^()]{{0,60}}\))?(?:,[^,.;]{{3,60}},)? {_VERB}"
)
_NAMELESS = re.compile(
    r"(?P<article>)(?P<name>[A-Z][a-z]+(?<!ly)(?: [a-z-]+){0,2}?s|[A-Z][a-z]+(?<!ly) [a-z-]+)"
    r"(?:,[^,.;]{3,60},)? (?:are|were|have)\b"
)
# "The answer is ...", "The reason was ...": the text goes on about something else.
_DUMMY = re.compile(
    r"\b(?i:answer|reason|result|fact|idea|problem|question|example|way|thing|time|year|day|number"
    r"|rest|first|second|last|one|other|others|same|former|latter|case|total|amount|average"
    r"|point|aspect|part|feature|goal|aim)s?$"
)
_STATE = re.compile(r" (?:is|was|are|were|has been|had been|have been|consists|lies|stands)\b")
_BY_THING = re.compile(rf"\b(?:by|with|into|than|like) (?:the )?(?P<name>{NAME})")


def subject_of(sentence: str) -> Subject | None:
    """The proper name that a sentence starts with, its subject; None if it starts otherwise."""
    clause = main_clause(sentence)
    if (title := _QUOTED.match(clause)) is not None:
        about = kinds_in(clause[title.end() :])
        return Subject(title.group("name"), False, True, kinds=about, is_sure=bool(about))
    rest = clause.lstrip("\"'“‘(")
    with_role = name_with_role(rest)
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
    if with_role is not None:
        of_people = HUMANS.search(rest[: match.start("name")]) is not None
        subject = Subject(name, person=of_people, thing=not of_people or not named(name).person)
        told = " ".join(rest[: match.start("name")].lower().replace(",", " ").split()[1:])
        return replace(subject, kinds=frozenset(told.split()) | kinds_in(following), is_sure=True)
    subject = named(name, article=(match.group("article") or "").strip(), following=following)
    if full.endswith(("'s", "’s")) and HUMANS.search(" ".join(following.split()[:3])):
        return Subject(name, person=False, thing=False)  # "John Smith's mother"
    article, kinds = (match.group("article") or "").strip(), kinds_in(following)
    titled = article in ("A", "An") and kinds  # "A Summer There is a film"
    return replace(
        subject,
        name=f"{article} {subject.name}" if titled else subject.name,
        article="the" if article.lower() == "the" else "",
        plural=_PLURAL.match(without_asides(following)) is not None,
        kinds=kinds,
        is_sure=not single or says_what_it_is(following),
    )


def described(sentence: str) -> Subject | None:
    """What a sentence that starts with no name is about.

    The name at its end ("The capital is Oslo."), or a thing without one ("The first tower was").
    """
    clause = main_clause(sentence)
    if match := _INVERTED.match(clause):
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
    rest = without_asides(clause[match.end() :]) if match else ""
    return _STATE.match(rest) is not None
