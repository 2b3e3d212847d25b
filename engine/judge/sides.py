"""A claim beside a sentence: what they speak of, and in what they differ."""

import re
from dataclasses import dataclass
from functools import cached_property

from veracite.engine.facts.measures import measures, weigh
from veracite.engine.facts.names import Name, akin, names, stands_in
from veracite.engine.facts.numbers import Comparison
from veracite.engine.judge.premises import Candidate
from veracite.engine.judge.topics import Topic, main_clause, other_thing, topic_of
from veracite.engine.types import Claim
from veracite.engine.wording.contrasts import is_denied, opposites
from veracite.engine.wording.name_kinds import TITLE
from veracite.engine.wording.overlap import stem, words

_PRONOUN = re.compile(r"(?:It|Its|He|His|She|Her|They|Their)\b")


@dataclass(frozen=True)
class Sides:
    """A claim and a sentence of the library."""

    claim: Claim
    candidate: Candidate

    @property
    def said(self) -> str:
        """What the claim says, of whom it says it if that is known."""
        return self.claim.hypothesis

    @cached_property
    def told(self) -> str:
        """The clause of the sentence that is nearest to the claim."""
        stems = frozenset(word.stem for word in words(self.said) if word.weight)
        return main_clause(self.candidate.sentence.text, stems)

    @property
    def heading(self) -> str:
        """Above the sentence; empty if there is none."""
        return self.candidate.passage.heading or ""

    @property
    def around(self) -> str:
        """All that the sentence's own subject can be told from."""
        return f"{self.heading}: {self.candidate.passage.text}"

    @cached_property
    def own(self) -> Topic:
        """The claim's topic."""
        return topic_of(self.said)

    @cached_property
    def other(self) -> Topic:
        """The sentence's topic."""
        return topic_of(self.told)

    @cached_property
    def figures(self) -> tuple[Comparison, ...]:
        """The claim's quantities beside the whole sentence's."""
        return weigh(measures(self.said), measures(self.candidate.sentence.text))

    @property
    def context(self) -> str:
        """The claim; where it names no subject, with what tells who "she" is in front."""
        return self.said if self.own.names or self.claim.resolved else self.claim.query

    @cached_property
    def subject_names(self) -> tuple[Name, ...]:
        """Of the claim, or else of its context."""
        if self.own.names:
            return self.own.names
        context = self.context.removesuffix(self.said).rstrip(" :")
        return names(context, opening=" " not in context)

    @cached_property
    def antecedent(self) -> Topic | None:
        """What the sentence before speaks of, where "she" or "it" goes back to it."""
        passage, sentence = self.candidate.passage.text, self.candidate.sentence.text
        at = passage.find(sentence)
        if at <= 0 or not _PRONOUN.match(sentence):
            return None
        return topic_of(re.split(r"(?<=[.!?])\s+", passage[:at].strip())[-1])

    def namesake(self) -> tuple[Name, Name] | None:
        """A subject of the claim ("Ana Torres") and one beside it in name only ("Lucia Torres").

        The other must be the sentence's own subject, unless figures differ too: "her sister Lucia
        Torres" is another matter.
        """
        there = list(names(self.heading, opening=True))
        if self.antecedent is not None:
            there += self.antecedent.names
        elif not self.other.refers:
            there += self.other.names
            there += self.other.others if self.figures_differ else ()
        by = {stem for name in there for stem in name.stems}
        by |= {word.stem for word in words(f"{self.heading} {self.told}")}
        said = {word.stem for word in words(self.context)}
        for mine in self.subject_names:
            for name in there:
                for own, other in zip(_distinctive(mine), _distinctive(name), strict=True):
                    new, old = other - said, own - by
                    alike = any(akin(one, another) for one in new for another in old)
                    if len(own) == len(other) > 1 and own & other and new and old and not alike:
                        return mine, name
        return None

    @property
    def foreign(self) -> str | None:
        """The name, or the thing, that the sentence speaks of and the claim does not.

        A heading counts if it calls what it names as the claim does its own ("Pell shipyard").
        """
        refers = topic_of(self.candidate.sentence.text).refers
        thing = None if refers else other_thing(self.told[: self.other.end], self.said)
        there = () if refers else self.other.names
        if not there and thing is None:
            headed = {stem(word.text.lower()) for word in words(self.heading)}
            there = self._headed() if headed & self.own.things else ()
        if any(stands_in(name, self.context) for name in there):
            return None
        return there[0].text if there else thing

    def _headed(self) -> tuple[Name, ...]:
        """The heading's names; its first word, capitalised as it is, only if there is no other."""
        return names(self.heading) or names(self.heading, opening=True)

    @cached_property
    def like_thing(self) -> str | None:
        """The name of what the sentence speaks of, a thing like the claim's: another lighthouse."""
        there = f"{self.heading} {self.candidate.sentence.text}"
        if self.other.refers or not self.own.things & self.other.things:
            return None
        if any(stands_in(name, there) for name in self.own.names):
            return None
        foreign = [name for name in self.other.names if not stands_in(name, self.context)]
        return foreign[0].text if foreign and len(foreign) == len(self.other.names) else None

    @cached_property
    def is_parallel(self) -> bool:
        """Whether both say the same sort of thing: of the same sort of subject, or by one verb."""
        there = {word.stem for word in words(self.told)}
        subject = self.told[: self.other.end]
        named = any(stands_in(name, subject) for name in self.own.names)
        both_are = named and not self.own.verbs and not self.other.verbs
        return bool(self.own.things & self.other.things or self.own.verbs & there or both_are)

    @cached_property
    def shares_word(self) -> bool:
        """Whether they have a common word."""
        there = {word.stem for word in words(self.told)}
        return any(w.stem in there for w in words(self.said) if w.weight and w.text.islower())

    @property
    def shares_name(self) -> bool:
        """Whether what the claim says of its subject names what the sentence speaks of."""
        there = f"{self.heading}: {self.told}"
        return any(stands_in(name, there) for name in self.own.others)

    @cached_property
    def figures_differ(self) -> bool:
        """Whether the sentence has another number for one of the claim's."""
        return any(c.outcome == "conflict" and c.claimed.kind != "date" for c in self.figures)

    @cached_property
    def negation_differs(self) -> bool:
        """Whether one of them is denied."""
        return is_denied(self.said) != is_denied(self.told)

    @cached_property
    def opposite_to(self) -> frozenset[str]:
        """Stems of the claim's words that the sentence has the opposite of: rise and fall."""
        return frozenset(contrast.word.stem for contrast in opposites(self.said, self.told))


def _distinctive(name: Name) -> tuple[set[str], set[str]]:
    """The stems that tell a name from others: of all of it, and of what stands before "of"."""
    whole, head = (
        {w.stem for w in words(text) if w.weight and not TITLE.fullmatch(w.text)}
        for text in (name.text, name.text.partition(" of ")[0])
    )
    return whole, head
