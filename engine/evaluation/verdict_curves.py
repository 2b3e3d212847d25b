"""What is plotted of statements: ROC, precision and recall, reliability, accuracy against time."""

from collections.abc import Iterator

import numpy as np

from veracite.engine.evaluation import metrics
from veracite.engine.evaluation.results import Curve, Figure
from veracite.engine.evaluation.verdicts import AS_SHIPPED, MAIN, OURS, Scores, VerdictFigures

__all__ = ["curves"]


def curves(of: VerdictFigures) -> tuple[Curve, ...]:
    """All curves, over the part for results."""
    return (*_rankings(of), *_reliability(of), *_speed(of))


def _rankings(of: VerdictFigures) -> Iterator[Curve]:
    held, truth = of.split.held, of.truth[of.split.held]
    for method in of.said:
        scores = of.scores(method)[held]
        false_rate, true_rate, _ = metrics.roc_curve(scores, truth)
        area = Figure("AUC-ROC", metrics.roc_auc(scores, truth))
        yield Curve("roc", method, _points(false_rate, true_rate), area)
        precision, recall, _ = metrics.precision_recall_curve(scores, truth)
        mean = Figure("AP true", metrics.average_precision(scores, truth))
        yield Curve("precision-recall", method, _points(recall, precision), mean)


def _reliability(of: VerdictFigures) -> Iterator[Curve]:
    scores, truth = of.scores(OURS)[of.split.held], of.truth[of.split.held]
    fitted = of.fitted()
    told = [(OURS, scores)]
    if fitted is not None:
        told.append((f"{OURS}, calibrated", fitted.apply(scores)))
    for name, probabilities in told:
        bins = metrics.reliability_bins(probabilities, truth)
        points = tuple((b.mean_probability, b.share_true, float(b.count)) for b in bins)
        error = metrics.expected_calibration_error(probabilities, truth)
        yield Curve("reliability", name, points, Figure("ECE", error))


def _speed(of: VerdictFigures) -> Iterator[Curve]:
    truth = of.truth[of.split.held]
    for method, calls in of.every_call():
        predictions = of.said[OURS if method == AS_SHIPPED else method]
        seconds = float(np.mean([p.seconds for p in predictions]))
        if seconds > 0:
            value = metrics.balanced_accuracy(calls, truth)
            yield Curve("speed", method, ((1000 * seconds, value),), Figure(MAIN, value))


def _points(x: Scores, y: Scores) -> tuple[tuple[float, ...], ...]:
    return tuple((float(a), float(b)) for a, b in zip(x, y, strict=True))
