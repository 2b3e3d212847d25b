"""Which items thresholds are chosen on and which the figures are of: never the same.

Groups stay whole: sentences of one article are not split between the two.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["Split", "SplitKind", "split"]

SplitKind = Literal["halves", "alternate"]

_NAMES: dict[SplitKind, tuple[str, str]] = {
    "halves": ("first half of the groups", "second half of the groups"),
    "alternate": ("odd-numbered groups", "even-numbered groups"),
}


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

    Where a half would hold items of one class only (files sorted by label), groups alternate;
    where a set is a single group, its items take the place of groups.

    Args:
        groups: The group of each item.
        parts: The set of each item.
        truth: Of each item.
        kind: "halves" or "alternate".
    """
    made = _split(groups, parts, kind)
    if kind == "halves" and not (_both(truth[made.chosen]) and _both(truth[made.held])):
        return _split(groups, parts, "alternate")
    return made


def _split(groups: Sequence[str], parts: Sequence[str], kind: SplitKind) -> Split:
    members: dict[str, dict[str, list[int]]] = {}
    for item, (group, part) in enumerate(zip(groups, parts, strict=True)):
        members.setdefault(part, {}).setdefault(group, []).append(item)
    chosen = np.zeros(len(groups), bool)
    for by_group in members.values():
        units = list(by_group.values())
        if len(units) == 1:
            units = [[item] for item in units[0]]
        taken = units[: len(units) // 2] if kind == "halves" else units[::2]
        chosen[[item for unit in taken for item in unit]] = True
    first, second = _NAMES[kind]
    where = " of each set" if len(members) > 1 else ""
    return Split(chosen, ~chosen, (f"{first}{where}", f"{second}{where}"))


def _both(truth: NDArray[np.bool_]) -> bool:
    return bool(truth.any()) and not bool(truth.all())
