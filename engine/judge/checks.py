"""The registry of checks: what can be stated in a line about a claim beside a premise, as a number.

The network reads; these are features of the decision beside it, each for what networks misread:
figures, names, time, case, negation. None of them makes a label. ``scripts/measure_checks.py``
prints what each is worth; a check without a row there has no place here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from veracite.engine.facts.identifiers import identifiers, stated_instead
from veracite.engine.facts.measures import measures
from veracite.engine.facts.names import designations, names
from veracite.engine.facts.weighing import Comparison, weigh
from veracite.engine.judge.premises import Premise
from veracite.engine.types import Claim
from veracite.engine.wording.contrasts import cases_apart, is_denied, opposites
from veracite.engine.wording.overlap import Terms, content_words, stems

_MOST = 2
"""Differences that count: more say no more."""


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
    def share(self) -> float:
        """The share of the claim's words that the premise has."""
        return self.terms.share(self.found)

    def conflicts(self, *, dates: bool) -> float:
        """How many of the claim's figures, or of its dates, the premise has others for."""
        found = [c for c in self.figures if (c.claimed.kind in ("date", "time")) == dates]
        return float(sum(c.outcome == "conflict" for c in found))

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


def _differing(beside: Beside) -> float:
    """Kinds of differences beyond the first: one is a contradiction, two are another case."""
    kinds = (
        beside.conflicts(dates=False),
        beside.conflicts(dates=True),
        beside.other_name,
        is_denied(beside.said) != is_denied(beside.told),
        opposites(beside.said, beside.told),
        cases_apart(beside.said, beside.told),
        _another_of_its_name(beside),
    )
    return float(max(0, sum(map(bool, kinds)) - 1))


CHECKS = (
    Check("order", "the share of its neighbouring words that are neighbours there", _order),
    Check("figure differs", "numbers that the premise has others for",
          lambda b: b.near(b.conflicts(dates=False))),
    Check("date differs", "dates and times that the premise has others for",
          lambda b: b.near(b.conflicts(dates=True))),
    Check("another of its name", "another number or code of the same name", _another_of_its_name),
    Check("unknown name", "names that nothing around the premise has", _unknown_name),
    Check("more differs", "kinds of differences beyond the first", _differing),
)  # fmt: skip
"""All checks, in the order in which the decision was fitted to them."""
