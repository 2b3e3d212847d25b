"""What is plotted of statements: ROC, precision and recall, reliability."""

from collections.abc import Iterator

from veracite.engine.evaluation import metrics
from veracite.engine.evaluation.judged import OURS, JudgedSet, Scores
from veracite.engine.evaluation.reliability import expected_calibration_error, reliability_bins
from veracite.engine.evaluation.results import Curve, Figure

__all__ = ["curves"]


def curves(of: JudgedSet) -> tuple[Curve, ...]:
    """All curves, over the part for results."""
    return (*_rankings(of), *_reliability(of))


def _rankings(of: JudgedSet) -> Iterator[Curve]:
    truth = of.held_truth
    for method in of.said:
        scores = of.held_scores(method)
        false_rate, true_rate, _ = metrics.roc_curve(scores, truth)
        area = Figure("AUC-ROC", metrics.roc_auc(scores, truth))
        yield Curve("roc", method, _points(false_rate, true_rate), area)
        precision, recall, _ = metrics.precision_recall_curve(scores, truth)
        mean = Figure("AP true", metrics.average_precision(scores, truth))
        yield Curve("precision-recall", method, _points(recall, precision), mean)


def _reliability(of: JudgedSet) -> Iterator[Curve]:
    scores, truth = of.held_scores(OURS), of.held_truth
    told = [(OURS, scores)]
    if of.fitted is not None:
        told.append((f"{OURS}, calibrated", of.fitted.apply(scores)))
    for name, probabilities in told:
        bins = reliability_bins(probabilities, truth)
        points = tuple((b.mean_probability, b.share_true, float(b.count)) for b in bins)
        error = expected_calibration_error(probabilities, truth)
        yield Curve("reliability", name, points, Figure("ECE", error))


def _points(x: Scores, y: Scores) -> tuple[tuple[float, ...], ...]:
    return tuple((float(a), float(b)) for a, b in zip(x, y, strict=True))
