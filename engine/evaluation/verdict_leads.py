"""By how much one way of calling statements true leads the others on the same items."""

from veracite.engine.evaluation.judged import OURS, JudgedSet, Marks
from veracite.engine.evaluation.results import Comparison
from veracite.engine.evaluation.significance import (
    Statistic,
    mcnemar_exact,
    mean_over_sets,
    paired_difference,
)
from veracite.engine.evaluation.verdict_sets import (
    MAIN,
    OVER_SETS,
    can_vary,
    groups_of,
    told_apart,
)
from veracite.engine.evaluation.weighted import balanced_accuracy

__all__ = ["leads"]


def leads(of: JudgedSet, ours: Marks) -> tuple[Comparison, ...]:
    """The leads over every other method: over all items, then with each set alike.

    Args:
        of: The statements.
        ours: What is called true in the part for results.
    """
    called = ((method, of.calls(method)) for method in of.said if method != OURS)
    others = [(method, theirs) for method, theirs in called if theirs is not None]
    told = told_apart(of)
    over_all = [_over_all(of, ours, method, theirs) for method, theirs in others]
    over_sets = [_over_sets(of, ours, method, theirs, told) for method, theirs in others if told]
    return (*over_all, *over_sets)


def _over_all(of: JudgedSet, ours: Marks, other: str, theirs: Marks) -> Comparison:
    truth = of.held_truth
    found = paired_difference(
        balanced_accuracy(ours, truth),
        balanced_accuracy(theirs, truth),
        of.held_groups,
        rounds=of.rounds,
        seed=of.seed,
    )
    p = mcnemar_exact(ours == truth, theirs == truth)
    return Comparison(other, MAIN, found.estimate, found.low, found.high, p)


def _over_sets(
    of: JudgedSet, ours: Marks, other: str, theirs: Marks, told: list[Marks]
) -> Comparison:
    truth = of.held_truth
    statistics = [(_lead(ours[own], theirs[own], truth[own]), groups_of(of, own)) for own in told]
    found = mean_over_sets(statistics, rounds=of.rounds, seed=of.seed)
    if not can_vary(of, told):
        return Comparison(other, OVER_SETS, found.estimate)
    return Comparison(other, OVER_SETS, found.estimate, found.low, found.high)


def _lead(ours: Marks, theirs: Marks, truth: Marks) -> Statistic:
    first, second = balanced_accuracy(ours, truth), balanced_accuracy(theirs, truth)
    return lambda weights: first(weights) - second(weights)
