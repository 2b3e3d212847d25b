"""The registry of checks: what can be stated in a line about a claim beside a premise, as a number.

The network reads; these are features of the decision beside it, each for what networks misread:
figures, names, words left over, what is joined. None of them makes a label.
``scripts/measure_checks.py`` prints what each is worth; a check without a row there has no place
here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from veracite.engine.judge.premises import Premise, Premises
from veracite.engine.judge.weighing import weigh
from veracite.engine.wording.names import names
from veracite.engine.wording.quantities import measures

_MOST = 2
"""Differences that count: more say no more."""
_MAY_LACK = 0.3
"""The share of a claim's words that a premise may lack: they are said in other ones."""


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


def _unknown_name(beside: Beside) -> float:
    """It counts the less the more of the claim the premise has: there the name is what differs."""
    around = beside.terms.found(beside.premise.around)
    unknown = sum(not n.stems & around for n in beside.names)
    return min(_MOST, unknown) * (1 - beside.share)


def _several_documents(beside: Beside) -> float:
    return float(len({c.passage.document.path for c in beside.premise.candidates}) > 1)


CHECKS = (
    Check("figure differs", "numbers and dates that the premise has others for", _figure_differs),
    Check("unknown name", "names that nothing around the premise has", _unknown_name),
    Check(
        "words left over",
        f"the share of the claim's words that the premise lacks, beyond {_MAY_LACK}",
        lambda beside: max(0.0, 1 - beside.share - _MAY_LACK),
    ),
    Check("several documents", "a premise joined from several documents", _several_documents),
)
"""All checks, in the order in which the decision was fitted to them."""
