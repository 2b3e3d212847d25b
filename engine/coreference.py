"""Who "she" is: the context that a sentence needs before it can be searched for.

No resolution of every pronoun, only the one that matters to retrieval: a sentence that speaks of
its subject by a pronoun or "the company" gets the subject of the sentences in front, if there is
one that it can mean; a wrong subject is worse than none. A sentence that names its subject goes
alone: a heading in front of it only leads the search away.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from veracite.engine.checkability import as_statement, is_fragment, is_label
from veracite.engine.phrases import any_of
from veracite.engine.subjects import (
    Pronoun,
    Subject,
    gender_of,
    named,
    pronoun_of,
    speaks_of_someone,
    subject_of,
)

__all__ = ["Context", "is_dependent", "leading_name"]

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


def is_dependent(sentence: str) -> bool:
    """True if a sentence speaks of its subject by a pronoun or a role ("the company")."""
    return pronoun_of(sentence) is not None


def leading_name(sentence: str) -> str | None:
    """The proper name that a sentence starts with, its subject; None if it starts otherwise."""
    subject = subject_of(sentence)
    return subject.name if subject else None


@dataclass(slots=True)
class _Known:
    """What the sentences of a section have been about. Unset, the headings tell; None, nothing."""

    subjects: dict[Pronoun, str | None] = field(default_factory=dict)
    """What "he" (of either gender), "it", "they" and a role may mean."""
    gender: Pronoun | None = None
    """Of the person, once a pronoun or a title told it."""

    def note(self, subject: Subject) -> None:
        """A sentence named its subject."""
        person = self.subjects.get("he")
        short = set(subject.name.split())
        for known in (person, self.subjects.get("it")):
            if known and short < set(known.split()):
                subject = Subject(known, person=known == person, thing=known != person)
        if subject.person:
            if subject.name != person:
                self.gender = gender_of(subject.name)
            self.subjects["he"] = subject.name
        elif not subject.thing or (" " not in subject.name and not subject.name.isupper()):
            self.subjects["he"] = None  # "Smith", of whom nothing tells whether it is a person
        self.subjects["it"] = subject.name if subject.thing else None
        self.subjects["they"] = self.subjects["role"] = subject.name

    def note_pronoun(self, pronoun: Pronoun) -> None:
        """A sentence went on about someone: "it" is now open, the gender is not."""
        if pronoun in ("he", "she"):
            self.gender = self.gender or pronoun
            self.subjects["it"] = None

    def note_other(self, sentence: str) -> None:
        """A sentence was about something else, which has no name."""
        self.subjects["it"] = self.subjects["they"] = None
        person = self.subjects.get("he")
        first = sentence.split(maxsplit=1)[0]
        if person and re.sub(r"['’]s$", "", first) in person.split():
            return  # "Smith flew", after "John Smith"
        if speaks_of_someone(sentence):
            self.subjects["he"] = None


@dataclass(slots=True)
class Context:
    """What a reader knows when coming to the next sentence."""

    headings: list[str] = field(default_factory=list)
    """Above the sentence, outermost first; empty strings for levels left out."""
    lead_ins: dict[int, str] = field(default_factory=dict)
    """The last sentence ending in ":", by how many lists it stands in."""
    _known: _Known = field(default_factory=_Known)

    def enter(self, heading: str, level: int) -> None:
        """A new section starts: its subject is not yet known, its heading is."""
        del self.headings[level - 1 :]
        self.headings += [""] * (level - 1 - len(self.headings)) + [heading]
        self._known = _Known()
        self.lead_ins.clear()

    def leave_lists(self, depth: int) -> None:
        """A block that stands in ``depth`` lists starts: what introduced deeper lists is over."""
        for deeper in [key for key in self.lead_ins if key >= depth]:
            del self.lead_ins[deeper]

    def lead_in(self, depth: int) -> str | None:
        """The sentence ending in ":" that introduces an item standing in ``depth`` lists."""
        return self.lead_ins.get(max((key for key in self.lead_ins if key < depth), default=-1))

    def query(self, statement: str, *, item_depth: int = 0) -> str:
        """The statement with its context in front; then remember what it is about.

        Args:
            item_depth: For a list item, in how many lists it stands; 0 for a sentence.
        """
        pronoun = pronoun_of(statement)
        prefix = None
        if item_depth and (lead_in := self.lead_in(item_depth)) is not None:
            prefix = lead_in[-_MAX_LEAD_IN:]
        elif pronoun is not None:
            prefix = self._referent(pronoun)
        elif item_depth:
            prefix = next(self._named(), None)
        self._remember(statement, pronoun)
        return _join(prefix, statement)

    def _remember(self, statement: str, pronoun: Pronoun | None) -> None:
        subject = subject_of(statement)
        if pronoun is not None:
            self._known.note_pronoun(pronoun)
        elif is_fragment(statement) or is_label(statement) or as_statement(statement):
            return  # "Make: Cessna" is about nothing new
        elif subject is not None:
            self._known.note(subject)
        else:
            self._known.note_other(statement)

    def _referent(self, pronoun: Pronoun) -> str | None:
        """What a pronoun means, None where that is open."""
        if pronoun == "she" or pronoun == "he":
            if self._known.gender not in (None, pronoun):
                return None
            pronoun = "he"
        if pronoun in self._known.subjects:
            return self._known.subjects[pronoun]
        return next((name for name in self._named() if _may_mean(pronoun, name)), None)

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


_NUMBERS = frozenset("two three four five six seven eight nine ten several some many all".split())
_PARTICLES = frozenset("de da di du van von der den la le al bin ibn".split())


def _join(prefix: str | None, statement: str) -> str:
    if not prefix or prefix.casefold() in statement.casefold():
        return statement
    return f"{prefix.rstrip(' :')}: {statement}"
