"""Who "she" is: the context that a sentence needs before it can be searched for.

No resolution of every pronoun, only the one that matters to retrieval: a sentence that speaks of
its subject by a pronoun gets the subject of the sentences in front, if there is one that it can
mean; a wrong subject is worse than none. "The company" gets none: it may be any. A sentence that
names its subject goes alone: a heading in front of it only leads the search away. What stands in
front of a subject ("In 1990, however, ...") is passed over.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, cast

from veracite.engine.claims import name_kinds
from veracite.engine.claims.checkability import as_statement, is_fragment
from veracite.engine.claims.name_kinds import HUMANS, NAME, NO_NAMES, Subject, named
from veracite.engine.claims.phrases import LEAD
from veracite.engine.wording.lists import VERB_ENDING, VERBS, one_of

Pronoun = Literal["he", "she", "it", "they"]
_PRONOUN = re.compile(
    r"(?:(?P<he>he|his)|(?P<she>she|her)|(?P<it>its?)|(?P<they>they|their|these|this|those"
    r"|that|both))\b",
    re.IGNORECASE,
)
_REFERS = re.compile(rf"\W*{one_of('refers back')}\b", re.IGNORECASE)
_DEFINITE = re.compile(r"(?i:the|this|that) (?P<noun>[A-Za-z][A-Za-z-]+)(?=['’]s\b|,? [a-z])")
_OF_ANOTHER = re.compile(r"(?:his|her|its|their)(?: [\w-]+){1,4}", re.IGNORECASE)
_SOMEONE = re.compile(r"\b(?:he|she|his|her|him)\b", re.IGNORECASE)
_STANDS_FOR = re.compile(
    r"(?P<his>his|her|its|their)(?= [a-z])|(?:he|she|it|they)(?=,? [a-z])", re.IGNORECASE
)
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?"
_ADVERBIAL = re.compile(one_of("before a subject") + r"\b[^,;:.]{1,60}, ", re.IGNORECASE)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
# A date needs no comma: "On 30 November 2007 a Cessna 152 ...".
_DATE = re.compile(
    r"(?:in|on|by|since|during|around|until|from) (?:(?:early|late|mid|the)[ -])*"
    rf"(?:(?:[a-z]+day,? )?(?:{_DAY} )?{_MONTH}(?: {_DAY}\b)?(?:,? (?:of )?\d{{4}})?"
    r"|\d{4}s?|[a-z]+day),? "
    r"(?=(?:an?|the|he|she|it|they|his|her|its|their|this)\b|(?-i:[A-Z]))",
    re.IGNORECASE,
)
_LEADING_NAME = re.compile(rf"(?P<article>(?:[Tt]he|[Aa]n?) )?(?P<name>{NAME})")
_VERB = one_of("behind a subject") + r"\b"
_STATE = re.compile(r" (?:is|was|are|were|has been|had been|have been|consists|lies|stands)\b")
_BY_THING = re.compile(rf"\b(?:by|with|into|than|like) (?:the )?(?P<name>{NAME})")
_ONLY_OF_SUBJECT = (
    r"(?:(?:is|was|are|were|ha[sd] been|have been|consists?|lies?|lay|stands?|stood)\b"
    r"|[a-z]+ed(?=[.,;]| (?:in|on|at|to|by|from|for|with|after|before|until|since|during|again|down"
    r"|up|near|under|through|as)\b))(?!.*\b(?:into|than|like) )"
)
"""A verb without an object, which "it" might mean in the next sentence."""
_DESCRIBED = re.compile(
    r"(?:it|they|(?:the|an?) (?P<name>(?:(?!(?:of|in|at|for|with|from|to|on|by|that|which|who|and"
    r"|or|near|also|then|now|later|never|not|[a-z]+ly)\b)[a-z][\w-]+ ){1,3}?)) ?"
    + _ONLY_OF_SUBJECT,
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"(?:.*[^s]s|.*\b(?:people|children|men|women))")
_EXPLETIVE = re.compile(r"it (?:is|was) [\w ]+ (?:that|who|whether)\b", re.IGNORECASE)
_MAX_HEADING_WORDS = 8
_GENERIC = re.compile(
    rf"{one_of('headings')}|key (?:facts|points|findings)|(?:section|part|chapter) \d+",
    re.IGNORECASE,
)


def pronoun_of(sentence: str) -> Pronoun | None:
    """The pronoun that a sentence has for its subject."""
    match = _PRONOUN.match(main_clause(sentence))
    return cast("Pronoun", match.lastgroup) if match else None


def refers_back(sentence: str) -> bool:
    """Whether a sentence opens with what stands before it: "She moved", "The company grew"."""
    return _REFERS.match(sentence) is not None


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
    """The statement with its subject's name for the pronoun it starts with.

    "In 1970, he moved." becomes "In 1970, John Smith moved."; None where that is not sure.
    """
    clause = main_clause(statement)
    at = len(statement) - len(clause)
    match = _STANDS_FOR.match(clause)
    if match is None:
        return None
    name = f"{subject.article} {subject.name}" if subject.article else subject.name
    name = name if at else name[0].upper() + name[1:]
    if match.group("his"):
        name += "'s"
    return statement[:at] + name + clause[match.end() :]


def main_clause(sentence: str) -> str:
    """The sentence from its subject on: "In 1990, however, he ..." without what stands in front."""
    for _ in range(3):
        lead = LEAD.match(sentence) or _DATE.match(sentence) or _ADVERBIAL.match(sentence)
        if lead is None:
            break
        sentence = sentence[lead.end() :]
    return sentence


def subject_of(sentence: str) -> Subject | None:
    """The proper name that a sentence starts with, its subject; None if it starts otherwise."""
    clause = main_clause(sentence)
    rest = clause.lstrip("\"'“‘(")
    match = _LEADING_NAME.match(rest)
    if match is None:
        return None
    full = match.group("name")
    name = re.sub(r"['’]s$", "", full.rstrip(".,'’"))
    if name.split()[0].lower() in NO_NAMES:
        return None
    following = rest[match.end() :]
    # One capitalised word may be any noun; it is a name if it looks like one in itself.
    single = " " not in name and not re.search(r"[A-Z0-9].*[A-Z0-9]", name)
    verb = rf"(?:['’]s)?,? (?:{_VERB if clause != sentence else 'is|was|has|had|were|are'}|\()|,"
    if single and not re.match(verb, following):
        return None
    article = (match.group("article") or "").strip()
    subject = named(name, article=article, following=following)
    if full.endswith(("'s", "’s")) and HUMANS.search(" ".join(following.split()[:3])):
        return Subject(name, person=False, thing=False)  # "John Smith's mother"
    return replace(
        subject,
        article="the" if article.lower() == "the" else "",
        is_told=name_kinds.says_what_it_is(following),
        is_sure=not single or name_kinds.says_what_it_is(following),
    )


def described(sentence: str) -> str | None:
    """The thing that a sentence speaks of alone, by no name: "theatre" for "The theatre opened."

    Empty for "It opened."; None where its verb has an object, or nothing tells.
    """
    match = _DESCRIBED.match(main_clause(sentence))
    name = (match and match.group("name")) or ""
    is_clear = match is not None and VERBS.isdisjoint(name.lower().split())
    return name.strip() if is_clear else None


def is_said_of_subject(sentence: str) -> bool:
    """True if a sentence only says what its subject is or was, and names no rival for "it"."""
    clause = main_clause(sentence)
    if any(not named(match.group("name")).person for match in _BY_THING.finditer(clause)):
        return False
    match = re.match(r"(?:it|they)\b", clause, re.IGNORECASE) or _LEADING_NAME.match(clause)
    rest = name_kinds.without_asides(clause[match.end() :]) if match else ""
    return _STATE.match(rest) is not None


@dataclass(slots=True)
class _KnownSubjects:
    """What the sentences of a section have been about. Unset, the headings tell; None, nothing."""

    subjects: dict[Pronoun, Subject | None] = field(default_factory=dict)
    """What "he" (of either gender), "it" and "they" may mean."""
    gender: Pronoun | None = None
    """Of the person, once a pronoun told it."""
    last: str = ""
    """The sentence before."""
    is_open: bool = False
    """True since a sentence that leaves two to choose from ("His brother ...")."""
    goes_on: bool = False
    """True if the sentence before was about whom "he" surely meant there."""
    thing: str = ""
    """What "it" or "they" surely means that has no name: "theatre"."""
    about: str = ""
    """The last sentence that spoke of its subject by no pronoun."""

    def note(self, subject: Subject) -> None:
        """A sentence named its subject."""
        self.is_open = False
        person, thing = self.subjects.get("he"), self.subjects.get("it")
        short = set(subject.name.split())
        for known in (person, thing):
            if known and short <= set(known.name.split()):
                subject = replace(known, person=known is person, thing=known is thing)
        if subject.person:
            if not person or subject.name != person.name:
                self.gender = None
            self.subjects["he"] = subject
        elif " " not in subject.name and not subject.name.isupper():
            # "Smith", of whom nothing tells whether it is a person: if no one else is known, it is.
            alone = not subject.is_told and not subject.article and self.subjects.get("he") is None
            self.subjects["he"] = subject if subject.thing and alone else None
        self.subjects["it"] = subject if subject.thing else None
        self.subjects["they"] = subject

    def note_pronoun(self, pronoun: Pronoun, sentence: str) -> None:
        """A sentence went on about someone, whose gender a pronoun may tell."""
        self.is_open |= is_of_another(sentence)
        if pronoun in ("he", "she"):
            self.gender = self.gender or pronoun

    def note_other(self, sentence: str) -> None:
        """A sentence was about something else, which has no name."""
        self.subjects["it"] = self.subjects["they"] = None
        person = self.subjects.get("he")
        first = sentence.split(maxsplit=1)[0]
        if person and re.sub(r"['’]s$", "", first) in person.name.split():
            return  # "Smith flew", after "John Smith"
        if speaks_of_someone(sentence):
            self.subjects["he"] = None


@dataclass(frozen=True, slots=True)
class Reading:
    """A statement as its context completes it."""

    query: str
    """What to search for: the statement with what it leaves to its context in front."""
    resolved: str | None
    """The statement with its subject's name for its pronoun; None where that is open."""
    described: str | None = None
    """The statement with what "it" or "they" means, which has no name, in the pronoun's place."""
    before: str | None = None
    """What a pronoun goes back to that is put in full in neither way."""


@dataclass(slots=True)
class Context:
    """What a reader knows when coming to the next sentence."""

    headings: list[str] = field(default_factory=list)
    """Above the sentence, outermost first; empty strings for levels left out."""
    lead_ins: dict[int, str] = field(default_factory=dict)
    """The last sentence ending in ":", by how many lists it stands in."""
    _known: _KnownSubjects = field(default_factory=_KnownSubjects)

    def enter(self, heading: str, level: int) -> None:
        """A new section starts: its subject is not yet known, its heading is."""
        del self.headings[level - 1 :]
        self.headings += [""] * (level - 1 - len(self.headings)) + [heading]
        self._known = _KnownSubjects()
        self.lead_ins.clear()

    def leave_lists(self, depth: int) -> None:
        """A block that stands in ``depth`` lists starts: what introduced deeper lists is over."""
        for deeper in [key for key in self.lead_ins if key >= depth]:
            del self.lead_ins[deeper]

    def lead_in(self, depth: int) -> str | None:
        """The sentence ending in ":" that introduces an item standing in ``depth`` lists."""
        return self.lead_ins.get(max((key for key in self.lead_ins if key < depth), default=-1))

    def read(self, statement: str, *, item_depth: int = 0) -> Reading:
        """The statement with its context; then remember what it is about.

        Args:
            item_depth: For a list item, in how many lists it stands; 0 for a sentence.
        """
        pronoun = pronoun_of(statement)
        prefix = resolved = whole = None
        if item_depth and (lead_in := self.lead_in(item_depth)) is not None:
            prefix = lead_in
        elif pronoun is not None:
            meant = self._referent(pronoun)
            prefix = meant.name if meant else None
            if meant is not None and self._is_plain(meant, pronoun, statement):
                resolved = with_name(statement, meant)
            elif meant is None and (whole := self._described(pronoun, statement)):
                prefix = self._known.thing
        elif item_depth:
            prefix = next(self._named(), None)
        self._known.goes_on = resolved is not None and pronoun in ("he", "she")
        is_open = pronoun is not None and resolved is whole is None
        before = " ".join(dict.fromkeys((self._known.about, self._known.last))).strip()
        self._remember(statement, pronoun)
        self._known.last = statement
        return Reading(_join(prefix, statement), resolved, whole, before if is_open else None)

    def _remember(self, statement: str, pronoun: Pronoun | None) -> None:
        old = (is_fragment, as_statement, refers_back)
        if pronoun is None and any(is_so(statement) for is_so in old):
            return  # "Make: Cessna" and "The company grew" are about nothing new
        thing = described(statement)
        if pronoun in ("it", "they"):
            self._known.thing = self._known.thing if thing == "" else ""
        elif pronoun is None:
            self._known.thing, self._known.about = thing or "", statement
        if pronoun is not None:
            self._known.note_pronoun(pronoun, statement)
        elif subject := subject_of(statement):
            self._known.note(subject)
        else:
            self._known.note_other(statement)

    def _described(self, pronoun: Pronoun, statement: str) -> str | None:
        """The statement with the thing that its pronoun surely means, which has no name."""
        thing = self._known.thing
        several: Pronoun = "they" if _SEVERAL.fullmatch(thing) else "it"
        if not thing or several != pronoun or _EXPLETIVE.match(main_clause(statement)):
            return None
        found = with_name(statement, Subject(thing, person=False, thing=True, article="the"))
        return found and found.replace("s's ", "s' ", 1)

    def _referent(self, pronoun: Pronoun) -> Subject | None:
        """What a pronoun means, None where that is open."""
        if pronoun in ("he", "she"):
            if self._known.gender not in (None, pronoun):
                return None
            pronoun = "he"
        if pronoun in self._known.subjects:
            return self._known.subjects[pronoun]
        heading = next((name for name in self._named() if _may_mean(pronoun, name)), None)
        return None if heading is None else replace(named(heading), is_sure=True)

    def _is_plain(self, meant: Subject, pronoun: Pronoun, statement: str) -> bool:
        """True if no one else may be meant: a name may then stand in the pronoun's place."""
        known = self._known
        if known.is_open or not meant.is_sure:
            return False
        if pronoun in ("he", "she"):
            words = set(meant.name.split())
            others = (
                name for name in name_kinds.people_in(known.last) if words.isdisjoint(name.split())
            )
            # Who was "he" before stays "he"; after a name, another name in its sentence may be.
            known.is_open = not known.goes_on and next(others, None) is not None
            return meant.person and not known.is_open
        return pronoun == "it" and meant.thing and is_said_of_subject(known.last)

    def _named(self) -> Iterator[str]:
        """The headings that are short and say what their section is about, innermost first."""
        for heading in reversed(self.headings):
            bare = heading.strip(" :.")
            short = 0 < len(heading.split()) <= _MAX_HEADING_WORDS
            if short and not _GENERIC.fullmatch(bare):
                yield heading.rstrip(" :.")


def _may_mean(pronoun: Pronoun, heading: str) -> bool:
    """True if a pronoun may stand for what a heading names."""
    name = named(heading)
    return name.person if pronoun == "he" else (name.thing or pronoun != "it")


def _join(prefix: str | None, statement: str) -> str:
    if not prefix or prefix.casefold() in statement.casefold():
        return statement
    return f"{prefix.rstrip(' :')}: {statement}"
