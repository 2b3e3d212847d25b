"""Fitting a calibration and a threshold to labelled rows, with a report on rows held out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veracite.engine.calibration import Calibration
from veracite.engine.errors import InputError
from veracite.engine.evaluation import metrics
from veracite.engine.evaluation.calibration import HeldOut, fit_best, held_out_report
from veracite.engine.evaluation.judged import OURS, JudgedSet
from veracite.engine.tuning import SCHEMA

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

    def as_mapping(self, models: tuple[str, ...], record: Mapping[str, Any]) -> dict[str, Any]:
        """What is written to the file."""
        return {
            "schema": SCHEMA,
            "models": list(models),
            "calibration": self.calibration.as_mapping(),
            "supported_from": round(self.supported_from, 6),
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
            },
            "record": dict(record),
        }


def tune(judged: JudgedSet, least: float, most_wrong: float | None) -> Tuned:
    """Fit on one part, report on the other, then fit on everything.

    Args:
        judged: The statements and what the product says of them.
        least: The probability that *supported* needs as shipped.
        most_wrong: The share of false rows that is tolerated among those called supported; None
            keeps the threshold.

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
    part = supported_from(calibrated[~held], truth[~held], least, most_wrong)
    final = fit_best(scores, truth, groups, seed=judged.seed)
    return Tuned(
        calibration=final,
        supported_from=supported_from(final.apply(scores), truth, least, most_wrong),
        rows=len(truth),
        held_out=report,
        held_out_from=part,
        before=_effect(scores[held] >= least, truth[held]),
        after=_effect(calibrated[held] >= part, truth[held]),
    )


def supported_from(
    probabilities: Scores, truth: Marks, least: float, most_wrong: float | None
) -> float:
    """The lowest threshold from which on no more than a share of the rows is false.

    Not below ``least``; 1 if there is no such threshold. Ten rows at least have to pass it, since
    fewer say nothing.
    """
    if most_wrong is None:
        return least
    for threshold in np.unique(probabilities[probabilities >= least]):
        passing = truth[probabilities >= threshold]
        if len(passing) < _FEWEST:
            break
        if (~passing).mean() <= most_wrong:
            return float(threshold)
    return 1.0


_FEWEST = 10


def _effect(calls: Marks, truth: Marks) -> Effect:
    return Effect(
        called=float(calls.mean()),
        found=float(calls[truth].mean()) if truth.any() else float("nan"),
        wrong=metrics.false_discovery_rate(calls, truth),
    )


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else round(value, 6)
