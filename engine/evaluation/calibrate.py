"""Thresholds and calibrations: fitted to some labelled rows, measured on others.

Rows are items: ``probabilities`` or ``scores`` and ``outcomes`` or ``truth`` of shape (n,).
"""

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss

from veracite.engine.bootstrap import Floats, Marks, calibration_error
from veracite.engine.errors import InputError
from veracite.engine.judge.tuning import SCHEMA, Calibration, log_odds, sigmoid

_RIDGE = 1e-3
"""Keeps the slope of a threshold's curve finite where scores separate the classes."""
_AT_LEAST = 10
"""True and false rows that a calibration needs of each; fewer fix nothing."""
_FEWEST = 10
"""Rows that have to be called supported before a share of wrong ones says anything."""


def logistic_threshold(scores: Floats, truth: Marks) -> float:
    """The score where a logistic curve, both classes weighing the same, crosses one half.

    All items have a part in it, so it varies less from one half of a set to the other than the one
    that is best on a half, and is better on the other (``scripts/LOG.md``). Probabilities are taken
    by their log odds. Where higher scores are not more often true it is the lowest one, from which
    on everything is called true.

    Returns:
        Nan where all scores are equal or items are of one class only.
    """
    if truth.all() or not truth.any() or scores.min() == scores.max():
        return math.nan
    are_odds = bool(scores.min() >= 0 and scores.max() <= 1)
    values = log_odds(np.clip(scores, 1e-3, 1 - 1e-3)) if are_odds else scores
    middle, width = float(values.mean()), float(values.std()) or 1.0
    weights = np.where(truth, 0.5 / truth.sum(), 0.5 / (~truth).sum())
    slope, intercept = _logistic((values - middle) / width, truth, weights, 1 / _RIDGE)
    if slope <= 0:
        return float(scores.min())
    crossing = middle - intercept / slope * width
    return float(sigmoid(np.array(crossing))) if are_odds else crossing


# --- From raw to honest probabilities ---------------------------------------------------------


def fit(probabilities: Floats, outcomes: Marks) -> Calibration:
    """A logistic curve over the log odds, to Platt's (1999) smoothed targets.

    Where higher probabilities are not more often right it is the share of what is true.

    Raises:
        InputError: Fewer than ten rows are true or false.
    """
    true, false = int(outcomes.sum()), int((~outcomes).sum())
    if min(true, false) < _AT_LEAST:
        raise InputError(
            f"A calibration needs {_AT_LEAST} true and {_AT_LEAST} false rows to fit on, and there"
            f" are {true} and {false}.",
            "Label more rows, or use the calibration that ships with Veracite.",
        )
    targets = np.where(outcomes, (true + 1) / (true + 2), 1 / (false + 2))
    # Each row stands for a true and a false one, by how probable its target makes them.
    odds, truth = np.tile(log_odds(probabilities), 2), np.repeat([True, False], len(targets))
    slope, intercept = _logistic(odds, truth, np.concatenate([targets, 1 - targets]), np.inf)
    if slope <= 0:
        return Calibration(0.0, float(log_odds(targets.mean())))
    return Calibration(slope, intercept)


def _logistic(
    values: Floats, truth: Marks, weights: Floats, inverse_ridge: float
) -> tuple[float, float]:
    """Slope and intercept of a logistic curve through weighted rows; level where all are alike."""
    if values.min() == values.max():
        return 0.0, 0.0
    curve = LogisticRegression(C=inverse_ridge, tol=1e-10, max_iter=10_000)
    with warnings.catch_warnings():
        # Near the best line a step may be too small for a line search to tell.
        warnings.simplefilter("ignore", ConvergenceWarning)
        curve.fit(values[:, np.newaxis], truth, sample_weight=weights)
    return float(curve.coef_[0, 0]), float(curve.intercept_[0])


# --- A person's own calibration, with a report on rows held out -------------------------------


ERROR, BRIER = "expected calibration error", "Brier score"
CALLED, FOUND = "called supported", "true ones that are"
FALSE_CALLED, WRONG = "false ones that are", "of those called so, wrong"
Effect = Mapping[str, float]
"""What a calibration and a threshold do to rows, by these names; nan where it is not defined.

All but the first two are shares: of all rows, the true ones, the false ones, those called so.
"""


@dataclass(frozen=True, slots=True)
class Tuned:
    """The calibration fitted on all rows, and what one fitted on a part did to the rest."""

    calibration: Calibration
    supported_from: float
    rows: int
    part_from: float
    """The threshold of the part of the rows that was fitted on."""
    fitted: int
    """Its rows."""
    before: Effect
    """Of the rows held out, as shipped."""
    after: Effect

    @property
    def doubts(self) -> tuple[str, ...]:
        """Why not to use it, by the rows held out; empty if nothing speaks against it."""
        found = []
        balanced = (self.after[FOUND] + 1 - self.after[FALSE_CALLED]) / 2
        if math.isnan(balanced):
            found.append("All rows held out are true, or all are false: they show nothing.")
        elif balanced <= 0.5:
            found.append(
                f"It tells true from false no better than chance does: balanced accuracy "
                f"{balanced:.1%}."
            )
        for name, told in (
            (FALSE_CALLED, "It calls {:.1%} of the false rows supported; without it {:.1%} are."),
            (WRONG, "Of the rows that it calls supported {:.1%} are false; without it {:.1%} are."),
        ):
            if self.after[name] > self.before[name]:
                found.append(told.format(self.after[name], self.before[name]))
        return tuple(found)

    def as_mapping(self, models: tuple[str, ...], record: Mapping[str, Any]) -> dict[str, Any]:
        """What is written to the file."""
        sides = {"before": self.before, "after": self.after}
        return {
            "schema": SCHEMA,
            "models": list(models),
            "calibration": asdict(self.calibration),
            "supported_from": math.floor(self.supported_from * 1e6) / 1e6,
            "rows": self.rows,
            "held_out": {
                "rows": self.rows - self.fitted,
                "doubts": list(self.doubts),
                **{
                    side: {name: None if math.isnan(share) else share for name, share in of.items()}
                    for side, of in sides.items()
                },
            },
            "record": dict(record),
        }


def tune(
    scores: Floats,
    truth: Marks,
    groups: Sequence[str],
    held: Marks,
    least: float,
    most_wrong: float | None,
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

    Raises:
        InputError: There are too few rows of a class, or of one text only.
    """
    if len(set(groups)) < 2:
        raise InputError(
            "All rows belong to one text, so none can be held out.",
            "Give rows of several texts, and name each row's text.",
        )
    kept = ~held
    shipped, calibrated = scores >= least, fit(scores[kept], truth[kept]).apply(scores)
    bar = supported_from(calibrated[kept], truth[kept], shipped[kept], least, most_wrong)
    final = fit(scores, truth)
    return Tuned(
        calibration=final,
        supported_from=supported_from(final.apply(scores), truth, shipped, least, most_wrong),
        rows=len(truth),
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
        if len(passing) < (1 if most_wrong is None else _FEWEST):
            break
        allowed = tolerated if most_wrong is None else most_wrong * len(passing)
        if (~passing).sum() <= allowed:
            return threshold
    return 1.0


def _effect(probabilities: Floats, calls: Marks, truth: Marks) -> Effect:
    shares = {CALLED: calls, FOUND: calls[truth], FALSE_CALLED: calls[~truth], WRONG: ~truth[calls]}
    return {
        ERROR: calibration_error(probabilities, truth),
        BRIER: float(brier_score_loss(truth, probabilities, pos_label=True)),
        **{name: float(marks.mean()) if len(marks) else math.nan for name, marks in shares.items()},
    }
