"""Which items thresholds are chosen on and which the figures are of: never the same.

Groups stay whole: sentences of one article are not split between the two.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

SplitKind = Literal["halves", "alternate"]

_NAMES: dict[SplitKind, tuple[str, str]] = {
    "halves": ("first half of the groups", "second half of the groups"),
    "alternate": ("odd-numbered groups", "even-numbered groups"),
}
_STANDARD_ERRORS = 3
"""Halves of files in no order of labels are as far apart once in 370 times."""


@dataclass(frozen=True, slots=True)
class Split:
    """Two parts of the items as masks of shape (n,)."""

    chosen: NDArray[np.bool_]
    """For thresholds and calibration."""
    held: NDArray[np.bool_]
    """For results."""
    names: tuple[str, str]


def split(
    groups: Sequence[str], parts: Sequence[str], truth: NDArray[np.bool_], kind: SplitKind
) -> Split:
    """Halve each set's groups, in the order of the file.

    Files that are sorted by label have their groups dealt in turn: those where a half would hold
    items of one class only, or where a set's halves differ in their shares of true groups by more
    than three standard errors. Where a set is a single group, its items take the place of groups.

    Args:
        groups: The group of each item.
        parts: The set of each item.
        truth: Of each item.
        kind: "halves" or "alternate".
    """
    sets = _units(groups, parts)
    made = _split(sets, len(groups), kind)
    one_sided = not (_both(truth[made.chosen]) and _both(truth[made.held]))
    if kind == "halves" and (one_sided or any(_sorted(units, truth) for units in sets)):
        return _split(sets, len(groups), "alternate")
    return made


def _units(groups: Sequence[str], parts: Sequence[str]) -> list[list[list[int]]]:
    """For each set, the items of each of its groups."""
    members: dict[str, dict[str, list[int]]] = {}
    for item, (group, part) in enumerate(zip(groups, parts, strict=True)):
        members.setdefault(part, {}).setdefault(group, []).append(item)
    sets = [list(by_group.values()) for by_group in members.values()]
    return [[[item] for item in units[0]] if len(units) == 1 else units for units in sets]


def _split(sets: Sequence[Sequence[list[int]]], items: int, kind: SplitKind) -> Split:
    chosen = np.zeros(items, bool)
    for units in sets:
        taken = units[: len(units) // 2] if kind == "halves" else units[::2]
        chosen[[item for unit in taken for item in unit]] = True
    first, second = _NAMES[kind]
    where = " of each set" if len(sets) > 1 else ""
    return Split(chosen, ~chosen, (f"{first}{where}", f"{second}{where}"))


def _sorted(units: Sequence[list[int]], truth: NDArray[np.bool_]) -> bool:
    """Whether true groups stand so much more often in one half that the file is sorted by them."""
    shares = np.array([truth[unit].mean() for unit in units])
    middle = len(units) // 2
    if not middle:
        return False
    error = shares.std() * np.sqrt(1 / middle + 1 / (len(units) - middle))
    return bool(abs(shares[:middle].mean() - shares[middle:].mean()) > _STANDARD_ERRORS * error)


def _both(truth: NDArray[np.bool_]) -> bool:
    return bool(truth.any()) and not bool(truth.all())
