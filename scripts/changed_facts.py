"""How well one changed fact is noticed in an otherwise copied sentence: tests/changed_facts.

    python scripts/changed_facts.py

Each claim is judged by the verifier alone (its premise as it is, the most probable of three
classes), by the product (the premise as a library in memory, labels as a user sees them) and by
word overlap (the threshold of each half of the pairs comes from the other half; the lead over it
is of the product, two-way). Two-way: supported or not; three-way: supported, contradicted or
neither. Intervals are 95 %, a bootstrap over pairs.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veracite.engine.evaluation.bootstrap import bootstrap, mean
from veracite.engine.evaluation.calibrate import best_threshold
from veracite.engine.evaluation.items import Prediction, Source, Statement
from veracite.engine.evaluation.models import Models, apart
from veracite.engine.evaluation.predict import StatementJudge
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Label
from veracite.models.verifier import LABELS

ROWS = Path(__file__).resolve().parents[1] / "tests" / "changed_facts" / "changed_facts.jsonl"
AT_ONCE = 16

Marks = NDArray[np.bool_]
Values = NDArray[np.float64]
LEAD = "lead over words in common"
LEADS = {
    LEAD: ("Veracite, two-way", "words in common, two-way"),
    "lead over the verifier alone, two-way": ("Veracite, two-way", "verifier, two-way"),
    "lead over the verifier alone, three-way": ("Veracite, three-way", "verifier, three-way"),
}
"""Differences of two columns, each beside its name."""


def main() -> None:
    """Judges the set and prints everything as JSON."""
    rows = [json.loads(line) for line in ROWS.read_text("utf-8").splitlines()]
    models = Models()
    try:
        measured = {"models": list(models.ids), "lines": measure(rows, models)}
    finally:
        models.close()
    print(json.dumps(measured, indent=1))


def measure(rows: Sequence[dict[str, str]], models: Models) -> list[dict[str, Any]]:
    """Every line of the table: all rows first, then each kind; of each both halves.

    A cell has the share of the line's claims that one method has right, and its 95 % interval.
    """
    right = _right(rows, models)
    kinds = np.array([row["kind"] for row in rows])
    labels = np.array([row["label"] for row in rows])
    pairs = np.array([row["id"].rpartition("-")[0] for row in rows])
    lines = []
    for kind in ("all", *sorted(set(kinds))):
        for half in ("both", "supported", "contradicted"):
            of_kind = (kinds == kind) | (kind == "all")
            own = of_kind & ((labels == half) | (half == "both"))
            cells = {}
            for name, values in right.items():
                found = bootstrap(mean(values[own]), list(pairs[own]))
                cells[name] = {"value": found.estimate, "low": found.low, "high": found.high}
            lines.append({"kind": kind, "half": half, "items": int(own.sum()), "cells": cells})
    return lines


def _right(rows: Sequence[dict[str, str]], models: Models) -> dict[str, Values]:
    """Which rows each method has right, 1 or 0; and the product's leads, 1, 0 or -1."""
    expected = np.array([row["label"] for row in rows])
    supported = expected == "supported"
    scores = models.verifier.score([(row["premise"], row["claim"]) for row in rows])
    read = np.array(LABELS)[scores.argmax(axis=1)]
    said = _of_product(rows, models)
    shown = np.array([said[row["id"], "veracite"].label for row in rows])
    overlap = np.array([said[row["id"], "overlap"].score for row in rows], float)
    right = {
        "Veracite, two-way": (shown == Label.SUPPORTED) == supported,
        "Veracite, three-way": shown == expected,
        "verifier, two-way": (read == "supported") == supported,
        "verifier, three-way": read == expected,
        "words in common, two-way": _crossed(overlap, supported) == supported,
    }
    values = {name: marks.astype(np.float64) for name, marks in right.items()}
    return {**values, **{name: values[a] - values[b] for name, (a, b) in LEADS.items()}}


def _of_product(
    rows: Sequence[dict[str, str]], models: Models
) -> dict[tuple[str, str], Prediction]:
    """What the product and the plain measures say, by row and method."""
    settings = CheckSettings()
    judge = StatementJudge(
        judge=models.judge(settings.uncertain_below),
        k=settings.k,
        threshold=models.encoder.threshold,
        retrieval=settings.retrieval,
        against_contradiction=False,
    )
    statements = [
        Statement(
            id=row["id"],
            group=row["id"].rpartition("-")[0],
            text=row["claim"],
            truth=row["label"] == "supported",
            label=row["label"],
            sources=(Source(row["id"], row["premise"]),),
        )
        for row in rows
    ]
    found: dict[tuple[str, str], Prediction] = {}
    for start in range(0, len(statements), AT_ONCE):
        group = statements[start : start + AT_ONCE]
        for one in judge.predictions(group, apart([s.sources for s in group], models.encoder)):
            found[one.item, one.method] = one
    return found


def _crossed(scores: NDArray[np.float64], truth: Marks) -> Marks:
    """What is called true by the threshold of the other half; pairs, two rows each, alternate."""
    said = np.zeros(len(scores), bool)
    even = (np.arange(len(scores)) // 2) % 2 == 0
    for half in (even, ~even):
        said[half] = scores[half] >= best_threshold(scores[~half], truth[~half])
    return said


if __name__ == "__main__":
    main()
