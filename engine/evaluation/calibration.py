"""Which calibration to take, and what it does to rows that it was not fitted on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from veracite.engine.errors import InputError
from veracite.engine.evaluation.fitting import FITS, check, fit
from veracite.engine.evaluation.reliability import brier, expected_calibration_error, log_loss
from veracite.engine.judging.calibration import Calibration, Kind

__all__ = ["HeldOut", "Quality", "cross_validated", "fit_best", "held_out_report"]

Floats = NDArray[np.float64]
Labels = NDArray[np.bool_]


def cross_validated(
    probabilities: Floats, outcomes: Labels, groups: Sequence[str], *, folds: int = 5, seed: int = 0
) -> dict[Kind, float]:
    """The log loss of each kind on rows it was not fitted on, simplest kind first.

    Rows of one group (article, question) are always held out together.

    Raises:
        InputError: As ``fit``, or there are fewer than two groups.
    """
    check(probabilities, outcomes)
    fold = _parts(groups, folds, seed)
    losses: dict[Kind, float] = {}
    for kind, fitted in FITS.items():
        calibrated = np.empty(len(outcomes))
        for held in np.unique(fold):
            inside = fold == held
            calibration = fitted(probabilities[~inside], outcomes[~inside])
            calibrated[inside] = calibration.apply(probabilities[inside])
        losses[kind] = log_loss(calibrated, outcomes)
    return losses


def fit_best(
    probabilities: Floats, outcomes: Labels, groups: Sequence[str], *, folds: int = 5, seed: int = 0
) -> Calibration:
    """The kind with the least cross-validated log loss, fitted on all rows.

    Args:
        probabilities: Raw, shape (n,), within 0 and 1.
        outcomes: Whether it came out so, shape (n,).
        groups: The group of each row.
        folds: Parts that are held out in turn; at most as many as groups.
        seed: Of the parts. The order of the rows does not matter to them.

    Raises:
        InputError: As ``fit``, or there are fewer than two groups.
    """
    losses = cross_validated(probabilities, outcomes, groups, folds=folds, seed=seed)
    return fit(min(losses, key=lambda kind: losses[kind]), probabilities, outcomes)


@dataclass(frozen=True, slots=True)
class Quality:
    """How honest probabilities are; lower is better."""

    expected_calibration_error: float
    brier: float
    log_loss: float


@dataclass(frozen=True, slots=True)
class HeldOut:
    """A calibration, and what it does to rows that it was not fitted on."""

    calibration: Calibration
    fitted: int
    """Rows it was chosen and fitted on."""
    held_out: int
    """Rows of other groups that the two qualities are of."""
    before: Quality
    after: Quality


def held_out_report(
    probabilities: Floats,
    outcomes: Labels,
    groups: Sequence[str],
    *,
    held_out: Labels | None = None,
    folds: int = 5,
    seed: int = 0,
) -> HeldOut:
    """Choose a calibration on one part of the rows and measure it on the other.

    Args:
        probabilities: Raw, shape (n,), within 0 and 1.
        outcomes: Whether it came out so, shape (n,).
        groups: The group of each row.
        held_out: The rows to measure on, shape (n,); left out, those of half the groups.
        folds: See ``fit_best``.
        seed: Of the halves and of the folds.

    Raises:
        InputError: As ``fit_best`` of the fitted rows; or none are held out; or a group is in both
            parts.
    """
    if held_out is None:
        held_out = _parts(groups, 2, seed) == 1
    named = np.array(groups, dtype=object)
    kept = ~held_out
    if set(named[held_out]) & set(named[kept]):
        raise InputError(
            "Some rows that are held out belong to the same text as rows that are fitted on.",
            "Name a part that holds whole texts.",
        )
    if not held_out.any():
        raise InputError("No rows are held out.", "Name a part that some of the rows are in.")
    found = fit_best(probabilities[kept], outcomes[kept], list(named[kept]), folds=folds, seed=seed)
    raw, truth = probabilities[held_out], outcomes[held_out]
    return HeldOut(
        calibration=found,
        fitted=int(kept.sum()),
        held_out=len(truth),
        before=_quality(raw, truth),
        after=_quality(found.apply(raw), truth),
    )


def _quality(probabilities: Floats, outcomes: Labels) -> Quality:
    return Quality(
        expected_calibration_error=expected_calibration_error(probabilities, outcomes),
        brier=brier(probabilities, outcomes),
        log_loss=log_loss(probabilities, outcomes),
    )


def _parts(groups: Sequence[str], parts: int, seed: int) -> NDArray[np.int64]:
    """The part of each row, from 0: groups in an order drawn from the seed, dealt in turn."""
    names = sorted(set(groups))
    if len(names) < 2:
        raise InputError(
            "All rows belong to one text, so none can be held out.",
            "Give rows of several texts, and name each row's text.",
        )
    order = np.random.default_rng(seed).permutation(len(names))
    part = {names[place]: dealt % parts for dealt, place in enumerate(order)}
    return np.array([part[group] for group in groups], dtype=np.int64)
