"""Statements with what every method said of them, and what follows from it: thresholds, calls.

Whatever is chosen is chosen on one part of the items; what is called true is said of the other.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from veracite.engine.errors import InputError
from veracite.engine.evaluation.calibration import fit_best
from veracite.engine.evaluation.items import Prediction, Statement
from veracite.engine.evaluation.results import Figure
from veracite.engine.evaluation.significance import Statistic, bootstrap
from veracite.engine.evaluation.splits import Split, SplitKind, split
from veracite.engine.evaluation.thresholds import logistic_threshold
from veracite.engine.judging.calibration import Calibration
from veracite.engine.words import Label

__all__ = ["AS_SHIPPED", "OURS", "JudgedSet", "Marks", "Scores", "label_meaning"]

OURS = "veracite"
AS_SHIPPED = "veracite as shipped"

_T = TypeVar("_T")

Scores = NDArray[np.float64]
Marks = NDArray[np.bool_]
"""One for each item: whether it is true, or was called so."""


def label_meaning(against_contradiction: bool) -> Mapping[Label, bool]:
    """Which of the product's labels count as true.

    CEG's Table 12: on FELM only an actual error is nonfactual; elsewhere whatever is not supported.
    """
    true = set(Label) - {Label.CONTRADICTED} if against_contradiction else {Label.SUPPORTED}
    return {label: label in true for label in Label}


@dataclass(frozen=True)
class JudgedSet:
    """One set of statements with every method's prediction of each.

    Args:
        items: The statements.
        said: Every method's prediction of every item, by method, in the order of the items.
        meaning: Which labels count as true.
        kind: How items are split into those for thresholds and those for results.
        seed: Of the bootstrap.
        rounds: Of the bootstrap.
    """

    items: Sequence[Statement]
    said: Mapping[str, Sequence[Prediction]]
    meaning: Mapping[Label, bool]
    kind: SplitKind
    seed: int
    rounds: int = 2000

    @cached_property
    def truth(self) -> Marks:
        """Of every item."""
        return np.array([item.truth for item in self.items], bool)

    @cached_property
    def groups(self) -> list[str]:
        """Of every item; groups of two sets are two, even if they have one name."""
        return [f"{i.part}/{i.group}" if i.part else i.group for i in self.items]

    @cached_property
    def split(self) -> Split:
        """The parts for thresholds and for results."""
        return split(self.groups, [i.part for i in self.items], self.truth, self.kind)

    @cached_property
    def held_groups(self) -> list[str]:
        """Of the items of the part for results."""
        return self._of_results(self.groups)

    @cached_property
    def held(self) -> list[Statement]:
        """The items of the part for results."""
        return self._of_results(self.items)

    @cached_property
    def held_truth(self) -> Marks:
        """Of the items of the part for results."""
        return self.truth[self.split.held]

    def held_said(self, method: str) -> list[Prediction]:
        """What a method said of the items of the part for results."""
        return self._of_results(self.said[method])

    def scores(self, method: str) -> Scores:
        """What a method gave every item."""
        return np.array([p.score if p.score is not None else 0.0 for p in self.said[method]])

    def held_scores(self, method: str) -> Scores:
        """What a method gave the items of the part for results."""
        return self.scores(method)[self.split.held]

    def threshold(self, method: str) -> float | None:
        """From where on a method calls items true; None where the other part does not say."""
        chosen = self.split.chosen
        found = logistic_threshold(self.scores(method)[chosen], self.truth[chosen])
        return None if np.isnan(found) else found

    def calls(self, method: str) -> Marks | None:
        """What a method calls true in the part for results; None if it has no threshold."""
        threshold = self.threshold(method)
        return None if threshold is None else self.held_scores(method) >= threshold

    def meant(self, prediction: Prediction) -> bool:
        """Whether the product's label counts as true."""
        return prediction.label is not None and self.meaning[Label(prediction.label)]

    @cached_property
    def calls_as_shipped(self) -> Marks:
        """What the product's own labels call true in the part for results."""
        return np.array([self.meant(p) for p in self.held_said(OURS)], bool)

    def every_call(self) -> Iterator[tuple[str, Marks]]:
        """What each method calls true in the part for results, the product as shipped too."""
        others = [method for method in self.said if method != OURS]
        for name in (OURS, AS_SHIPPED, *others):
            calls = self.calls_as_shipped if name == AS_SHIPPED else self.calls(name)
            if calls is not None:
                yield name, calls

    @cached_property
    def fitted(self) -> Calibration | None:
        """A calibration of our probabilities, from the part for thresholds; None if too small."""
        chosen = self.split.chosen
        groups = [group for group, kept in zip(self.groups, chosen, strict=True) if kept]
        try:
            return fit_best(self.scores(OURS)[chosen], self.truth[chosen], groups, seed=self.seed)
        except InputError:
            return None  # too few items of a class: the figure is left out

    def figure(self, name: str, of: Statistic, note: str = "") -> Figure:
        """A figure of the items of the part for results, with its interval."""
        found = bootstrap(of, self.held_groups, rounds=self.rounds, seed=self.seed)
        return Figure(name, found.estimate, found.low, found.high, note)

    def _of_results(self, every: Sequence[_T]) -> list[_T]:
        return [one for one, held in zip(every, self.split.held, strict=True) if held]
