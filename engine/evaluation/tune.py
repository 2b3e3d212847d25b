"""Fitting a calibration and a threshold to labelled rows, with a report on rows held out."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veracite.engine.errors import InputError
from veracite.engine.evaluation import metrics
from veracite.engine.evaluation.calibration import HeldOut, fit_best, held_out_report
from veracite.engine.evaluation.judged import OURS, JudgedSet
from veracite.engine.judging.calibration import Calibration
from veracite.engine.judging.tuning import SCHEMA

__all__ = ["Tuned", "supported_from", "tune"]

Scores = NDArray[np.float64]
Marks = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Effect:
    """What a threshold does to rows."""

    called: float
    """Share of all rows that is called supported."""
    found: float
    """Share of the true rows that is called supported."""
    false_called: float
    """Share of the false rows that is called supported."""
    balanced: float
    """Balanced accuracy; nan if all rows are true, or all are false."""
    wrong: float
    """Share of the rows called supported that is false; nan if none is called so."""


@dataclass(frozen=True, slots=True)
class Tuned:
    """The calibration fitted on all rows, and what one fitted on a part did to the rest."""

    calibration: Calibration
    supported_from: float
    rows: int
    held_out: HeldOut
    held_out_from: float
    """The threshold of the part that was fitted on."""
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
        elif after.balanced <= _CHANCE:
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
        return {
            "schema": SCHEMA,
            "models": list(models),
            "calibration": self.calibration.as_mapping(),
            "supported_from": math.floor(self.supported_from * 1e6) / 1e6,
            "rows": self.rows,
            "held_out": {
                "rows": self.held_out.held_out,
                "expected_calibration_error": {
                    "before": self.held_out.before.expected_calibration_error,
                    "after": self.held_out.after.expected_calibration_error,
                },
                "wrong_when_supported": {
                    "before": _or_none(self.before.wrong),
                    "after": _or_none(self.after.wrong),
                },
                "doubts": list(self.doubts),
            },
            "record": dict(record),
        }


def tune(judged: JudgedSet, least: float, most_wrong: float | None) -> Tuned:
    """Fit on one part, report on the other, then fit on everything.

    Args:
        judged: The statements and what the product says of them.
        least: The probability that *supported* needs as shipped.
        most_wrong: The share of false rows that is tolerated among those called supported; None
            tolerates as many false rows as are called supported as shipped.

    Raises:
        InputError: There are too few rows of a class, or of one text only.
    """
    scores, truth, groups = judged.scores(OURS), judged.truth, judged.groups
    if len(set(groups)) < 2:
        raise InputError(
            "All rows belong to one text, so none can be held out.",
            "Give rows of several texts, and name each row's text.",
        )
    held = judged.split.held
    report = held_out_report(scores, truth, groups, held_out=held, seed=judged.seed)
    calibrated = report.calibration.apply(scores)
    shipped = scores >= least
    part = supported_from(calibrated[~held], truth[~held], shipped[~held], least, most_wrong)
    final = fit_best(scores, truth, groups, seed=judged.seed)
    return Tuned(
        calibration=final,
        supported_from=supported_from(final.apply(scores), truth, shipped, least, most_wrong),
        rows=len(truth),
        held_out=report,
        held_out_from=part,
        before=_effect(shipped[held], truth[held]),
        after=_effect(calibrated[held] >= part, truth[held]),
    )


def supported_from(
    probabilities: Scores, truth: Marks, shipped: Marks, least: float, most_wrong: float | None
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


_FEWEST = 10
_CHANCE = 0.5


def _effect(calls: Marks, truth: Marks) -> Effect:
    return Effect(
        called=float(calls.mean()),
        found=float(calls[truth].mean()) if truth.any() else float("nan"),
        false_called=metrics.false_positive_rate(calls, truth),
        balanced=metrics.balanced_accuracy(calls, truth),
        wrong=metrics.false_discovery_rate(calls, truth),
    )


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else round(value, 6)
