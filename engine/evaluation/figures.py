"""From what was predicted to the result that is printed, task by task.

Thresholds and calibrations are chosen on one part of the statements, the figures are of the other.
"""

import math
import re
import string
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TypeVar

import numpy as np
from sklearn.metrics import precision_recall_curve, roc_curve

from veracite.engine.claims.citation_marks import listed, parse, without_marks
from veracite.engine.errors import InputError
from veracite.engine.evaluation import answers
from veracite.engine.evaluation import bootstrap as boot
from veracite.engine.evaluation.bootstrap import Floats, Marks, Statistic
from veracite.engine.evaluation.calibrate import (
    calibration_error,
    fit_best,
    logistic_threshold,
    reliability_bins,
)
from veracite.engine.evaluation.items import (
    Answered,
    Choice,
    Comparison,
    Curve,
    Figure,
    Item,
    Loaded,
    MethodResult,
    Mistake,
    Part,
    Predicting,
    Prediction,
    Query,
    Question,
    Result,
    Statement,
    Subset,
    Unavailable,
)
from veracite.engine.judge.calibration import Calibration
from veracite.engine.report.phrases import LABEL_WORDS
from veracite.engine.types import Label

_I = TypeVar("_I", bound=Item)
_Said = Mapping[str, Sequence[Prediction]]
"""Every item's prediction by method."""

OURS = "veracite"
AS_SHIPPED = "veracite as shipped"
MAIN = "balanced accuracy"
OVER_SETS = "mean over sets"
_STR_EM = "STR-EM"
_CITED = "cited STR-EM"
_TRIVIAL = ("overlap", "length", "shorter", "first", "random", *answers.PLAIN)
"""Methods that understand nothing."""
_ORDER = (
    *(MAIN, OVER_SETS, "false supported", "AUC-ROC", "AP true", "AP false", "accuracy", "ECE"),
    *("wrong when true", "false contradicted", "ECE calibrated", "uncertain"),
)
"""What matters most comes first."""
_MISTAKES = 50
_TIMES = "Times are without reading and indexing the documents."
_SHARED = (
    "What was encoded or judged for one method is not for the next ones: their times are shorter "
    "than they would be alone."
)


def sum_up(said: Answered) -> Result:
    """The figures of every method, with those to show."""
    loaded = said.loaded
    base = Result(
        task=loaded.task,
        format=loaded.format,
        files=said.files,
        label_map=dict(loaded.label_map),
        items=len(loaded.items),
        positives=None,
        methods=(),
        notes=loaded.notes,
        record=said.record,
    )
    if loaded.task in ("detect", "attribute"):
        result = _of_statements(base, said)
    elif loaded.task == "choose":
        result = _of_choices(base, said)
    elif loaded.task == "retrieve":
        result = replace(base, methods=_ranking(_only(Query, loaded), said))
    else:
        result = _of_answers(base, said)
    written = sum(method.figure("support") is not None for method in result.methods)
    notes = (*result.notes, _TIMES, *([_SHARED] if written > 1 else []))
    return _shown(replace(result, notes=notes), said.asked.methods)


def _shown(result: Result, methods: Sequence[str]) -> Result:
    """The result with these methods, if any are named, and the trivial ones alone."""
    if not methods:
        return result
    trivial = {m.method for m in result.methods if m.trivial}

    def asked(name: str) -> bool:
        """ "veracite" is "veracite as shipped" and "veracite, calibrated" too."""
        return any(name == m or name.startswith((f"{m} ", f"{m},")) for m in methods)

    rows = {m.method: m for m in result.methods if asked(m.method) or m.method in trivial}
    silent = [method for method in methods if method not in rows]
    return replace(
        result,
        methods=tuple(
            replace(row, compared=tuple(c for c in row.compared if c.other in rows))
            for row in rows.values()
        ),
        curves=tuple(c for c in result.curves if asked(c.method)),
        subsets=tuple(
            replace(s, figures={m: f for m, f in s.figures.items() if m in rows})
            for s in result.subsets
        ),
        mistakes=tuple(m for m in result.mistakes if asked(m.method)),
        notes=(*result.notes, *(f"{m} has nothing to say of these items." for m in silent)),
    )


def _complete(said: Answered) -> _Said:
    """The methods that said something of every item."""
    items = said.loaded.items
    return {
        method: [given[item.id] for item in items]
        for method, given in said.said.items()
        if len(given) == len(items)
    }


def _only(kind: type[_I], loaded: Loaded) -> list[_I]:
    return [item for item in loaded.items if isinstance(item, kind)]


@dataclass(frozen=True)
class _Measuring:
    """Figures of the same rows with their intervals."""

    groups: Sequence[str]
    seed: int

    def figure(self, name: str, of: Statistic, note: str = "") -> Figure:
        """A figure by this statistic."""
        found = boot.bootstrap(of, self.groups, seed=self.seed)
        return Figure(name, found.estimate, found.low, found.high, note)

    def lead(self, other: str, name: str, ours: Statistic, theirs: Statistic) -> Comparison:
        """Of one method over another in such a figure."""
        found = boot.bootstrap(boot.difference(ours, theirs), self.groups, seed=self.seed)
        return Comparison(other, name, found.estimate, found.low, found.high)


def _row(
    method: str,
    said: Sequence[Prediction],
    figures: Sequence[Figure],
    compared: Sequence[Comparison] = (),
) -> MethodResult:
    return MethodResult(
        method=method,
        figures=tuple(figures),
        n=len(said),
        problems=sum(p.problem is not None for p in said),
        seconds_per_item=_mean(np.array([p.seconds for p in said])),
        compared=tuple(compared),
        trivial=method in _TRIVIAL,
    )


def _mean(values: Floats | Marks) -> float | None:
    return float(np.mean(values)) if len(values) else None


# --- Statements: which part is for what -------------------------------------------------------

_STANDARD_ERRORS = 3
"""Halves of files in no order of labels are as far apart once in 370 times."""


@dataclass(frozen=True, slots=True)
class Split:
    """Two parts of the items as masks of shape (n,)."""

    chosen: Marks
    """For thresholds and calibration."""
    held: Marks
    """For results."""
    names: tuple[str, str]


def split(groups: Sequence[str], parts: Sequence[str], truth: Marks) -> Split:
    """Halve each set's groups, in the order of the file; sentences of a group stay together.

    Files that are sorted by label have their groups dealt in turn: those where a half would hold
    items of one class only, or where a set's halves differ in their shares of true groups by more
    than three standard errors. Where a set is a single group, its items take the place of groups.

    Args:
        groups: The group of each item.
        parts: The set of each item.
        truth: Of each item.
    """
    members: dict[str, dict[str, list[int]]] = {}
    for item, (group, part) in enumerate(zip(groups, parts, strict=True)):
        members.setdefault(part, {}).setdefault(group, []).append(item)
    sets = [list(by_group.values()) for by_group in members.values()]
    sets = [[[item] for item in units[0]] if len(units) == 1 else units for units in sets]
    where = " of each set" if len(sets) > 1 else ""

    def made(taken: Callable[[list[list[int]]], list[list[int]]], *names: str) -> Split:
        chosen = np.zeros(len(groups), bool)
        chosen[[item for units in sets for unit in taken(units) for item in unit]] = True
        first, second = names
        return Split(chosen, ~chosen, (f"{first}{where}", f"{second}{where}"))

    halves = made(
        lambda units: units[: len(units) // 2],
        "first half of the groups",
        "second half of the groups",
    )
    sides = (truth[halves.chosen], truth[halves.held])
    if all(_both(side) for side in sides) and not any(_sorted(units, truth) for units in sets):
        return halves
    return made(lambda units: units[::2], "odd-numbered groups", "even-numbered groups")


def _sorted(units: Sequence[list[int]], truth: Marks) -> bool:
    """Whether true groups stand so much more often in one half that the file is sorted by them."""
    shares = np.array([truth[unit].mean() for unit in units])
    middle = len(units) // 2
    if not middle:
        return False
    error = shares.std() * np.sqrt(1 / middle + 1 / (len(units) - middle))
    return bool(abs(shares[:middle].mean() - shares[middle:].mean()) > _STANDARD_ERRORS * error)


def _both(truth: Marks) -> bool:
    return bool(truth.any()) and not bool(truth.all())


# --- Statements: ``detect`` and ``attribute`` -------------------------------------------------


@dataclass(frozen=True)
class VerdictFigures:
    """Statements with what the methods said that said something of every one."""

    answered: Answered

    @cached_property
    def items(self) -> list[Statement]:
        """The statements."""
        return _only(Statement, self.answered.loaded)

    @cached_property
    def said(self) -> _Said:
        """Predictions by method, in the order of the items."""
        return _complete(self.answered)

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
        return split(self.groups, [i.part for i in self.items], self.truth)

    def scores(self, method: str) -> Floats:
        """What a method gave every item."""
        return np.array([p.score if p.score is not None else 0.0 for p in self.said[method]])

    def means_true(self, label: str | None) -> bool:
        """Whether one of the product's labels counts as true.

        CEG's Table 12: on FELM only an actual error is nonfactual; elsewhere whatever is not
        supported.
        """
        against = self.answered.predicting.against_contradiction
        return label is not None and (label != "contradicted" if against else label == "supported")

    # --- The part for results -----------------------------------------------------------------

    @cached_property
    def held_truth(self) -> Marks:
        """Of the items of the part for results."""
        return self.truth[self.split.held]

    @cached_property
    def _held(self) -> list[int]:
        return np.flatnonzero(self.split.held).tolist()

    @cached_property
    def _measuring(self) -> _Measuring:
        groups = [self.groups[place] for place in self._held]
        return _Measuring(groups, self.answered.predicting.seed)

    def _held_scores(self, method: str) -> Floats:
        return self.scores(method)[self.split.held]

    def _held_said(self, method: str) -> list[Prediction]:
        return [self.said[method][place] for place in self._held]

    def threshold(self, method: str) -> float | None:
        """From where on a method calls items true; None where the other part does not say."""
        chosen = self.split.chosen
        found = logistic_threshold(self.scores(method)[chosen], self.truth[chosen])
        return None if np.isnan(found) else found

    @cached_property
    def _calls(self) -> dict[str, Marks]:
        """What each method calls true, by its threshold, or as shipped, if it has one."""
        others = [method for method in self.said if method != OURS]
        shipped = [self.means_true(p.label) for p in self._held_said(OURS)]
        calls = {OURS: np.empty(0, bool), AS_SHIPPED: np.array(shipped, bool)}
        for method in (OURS, *others):
            threshold = self.threshold(method)
            if threshold is not None:
                calls[method] = self._held_scores(method) >= threshold
            else:
                calls.pop(method, None)
        return calls

    @cached_property
    def _fitted(self) -> Calibration | None:
        """A calibration of our probabilities, from the part for thresholds; None if too small."""
        chosen = self.split.chosen
        groups = [group for group, kept in zip(self.groups, chosen, strict=True) if kept]
        seed = self.answered.predicting.seed
        try:
            return fit_best(self.scores(OURS)[chosen], self.truth[chosen], groups, seed=seed)
        except InputError:
            return None  # too few items of a class: the figure is left out

    @cached_property
    def _sets(self) -> dict[str, Marks]:
        """Each set and which items of the part for results are its own; empty for one set."""
        own = np.array([self.items[place].part for place in self._held], dtype=object)
        names = dict.fromkeys(item.part for item in self.items)
        return {n: np.asarray(own == n, dtype=bool) for n in names} if len(names) > 1 else {}

    # --- What is told of them -----------------------------------------------------------------

    def parts(self) -> Iterator[Part]:
        """What each part was for."""
        masks = (self.split.chosen, self.split.held)
        uses = ("thresholds and calibration", "results")
        for use, name, mask in zip(uses, self.split.names, masks, strict=True):
            groups = dict.fromkeys(np.array(self.groups, object)[mask].tolist())
            yield Part(use, name, tuple(groups), int(mask.sum()), _mean(self.truth[mask]))

    def methods(self) -> Iterator[MethodResult]:
        """A row for each method, the product's own first, and for who always says the same."""
        yield self._scored(OURS)
        yield self._shipped()
        yield from (self._scored(method) for method in self.said if method != OURS)
        n = len(self.held_truth)
        for name, value in (("always true", True), ("always false", False)):
            figures = [*self._of_calls(np.full(n, value)), *self._of_scores(np.zeros(n))]
            bare = [replace(figure, low=None, high=None) for figure in figures]
            yield MethodResult(name, _in_order(bare), n, trivial=True)

    def mistakes(self) -> list[Mistake]:
        """What the product as shipped got wrong, the surest first."""
        found = []
        for place in self._held:
            item, said = self.items[place], self.said[OURS][place]
            called, score = self.means_true(said.label), said.score or 0.0
            if said.label and called != item.truth:
                sure = score if called else 1 - score
                given = (item.id, AS_SHIPPED, item.text, item.label, str(said.label), said.score)
                found.append(Mistake(*given, sure))
        return sorted(found, key=lambda m: -m.confidence)[:_MISTAKES]

    def subsets(self) -> Iterator[Subset]:
        """Each set's own figures, with the thresholds of all sets together; none for one set."""
        for name, own in self._sets.items():
            truth = self.held_truth[own]
            found = {m: Figure(MAIN, _balanced(c[own], truth)) for m, c in self._calls.items()}
            yield Subset(name, int(own.sum()), _mean(truth), found)

    def curves(self) -> Iterator[Curve]:
        """What is plotted: ROC, precision and recall, reliability."""
        truth = self.held_truth
        for method in self.said if _both(truth) else ():
            scores = self._held_scores(method)
            false_rate, true_rate, _ = roc_curve(truth, scores, drop_intermediate=False)
            area = Figure("AUC-ROC", boot.estimate(boot.roc_auc(scores, truth), len(truth)))
            yield Curve("roc", method, _points(false_rate, true_rate), area)
            precision, recall, _ = precision_recall_curve(truth, scores)
            of_true = boot.average_precision(scores, truth)
            area = Figure("AP true", boot.estimate(of_true, len(truth)))
            yield Curve("precision-recall", method, _points(recall, precision), area)
        told = {OURS: self._held_scores(OURS)}
        if self._fitted is not None:
            told[f"{OURS}, calibrated"] = self._fitted.apply(told[OURS])
        for name, probabilities in told.items():
            bins = reliability_bins(probabilities, truth)
            error = Figure("ECE", calibration_error(probabilities, truth))
            points = tuple((given, share, float(count)) for given, share, count in bins)
            yield Curve("reliability", name, points, error)

    # --- Rows of the table --------------------------------------------------------------------

    def _scored(self, method: str) -> MethodResult:
        calls, scores = self._calls.get(method), self._held_scores(method)
        figures = [*self._of_calls(calls), *self._of_scores(scores)]
        if method == OURS:
            figures += self._of_probabilities(scores)
        told = method == OURS and calls is not None
        return replace(
            _row(method, self._held_said(method), _in_order(figures)),
            seconds_per_item=_mean(np.array([p.seconds for p in self.said[method]])),
            threshold=self.threshold(method),
            threshold_from=self.split.names[0] if calls is not None else None,
            compared=tuple(self._leads(OURS)) if told else (),
        )

    def _shipped(self) -> MethodResult:
        """Labels as a user sees them: no threshold is chosen on this data."""
        said = self._held_said(OURS)
        labels = np.array([p.label for p in said], object)
        unsure = _mean(labels == Label.UNCERTAIN)
        figures = [
            *self._of_calls(self._calls[AS_SHIPPED]),
            Figure("uncertain", unsure, note="share of the items that are labelled so"),
            self._measuring.figure(
                "false contradicted",
                boot.rate(np.asarray(labels == Label.CONTRADICTED, bool), self.held_truth),
                "share of the true items that is labelled contradicted",
            ),
        ]
        row = _row(AS_SHIPPED, said, _in_order(figures), list(self._leads(AS_SHIPPED)))
        seconds = _mean(np.array([p.seconds for p in self.said[OURS]]))
        return replace(row, seconds_per_item=seconds)

    def _of_calls(self, calls: Marks | None) -> Iterator[Figure]:
        """Figures of what is called true; of a method that has no threshold they are n/a."""
        if calls is None:
            yield Figure(MAIN, None, note="n/a where no threshold tells true from false")
            yield from (Figure(n, None) for n in ("false supported", "accuracy", "wrong when true"))
            return
        truth = self.held_truth
        yield self._measuring.figure(MAIN, boot.balanced_accuracy(calls, truth))
        if self._sets:
            told = [own for own in self._sets.values() if _both(truth[own])]
            which = "all" if len(told) == len(self._sets) else "those with true and false items,"
            note = f"{MAIN}, each set alike: {which} {len(told)} of {len(self._sets)}"
            over = _mean(np.array([_balanced(calls[own], truth[own]) for own in told]))
            yield Figure(OVER_SETS, over, note=note)
        share = "share of the false items that is called true"
        yield self._measuring.figure("false supported", boot.rate(calls, ~truth), share)
        yield Figure("accuracy", _mean(calls == truth))
        wrong = "share of the items called true that is false"
        yield Figure("wrong when true", _mean(~truth[calls]), note=wrong)

    def _of_scores(self, scores: Floats) -> Iterator[Figure]:
        truth = self.held_truth
        yield self._measuring.figure("AUC-ROC", boot.roc_auc(scores, truth))
        for side, ranked, wanted in (("true", scores, truth), ("false", -scores, ~truth)):
            note = f"average precision where the items come first that are taken for {side}"
            of = boot.average_precision(ranked, wanted)
            yield self._measuring.figure(f"AP {side}", of, note)

    def _of_probabilities(self, scores: Floats) -> Iterator[Figure]:
        note = "expected calibration error of the probabilities as they are"
        yield Figure("ECE", calibration_error(scores, self.held_truth), note=note)
        if self._fitted is not None:
            error = calibration_error(self._fitted.apply(scores), self.held_truth)
            note = f"the same after a map ({self._fitted.kind}) that was fitted on the other part"
            yield Figure("ECE calibrated", error, note=note)

    def _leads(self, ours: str) -> Iterator[Comparison]:
        """The leads over every other method."""
        truth, calls = self.held_truth, self._calls[ours]
        for other, theirs in self._calls.items():
            if other not in (OURS, AS_SHIPPED):
                both = (boot.balanced_accuracy(made, truth) for made in (calls, theirs))
                lead = self._measuring.lead(other, MAIN, *both)
                yield replace(lead, p_mcnemar=boot.mcnemar(calls == truth, theirs == truth))


def _balanced(calls: Marks, truth: Marks) -> float:
    return boot.estimate(boot.balanced_accuracy(calls, truth), len(truth))


def _in_order(figures: Sequence[Figure]) -> tuple[Figure, ...]:
    return tuple(sorted(figures, key=lambda figure: _ORDER.index(figure.name)))


def _points(x: Floats, y: Floats) -> tuple[tuple[float, ...], ...]:
    return tuple((float(a), float(b)) for a, b in zip(x, y, strict=True))


def _of_statements(base: Result, said: Answered) -> Result:
    judged = VerdictFigures(said)
    return replace(
        base,
        positives=_mean(judged.truth),
        methods=tuple(judged.methods()),
        parts=tuple(judged.parts()),
        curves=tuple(judged.curves()),
        subsets=tuple(judged.subsets()),
        mistakes=tuple(judged.mistakes()),
        notes=(*base.notes, *_remarks(said, judged)),
    )


def _remarks(said: Answered, judged: VerdictFigures) -> Iterator[str]:
    """What is missing, what scores mean, and what makes "as shipped" another than what ships."""
    if not _both(judged.held_truth) and _both(judged.truth):
        kind, other = ("true", "false") if judged.held_truth.all() else ("false", "true")
        yield f"All items for results are {kind}: figures that need {other} ones too are n/a."
    true = ", ".join(LABEL_WORDS[label] for label in Label if judged.means_true(label))
    what = "1 - P(contradicted)" if said.predicting.against_contradiction else "P(supported)"
    each = said.predicting.scope == "each"
    whose = "its own documents" if each else "all documents as one library"
    yield (
        f"Scores are {what}; of Veracite's labels these count as true: {true}. "
        f"Each item is judged by {whose}."
    )
    bar, calibration = said.predicting.uncertain_below, said.record["settings"]["calibration"]
    if calibration is not None:
        yield f"“As shipped” obeys the calibration {calibration}."
    if bar != Predicting().uncertain_below:
        yield f"“As shipped” says uncertain below {bar:g}."


# --- Choices ----------------------------------------------------------------------------------


def _of_choices(base: Result, said: Answered) -> Result:
    """A row for each method, and where the wrong answer was taken by the widest margin."""
    given, choices = _complete(said), _only(Choice, said.loaded)
    measuring = _Measuring([choice.id for choice in choices], said.predicting.seed)
    right = {m: np.array([p.label == "right" for p in own], bool) for m, own in given.items()}
    accuracy = {method: boot.mean(marks) for method, marks in right.items()}
    leads = [
        replace(
            measuring.lead(other, "accuracy", accuracy[OURS], theirs),
            p_mcnemar=boot.mcnemar(right[OURS], right[other]),
        )
        for other, theirs in accuracy.items()
        if other != OURS
    ]
    wrong = [
        Mistake(c.id, OURS, c.question, c.right, c.wrong, p.score, min(1.0, abs(p.score or 0.0)))
        for c, p in zip(choices, given[OURS], strict=True)
        if p.label != "right"
    ]
    return replace(
        base,
        methods=tuple(
            _row(m, own, [measuring.figure("accuracy", accuracy[m])], leads if m == OURS else ())
            for m, own in given.items()
        ),
        mistakes=tuple(sorted(wrong, key=lambda m: -m.confidence)[:_MISTAKES]),
    )


# --- Rankings: documents without a grade are not relevant -------------------------------------


def ndcg(found: Sequence[str], relevant: Mapping[str, int], k: int) -> float:
    """Normalised discounted cumulative gain with linear gains, as BEIR's (trec_eval's)."""

    def discounted(gains: Sequence[int]) -> float:
        return sum(gain / math.log2(place + 2) for place, gain in enumerate(gains[:k]))

    ideal = discounted(sorted(relevant.values(), reverse=True))
    gains = [relevant.get(document, 0) for document in found[:k]]
    return discounted(gains) / ideal if ideal else float("nan")


def recall(found: Sequence[str], relevant: Mapping[str, int], k: int) -> float:
    """The share of the relevant documents among the first k."""
    wanted = {document for document, grade in relevant.items() if grade > 0}
    return len(wanted.intersection(found[:k])) / len(wanted) if wanted else float("nan")


def success(found: Sequence[str], relevant: Mapping[str, int], k: int) -> float:
    """1 if any relevant document is among the first k, else 0."""
    return float(any(relevant.get(document, 0) > 0 for document in found[:k]))


def reciprocal_rank(found: Sequence[str], relevant: Mapping[str, int], k: int) -> float:
    """One over the rank of the first relevant document, 0 if it is not among the first k."""
    ranks = (rank for rank, d in enumerate(found[:k], start=1) if relevant.get(d, 0) > 0)
    return 1 / next(ranks, math.inf)


_RANKING: dict[str, tuple[Callable[[Sequence[str], Mapping[str, int], int], float], int]] = {
    "nDCG@10": (ndcg, 10),
    "recall@1": (recall, 1),
    "recall@5": (recall, 5),
    "recall@10": (recall, 10),
    "recall@100": (recall, 100),
    "success@5": (success, 5),
    "MRR@10": (reciprocal_rank, 10),
}


def _ranking(queries: Sequence[Query], answered: Answered) -> tuple[MethodResult, ...]:
    """A row for each method, in their order."""
    said = _complete(answered)
    measuring = _Measuring([query.id for query in queries], answered.predicting.seed)

    def values(method: str, name: str) -> Statistic:
        of, k = _RANKING[name]
        pairs = zip(queries, said[method], strict=True)
        return boot.mean([of(ranked.found, query.relevant, k) for query, ranked in pairs])

    ours = values("hybrid", "nDCG@10")
    leads = [
        measuring.lead(other, "nDCG@10", ours, values(other, "nDCG@10"))
        for other in said
        if other != "hybrid"
    ]
    return tuple(
        replace(
            _row(
                method,
                own,
                [measuring.figure(name, values(method, name)) for name in _RANKING],
                leads if method == "hybrid" else (),
            ),
            problems=sum(not p.found for p in own),
        )
        for method, own in said.items()
    )


# --- Answers: short ones, lists, citations and what was retrieved -----------------------------

_IN_TEXT = "share of the answers whose words stand in the text"
_IN_CITED = "STR-EM of the sentences that cite, 0 for answers of more than three sentences"
_JUDGE = (
    "by the bundled verifier, not by TRUE-11B: figures of other papers do not compare; the methods "
    "ask it too, which favours them"
)
_SUPPORT = "share of the sentences that the method's own judge calls supported"
_TOKENS = "of prompts, and written; not those of prompts that stood computed"
_RECALLS = (1, 5, 20)
_MOST_SENTENCES = 3
_Told = Sequence[Prediction | None]


def _of_answers(base: Result, said: Answered) -> Result:
    missing = (entry.partition(":") for entry in answers.UNAVAILABLE)
    return replace(
        base,
        methods=AnswerFigures(said).methods(),
        differences=answers.FIXED,
        unavailable=tuple(
            Unavailable(name.strip(), reason.strip() or "not computed")
            for name, _, reason in missing
        ),
    )


@dataclass(frozen=True)
class AnswerFigures:
    """The figures of every method on the same questions; what it did not answer is missing."""

    answered: Answered

    @cached_property
    def _items(self) -> list[Question]:
        return _only(Question, self.answered.loaded)

    @cached_property
    def _measuring(self) -> _Measuring:
        return _Measuring([question.id for question in self._items], self.answered.predicting.seed)

    @cached_property
    def _texts_of(self) -> Mapping[str, str]:
        return {source.id: source.text for source in self.answered.loaded.sources}

    def methods(self) -> tuple[MethodResult, ...]:
        """A row for each method that answered anything, in their order."""
        return tuple(self._method(method) for method, own in self.answered.said.items() if own)

    def _method(self, method: str) -> MethodResult:
        told = self._told(method)
        given = [answer for answer in told if answer]
        texts = [without_marks((answer and answer.text) or "") for answer in told]
        figures = (
            self._mean("answered", [float(bool(text)) for text in texts]),
            *self._of_texts(method, texts),
            *self._of_citations(told),
            *self._of_retrieval(told),
            Figure("words", _mean(np.array([len(text.split()) for text in texts]))),
            *_costs(given),
        )
        return replace(
            _row(method, given, figures, list(self._leads(method))),
            n=len(told),
            problems=sum(answer is None or not answer.text for answer in told),
        )

    def _told(self, method: str) -> _Told:
        return [self.answered.said[method].get(question.id) for question in self._items]

    def _leads(self, method: str) -> Iterator[Comparison]:
        """Of the first method over all others, of another over itself with other settings.

        McNemar's test is of the questions that were answered in full.
        """
        first, *others = [name for name, own in self.answered.said.items() if own]
        if method != first:
            others = [other for other in others if other.startswith(f"{method}:")]
        for name, values in ((_STR_EM, self._str_em), (_CITED, self._cited)):
            for other in others:
                ours, theirs = values(method), values(other)
                lead = self._measuring.lead(other, name, boot.mean(ours), boot.mean(theirs))
                yield replace(lead, p_mcnemar=boot.mcnemar(ours == 1, theirs == 1))

    def _str_em(self, method: str) -> Floats:
        pairs = zip(self._told(method), self._items, strict=True)
        return np.array([str_em(without_marks((a and a.text) or ""), q.answers) for a, q in pairs])

    def _cited(self, method: str) -> Floats:
        pairs = zip(self._told(method), self._items, strict=True)
        return np.array([cited_str_em(answer, question.answers) for answer, question in pairs])

    def _of_texts(self, method: str, texts: Sequence[str]) -> Iterator[Figure]:
        pairs = list(zip(texts, self._items, strict=True))
        accepted = [(t, [alias for group in q.answers for alias in group]) for t, q in pairs]
        yield self._mean(_CITED, self._cited(method), _IN_CITED)
        yield self._mean(_STR_EM, self._str_em(method), _IN_TEXT)
        yield self._mean("EM", [float(exact_match(text, own)) for text, own in accepted])
        yield self._mean("F1", [token_f1(text, own) for text, own in accepted])
        if answers.are_lists(self.answered.loaded):
            scores = [list_scores(listed(text), question.answers) for text, question in pairs]
            yield self._mean("list precision", [s.precision for s in scores])
            yield self._mean("list recall-5", [s.recall_5 for s in scores])
            yield self._mean("list F1-5", [s.f1_5 for s in scores])

    def _of_citations(self, told: _Told) -> Iterator[Figure]:
        """Recall and precision are means over the questions, F1 is of the two means."""
        cited = np.array([(a and a.cited) or (0.0, 0.0) for a in told], dtype=np.float64)
        recalled, precise = boot.mean(cited[:, 0]), boot.mean(cited[:, 1])

        def f1(weights: Floats) -> Floats:
            r, p = recalled(weights), precise(weights)
            return np.divide(2 * r * p, r + p, out=np.zeros(len(r)), where=r + p > 0)

        yield self._measuring.figure("citation recall", recalled, _JUDGE)
        yield self._measuring.figure("citation precision", precise, _JUDGE)
        yield self._measuring.figure("citation F1", f1, "of the two means")
        counts = np.array([(a and a.supported) or (0, 0) for a in told], dtype=np.float64)
        if any(answer and answer.supported for answer in told):
            of = boot.ratio(counts[:, 0], counts[:, 1])
            yield self._measuring.figure("support", of, _SUPPORT)

    def _of_retrieval(self, told: _Told) -> Iterator[Figure]:
        found = [[self._texts_of[known] for known in a.found] if a else [] for a in told]
        for k in _RECALLS:
            if k <= max(map(len, found)):
                pairs = zip(self._items, found, strict=True)
                values = [recall_at_k(question.answers, texts, k) for question, texts in pairs]
                yield self._mean(f"recall@{k}", values, "of answers as token spans")

    def _mean(self, name: str, values: Sequence[float] | Floats, note: str = "") -> Figure:
        return self._measuring.figure(name, boot.mean(values), note)


def cited_str_em(prediction: Prediction | None, accepted: Sequence[Sequence[str]]) -> float:
    """STR-EM of the sentences that cite a document, where there are three sentences at most."""
    sentences = [s for s in parse((prediction and prediction.text) or "") if s.statement]
    if prediction is None or len(sentences) > _MOST_SENTENCES:
        return str_em("", accepted)
    documents = range(1, len(prediction.found) + 1)
    cited = (s.statement for s in sentences if any(n in documents for n in s.citations))
    return str_em(" ".join(cited), accepted)


def _costs(given: Sequence[Prediction]) -> Iterator[Figure]:
    """What an answer cost on average; of a language model nothing where none was asked."""
    spent = [answer.cost for answer in given if answer.cost]
    if spent:
        yield Figure("searches", float(np.mean([cost.searches for cost in spent])))
        yield Figure("claims judged", float(np.mean([cost.judged for cost in spent])))
    if any(cost.calls for cost in spent):
        tokens = [cost.prefilled + cost.generated for cost in spent]
        yield Figure("model calls", float(np.mean([cost.calls for cost in spent])))
        yield Figure("tokens", float(np.mean(tokens)), note=_TOKENS)


# --- Short answers against references: wherever several are accepted the best one counts ------

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")


def normalise(text: str) -> str:
    """Lower case without punctuation, articles and needless whitespace (SQuAD, KILT).

    On ASCII text exactly what SQuAD's script does, save that an answer of nothing but articles
    and punctuation keeps them: "A" and "!!!" may be right answers, an empty one never is. Beyond
    ASCII, accents in one code point or two are the same, and typographic punctuation goes too.
    """
    lowered = unicodedata.normalize("NFC", text).lower()
    bare = "".join(char for char in lowered if not _is_punctuation(char))
    for form in (_ARTICLES.sub(" ", bare), bare, lowered):
        if words := form.split():
            return " ".join(words)
    return ""


def _is_punctuation(char: str) -> bool:
    return char in string.punctuation or (
        not char.isascii() and unicodedata.category(char).startswith("P")
    )


def exact_match(prediction: str, references: Sequence[str]) -> bool:
    """Whether a reference is the prediction, both normalised; an empty one matches nothing."""
    said = normalise(prediction)
    return bool(said) and any(said == normalise(reference) for reference in references)


def token_f1(prediction: str, references: Sequence[str]) -> float:
    """F1 over the normalised tokens as bags (SQuAD)."""
    said = Counter(normalise(prediction).split())
    written = [Counter(normalise(reference).split()) for reference in references]
    return max(
        (2 * (said & own).total() / max(1, said.total() + own.total()) for own in written),
        default=0.0,
    )


def str_em(text: str, accepted: Sequence[Sequence[str]]) -> float:
    """STR-EM (ASQA, ALCE): the share of answers one of whose aliases occurs in the text.

    Aliases are found as whole normalised tokens, not as ALCE does inside words ("art" in "party").

    Args:
        text: An answer, without citation marks.
        accepted: The aliases of each thing asked; none gives nan.
    """
    return _share_held(accepted, [text], normalise)


def recall_at_k(accepted: Sequence[Sequence[str]], passages: Sequence[str], k: int) -> float:
    """The share of answers that one of the first k passages holds; with one answer 0 or 1 (DPR).

    An alias is held as a span of tokens, as DPR counts: letters, digits and their marks together,
    any other sign alone, in lower case, nothing taken away. No answers give nan.
    """
    return _share_held(accepted, passages[:k], _dpr_tokens)


def _share_held(
    accepted: Sequence[Sequence[str]], texts: Sequence[str], tokens: Callable[[str], str]
) -> float:
    spaced = [f" {tokens(text)} " for text in texts]
    found = [
        any(span and f" {span} " in text for span in map(tokens, aliases) for text in spaced)
        for aliases in accepted
    ]
    return sum(found) / len(found) if found else float("nan")


def _dpr_tokens(text: str) -> str:
    """The tokens of DPR's ``SimpleTokenizer``, lower case, with spaces between."""
    tokens = _dpr_token().findall(unicodedata.normalize("NFD", text))
    return " ".join(t for t in tokens if len(t) > 1 or t.isprintable()).lower()


@cache
def _dpr_token() -> re.Pattern[str]:
    """Letters, digits and marks, or one other sign; marks are listed, as ``re`` has no class."""
    signs = map(chr, range(0x300, sys.maxunicode + 1))
    marks = "".join(sign for sign in signs if unicodedata.category(sign).startswith("M"))
    return re.compile(rf"(?:[^\W_]+|[{marks}]+)+|\S")


@dataclass(frozen=True, slots=True)
class ListScores:
    """A list of answers against all that there are (QAMPARI, as ALCE counts it)."""

    precision: float
    recall_5: float
    """Five right ones are enough: right answers, at most 5, over all answers, at most 5."""
    f1_5: float


def list_scores(predictions: Sequence[str], accepted: Sequence[Sequence[str]]) -> ListScores:
    """Precision and recall of a list; a prediction counts if it equals an alias, normalised.

    As in ALCE a right prediction that is given twice counts twice for precision. No predictions
    score 0; no answers give nan.

    Args:
        predictions: Without citation marks.
        accepted: The aliases of each thing asked.
    """
    said = [form for form in map(normalise, predictions) if form]
    forms = [{normalise(alias) for alias in aliases} for aliases in accepted]
    right = sum(any(form in aliases for aliases in forms) for form in said)
    hits = sum(not aliases.isdisjoint(said) for aliases in forms)
    precision = right / len(said) if said else 0.0
    recalled = min(5, hits) / min(5, len(forms)) if forms else float("nan")
    total = precision + recalled
    return ListScores(precision, recalled, 2 * precision * recalled / total if total != 0 else 0.0)
