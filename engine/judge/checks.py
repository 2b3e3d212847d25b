"""The registry of checks: what can be stated in a line about a claim beside a premise, as a number.

The network reads; these are features of the decision beside it, each for what networks misread:
figures, names, time, case, negation. None of them makes a label. ``scripts/measure_checks.py``
prints what each is worth; a check without a row there has no place here.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from veracite.engine.facts.identifiers import identifiers, stated_instead
from veracite.engine.facts.measures import measures, weigh
from veracite.engine.facts.names import designations, names
from veracite.engine.facts.numbers import Comparison
from veracite.engine.judge.premises import Premise
from veracite.engine.judge.terms import Terms
from veracite.engine.types import Claim
from veracite.engine.wording.contrasts import cases_apart, is_denied, opposites
from veracite.engine.wording.overlap import content_words, stems

_MOST = 2
"""Differences that count: more say no more."""
_UNSTATED = re.compile(
    r"\b(?:plan(?:s|ned|ning)?|propos(?:ed|als?|es)|intend(?:s|ed)?|expect(?:s|ed)?|forecasts?"
    r"|projected|predict(?:s|ed|ion)?|hop(?:es?|ed|ing)|aim(?:s|ed)?|scheduled|would|could|might"
    r"|may|if|unless|rumou?r(?:s|ed)?|alleged(?:ly)?|supposed(?:ly)?|reputed(?:ly)?|legend|perhaps"
    r"|possibly|claim(?:s|ed)|dream(?:s|t|ed)?|wish(?:es|ed)?|threaten(?:s|ed)?|will|shall)\b",
    re.IGNORECASE,
)
_PART = re.compile(
    r"\b(?:some|most|many|several|a few|few|part of|half of|a number of|partly|mostly|mainly"
    r"|usually|often|sometimes|nearly all|almost all)\b",
    re.IGNORECASE,
)


class Beside:
    """A claim beside one premise, with what checks ask of both.

    Args:
        claim: What is judged.
        terms: Its words.
        premise: What it is read beside.
    """

    def __init__(self, claim: Claim, terms: Terms, premise: Premise) -> None:
        self.claim = claim
        self.terms = terms
        self.premise = premise
        self.said = claim.hypothesis
        self.told = premise.text
        self.found = terms.found(premise.text)

    @cached_property
    def figures(self) -> tuple[Comparison, ...]:
        """The claim's quantities beside the premise's."""
        return weigh(measures(self.said), measures(self.told))

    @cached_property
    def lacking(self) -> list[str]:
        """The claim's names of which the premise has no word."""
        return [n.text for n in names(self.said) if not n.stems & self.found]

    @cached_property
    def other_name(self) -> float:
        """Names that the claim lacks in the place of some that the premise lacks."""
        if not self.lacking:
            return 0.0
        known = stems(self.claim.query) | self.terms.weights.keys()
        others = [n for n in names(self.told) if not n.stems & known]
        return self.near(min(len(others), len(self.lacking)))

    @cached_property
    def denies(self) -> bool:
        """Whether one of the two denies something and the other does not."""
        return is_denied(self.said) != is_denied(self.told)

    @cached_property
    def opposites(self) -> int:
        """Words of the claim that the premise has the opposite of."""
        return len(opposites(self.said, self.told))

    @cached_property
    def other_case(self) -> bool:
        """Whether the two speak of different seasons, sides or the like."""
        return cases_apart(self.said, self.told) is not None

    @cached_property
    def share(self) -> float:
        """The share of the claim's words that the premise has."""
        return self.terms.share(self.found)

    def count(self, outcome: str, *, dates: bool) -> float:
        """How many of the claim's figures, or of its dates and times, have this outcome."""
        kinds = ("date", "time")
        return float(
            sum(c.outcome == outcome and (c.claimed.kind in kinds) == dates for c in self.figures)
        )

    def near(self, value: float) -> float:
        """A difference, which counts the more the more of the claim the premise has."""
        return min(_MOST, value) * self.share**2


@dataclass(frozen=True, slots=True)
class Check:
    """One check."""

    id: str
    about: str
    """What it says, in a line."""
    value: Callable[[Beside], float]


def _order(beside: Beside) -> float:
    own = [word.stem for word in beside.terms.words]
    if len(own) < 2:
        return beside.share
    there = [word.stem for word in content_words(beside.told)]
    pairs = set(pairwise(there))
    return sum(pair in pairs for pair in pairwise(own)) / (len(own) - 1)


def _unknown_name(beside: Beside) -> float:
    """Of the claim's names those that nothing around the premise has."""
    around = beside.terms.found(beside.premise.around)
    return float(min(_MOST, sum(not n.stems & around for n in names(beside.said))))


def _another_of_its_name(beside: Beside) -> float:
    """ "Lumen 3" beside "Lumen 2", "N2699G" beside "N2698G"."""
    told = beside.told
    for mine in designations(beside.said):
        same = [d for d in designations(told) if d.name == mine.name]
        if same and not any(d.code == mine.code for d in same):
            return 1.0
    return float(any(stated_instead(one, told) for one in identifiers(beside.said)))


def _subject(beside: Beside) -> float:
    """The share of the claim's first words, which mostly name its subject, that are missing."""
    subject = beside.terms.opened_by
    return len(subject - beside.found) / len(subject) if subject else 0.0


def _differing(beside: Beside) -> float:
    """Kinds of differences beyond the first: one is a contradiction, two are another case."""
    kinds = (
        beside.count("conflict", dates=False),
        beside.count("conflict", dates=True),
        beside.other_name,
        beside.denies,
        beside.opposites,
        beside.other_case,
        _another_of_its_name(beside),
    )
    return float(max(0, sum(map(bool, kinds)) - 1))


def _unstated(beside: Beside) -> float:
    if _UNSTATED.search(beside.said):
        return 0.0
    return float(_UNSTATED.search(beside.told) is not None)


def _part(beside: Beside) -> float:
    return float(_PART.search(beside.told) is not None and _PART.search(beside.said) is None)


CHECKS = (
    Check("covered", "the share of the claim's words that the premise has", lambda b: b.share),
    Check("order", "the share of its neighbouring words that are neighbours there", _order),
    Check("figure differs", "numbers that the premise has others for",
          lambda b: b.near(b.count("conflict", dates=False))),
    Check("figure missing", "numbers that the premise has none for",
          lambda b: b.count("missing", dates=False)),
    Check("date differs", "dates and times that the premise has others for",
          lambda b: b.near(b.count("conflict", dates=True))),
    Check("date missing", "dates and times that the premise has none for",
          lambda b: b.count("missing", dates=True)),
    Check("name missing", "names of which the premise has no word",
          lambda b: float(min(_MOST, len(b.lacking)))),
    Check("other name", "a name is missing and another stands there", lambda b: b.other_name),
    Check("unknown name", "names that nothing around the premise has", _unknown_name),
    Check("subject missing", "the share of its first two words that the premise lacks", _subject),
    Check("more differs", "kinds of differences beyond the first", _differing),
    Check("another of its name", "another number or code of the same name", _another_of_its_name),
    Check("negated", "one of the two denies, by how much they share", lambda b: b.near(b.denies)),
    Check("opposite", "a word whose opposite stands there",
          lambda b: b.near(b.opposites)),
    Check("other case", "winter for summer, left for right",
          lambda b: b.near(b.other_case)),
    Check("unstated", "only planned, supposed, conditional or hearsay", _unstated),
    Check("part", "the premise speaks of some or most, the claim does not", _part),
    Check("row", "the premise is a table's row", lambda b: float(" | " in b.told)),
)  # fmt: skip
"""All checks, in the order in which the decision was fitted to them."""
