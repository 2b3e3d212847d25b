"""Where a file holds several sets: each set's own figure, and their mean with each set alike."""

from collections.abc import Iterable, Iterator

import numpy as np

from veracite.engine.evaluation.judged import JudgedSet, Marks
from veracite.engine.evaluation.results import Figure, Subset
from veracite.engine.evaluation.significance import bootstrap, mean_over_sets
from veracite.engine.evaluation.weighted import balanced_accuracy

__all__ = ["MAIN", "OVER_SETS", "can_vary", "groups_of", "over_sets", "subsets", "told_apart"]

MAIN = "balanced accuracy"
OVER_SETS = "mean over sets"
_NO_INTERVAL = "interval n/a, as a set's true or false items are of a single group"


def subsets(of: JudgedSet) -> tuple[Subset, ...]:
    """Each set's own figures, with the thresholds of all sets together; none for one set."""
    if len(_names(of)) < 2:
        return ()
    return tuple(
        Subset(
            name,
            int(inside.sum()),
            float(of.held_truth[inside].mean()) if inside.any() else None,
            {method: _figure(of, calls, inside) for method, calls in of.every_call()},
        )
        for name, inside in _sets(of)
    )


def over_sets(of: JudgedSet, calls: Marks) -> Figure | None:
    """The mean of the sets' balanced accuracies; None for one set."""
    names = _names(of)
    if len(names) < 2:
        return None
    told = told_apart(of)
    statistics = [
        (balanced_accuracy(calls[inside], of.held_truth[inside]), groups_of(of, inside))
        for inside in told
    ]
    found = mean_over_sets(statistics, rounds=of.rounds, seed=of.seed)
    which = "all" if len(told) == len(names) else "those with true and false items,"
    note = f"balanced accuracy, each set alike: {which} {len(told)} of {len(names)}"
    if not can_vary(of, told):
        return Figure(OVER_SETS, found.estimate, note=f"{note}; {_NO_INTERVAL}")
    return Figure(OVER_SETS, found.estimate, found.low, found.high, note)


def can_vary(of: JudgedSet, sets: Iterable[Marks]) -> bool:
    """Whether both classes of every set are in two groups, or rows of its only group, or more.

    Where a class is in a single one, every resample that can be counted holds the same rows of
    it, and an interval would leave out how far they are from others.
    """
    return all(len(_units(of, inside, side)) >= 2 for inside in sets for side in (True, False))


def _units(of: JudgedSet, inside: Marks, wanted: bool) -> set[str]:
    """What a bootstrap of a set draws that holds items of a class."""
    groups = groups_of(of, inside)
    drawn = groups if len(set(groups)) > 1 else [str(row) for row in range(len(groups))]
    pairs = zip(drawn, of.held_truth[inside].tolist(), strict=True)
    return {unit for unit, truth in pairs if truth is wanted}


def told_apart(of: JudgedSet) -> list[Marks]:
    """For each set that has both true and false items in the part for results, which are its own.

    None if there is only one set.
    """
    if len(_names(of)) < 2:
        return []
    return [inside for _, inside in _sets(of) if _has_both(of.held_truth[inside])]


def groups_of(of: JudgedSet, inside: Marks) -> list[str]:
    """The groups of some items of the part for results."""
    return [group for group, own in zip(of.held_groups, inside, strict=True) if own]


def _figure(of: JudgedSet, calls: Marks, inside: Marks) -> Figure:
    found = bootstrap(
        balanced_accuracy(calls[inside], of.held_truth[inside]),
        groups_of(of, inside),
        rounds=of.rounds,
        seed=of.seed,
    )
    if not can_vary(of, [inside]):
        return Figure(MAIN, found.estimate)
    return Figure(MAIN, found.estimate, found.low, found.high)


def _names(of: JudgedSet) -> list[str]:
    return list(dict.fromkeys(item.part for item in of.items))


def _sets(of: JudgedSet) -> Iterator[tuple[str, Marks]]:
    """Each set and which items of the part for results are its own."""
    own = np.array([item.part for item in of.held], dtype=object)
    for name in _names(of):
        yield name, np.asarray(own == name, dtype=bool)


def _has_both(truth: Marks) -> bool:
    return bool(truth.any()) and not bool(truth.all())
