"""What the sentences of a section have been about, so far as the next one may mean it."""

import re
from dataclasses import dataclass, field, replace

from veracite.engine.claims.pronouns import Pronoun, gender_of, is_of_another, speaks_of_someone
from veracite.engine.wording.name_kinds import Subject


@dataclass(slots=True)
class KnownSubjects:
    """What the sentences of a section have been about. Unset, the headings tell; None, nothing."""

    subjects: dict[Pronoun, Subject | None] = field(default_factory=dict)
    """What "he" (of either gender), "it", "they" and a role may mean."""
    gender: Pronoun | None = None
    """Of the person, once a pronoun or a title told it."""
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
                self.gender = gender_of(subject.name)
            self.subjects["he"] = subject
        elif not subject.thing or (" " not in subject.name and not subject.name.isupper()):
            # "Smith", of whom nothing tells whether it is a person: if no one else is known, it is.
            alone = not subject.kinds and not subject.article and self.subjects.get("he") is None
            self.subjects["he"] = subject if subject.thing and alone else None
        self.subjects["it"] = subject if subject.thing else None
        self.subjects["they"] = self.subjects["role"] = subject

    def note_pronoun(self, pronoun: Pronoun, sentence: str) -> None:
        """A sentence went on about someone: "it" is now open, the gender is not."""
        self.is_open |= is_of_another(sentence)
        if pronoun in ("he", "she"):
            self.gender = self.gender or pronoun
            self.subjects["it"] = None

    def note_described(self, subject: Subject) -> None:
        """A sentence was about a thing that has no name: "The first tower was ..."."""
        self.is_open = False
        self.subjects["it"] = None if subject.plural else subject
        self.subjects["they"] = subject if subject.plural else None

    def note_other(self, sentence: str) -> None:
        """A sentence was about something else, which has no name."""
        self.subjects["it"] = self.subjects["they"] = None
        person = self.subjects.get("he")
        first = sentence.split(maxsplit=1)[0]
        if person and re.sub(r"['’]s$", "", first) in person.name.split():
            return  # "Smith flew", after "John Smith"
        if speaks_of_someone(sentence):
            self.subjects["he"] = None
