"""From scores and labels of statements to figures: ``detect`` and ``attribute``."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from veracite.engine.evaluation import metrics, weighted
from veracite.engine.evaluation.judged import AS_SHIPPED, OURS, JudgedSet, Marks
from veracite.engine.evaluation.reliability import (
    calibration_error_by_chance,
    expected_calibration_error,
)
from veracite.engine.evaluation.results import Figure, MethodResult, Mistake, Part
from veracite.engine.evaluation.verdict_leads import leads
from veracite.engine.evaluation.verdict_sets import MAIN, OVER_SETS, over_sets
from veracite.engine.words import Label

__all__ = ["MAIN", "methods", "mistakes", "parts"]

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
_TRIVIAL = ("overlap", "length")
_CONSTANT = (("always true", True), ("always false", False))
_MISTAKES = 50


def parts(of: JudgedSet) -> tuple[Part, ...]:
    """What each part was for."""
    masks = (of.split.chosen, of.split.held)
    uses = ("thresholds and calibration", "results")
    return tuple(
        Part(use, name, tuple(_groups(of, mask)), int(mask.sum()), _mean(of.truth[mask]))
        for use, name, mask in zip(uses, of.split.names, masks, strict=True)
    )


def methods(of: JudgedSet) -> tuple[MethodResult, ...]:
    """A row for each method, the product's own first, and for who always says the same."""
    others = [method for method in of.said if method != OURS]
    return (
        _scored(of, OURS),
        _shipped(of),
        *(_scored(of, method) for method in others),
        *_constant(of),
    )


def mistakes(of: JudgedSet) -> tuple[Mistake, ...]:
    """What the product as shipped got wrong, the surest first."""
    found = [
        Mistake(
            item.id,
            AS_SHIPPED,
            item.text,
            item.label,
            str(said.label),
            said.score,
            (said.score or 0.0) if of.meant(said) else 1 - (said.score or 0.0),
        )
        for item, said in zip(of.held, of.held_said(OURS), strict=True)
        if said.label and of.meant(said) != item.truth
    ]
    return tuple(sorted(found, key=lambda m: -m.confidence)[:_MISTAKES])


def _scored(of: JudgedSet, method: str) -> MethodResult:
    calls, ours = of.calls(method), method == OURS
    return MethodResult(
        method=method,
        figures=_in_order(
            [
                *_of_calls(of, calls),
                *_of_scores(of, method),
                *(_of_probabilities(of) if ours else ()),
            ]
        ),
        n=len(of.held),
        problems=_problems(of, method),
        seconds_per_item=_seconds(of, method),
        threshold=of.threshold(method),
        threshold_from=of.split.names[0] if calls is not None else None,
        compared=leads(of, calls) if ours and calls is not None else (),
        trivial=method in _TRIVIAL,
    )


def _shipped(of: JudgedSet) -> MethodResult:
    """Labels as a user sees them: no threshold is chosen on this data."""
    labels = [p.label for p in of.held_said(OURS)]
    unsure = labels.count(Label.UNCERTAIN) / len(labels) if labels else None
    denied = np.array([label == Label.CONTRADICTED for label in labels], bool)
    of_labels = (
        Figure("uncertain", unsure, note="share of the items that are labelled so"),
        of.figure(
            "false contradicted",
            weighted.false_positive_rate(denied, ~of.held_truth),
            "share of the true items that is labelled contradicted",
        ),
    )
    return MethodResult(
        method=AS_SHIPPED,
        figures=_in_order([*_of_calls(of, of.calls_as_shipped), *of_labels]),
        n=len(labels),
        problems=_problems(of, OURS),
        seconds_per_item=_seconds(of, OURS),
        compared=leads(of, of.calls_as_shipped),
    )


def _constant(of: JudgedSet) -> Iterator[MethodResult]:
    """Who gives every item the same label."""
    truth = of.held_truth
    same = np.zeros(len(truth))
    for name, value in _CONSTANT:
        figures = (
            *_of_calls(of, np.full(len(truth), value)),
            Figure("AUC-ROC", metrics.roc_auc(same, truth)),
            Figure("AP true", metrics.average_precision(same, truth), note=_AP.format("true")),
            Figure("AP false", metrics.average_precision(same, ~truth), note=_AP.format("false")),
        )
        bare = [Figure(f.name, f.value, note=f.note) for f in figures]
        yield MethodResult(name, _in_order(bare), len(truth), trivial=True)


def _of_calls(of: JudgedSet, calls: Marks | None) -> Iterator[Figure]:
    """Figures of what is called true; of a method that has no threshold they are n/a."""
    if calls is None:
        yield Figure(MAIN, None, note="n/a where no threshold tells true from false")
        yield from (Figure(name, None) for name in _NEED_CALLS)
        return
    truth = of.held_truth
    yield of.figure(MAIN, weighted.balanced_accuracy(calls, truth))
    over = over_sets(of, calls)
    if over is not None:
        yield over
    yield of.figure(
        "false supported",
        weighted.false_positive_rate(calls, truth),
        "share of the false items that is called true",
    )
    yield Figure("accuracy", _mean(calls == truth))
    yield Figure(
        "wrong when true",
        metrics.false_discovery_rate(calls, truth),
        note="share of the items called true that is false",
    )
    for side, mark in (("true", True), ("false", False)):
        area = metrics.papers_area((calls == mark).astype(np.float64), truth == mark)
        note = "trapezoid over hard labels, as CEG prints it: compare the row always false"
        yield Figure(f"CEG's area {side}", area, note=note)


def _of_scores(of: JudgedSet, method: str) -> Iterator[Figure]:
    scores, truth = of.held_scores(method), of.held_truth
    yield of.figure("AUC-ROC", weighted.roc_auc(scores, truth))
    for side, ranked, wanted in (("true", scores, truth), ("false", -scores, ~truth)):
        value = weighted.average_precision(ranked, wanted)
        yield of.figure(f"AP {side}", value, _AP.format(side))


def _of_probabilities(of: JudgedSet) -> Iterator[Figure]:
    scores, truth = of.held_scores(OURS), of.held_truth
    note = "expected calibration error of the probabilities as they are"
    yield Figure("ECE", expected_calibration_error(scores, truth), note=note)
    if of.fitted is not None:
        note = f"the same after a map ({of.fitted.kind}) that was fitted on the other part"
        calibrated = of.fitted.apply(scores)
        yield Figure("ECE calibrated", expected_calibration_error(calibrated, truth), note=note)
        note = "what as many items would show if every calibrated probability were right"
        yield Figure("ECE by chance", calibration_error_by_chance(calibrated), note=note)


def _in_order(figures: Iterable[Figure]) -> tuple[Figure, ...]:
    return tuple(sorted(figures, key=lambda figure: _ORDER.index(figure.name)))


def _problems(of: JudgedSet, method: str) -> int:
    return sum(p.problem is not None for p in of.held_said(method))


def _seconds(of: JudgedSet, method: str) -> float | None:
    return _mean([p.seconds for p in of.said[method]])


def _groups(of: JudgedSet, mask: Marks) -> list[str]:
    return list(dict.fromkeys(g for g, kept in zip(of.groups, mask, strict=True) if kept))


def _mean(values: Sequence[float] | Marks) -> float | None:
    return float(np.mean(values)) if len(values) else None
