"""Whether a premise can contradict a claim at all: does it speak of the same thing?

A network calls "In 2015 the yard employed 62 people" a contradiction of "In 2019 it employed 40". A
contradiction needs the same subject, time and case, and a statement; and it differs from the claim
in one thing. Where a year and a figure differ, or a name and a denial, the two are of another case.
The rules here only ever acquit: each names what sets the two apart, and where none of them is sure,
the network's word stands.

What is spoken of is split from what is said at the main verb, by form alone. Everything before it
counts as the topic, an opening "In Oberau" included; names behind it are what is said. No parser:
where no verb is found, the first name is the topic.
"""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from veracite.engine.claims.name_kinds import NO_NAMES, PEOPLE, THINGS, TITLE
from veracite.engine.judge.premises import Candidate, Premise, Premises
from veracite.engine.judge.weighing import Comparison, is_unit, leaves_open, weigh
from veracite.engine.types import Claim
from veracite.engine.wording.contrasts import cases_apart, is_denied, opposites
from veracite.engine.wording.lists import VERB_ENDING, VERBS, listed
from veracite.engine.wording.names import (
    Name,
    akin,
    codes,
    in_family,
    names,
    stands_in,
    stated_instead,
)
from veracite.engine.wording.overlap import Word, content_words, stem, words
from veracite.engine.wording.quantities import measures

_GUARDS = frozenset(listed("guards")) - {"if", "unless", "whether"}
"""Words of plans, suppositions and hearsay; a condition need not be of what is said."""
_SAY_LITTLE = frozenset(listed("say little"))
"""Words behind a subject that say little of it: others may stand in their place."""
_BEFORE_NOUNS = frozenset(listed("before nouns"))
_RELATIVES = frozenset(listed("relatives"))
_THING = re.compile(r"(?:.*,\s)?(?:the|an?)\s([a-z][\w-]*)\s$", re.IGNORECASE)
_ROLE = re.compile(f"{PEOPLE}|{THINGS}")
_ONCE = frozenset(listed("once"))
"""Past forms of verbs of what happens to a thing once: another date for it is another answer."""
_REACH = 3
"""Words from the main verb on among which its participle stands."""
_REFERENCES = frozenset(listed("references"))
_CLAUSE = re.compile(
    r"; |: |, (?=(?:and|but|while|whereas|although|though|which|who|where)\b)"
    r"| (?=(?:but|whereas)\b)"
)
_PARTICIPLE = re.compile(r"(?:[A-Z][a-z]+ed|Set|Born|Built|Made|Known|Written|Led|Held|Chosen)\s")
_PRONOUN = re.compile(r"(?:It|Its|He|His|She|Her|They|Their)\b")


@dataclass(frozen=True, slots=True)
class Topic:
    """What a sentence speaks of."""

    names: tuple[Name, ...]
    """Before the main verb."""
    others: tuple[Name, ...]
    """Behind it: what is said."""
    end: int
    """Where the main verb starts."""
    things: frozenset[str]
    """Stems of the common words before it."""
    verbs: frozenset[str]
    """Stems of the main verb's words, without "is" and "has"."""
    refers: bool
    """Whether "it", "her" or "the company" stands in the names' place, or they open a clause."""


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

    @property
    def shares_name(self) -> bool:
        """Whether what the claim says of its subject names what the sentence speaks of."""
        there = f"{self.heading}: {self.told}"
        return any(stands_in(name, there) for name in self.own.others)

    @cached_property
    def figures_differ(self) -> bool:
        """Whether the sentence has another number for one of the claim's."""
        return any(c.outcome == "conflict" and c.claimed.kind != "date" for c in self.figures)


def apart(premises: Premises, premise: Premise) -> str | None:
    """Why a premise, whatever the verifier says, does not contradict a claim.

    Returns:
        A sentence for people ("The nearest passage speaks of 2015, not of 2019."); None if nothing
        sets the two apart.
    """
    nearest = premises.nearest(premise)
    whole = premise.kind in ("sentence", "joint")
    read = " ".join(c.told for c in premise.candidates) if whole else nearest.told
    sides = Sides(premises.claim, nearest)
    compared = weigh(measures(sides.said), measures(read))
    if pair := _subject(sides) or _code(sides.said, read):
        return f"The nearest passage speaks of {pair[1]}, not of {pair[0]}."
    if told := _time(sides, premise, read, compared) or _name(sides, read, compared):
        return told
    if _is_guarded(sides):
        return "The nearest passage only says what is planned, supposed or told by others."
    if _is_left_open(compared, read):
        return "The nearest passage only sets a limit, which leaves this open."
    lacking = _unsaid(sides)
    return f"“{lacking}” does not appear in the nearest sentence." if lacking else None


def _subject(sides: Sides) -> tuple[str, str] | None:
    """Another name in the subject's place, and nowhere the claim's."""
    if pair := sides.namesake():
        return pair[0].text, pair[1].text
    mine = sides.subject_names
    if mine and (other := sides.like_thing):
        return mine[0].text, other
    if not mine or any(stands_in(name, sides.around) for name in mine):
        return None
    if sides.shares_name and not sides.figures_differ:
        return None
    foreign = sides.foreign
    return (mine[0].text, foreign) if foreign and sides.is_parallel else None


def _code(said: str, read: str) -> tuple[str, str] | None:
    """ "Lumen 3" beside "Lumen 2"."""
    for mine in codes(said):
        if other := stated_instead(mine, read):
            return mine.text, other.text
    return None


def _time(
    sides: Sides, premise: Premise, read: str, compared: tuple[Comparison, ...]
) -> str | None:
    """Another year, or summer and winter, where something else differs too."""
    said, headed = sides.said, f"{sides.heading}: {read}"
    if not (
        _figure_differs(compared)
        or _denial_differs(said, read)
        or any(not stands_in(name, headed) for name in names(said))
    ):
        return None
    if contrast := cases_apart(said, read):
        one, other = contrast.word.text, contrast.other.text
        return f"The nearest passage speaks of “{other}”, not of “{one}”."
    own, told = _years(said), _years(read)
    lacking = [year for year in own if not re.search(rf"\b{year}\b", headed)]
    others = [year for year in told if year not in own]
    if lacking and others:
        return f"The nearest passage speaks of {others[0]}, not of {lacking[0]}."
    nowhere = [year for year in own if not re.search(rf"\b{year}\b", premise.around)]
    return f"The nearest passage does not say what was so in {nowhere[0]}." if nowhere else None


def _name(sides: Sides, read: str, compared: tuple[Comparison, ...]) -> str | None:
    """A name that is not there, where a figure differs too, or one side denies something."""
    if not (_figure_differs(compared) or _denial_differs(sides.said, read)):
        return None
    headed = f"{sides.heading}: {read}"
    lacking = next((n for n in names(sides.said) if not stands_in(n, headed)), None)
    return f"The nearest passage does not speak of {lacking.text}." if lacking else None


def _is_guarded(sides: Sides) -> bool:
    """Whether the clause nearest to the claim plans, supposes or reports; the claim does not."""
    said, stated = ({w.text.lower() for w in words(text)} for text in (sides.said, sides.told))
    return bool(_GUARDS & stated) and not _GUARDS & said


def _is_left_open(compared: tuple[Comparison, ...], read: str) -> bool:
    """Whether "up to 300" leaves room for 210."""
    limits = [m for m in measures(read) if m.limit]
    figures = [c.claimed for c in compared if c.outcome != "match"]
    return any(leaves_open(limit, figure) for limit in limits for figure in figures)


def _figure_differs(compared: tuple[Comparison, ...]) -> bool:
    return any(c.outcome == "conflict" and c.claimed.kind != "date" for c in compared)


def _denial_differs(said: str, read: str) -> bool:
    """Whether one side denies something, or says the opposite of the other."""
    return is_denied(said) != is_denied(read) or bool(opposites(said, read))


def _years(text: str) -> list[int]:
    dates = (m.quantity.date[0] for m in measures(text) if m.quantity.kind == "date")
    return [year for year in dates if year is not None]


def _unsaid(sides: Sides) -> str | None:
    """What the claim says of its subject, if the sentence has no word of it, nor its opposite."""
    kinds = ("percent", "money", "date") if happens_once(sides.said) else ("percent", "money")
    measured = any(
        c.outcome == "conflict" and (c.claimed.unit or c.claimed.kind in kinds)
        for c in sides.figures
    )
    sentence = f"{sides.heading}: {sides.candidate.sentence.text}"
    shared = any(
        stands_in(name, sentence) and not _is_dated_elsewhere(sides, name)
        for name in sides.own.others
    )
    if measured or shared or _denial_differs(sides.said, sides.told):
        return None
    figures = [m.quantity for m in measures(sides.said)]
    there = {word.stem for word in words(sentence)}
    predicate = [
        word
        for word in content_words(sides.said)
        if word.start >= sides.own.end
        and word.text.islower()
        and not any(f.start <= word.start < f.end + 2 * is_unit(f.unit) for f in figures)
    ]
    if any(in_family(word.stem, there) for word in predicate):
        return None
    return next((word.text for word in predicate if word.text not in _SAY_LITTLE), None)


def _is_dated_elsewhere(sides: Sides, name: Name) -> bool:
    """Whether a sentence's other date stands in another clause than a name."""
    clause = main_clause(sides.candidate.sentence.text, name.stems)
    other = [c.stated for c in sides.figures if c.outcome == "conflict" and c.stated]
    return bool(other) and all(q.kind == "date" and q.text not in clause for q in other)


def _distinctive(name: Name) -> tuple[set[str], set[str]]:
    """The stems that tell a name from others: of all of it, and of what stands before "of"."""
    whole, head = (
        {w.stem for w in words(text) if w.weight and not TITLE.fullmatch(w.text)}
        for text in (name.text, name.text.partition(" of ")[0])
    )
    return whole, head


@lru_cache(1024)
def topic_of(text: str) -> Topic:
    """What a sentence speaks of and which names it goes on to."""
    found = tuple(name for name in names(text, opening=True) if _is_name(name, text))
    verb = _main_verb(text)
    end = verb.start if verb else found[0].end if found else 0
    before = [word for word in words(text) if word.end <= end]
    lowered = {word.text.lower() for word in before}
    return Topic(
        tuple(n for n in found if n.start < end),
        tuple(n for n in found if n.start >= end),
        end,
        frozenset(word.stem for word in before if word.text.islower() and word.weight),
        frozenset(word.stem for word in _verb_group(text, end) if word.weight),
        bool(lowered & _REFERENCES)
        or (not any(n.start < end for n in found) and any(map(_ROLE.fullmatch, lowered)))
        or _PARTICIPLE.match(text) is not None,
    )


def main_clause(text: str, stems: frozenset[str]) -> str:
    """The clause of a sentence that has most of these stems; the first of equals."""
    clauses = [part for part in _CLAUSE.split(text) if part and part.strip()]
    return max(clauses, key=lambda part: len({w.stem for w in words(part)} & stems), default=text)


def happens_once(text: str) -> bool:
    """Whether a sentence tells of what happens to a thing only once, such as its founding."""
    verb = _main_verb(text)
    return verb is not None and any(w.text in _ONCE for w in _verb_group(text, verb.start))


def other_thing(subject: str, claim: str) -> str | None:
    """What "the dam", before a main verb, names that a claim does not speak of.

    Of "the company", "the yard" beside "shipyard", and pronouns nobody can tell: None.
    """
    match = _THING.match(subject)
    if match is None or _ROLE.fullmatch(match[1]):
        return None
    thing = stem(match[1].lower())
    if any(word.stem.endswith(thing) or thing.endswith(word.stem) for word in words(claim)):
        return None
    return f"“{match[1]}”"


def _verb_group(text: str, start: int) -> list[Word]:
    """The main verb and the participle that goes with it."""
    group = [word for word in words(text) if word.start >= start][:_REACH]
    kept: list[Word] = []
    for word in group:
        if not word.text.islower():
            break
        verbal = word.text in VERBS or VERB_ENDING.match(word.text) or word.text in _ONCE
        if not kept or verbal or word.text.endswith("ing"):
            kept.append(word)
    return kept


def _is_name(name: Name, text: str) -> bool:
    """Of a lone capitalised word at the beginning: whether it looks like a name."""
    if name.start > 0 and text[: name.start].strip(" \"'“‘("):
        return True
    if " " in name.text:
        return True
    if name.text.lower() in NO_NAMES or re.match(
        r"(?:No|Any|Every|Some)(?:body|thing|one)", name.text
    ):
        return False
    following = text[name.end :]
    return bool(re.match(r"['’]s\b|,? \d|,? (?:[A-Z]|\()", following)) or _verb_follows(following)


def _verb_follows(following: str) -> bool:
    match = re.match(r"\s(?:\w+ly |also |never |not )?([a-z]+)\b", following)
    if match is None:
        return False
    word = match[1]
    return word in VERBS or bool(VERB_ENDING.match(word)) or _ends_in_s(word)


def _ends_in_s(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _main_verb(text: str) -> Word | None:
    """The first finite verb outside a relative clause."""
    found = words(text)
    in_relative = False
    for i in range(1, len(found)):
        word, before = found[i].text, found[i - 1].text.lower()
        if before in _RELATIVES:
            in_relative = True
        joined = text[found[i].start - 1] == "-"
        if not word.islower() or joined or before in _BEFORE_NOUNS - _RELATIVES:
            continue
        if word in VERBS or VERB_ENDING.match(word) or (_ends_in_s(word) and _acts(found, i)):
            if in_relative:
                in_relative = False
                continue
            return found[i]
    return None


def _acts(found: tuple[Word, ...], i: int) -> bool:
    """Whether a word in -s is a verb rather than a plural: what follows it tells."""
    if i + 1 >= len(found):
        return False
    following = found[i + 1].text
    determined = following.lower() in _BEFORE_NOUNS and following.lower() not in ("of", "and", "or")
    before = found[i - 1].text
    return (determined or following[0].isupper() or following[0].isdigit()) or (
        before[0].isupper() and following.islower() and following not in VERBS
    )
