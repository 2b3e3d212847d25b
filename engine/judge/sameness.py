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
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

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
from veracite.engine.wording.overlap import Word, content_words, stems, words
from veracite.engine.wording.quantities import measures

_GUARDS = frozenset(listed("guards")) - {"if", "unless", "whether"}
"""Words of plans, suppositions and hearsay; a condition need not be of what is said."""
_SAY_LITTLE = frozenset(listed("say little"))
"""Words behind a subject that say little of it: others may stand in their place."""
_BEFORE_NOUNS = frozenset(listed("before nouns"))
_RELATIVES = frozenset(listed("relatives"))
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

_NOBODY = re.compile(r"(?:No|Any|Every|Some)(?:body|thing|one)")
_NAMED = re.compile(r"['’]s\b|,? \d|,? (?:[A-Z]|\()")
"""What stands behind a name."""


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
    is_once: bool
    """Whether it tells of what happens to a thing only once, such as its founding."""


class Sides:
    """A claim and the sentence of the library that is nearest to it."""

    def __init__(self, claim: Claim, candidate: Candidate) -> None:
        self.said = claim.hypothesis
        self.sentence = candidate.sentence.text
        self.told = main_clause(self.sentence, stems(self.said))
        """The clause of the sentence that is nearest to the claim."""
        heading = candidate.passage.heading or ""
        self.heading = heading
        self.around = f"{heading}: {candidate.passage.text}"
        """All that the sentence's own subject can be told from."""
        self.own, self.other = topic_of(self.said), topic_of(self.told)
        self.figures = weigh(measures(self.said), measures(self.sentence))
        self.context = self.said if self.own.names or claim.resolved else claim.query
        """The claim; where it names no subject, with what tells who "she" is in front."""

    @property
    def subject_names(self) -> tuple[Name, ...]:
        """Of the claim, or else of its context."""
        if self.own.names:
            return self.own.names
        context = self.context.removesuffix(self.said).rstrip(" :")
        return names(context, opening=" " not in context)

    def namesake(self) -> tuple[str, str] | None:
        """A subject of the claim ("Ana Torres") and one beside it in name only ("Lucia Torres").

        The other must be the sentence's own subject, unless figures differ too: "her sister Lucia
        Torres" is another matter.
        """
        there = list(names(self.heading, opening=True))
        if not self.other.refers:
            there += self.other.names
            there += self.other.others if _figure_differs(self.figures) else ()
        by = {stem for name in there for stem in name.stems}
        by |= {word.stem for word in words(f"{self.heading} {self.told}")}
        said = {word.stem for word in words(self.context)}
        for mine, name in product(self.subject_names, there):
            for own, other in zip(_distinctive(mine), _distinctive(name), strict=True):
                new, old = other - said, own - by
                alike = any(akin(one, another) for one in new for another in old)
                if len(own) == len(other) > 1 and own & other and new and old and not alike:
                    return mine.text, name.text
        return None

    @property
    def is_like(self) -> bool:
        """Whether both speak of a thing of one kind, of which the claim's name stands nowhere."""
        if self.other.refers or not self.own.things & self.other.things:
            return False
        return not _any_in(self.own.names, f"{self.heading} {self.sentence}")

    @property
    def is_parallel(self) -> bool:
        """Whether both say the same sort of thing: of the same sort of subject, or by one verb."""
        there = {word.stem for word in words(self.told)}
        named = _any_in(self.own.names, self.told[: self.other.end])
        both_are = named and not self.own.verbs and not self.other.verbs
        return bool(self.own.things & self.other.things or self.own.verbs & there or both_are)


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
    said, headed = sides.said, f"{sides.heading}: {read}"
    compared = weigh(measures(said), measures(read))
    pair = _subject(sides) or _code(said, read)
    unnamed = next((name for name in names(said) if not stands_in(name, headed)), None)
    differs = _figure_differs(compared) or _denial_differs(said, read)
    if pair is None and (differs or unnamed):
        pair = _case(said, read, headed)
    if pair is not None:
        return f"The nearest passage speaks of {pair[1]}, not of {pair[0]}."
    if differs or unnamed:
        nowhere = [year for year in _years(said) if not _has_year(year, premise.around)]
        if nowhere:
            return f"The nearest passage does not say what was so in {nowhere[0]}."
    if differs and unnamed:
        return f"The nearest passage does not speak of {unnamed.text}."
    if _is_guarded(sides):
        return "The nearest passage only says what is planned, supposed or told by others."
    if _is_left_open(compared, read):
        return "The nearest passage only sets a limit, which leaves this open."
    lacking = _unsaid(sides)
    return f"“{lacking}” does not appear in the nearest sentence." if lacking else None


def _any_in(names: Iterable[Name], text: str) -> bool:
    return any(stands_in(name, text) for name in names)


def _subject(sides: Sides) -> tuple[str, str] | None:
    """Another name in the subject's place, and nowhere the claim's."""
    if pair := sides.namesake():
        return pair
    mine, there = sides.subject_names, sides.other.names
    if not mine or not there or _any_in(there, sides.context):
        return None
    shared = _any_in(sides.own.others, f"{sides.heading}: {sides.told}")
    if sides.is_like or (
        not _any_in(mine, sides.around)
        and not (shared and not _figure_differs(sides.figures))
        and not topic_of(sides.sentence).refers
        and sides.is_parallel
    ):
        return mine[0].text, there[0].text
    return None


def _code(said: str, read: str) -> tuple[str, str] | None:
    """ "Lumen 3" beside "Lumen 2"."""
    found = ((mine, stated_instead(mine, read)) for mine in codes(said))
    return next(((mine.text, other.text) for mine, other in found if other), None)


def _case(said: str, read: str, headed: str) -> tuple[str, str] | None:
    """Another year, or summer and winter."""
    if contrast := cases_apart(said, read):
        return f"“{contrast.word.text}”", f"“{contrast.other.text}”"
    own = _years(said)
    lacking = [str(year) for year in own if not _has_year(year, headed)]
    others = [str(year) for year in _years(read) if year not in own]
    return (lacking[0], others[0]) if lacking and others else None


def _has_year(year: int, text: str) -> bool:
    return re.search(rf"\b{year}\b", text) is not None


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
    kinds = ("percent", "money", "date") if sides.own.is_once else ("percent", "money")
    measured = any(
        c.outcome == "conflict" and (c.claimed.unit or c.claimed.kind in kinds)
        for c in sides.figures
    )
    sentence = f"{sides.heading}: {sides.sentence}"
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
    clause = main_clause(sides.sentence, name.stems)
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
    group = _verb_group(text, end)
    return Topic(
        tuple(n for n in found if n.start < end),
        tuple(n for n in found if n.start >= end),
        end,
        frozenset(word.stem for word in before if word.text.islower() and word.weight),
        frozenset(word.stem for word in group if word.weight),
        bool(lowered & _REFERENCES)
        or (not any(n.start < end for n in found) and any(map(_ROLE.fullmatch, lowered)))
        or _PARTICIPLE.match(text) is not None,
        verb is not None and any(word.text in _ONCE for word in group),
    )


def main_clause(text: str, stems: frozenset[str]) -> str:
    """The clause of a sentence that has most of these stems; the first of equals."""
    clauses = [part for part in _CLAUSE.split(text) if part and part.strip()]
    return max(clauses, key=lambda part: len({w.stem for w in words(part)} & stems), default=text)


def _verb_group(text: str, start: int) -> list[Word]:
    """The main verb and the participle that goes with it."""
    kept: list[Word] = []
    for word in [word for word in words(text) if word.start >= start][:_REACH]:
        if not word.text.islower():
            break
        verbal = word.text in VERBS or VERB_ENDING.match(word.text) or word.text in _ONCE
        if not kept or verbal or word.text.endswith("ing"):
            kept.append(word)
    return kept


def _is_name(name: Name, text: str) -> bool:
    """Of a lone capitalised word at the beginning: whether it looks like a name."""
    if " " in name.text or text[: name.start].strip(" \"'“‘("):
        return True
    common = name.text.lower() in NO_NAMES or _NOBODY.match(name.text)
    return not common and _NAMED.match(text, name.end) is not None


def _ends_in_s(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _main_verb(text: str) -> Word | None:
    """The first finite verb outside a relative clause."""
    found = words(text)
    in_relative = False
    for i in range(1, len(found)):
        word, before = found[i].text, found[i - 1].text.lower()
        in_relative |= before in _RELATIVES
        joined = text[found[i].start - 1] == "-"
        if not word.islower() or joined or before in _BEFORE_NOUNS - _RELATIVES:
            continue
        if word in VERBS or VERB_ENDING.match(word) or (_ends_in_s(word) and _acts(found, i)):
            if not in_relative:
                return found[i]
            in_relative = False
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
