"""The registry of checks: what can be stated in a line about a claim beside a premise, as a number.

The network reads; these are features of the decision beside it, each for what networks misread:
figures, codes and names. None of them makes a label. ``scripts/measure_checks.py``
prints what each is worth; a check without a row there has no place here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from veracite.engine.judge.premises import Premise, Premises
from veracite.engine.judge.weighing import weigh
from veracite.engine.wording.names import codes, names, stated_instead
from veracite.engine.wording.quantities import measures

_MOST = 2
"""Differences that count: more say no more."""


class Beside:
    """A claim beside one premise, with what checks ask of both.

    Args:
        premises: Of the claim.
        premise: What it is read beside.
    """

    def __init__(self, premises: Premises, premise: Premise) -> None:
        self.premise = premise
        self.terms = premises.terms
        self.said = premises.claim.hypothesis
        self.names = names(self.said)

    @cached_property
    def share(self) -> float:
        """The share of the claim's words that the premise has."""
        return self.terms.share(self.terms.found(self.premise.text))


@dataclass(frozen=True, slots=True)
class Check:
    """One check."""

    id: str
    about: str
    """What it says, in a line."""
    value: Callable[[Beside], float]


def _figure_differs(beside: Beside) -> float:
    """It counts the more the more of the claim the premise has."""
    found = weigh(measures(beside.said), measures(beside.premise.text))
    return min(_MOST, sum(c.outcome == "conflict" for c in found)) * beside.share**2


def _another_of_its_name(beside: Beside) -> float:
    """ "Lumen 3" beside "Lumen 2", "N2699G" beside "N2698G"."""
    return float(any(stated_instead(one, beside.premise.text) for one in codes(beside.said)))


def _unknown_name(beside: Beside) -> float:
    """It counts the less the more of the claim the premise has: there the name is what differs."""
    around = beside.terms.found(beside.premise.around)
    unknown = sum(not n.stems & around for n in beside.names)
    return min(_MOST, unknown) * (1 - beside.share)


CHECKS = (
    Check("figure differs", "numbers and dates that the premise has others for", _figure_differs),
    Check("another of its name", "another number or code of the same name", _another_of_its_name),
    Check("unknown name", "names that nothing around the premise has", _unknown_name),
)
"""All checks, in the order in which the decision was fitted to them."""
