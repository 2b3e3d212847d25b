"""From scores and labels of statements to figures: ``detect`` and ``attribute``."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from veracite.engine.calibration import Calibration
from veracite.engine.errors import InputError
from veracite.engine.evaluation import metrics
from veracite.engine.evaluation.calibration import fit_best
from veracite.engine.evaluation.items import Prediction, Statement
from veracite.engine.evaluation.results import (
    Comparison,
    Figure,
    MethodResult,
    Mistake,
    Part,
    Subset,
)
from veracite.engine.evaluation.significance import (
    Statistic,
    bootstrap,
    mcnemar_exact,
    paired_difference,
)
from veracite.engine.evaluation.splits import Split, SplitKind, split
from veracite.engine.words import Label

__all__ = ["AS_SHIPPED", "MAIN", "VerdictFigures", "label_meaning"]

MAIN = "balanced accuracy"
AS_SHIPPED = "veracite as shipped"
OURS = "veracite"

Scores = NDArray[np.float64]
Marks = NDArray[np.bool_]
"""One for each item: whether it is true, or was called so."""
_MISTAKES = 50


def label_meaning(against_contradiction: bool) -> Mapping[Label, bool]:
    """Which of the product's labels count as true.

    CEG's Table 12: on FELM only an actual error is nonfactual; elsewhere whatever is not supported.
    """
    true = set(Label) - {Label.CONTRADICTED} if against_contradiction else {Label.SUPPORTED}
    return {label: label in true for label in Label}


@dataclass(frozen=True)
class VerdictFigures:
    """Everything that is said of the methods on one set of statements.

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
    def split(self) -> Split:
        """The parts for thresholds and for results."""
        items = self.items
        return split([i.group for i in items], [i.part for i in items], self.truth, self.kind)

    def parts(self) -> tuple[Part, ...]:
        """What each part was for."""
        masks = (self.split.chosen, self.split.held)
        uses = ("thresholds and calibration", "results")
        return tuple(
            Part(use, name, tuple(self._groups(mask)), int(mask.sum()), _mean(self.truth[mask]))
            for use, name, mask in zip(uses, self.split.names, masks, strict=True)
        )

    def methods(self) -> tuple[MethodResult, ...]:
        """A row for each method, the product's own first."""
        return (
            self._scored(OURS),
            self._shipped(),
            *(self._scored(method) for method in self.said if method != OURS),
            *self._constant(),
        )

    def subsets(self) -> tuple[Subset, ...]:
        """Each set's own figures, with the thresholds of all sets together; none for one set."""
        names = list(dict.fromkeys(item.part for item in self.items))
        if len(names) < 2:
            return ()
        parts = np.array([item.part for item in self.items])[self.split.held]
        truth = self.truth[self.split.held]
        return tuple(
            Subset(
                name,
                int((parts == name).sum()),
                _mean(truth[parts == name]),
                {
                    method: Figure(
                        MAIN, metrics.balanced_accuracy(calls[parts == name], truth[parts == name])
                    )
                    for method, calls in self.every_call()
                },
            )
            for name in names
        )

    def mistakes(self) -> tuple[Mistake, ...]:
        """What the product as shipped got wrong, the surest first."""
        wrong = [
            (item, prediction)
            for item, prediction, held in zip(
                self.items, self.said[OURS], self.split.held, strict=True
            )
            if held and prediction.label and self._meant(prediction) != item.truth
        ]
        found = [
            Mistake(
                item.id,
                AS_SHIPPED,
                item.text,
                item.label,
                str(prediction.label),
                prediction.score,
                max(prediction.score or 0.0, 1 - (prediction.score or 0.0)),
            )
            for item, prediction in wrong
        ]
        return tuple(sorted(found, key=lambda m: -m.confidence)[:_MISTAKES])

    def _groups(self, mask: Marks) -> list[str]:
        return list(
            dict.fromkeys(i.group for i, kept in zip(self.items, mask, strict=True) if kept)
        )

    def _meant(self, prediction: Prediction) -> bool:
        return prediction.label is not None and self.meaning[Label(prediction.label)]

    def scores(self, method: str) -> Scores:
        """What a method gave every item."""
        return np.array([p.score if p.score is not None else 0.0 for p in self.said[method]])

    def _threshold(self, method: str) -> float:
        chosen = self.split.chosen
        return metrics.best_threshold(self.scores(method)[chosen], self.truth[chosen])

    def calls(self, method: str) -> Marks:
        """What a method calls true in the part for results, by its threshold from the other."""
        threshold = self._threshold(method)
        return self.scores(method)[self.split.held] >= threshold

    def _shipped_calls(self) -> Marks:
        return np.array([self._meant(p) for p in self.said[OURS]], bool)[self.split.held]

    def every_call(self) -> Iterator[tuple[str, Marks]]:
        """What each method calls true in the part for results, the product as shipped too."""
        yield OURS, self.calls(OURS)
        yield AS_SHIPPED, self._shipped_calls()
        for method in self.said:
            if method != OURS:
                yield method, self.calls(method)

    @cached_property
    def _held_groups(self) -> list[str]:
        return [i.group for i, held in zip(self.items, self.split.held, strict=True) if held]

    def _figure(self, name: str, of: Statistic, note: str = "") -> Figure:
        found = bootstrap(of, self._held_groups, rounds=self.rounds, seed=self.seed)
        return Figure(name, found.estimate, found.low, found.high, note)

    def _scored(self, method: str) -> MethodResult:
        held, truth = self.split.held, self.truth[self.split.held]
        scores, calls = self.scores(method)[held], self.calls(method)
        figures = [
            *self._of_calls(calls, truth),
            self._figure("AUC-ROC", lambda r: metrics.roc_auc(scores[r], truth[r])),
            self._figure("AP true", lambda r: metrics.average_precision(scores[r], truth[r])),
            self._figure("AP false", lambda r: metrics.average_precision(-scores[r], ~truth[r])),
            *_papers(calls, truth),
            *(self._calibration(scores, truth) if method == OURS else ()),
        ]
        return MethodResult(
            method=method,
            figures=tuple(figures),
            n=int(held.sum()),
            problems=sum(
                p.problem is not None
                for p, own in zip(self.said[method], held, strict=True)
                if own
            ),
            seconds_per_item=_mean([p.seconds for p in self.said[method]]),
            threshold=self._threshold(method),
            threshold_from=self.split.names[0],
            compared=tuple(self._comparisons(calls)) if method == OURS else (),
            trivial=method == "length",
        )

    def _shipped(self) -> MethodResult:
        """Labels as a user sees them: no threshold is chosen on this data."""
        truth, calls = self.truth[self.split.held], self._shipped_calls()
        labels = [p.label for p, held in zip(self.said[OURS], self.split.held, strict=True) if held]
        unsure = labels.count(Label.UNCERTAIN) / max(1, len(labels))
        return MethodResult(
            method=AS_SHIPPED,
            figures=(
                *self._of_calls(calls, truth),
                *_papers(calls, truth),
                Figure("uncertain", unsure, note="share of items labelled uncertain"),
            ),
            n=len(calls),
            compared=tuple(self._comparisons(calls)),
        )

    def _of_calls(self, calls: Marks, truth: Marks) -> Iterator[Figure]:
        yield self._figure(MAIN, _balanced(calls, truth))
        yield Figure("accuracy", float((calls == truth).mean()))
        yield Figure(
            "false supported",
            metrics.false_positive_rate(calls, truth),
            note="share of the false items that is called true",
        )
        yield Figure(
            "wrong when true",
            metrics.false_discovery_rate(calls, truth),
            note="share of the items called true that is false",
        )

    def _calibration(self, scores: Scores, truth: Marks) -> Iterator[Figure]:
        yield Figure(
            "ECE",
            metrics.expected_calibration_error(scores, truth),
            note="expected calibration error of the probabilities as they are",
        )
        fitted = self.fitted()
        if fitted is not None:
            yield Figure(
                "ECE calibrated",
                metrics.expected_calibration_error(fitted.apply(scores), truth),
                note=f"with a map ({fitted.kind}) fitted on the other part",
            )

    def fitted(self) -> Calibration | None:
        """A calibration of our probabilities, from the part for thresholds; None if too small."""
        chosen = self.split.chosen
        groups = [i.group for i, kept in zip(self.items, chosen, strict=True) if kept]
        try:
            return fit_best(self.scores(OURS)[chosen], self.truth[chosen], groups, seed=self.seed)
        except InputError:
            return None  # too few items of a class: the figure is left out

    def _comparisons(self, ours: Marks) -> Iterator[Comparison]:
        truth = self.truth[self.split.held]
        for method in self.said:
            if method == OURS:
                continue
            theirs = self.calls(method)
            found = paired_difference(
                _balanced(ours, truth),
                _balanced(theirs, truth),
                self._held_groups,
                rounds=self.rounds,
                seed=self.seed,
            )
            p = mcnemar_exact(ours == truth, theirs == truth)
            yield Comparison(method, MAIN, found.estimate, found.low, found.high, p)

    def _constant(self) -> Iterator[MethodResult]:
        """Who gives every item the same label."""
        truth = self.truth[self.split.held]
        for name, value in (("always true", True), ("always false", False)):
            calls = np.full(len(truth), value)
            same = np.zeros(len(truth))
            figures = (
                Figure(MAIN, metrics.balanced_accuracy(calls, truth)),
                Figure("accuracy", float((calls == truth).mean())),
                Figure("false supported", metrics.false_positive_rate(calls, truth)),
                Figure("wrong when true", metrics.false_discovery_rate(calls, truth)),
                Figure("AUC-ROC", metrics.roc_auc(same, truth)),
                Figure("AP true", metrics.average_precision(same, truth)),
                Figure("AP false", metrics.average_precision(same, ~truth)),
                *_papers(calls, truth),
            )
            yield MethodResult(name, figures, len(truth), trivial=True)


def _balanced(calls: Marks, truth: Marks) -> Statistic:
    return lambda rows: metrics.balanced_accuracy(calls[rows], truth[rows])


def _papers(calls: Marks, truth: Marks) -> Iterator[Figure]:
    for side, mark in (("true", True), ("false", False)):
        area = metrics.papers_area((calls == mark).astype(np.float64), truth == mark)
        note = "trapezoid over hard labels as CEG prints it (always false: see its row)"
        yield Figure(f"CEG's area {side}", area, note=note)


def _mean(values: Sequence[float] | Marks) -> float | None:
    return float(np.mean(values)) if len(values) else None
