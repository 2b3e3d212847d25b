"""Who "she" is: the context that a sentence needs before it can be searched for.

No resolution of every pronoun, only the one that matters to retrieval: a sentence that speaks of
its subject by a pronoun or "the company" gets the subject of the sentences in front, if there is
one that it can mean; a wrong subject is worse than none. A sentence that names its subject goes
alone: a heading in front of it only leads the search away.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from veracite.engine.claims import pronouns
from veracite.engine.claims.checkability import as_statement, is_fragment
from veracite.engine.claims.pronouns import Pronoun
from veracite.engine.wording.name_kinds import Subject, named, people_in
from veracite.engine.wording.phrases import any_of

_MAX_HEADING_WORDS = 8
_MAX_LEAD_IN = 200
_GENERIC = re.compile(
    any_of(
        r"""introduction background overview summary conclusions? discussion results? methods?
        abstract history notes? contents about details? facts? key_(?:facts|points|findings)
        (?:section|part|chapter)_\d+ references? see_also findings analysis preface appendix draft
        untitled readme faq early_life life career biography personal_life legacy education works?
        death reception (?:press|news)_(?:notes?|releases?) memo(?:randum)? reports? letter
        statement news updates? agenda minutes (?:executive|brief|short)_summary key_takeaways
        timeline events? more_information"""
    ),
    re.IGNORECASE,
)
_NUMBERS = frozenset("two three four five six seven eight nine ten several some many all".split())
_PARTICLES = frozenset("de da di du van von der den la le al bin ibn".split())


@dataclass(slots=True)
class _KnownSubjects:
    """What the sentences of a section have been about. Unset, the headings tell; None, nothing."""

    subjects: dict[Pronoun, Subject | None] = field(default_factory=dict)
    """What "he" (of either gender), "it", "they" and a role may mean."""
    gender: Pronoun | None = None
    """Of the person, once a pronoun told it."""
    last: str = ""
    """The sentence before."""
    is_open: bool = False
    """True since a sentence that leaves two to choose from ("His brother ...")."""
    goes_on: bool = False
    """True if the sentence before was about whom "he" surely meant there."""

    def note(self, subject: Subject) -> None:
        """A sentence named its subject."""
        self.is_open = False
        person, thing = self.subjects.get("he"), self.subjects.get("it")
        short = set(subject.name.split())
        for known in (person, thing):
            if known and short <= set(known.name.split()):
                kinds = known.kinds | subject.kinds
                subject = replace(known, kinds=kinds, person=known is person, thing=known is thing)
        if subject.person:
            if not person or subject.name != person.name:
                self.gender = None
            self.subjects["he"] = subject
        elif not subject.thing or (" " not in subject.name and not subject.name.isupper()):
            # "Smith", of whom nothing tells whether it is a person: if no one else is known, it is.
            alone = not subject.kinds and not subject.article and self.subjects.get("he") is None
            self.subjects["he"] = subject if subject.thing and alone else None
        self.subjects["it"] = subject if subject.thing else None
        self.subjects["they"] = self.subjects["role"] = subject

    def note_pronoun(self, pronoun: Pronoun, sentence: str) -> None:
        """A sentence went on about someone: "it" is now open, the gender is not."""
        self.is_open |= pronouns.is_of_another(sentence)
        if pronoun in ("he", "she"):
            self.gender = self.gender or pronoun
            self.subjects["it"] = None

    def note_other(self, sentence: str) -> None:
        """A sentence was about something else, which has no name."""
        self.subjects["it"] = self.subjects["they"] = None
        person = self.subjects.get("he")
        first = sentence.split(maxsplit=1)[0]
        if person and re.sub(r"['’]s$", "", first) in person.name.split():
            return  # "Smith flew", after "John Smith"
        if pronouns.speaks_of_someone(sentence):
            self.subjects["he"] = None


@dataclass(frozen=True, slots=True)
class Reading:
    """A statement as its context completes it."""

    query: str
    """What to search for: the statement with what it leaves to its context in front."""
    resolved: str | None
    """The statement with its subject's name for "he" or "the company"; None where that is open."""


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

    def query(self, statement: str, *, item_depth: int = 0) -> str:
        """What ``read`` says to search for."""
        return self.read(statement, item_depth=item_depth).query

    def read(self, statement: str, *, item_depth: int = 0) -> Reading:
        """The statement with its context; then remember what it is about.

        Args:
            item_depth: For a list item, in how many lists it stands; 0 for a sentence.
        """
        pronoun = pronouns.pronoun_of(statement) or self._by_kind(statement)
        prefix = resolved = None
        if item_depth and (lead_in := self.lead_in(item_depth)) is not None:
            prefix = lead_in[-_MAX_LEAD_IN:]
        elif pronoun is not None:
            meant = self._referent(pronoun)
            prefix = meant.name if meant else None
            if meant is not None and self._is_plain(meant, pronoun, statement):
                resolved = pronouns.with_name(statement, meant)
        elif item_depth:
            prefix = next(self._named(), None)
        self._known.goes_on = resolved is not None and pronoun in ("he", "she")
        self._remember(statement, pronoun)
        self._known.last = statement
        return Reading(_join(prefix, statement), resolved)

    def _remember(self, statement: str, pronoun: Pronoun | None) -> None:
        if pronoun is not None:
            self._known.note_pronoun(pronoun, statement)
        elif is_fragment(statement) or as_statement(statement):
            return  # "Make: Cessna" is about nothing new
        elif subject := pronouns.subject_of(statement) or pronouns.named_last(statement):
            self._known.note(subject)
        else:
            self._known.note_other(statement)

    def _referent(self, pronoun: Pronoun) -> Subject | None:
        """What a pronoun means, None where that is open."""
        if pronoun == "she" or pronoun == "he":
            if self._known.gender not in (None, pronoun):
                return None
            pronoun = "he"
        if pronoun in self._known.subjects:
            return self._known.subjects[pronoun]
        heading = next((name for name in self._named() if _may_mean(pronoun, name)), None)
        return None if heading is None else replace(named(heading), is_sure=True)

    def _by_kind(self, statement: str) -> Pronoun | None:
        """A role if "the squadron" is the one that was named: a squadron, or "No. 2 Squadron"."""
        known, noun = self._known.subjects.get("role"), pronouns.noun_of(statement)
        return "role" if known is not None and noun in _nouns(known) else None

    def _is_plain(self, meant: Subject, pronoun: Pronoun, statement: str) -> bool:
        """True if no one else may be meant: a name may then stand in the pronoun's place."""
        known = self._known
        if known.is_open or not meant.is_sure:
            return False
        if pronoun in ("he", "she"):
            words = set(meant.name.split())
            others = (name for name in people_in(known.last) if words.isdisjoint(name.split()))
            # Who was "he" before stays "he"; after a name, another name in its sentence may be.
            known.is_open = not known.goes_on and next(others, None) is not None
            return meant.person and not known.is_open
        if pronoun == "role":
            noun = pronouns.noun_of(statement)
            again = re.search(rf"\b(?:an?|another) (?:[\w-]+ ){{0,3}}{noun}\b", known.last)
            return noun in _nouns(meant) and (not again or pronouns.is_said_of_subject(known.last))
        if pronoun == "they":
            return meant.plural
        return meant.thing and pronouns.is_said_of_subject(known.last)

    def _named(self) -> Iterator[str]:
        """The headings that are short and say what their section is about, innermost first."""
        for heading in reversed(self.headings):
            bare = heading.strip(" :.")
            short = 0 < len(heading.split()) <= _MAX_HEADING_WORDS
            if short and not _GENERIC.fullmatch(bare):
                yield heading.rstrip(" :.")


def _may_mean(pronoun: Pronoun, heading: str) -> bool:
    """True if a pronoun may stand for what a heading names."""
    if heading.isupper():
        return False  # "PRELIMINARY FINDINGS": capitals do not tell a name from a title
    words = heading.split()
    several = words[0].lower() in _NUMBERS or (
        words[-1].islower() and words[-1].endswith("s") and not words[-1].endswith(("ss", "us"))
    )
    if pronoun == "he":
        names = all(word[0].isupper() or word in _PARTICLES for word in words)
        return names and named(heading).person
    if pronoun == "it":
        return not several and named(heading).thing
    return True


def _nouns(subject: Subject) -> frozenset[str]:
    """What a text may call a subject by once it is known."""
    return subject.kinds | {word.lower() for word in subject.name.split() if word[0].isupper()}


def _join(prefix: str | None, statement: str) -> str:
    if not prefix or prefix.casefold() in statement.casefold():
        return statement
    return f"{prefix.rstrip(' :')}: {statement}"
