"""The registry of checks: what can be stated in a line about a claim beside a premise.

The network reads; these stand beside it, each for what networks misread. A feature is a number that
the decision weighs; a veto, of which there are few, says what no weight can. None of them makes a
label. ``scripts/measure_checks.py`` prints what each is worth; a check without a row there has no
place here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from veracite.engine.judge.premises import Candidate, Premise, Premises
from veracite.engine.judge.sameness import apart
from veracite.engine.judge.verbatim import cannot_support, is_verbatim

Read = TypeVar("Read", Premise, Candidate)
Value = TypeVar("Value")

_MAY_LACK = 0.3
"""The share of a claim's words that a premise may lack: they are said in other ones."""


@dataclass(frozen=True, slots=True)
class Check(Generic[Read, Value]):
    """One check."""

    id: str
    value: Callable[[Premises, Read], Value]
    """Of what a claim is judged by, and one premise or sentence of it; false where the check has
    nothing to say. Its docstring's first line tells what the check is for."""


def _words_left_over(premises: Premises, premise: Premise) -> float:
    """The share of a claim's words that a premise lacks, beyond three in ten."""
    terms = premises.terms
    return max(0.0, 1 - terms.share(terms.found(premise.text)) - _MAY_LACK)


FEATURES = (Check("words left over", _words_left_over),)
"""In the order in which the decision was fitted to them."""
VERBATIM = Check("verbatim", is_verbatim)
SOMETHING_ELSE = Check("something else", apart)
NOT_STATED = Check("not stated", cannot_support)
VETOES = (VERBATIM, SOMETHING_ELSE, NOT_STATED)
"""These decide, or keep a premise from deciding."""
CHECKS: tuple[Check[Any, Any], ...] = (*FEATURES, *VETOES)
