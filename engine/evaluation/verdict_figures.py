"""From scores and labels of statements to figures: ``detect`` and ``attribute``.

Thresholds and calibrations are chosen on one part of the items, the figures are of the other.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from sklearn.metrics import auc, precision_recall_curve, roc_curve

from veracite.engine.errors import InputError
from veracite.engine.evaluation import bootstrap as boot
from veracite.engine.evaluation.bootstrap import Floats, Interval, Marks, Statistic
from veracite.engine.evaluation.calibrate import (
    calibration_error,
    calibration_error_by_chance,
    fit_best,
    logistic_threshold,
    reliability_bins,
)
from veracite.engine.evaluation.items import Prediction, Statement
from veracite.engine.evaluation.results import (
    Comparison,
    Curve,
    Figure,
    MethodResult,
    Mistake,
    Part,
    Subset,
)
from veracite.engine.evaluation.splits import Split, SplitKind, split
from veracite.engine.judge.calibration import Calibration
from veracite.engine.types import Label

OURS = "veracite"
AS_SHIPPED = "veracite as shipped"
MAIN = "balanced accuracy"
OVER_SETS = "mean over sets"

_ORDER = (
    MAIN,
    OVER_SETS,
    "false supported",
    "AUC-ROC",
    "AP true",
    "AP false",
    "accuracy",
    "ECE",
    "wrong when true",
    "false contradicted",
    "ECE calibrated",
    "ECE by chance",
    "uncertain",
    "CEG's area true",
    "CEG's area false",
)
"""What matters most comes first, the papers' own formulas last."""
_NEED_CALLS = (
    "false supported",
    "accuracy",
    "wrong when true",
    "CEG's area true",
    "CEG's area false",
)
_AP = "average precision where the items come first that are taken for {}"
_NO_INTERVAL = "interval n/a, as a set's true or false items are of a single group"
_TRIVIAL = ("overlap", "length")
_CONSTANT = (("always true", True), ("always false", False))
_MISTAKES = 50


def label_meaning(against_contradiction: bool) -> Mapping[Label, bool]:
    """Which of the product's labels count as true.

    CEG's Table 12: on FELM only an actual error is nonfactual; elsewhere whatever is not supported.
    """
    true = set(Label) - {Label.CONTRADICTED} if against_contradiction else {Label.SUPPORTED}
    return {label: label in true for label in Label}


@dataclass(frozen=True)
class VerdictFigures:
    """One set of statements with every method's prediction of each, and what follows from it.

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

    def scores(self, method: str) -> Floats:
        """What a method gave every item."""
        return np.array([p.score if p.score is not None else 0.0 for p in self.said[method]])

    # --- The part for results -----------------------------------------------------------------

    @cached_property
    def _held(self) -> list[int]:
        return np.flatnonzero(self.split.held).tolist()

    @cached_property
    def held_truth(self) -> Marks:
        """Of the items of the part for results."""
        return self.truth[self._held]

    @cached_property
    def _held_groups(self) -> list[str]:
        return [self.groups[place] for place in self._held]

    def _held_scores(self, method: str) -> Floats:
        return self.scores(method)[self._held]

    def threshold(self, method: str) -> float | None:
        """From where on a method calls items true; None where the other part does not say."""
        chosen = self.split.chosen
        found = logistic_threshold(self.scores(method)[chosen], self.truth[chosen])
        return None if np.isnan(found) else found

    def _calls(self, method: str) -> Marks | None:
        """What a method calls true, by its threshold, or as shipped; None if it has none."""
        if method == AS_SHIPPED:
            return np.array([self._is_meant(self.said[OURS][n]) for n in self._held], bool)
        threshold = self.threshold(method)
        return None if threshold is None else self._held_scores(method) >= threshold

    @cached_property
    def _every_call(self) -> dict[str, Marks]:
        others = [method for method in self.said if method != OURS]
        calls = {name: self._calls(name) for name in (OURS, AS_SHIPPED, *others)}
        return {name: made for name, made in calls.items() if made is not None}

    def _is_meant(self, prediction: Prediction) -> bool:
        """Whether the product's label counts as true."""
        return prediction.label is not None and self.meaning[Label(prediction.label)]

    @cached_property
    def _fitted(self) -> Calibration | None:
        """A calibration of our probabilities, from the part for thresholds; None if too small."""
        chosen = self.split.chosen
        groups = [group for group, kept in zip(self.groups, chosen, strict=True) if kept]
        try:
            return fit_best(self.scores(OURS)[chosen], self.truth[chosen], groups, seed=self.seed)
        except InputError:
            return None  # too few items of a class: the figure is left out

    # --- What is told of them -----------------------------------------------------------------

    def parts(self) -> tuple[Part, ...]:
        """What each part was for."""
        masks = (self.split.chosen, self.split.held)
        uses = ("thresholds and calibration", "results")
        return tuple(
            Part(
                use,
                name,
                tuple(dict.fromkeys(g for g, kept in zip(self.groups, mask, strict=True) if kept)),
                int(mask.sum()),
                _mean(self.truth[mask]),
            )
            for use, name, mask in zip(uses, self.split.names, masks, strict=True)
        )

    def methods(self) -> tuple[MethodResult, ...]:
        """A row for each method, the product's own first, and for who always says the same."""
        others = [method for method in self.said if method != OURS]
        return (
            self._scored(OURS),
            self._shipped(),
            *(self._scored(method) for method in others),
            *self._constant(),
        )

    def mistakes(self) -> tuple[Mistake, ...]:
        """What the product as shipped got wrong, the surest first."""
        pairs = ((self.items[place], self.said[OURS][place]) for place in self._held)
        found = [
            Mistake(
                item.id,
                AS_SHIPPED,
                item.text,
                item.label,
                str(said.label),
                said.score,
                (said.score or 0.0) if self._is_meant(said) else 1 - (said.score or 0.0),
            )
            for item, said in pairs
            if said.label and self._is_meant(said) != item.truth
        ]
        return tuple(sorted(found, key=lambda m: -m.confidence)[:_MISTAKES])

    def curves(self) -> tuple[Curve, ...]:
        """What is plotted: ROC, precision and recall, reliability."""
        return (*self._rankings(), *self._reliability())

    def subsets(self) -> tuple[Subset, ...]:
        """Each set's own figures, with the thresholds of all sets together; none for one set."""
        return tuple(
            Subset(
                name,
                int(inside.sum()),
                _mean(self.held_truth[inside]),
                {method: self._of_set(made, inside) for method, made in self._every_call.items()},
            )
            for name, inside in self._sets.items()
        )

    # --- Rows of the table --------------------------------------------------------------------

    def _scored(self, method: str) -> MethodResult:
        calls = self._every_call.get(method)
        scores, truth = self._held_scores(method), self.held_truth
        figures = [
            *self._of_calls(calls),
            *self._of_scores(scores),
            *(self._of_probabilities(scores, truth) if method == OURS else ()),
        ]
        return MethodResult(
            method=method,
            figures=_in_order(figures),
            n=len(truth),
            problems=self._problems(method),
            seconds_per_item=self._seconds(method),
            threshold=self.threshold(method),
            threshold_from=self.split.names[0] if calls is not None else None,
            compared=self._leads(calls) if method == OURS and calls is not None else (),
            trivial=method in _TRIVIAL,
        )

    def _shipped(self) -> MethodResult:
        """Labels as a user sees them: no threshold is chosen on this data."""
        labels = [self.said[OURS][place].label for place in self._held]
        calls, truth = self._every_call[AS_SHIPPED], self.held_truth
        unsure = labels.count(Label.UNCERTAIN) / len(labels) if labels else None
        denied = np.array([label == Label.CONTRADICTED for label in labels], bool)
        figures = [
            *self._of_calls(calls),
            Figure("uncertain", unsure, note="share of the items that are labelled so"),
            self._figure(
                "false contradicted",
                boot.rate(denied, truth),
                "share of the true items that is labelled contradicted",
            ),
        ]
        return MethodResult(
            method=AS_SHIPPED,
            figures=_in_order(figures),
            n=len(labels),
            problems=self._problems(OURS),
            seconds_per_item=self._seconds(OURS),
            compared=self._leads(calls),
        )

    def _constant(self) -> Iterator[MethodResult]:
        """Who gives every item the same label."""
        n = len(self.held_truth)
        for name, value in _CONSTANT:
            figures = [*self._of_calls(np.full(n, value)), *self._of_scores(np.zeros(n))]
            bare = [replace(figure, low=None, high=None) for figure in figures]
            yield MethodResult(name, _in_order(bare), n, trivial=True)

    def _of_calls(self, calls: Marks | None) -> Iterator[Figure]:
        """Figures of what is called true; of a method that has no threshold they are n/a."""
        if calls is None:
            yield Figure(MAIN, None, note="n/a where no threshold tells true from false")
            yield from (Figure(name, None) for name in _NEED_CALLS)
            return
        truth = self.held_truth
        yield self._figure(MAIN, boot.balanced_accuracy(calls, truth))
        if self._sets:
            found = self._over_sets(lambda own: boot.balanced_accuracy(calls[own], truth[own]))
            told, every = len(self._told_apart), len(self._sets)
            which = "all" if told == every else "those with true and false items,"
            note = f"balanced accuracy, each set alike: {which} {told} of {every}"
            varies = self._can_vary(self._told_apart)
            note = note if varies else f"{note}; {_NO_INTERVAL}"
            yield _as_figure(OVER_SETS, found, note, interval=varies)
        yield self._figure(
            "false supported",
            boot.rate(calls, ~truth),
            "share of the false items that is called true",
        )
        yield Figure("accuracy", _mean(calls == truth))
        wrong = "share of the items called true that is false"
        yield Figure("wrong when true", _mean(~truth[calls]), note=wrong)
        note = "trapezoid over hard labels, as CEG prints it: compare the row always false"
        for side, mark in (("true", True), ("false", False)):
            yield Figure(
                f"CEG's area {side}", _papers_area(calls == mark, truth == mark), note=note
            )

    def _of_scores(self, scores: Floats) -> Iterator[Figure]:
        truth = self.held_truth
        yield self._figure("AUC-ROC", boot.roc_auc(scores, truth))
        for side, ranked, wanted in (("true", scores, truth), ("false", -scores, ~truth)):
            statistic = boot.average_precision(ranked, wanted)
            yield self._figure(f"AP {side}", statistic, _AP.format(side))

    def _of_probabilities(self, scores: Floats, truth: Marks) -> Iterator[Figure]:
        note = "expected calibration error of the probabilities as they are"
        yield Figure("ECE", calibration_error(scores, truth), note=note)
        if self._fitted is not None:
            calibrated = self._fitted.apply(scores)
            note = f"the same after a map ({self._fitted.kind}) that was fitted on the other part"
            yield Figure("ECE calibrated", calibration_error(calibrated, truth), note=note)
            note = "what as many items would show if every calibrated probability were right"
            yield Figure("ECE by chance", calibration_error_by_chance(calibrated), note=note)

    def _figure(self, name: str, of: Statistic, note: str = "") -> Figure:
        return _as_figure(name, self._bootstrap(of, self._held_groups), note)

    def _bootstrap(self, of: Statistic, groups: Sequence[str]) -> Interval:
        return boot.bootstrap(of, groups, rounds=self.rounds, seed=self.seed)

    def _problems(self, method: str) -> int:
        return sum(self.said[method][place].problem is not None for place in self._held)

    def _seconds(self, method: str) -> float | None:
        return _mean(np.array([p.seconds for p in self.said[method]]))

    # --- Leads, and several sets in one file --------------------------------------------------

    def _leads(self, ours: Marks) -> tuple[Comparison, ...]:
        """The leads over every other method: over all items, then with each set alike."""
        truth = self.held_truth
        others = {m: c for m, c in self._every_call.items() if m not in (OURS, AS_SHIPPED)}

        def lead(theirs: Marks, own: Marks) -> Statistic:
            first = boot.balanced_accuracy(ours[own], truth[own])
            return boot.difference(first, boot.balanced_accuracy(theirs[own], truth[own]))

        leads = []
        everything = np.ones(len(truth), bool)
        for other, theirs in others.items():
            found = self._bootstrap(lead(theirs, everything), self._held_groups)
            p = boot.mcnemar(ours == truth, theirs == truth)
            leads.append(Comparison(other, MAIN, found.estimate, found.low, found.high, p))
        for other, theirs in others.items() if self._told_apart else ():
            found = self._over_sets(partial(lead, theirs))
            figure = _as_figure(OVER_SETS, found, interval=self._can_vary(self._told_apart))
            leads.append(Comparison(other, OVER_SETS, figure.value, figure.low, figure.high))
        return tuple(leads)

    @cached_property
    def _sets(self) -> dict[str, Marks]:
        """Each set and which items of the part for results are its own; empty for one set."""
        own = np.array([self.items[place].part for place in self._held], dtype=object)
        names = dict.fromkeys(item.part for item in self.items)
        return {n: np.asarray(own == n, dtype=bool) for n in names} if len(names) > 1 else {}

    @cached_property
    def _told_apart(self) -> list[Marks]:
        """The sets that have both true and false items in the part for results."""
        return [own for own in self._sets.values() if len(set(self.held_truth[own].tolist())) == 2]

    def _groups_of(self, inside: Marks) -> list[str]:
        return [group for group, own in zip(self._held_groups, inside, strict=True) if own]

    def _over_sets(self, of: Callable[[Marks], Statistic]) -> Interval:
        """The mean of the sets' figures."""
        sets = [(of(inside), self._groups_of(inside)) for inside in self._told_apart]
        return boot.mean_over_sets(sets, rounds=self.rounds, seed=self.seed)

    def _can_vary(self, sets: Sequence[Marks]) -> bool:
        """Whether both classes of every set are in two groups, or rows of its only group, or more.

        Where a class is in a single one, every resample that can be counted holds the same rows of
        it, and an interval would leave out how far they are from others.
        """
        for inside in sets:
            groups, truth = self._groups_of(inside), self.held_truth[inside].tolist()
            rows = [str(row) for row in range(len(groups))]
            drawn = groups if len(set(groups)) > 1 else rows
            units = set(zip(drawn, truth, strict=True))
            if any(sum(truth is side for _, truth in units) < 2 for side in (True, False)):
                return False
        return True

    def _of_set(self, calls: Marks, inside: Marks) -> Figure:
        of = boot.balanced_accuracy(calls[inside], self.held_truth[inside])
        found = self._bootstrap(of, self._groups_of(inside))
        return _as_figure(MAIN, found, interval=self._can_vary([inside]))

    # --- Curves -------------------------------------------------------------------------------

    def _rankings(self) -> Iterator[Curve]:
        truth = self.held_truth
        defined = len(set(truth.tolist())) == 2
        for method in self.said:
            scores = self._held_scores(method)
            points: tuple[tuple[float, ...], ...] = ()
            if defined:
                false_rate, true_rate, _ = roc_curve(truth, scores, drop_intermediate=False)
                points = _points(false_rate, true_rate)
            once = np.ones((1, len(truth)))
            area = Figure("AUC-ROC", float(boot.roc_auc(scores, truth)(once)[0]))
            yield Curve("roc", method, points, area)
            if defined:
                precision, recall, _ = precision_recall_curve(truth, scores)
                points = _points(recall, precision)
            mean = Figure("AP true", float(boot.average_precision(scores, truth)(once)[0]))
            yield Curve("precision-recall", method, points, mean)

    def _reliability(self) -> Iterator[Curve]:
        scores, truth = self._held_scores(OURS), self.held_truth
        told = {OURS: scores}
        if self._fitted is not None:
            told[f"{OURS}, calibrated"] = self._fitted.apply(scores)
        for name, probabilities in told.items():
            bins = reliability_bins(probabilities, truth)
            points = tuple((given, share, float(count)) for given, share, count in bins)
            error = Figure("ECE", calibration_error(probabilities, truth))
            yield Curve("reliability", name, points, error)


def _as_figure(name: str, found: Interval, note: str = "", *, interval: bool = True) -> Figure:
    if not interval:
        return Figure(name, found.estimate, note=note)
    return Figure(name, found.estimate, found.low, found.high, note)


def _in_order(figures: list[Figure]) -> tuple[Figure, ...]:
    return tuple(sorted(figures, key=lambda figure: _ORDER.index(figure.name)))


def _papers_area(said: Marks, truth: Marks) -> float:
    """AUC-PR as CEG (Table 1) and SelfCheckGPT print it: trapezoids under precision over recall.

    Over hard labels it joins one point to (0, 1) by a straight line, so that whoever gives every
    item the same label gets (1 + base rate) / 2. For comparison with the papers only.
    """
    if truth.all() or not truth.any():
        return float("nan")
    precision, recall, _ = precision_recall_curve(truth, said.astype(np.float64))
    return float(auc(recall, precision))


def _points(x: Floats, y: Floats) -> tuple[tuple[float, ...], ...]:
    return tuple((float(a), float(b)) for a, b in zip(x, y, strict=True))


def _mean(values: Floats | Marks) -> float | None:
    return float(np.mean(values)) if len(values) else None
