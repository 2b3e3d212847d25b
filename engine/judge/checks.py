"""The registry of checks: what can be stated in a line about a claim beside a premise, as a number.

The network reads; these are features of the decision beside it, each for what networks misread.
None of them makes a label. ``scripts/measure_checks.py`` prints what each is worth; a check without
a row there has no place here.
"""

from collections.abc import Callable
from dataclasses import dataclass

from veracite.engine.judge.premises import Premise, Premises

_MAY_LACK = 0.3
"""The share of a claim's words that a premise may lack: they are said in other ones."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check."""

    id: str
    about: str
    """What it says, in a line."""
    value: Callable[[Premises, Premise], float]
    """Of a claim's premises and one of them."""


def _words_left_over(premises: Premises, premise: Premise) -> float:
    terms = premises.terms
    return max(0.0, 1 - terms.share(terms.found(premise.text)) - _MAY_LACK)


CHECKS = (
    Check(
        "words left over",
        f"the share of the claim's words that the premise lacks, beyond {_MAY_LACK}",
        _words_left_over,
    ),
)
"""All checks, in the order in which the decision was fitted to them."""
