"""Thresholds and calibrations: fitted to some labelled rows, measured on others.

Rows are items: ``probabilities`` or ``scores`` and ``outcomes`` or ``truth`` of shape (n,).
"""

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss, roc_curve

from veracite.engine.errors import InputError
from veracite.engine.evaluation.bootstrap import Floats, Marks
from veracite.engine.judge.tuning import SCHEMA, Calibration, Kind, log_odds, sigmoid

_RIDGE = 1e-3
"""Keeps the slope of a threshold's curve finite where scores separate the classes."""
_AT_LEAST = 10
"""True and false rows that a calibration needs of each; fewer fix nothing."""
_SUREST = 1e-6
"""A probability nearer to 0 or 1 costs no more than this one, if it is wrong."""
_FEWEST = 10
"""Rows that have to be called supported before a share of wrong ones says anything."""


def logistic_threshold(scores: Floats, truth: Marks) -> float:
    """The score where a logistic curve, both classes weighing the same, crosses one half.

    All items have a part in it, so it varies less from one half of a set to the other than the one
    that is best on a half, and is better on the other (``scripts/LOG.md``). Probabilities are taken
    by their log odds. Where higher scores are not more often true: ``best_threshold``.

    Returns:
        Nan where all scores are equal or items are of one class only.
    """
    found = best_threshold(scores, truth)
    if np.isnan(found):
        return found
    are_odds = bool(scores.min() >= 0 and scores.max() <= 1)
    values = log_odds(np.clip(scores, 1e-3, 1 - 1e-3)) if are_odds else scores
    middle, width = float(values.mean()), float(values.std())
    if not width:
        return found
    weights = np.where(truth, 0.5 / truth.sum(), 0.5 / (~truth).sum())
    slope, intercept = _logistic((values - middle) / width, truth, weights, 1 / _RIDGE)
    if slope <= 0:
        return found
    crossing = middle - intercept / slope * width
    return float(sigmoid(np.array(crossing))) if are_odds else crossing


def best_threshold(scores: Floats, truth: Marks) -> float:
    """The threshold with the best balanced accuracy; an item is called true from it on.

    It lies halfway between two neighbouring distinct scores, so that it carries over to other
    items. Of several gaps that are equally good the middle one is taken, of an even number of
    them the upper of the two in the middle, which calls fewer items true. Nan where all scores
    are equal, or items are of one class only.
    """
    if truth.all() or not truth.any() or np.isnan(scores).any():
        return float("nan")
    false_rate, true_rate, thresholds = roc_curve(truth, scores, drop_intermediate=False)
    # As whole numbers: equally good gaps must be equal to the last bit.
    gains = np.rint((true_rate - false_rate) * truth.sum() * (~truth).sum())[1:-1]
    if not len(gains):
        return float("nan")
    best = np.flatnonzero(gains == gains.max())
    gap = best[(len(best) - 1) // 2] + 1
    upper, lower = float(thresholds[gap]), float(thresholds[gap + 1])
    middle = upper / 2 + lower / 2
    return middle if lower < middle <= upper else upper


def reliability_bins(
    probabilities: Floats, outcomes: Marks, bins: int = 10
) -> list[tuple[float, float, int]]:
    """Mean probability, share that is true and rows, of bins of equal mass by rising probability.

    Equal probabilities are never parted, so the order of the rows does not matter and there may
    be fewer and unequal bins.
    """
    if not len(outcomes) or np.isnan(probabilities).any():
        return []
    _, value, counts = np.unique(probabilities, return_inverse=True, return_counts=True)
    middles = 2 * np.cumsum(counts) - counts
    places = (middles * bins // (2 * len(outcomes)))[value]
    masks = [places == place for place in np.unique(places)]
    return [
        (float(probabilities[m].mean()), float(outcomes[m].mean()), int(m.sum())) for m in masks
    ]


def calibration_error(probabilities: Floats, outcomes: Marks) -> float:
    """Expected calibration error: the mean distance of stated from observed probability."""
    found = reliability_bins(probabilities, outcomes)
    off = sum(count * abs(given - share) for given, share, count in found)
    return off / len(outcomes) if found else float("nan")


# --- Maps from raw to honest probabilities ----------------------------------------------------


def fit(kind: Kind, probabilities: Floats, outcomes: Marks) -> Calibration:
    """Fit one kind of map.

    Raises:
        InputError: Fewer than ten rows are true or false, or a probability is none.
    """
    _check(probabilities, outcomes)
    return FITS[kind](probabilities, outcomes)


def cross_validated(
    probabilities: Floats, outcomes: Marks, groups: Sequence[str], *, folds: int = 5, seed: int = 0
) -> dict[Kind, float]:
    """The log loss of each kind on rows it was not fitted on, simplest kind first.

    Rows of one group (article, question) are always held out together.

    Raises:
        InputError: As ``fit``, or there are fewer than two groups.
    """
    _check(probabilities, outcomes)
    fold = _folds(groups, folds, seed)
    losses: dict[Kind, float] = {}
    for kind, fitted in FITS.items():
        calibrated = np.empty(len(outcomes))
        for held in np.unique(fold):
            inside = fold == held
            calibration = fitted(probabilities[~inside], outcomes[~inside])
            calibrated[inside] = calibration.apply(probabilities[inside])
        losses[kind] = _log_loss(calibrated, outcomes)
    return losses


def fit_best(
    probabilities: Floats, outcomes: Marks, groups: Sequence[str], *, seed: int = 0
) -> Calibration:
    """The kind with the least cross-validated log loss, fitted on all rows.

    Raises:
        InputError: As ``cross_validated``.
    """
    losses = cross_validated(probabilities, outcomes, groups, seed=seed)
    return fit(min(losses, key=lambda kind: losses[kind]), probabilities, outcomes)


def _check(probabilities: Floats, outcomes: Marks) -> None:
    if not np.all((probabilities >= 0) & (probabilities <= 1)):
        raise InputError(
            "Some probabilities are not between 0 and 1.", "Give a probability for every row."
        )
    true, false = int(outcomes.sum()), int((~outcomes).sum())
    if min(true, false) < _AT_LEAST:
        raise InputError(
            f"A calibration needs {_AT_LEAST} true and {_AT_LEAST} false rows to fit on, and there"
            f" are {true} and {false}.",
            "Label more rows, or use the calibration that ships with Veracite.",
        )


def _temperature(probabilities: Floats, outcomes: Marks) -> Calibration:
    """One slope over the log odds (Guo et al. 2017).

    Where one half parts true from false rows, no slope is too steep for the rows as they are;
    there none is taken that maps a row beyond Platt's targets.
    """
    odds, targets = log_odds(probabilities), _targets(outcomes)
    slope = max(0.0, _soft_logistic(odds, targets, intercept=False)[0])
    if np.all(odds[outcomes] > 0) and np.all(odds[~outcomes] < 0):
        farthest = min(_odds_of(float(targets.max())), -_odds_of(float(targets.min())))
        slope = min(slope, farthest / float(np.abs(odds).max()))
    return Calibration("temperature", slope=slope)


def _platt(probabilities: Floats, outcomes: Marks) -> Calibration:
    """A logistic curve over the log odds to Platt's (1999) smoothed targets."""
    targets = _targets(outcomes)
    slope, intercept = _soft_logistic(log_odds(probabilities), targets, intercept=True)
    if slope <= 0:
        return Calibration("platt", slope=0.0, intercept=_odds_of(float(targets.mean())))
    return Calibration("platt", slope=slope, intercept=intercept)


def _isotonic(probabilities: Floats, outcomes: Marks) -> Calibration:
    """The best non-decreasing map; no value is nearer to 0 or 1 than its rows can tell."""
    nearest = 1 / (len(outcomes) + 2)
    found = IsotonicRegression(y_min=nearest, y_max=1 - nearest, out_of_bounds="clip")
    found.fit(probabilities, outcomes.astype(np.float64))
    points = zip(found.X_thresholds_.tolist(), found.y_thresholds_.tolist(), strict=True)
    return Calibration("isotonic", points=tuple(points))


FITS: dict[Kind, Callable[[Floats, Marks], Calibration]] = {
    "identity": lambda probabilities, outcomes: Calibration("identity"),
    "temperature": _temperature,
    "platt": _platt,
    "isotonic": _isotonic,
}


def _logistic(
    values: Floats, truth: Marks, weights: Floats, inverse_ridge: float, intercept: bool = True
) -> tuple[float, float]:
    """Slope and intercept of a logistic curve through weighted rows; level where all are alike."""
    if not values.any() or (intercept and values.min() == values.max()):
        return 0.0, 0.0
    curve = LogisticRegression(C=inverse_ridge, fit_intercept=intercept, tol=1e-10, max_iter=10_000)
    with warnings.catch_warnings():
        # Near the best line a step may be too small for a line search to tell.
        warnings.simplefilter("ignore", ConvergenceWarning)
        curve.fit(values[:, np.newaxis], truth, sample_weight=weights)
    return float(curve.coef_[0, 0]), float(np.ravel(curve.intercept_)[0])


def _soft_logistic(odds: Floats, targets: Floats, *, intercept: bool) -> tuple[float, float]:
    """The same to wanted probabilities: each row stands for a true and a false one."""
    truth = np.repeat([True, False], len(odds))
    weights = np.concatenate([targets, 1 - targets])
    return _logistic(np.tile(odds, 2), truth, weights, np.inf, intercept)


def _targets(outcomes: Marks) -> Floats:
    """Platt's: as far from 0 and 1 as the rows of each class are few."""
    true, false = int(outcomes.sum()), int((~outcomes).sum())
    return np.where(outcomes, (true + 1) / (true + 2), 1 / (false + 2))


def _odds_of(probability: float) -> float:
    return math.log(probability) - math.log1p(-probability)


def _log_loss(probabilities: Floats, outcomes: Marks) -> float:
    sure = np.clip(probabilities, _SUREST, 1 - _SUREST)
    return float(log_loss(outcomes, sure, labels=[False, True]))


def _folds(groups: Sequence[str], folds: int, seed: int) -> NDArray[np.int64]:
    """The fold of each row: groups in an order drawn from the seed, dealt in turn."""
    names = sorted(set(groups))
    if len(names) < 2:
        raise _one_text()
    order = np.random.default_rng(seed).permutation(len(names))
    fold = {names[place]: dealt % folds for dealt, place in enumerate(order)}
    return np.array([fold[group] for group in groups], dtype=np.int64)


# --- A person's own calibration, with a report on rows held out -------------------------------


@dataclass(frozen=True, slots=True)
class Effect:
    """What a calibration and a threshold do to rows; nan where a figure is not defined."""

    calibration_error: float
    brier: float
    called: float
    """Share of all rows that is called supported."""
    found: float
    """Share of the true rows that is called supported."""
    false_called: float
    """Share of the false rows that is called supported."""
    wrong: float
    """Share of the rows called supported that is false."""

    @property
    def balanced(self) -> float:
        """Balanced accuracy."""
        return (self.found + 1 - self.false_called) / 2


@dataclass(frozen=True, slots=True)
class Tuned:
    """The calibration fitted on all rows, and what one fitted on a part did to the rest."""

    calibration: Calibration
    supported_from: float
    rows: int
    part: Calibration
    """Fitted on one part of the rows."""
    part_from: float
    """The threshold of that part."""
    fitted: int
    """Its rows."""
    before: Effect
    """Of the rows held out, as shipped."""
    after: Effect

    @property
    def doubts(self) -> tuple[str, ...]:
        """Why not to use it, by the rows held out; empty if nothing speaks against it."""
        before, after = self.before, self.after
        found = []
        if math.isnan(after.balanced):
            found.append("All rows held out are true, or all are false: they show nothing.")
        elif after.balanced <= 0.5:
            found.append(
                "It tells true from false no better than chance does: balanced accuracy "
                f"{after.balanced:.1%}."
            )
        if after.false_called > before.false_called:
            found.append(
                f"It calls {after.false_called:.1%} of the false rows supported; without it "
                f"{before.false_called:.1%} are."
            )
        if after.wrong > before.wrong:
            found.append(
                f"Of the rows that it calls supported {after.wrong:.1%} are false; without it "
                f"{before.wrong:.1%} are."
            )
        return tuple(found)

    def as_mapping(self, models: tuple[str, ...], record: Mapping[str, Any]) -> dict[str, Any]:
        """What is written to the file."""
        before, after = self.before, self.after
        return {
            "schema": SCHEMA,
            "models": list(models),
            "calibration": asdict(self.calibration),
            "supported_from": math.floor(self.supported_from * 1e6) / 1e6,
            "rows": self.rows,
            "held_out": {
                "rows": self.rows - self.fitted,
                "expected_calibration_error": {
                    "before": before.calibration_error,
                    "after": after.calibration_error,
                },
                "wrong_when_supported": {
                    "before": _or_none(before.wrong),
                    "after": _or_none(after.wrong),
                },
                "doubts": list(self.doubts),
            },
            "record": dict(record),
        }


def tune(
    scores: Floats,
    truth: Marks,
    groups: Sequence[str],
    held: Marks,
    *,
    least: float,
    most_wrong: float | None,
    seed: int,
) -> Tuned:
    """Fit on one part, report on the other, then fit on everything.

    Args:
        scores: P(supported) as shipped, shape (n,).
        truth: Shape (n,).
        groups: The text of each row.
        held: The rows to report on, shape (n,).
        least: The probability that *supported* needs as shipped.
        most_wrong: The share of false rows that is tolerated among those called supported; None
            tolerates as many false rows as are called supported as shipped.
        seed: Of the folds.

    Raises:
        InputError: There are too few rows of a class, or of one text only.
    """
    if len(set(groups)) < 2:
        raise _one_text()
    kept = ~held
    part = fit_best(scores[kept], truth[kept], list(np.array(groups, object)[kept]), seed=seed)
    shipped, calibrated = scores >= least, part.apply(scores)
    bar = supported_from(calibrated[kept], truth[kept], shipped[kept], least, most_wrong)
    final = fit_best(scores, truth, groups, seed=seed)
    return Tuned(
        calibration=final,
        supported_from=supported_from(final.apply(scores), truth, shipped, least, most_wrong),
        rows=len(truth),
        part=part,
        part_from=bar,
        fitted=int(kept.sum()),
        before=_effect(scores[held], shipped[held], truth[held]),
        after=_effect(calibrated[held], calibrated[held] >= bar, truth[held]),
    )


def supported_from(
    probabilities: Floats, truth: Marks, shipped: Marks, least: float, most_wrong: float | None
) -> float:
    """The lowest threshold from which on few enough rows are false; 1 if there is none.

    Args:
        probabilities: Calibrated, shape (n,).
        truth: Shape (n,).
        shipped: The rows called supported without a calibration, shape (n,).
        least: The threshold is not below it.
        most_wrong: See ``tune``. Ten rows at least have to pass, since fewer say nothing.
    """
    tolerated = int((~truth[shipped]).sum())
    higher: list[float] = np.unique(probabilities[probabilities > least]).tolist()
    for threshold in (least, *higher):
        passing = truth[probabilities >= threshold]
        false = int((~passing).sum())
        if most_wrong is None:
            if false <= tolerated:
                return threshold if len(passing) else 1.0
        elif len(passing) < _FEWEST:
            break
        elif false <= most_wrong * len(passing):
            return threshold
    return 1.0


def _effect(probabilities: Floats, calls: Marks, truth: Marks) -> Effect:
    return Effect(
        calibration_error=calibration_error(probabilities, truth),
        brier=float(brier_score_loss(truth, probabilities, pos_label=True)),
        called=float(calls.mean()),
        found=_share(calls[truth]),
        false_called=_share(calls[~truth]),
        wrong=_share(~truth[calls]),
    )


def _share(marks: Marks) -> float:
    return float(marks.mean()) if len(marks) else float("nan")


def _one_text() -> InputError:
    return InputError(
        "All rows belong to one text, so none can be held out.",
        "Give rows of several texts, and name each row's text.",
    )


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else round(value, 6)
