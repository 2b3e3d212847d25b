"""How well one changed fact is noticed in an otherwise copied sentence: tests/changed_facts.

    python scripts/changed_facts.py

Each claim is judged by the verifier alone (its premise as it is, the most probable of three
classes) and by the product (the premise as a library in memory, labels as a user sees them).
Three-way: supported, contradicted or neither. Intervals are 95 %, a bootstrap over pairs.
"""

import json
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veracite.engine.bootstrap import bootstrap, mean
from veracite.engine.evaluation.items import Source, Statement
from veracite.engine.evaluation.predict import StatementJudge, apart, ids_of
from veracite.engine.models import OpenModels
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.models.verifier import LABELS

ROWS = Path(__file__).resolve().parents[1] / "tests" / "changed_facts" / "changed_facts.jsonl"


def main() -> None:
    """Judges the set and prints everything as JSON."""
    rows = [json.loads(line) for line in ROWS.read_text("utf-8").splitlines()]
    with closing(OpenModels(CheckSettings(), Paths.resolve())) as models:
        measured = {"models": ids_of(models), "lines": measure(rows, models)}
    print(json.dumps(measured, indent=1))


def measure(rows: Sequence[dict[str, str]], models: OpenModels) -> list[dict[str, Any]]:
    """Every line of the table: all rows first, then each kind.

    A cell has the share of the line's claims that one method has right, and its 95 % interval.
    """
    labels = np.array([row["label"] for row in rows])
    scores = models.open_verifier().score([(row["premise"], row["claim"]) for row in rows])
    right: dict[str, NDArray[np.bool_]] = {
        "Veracite, three-way": np.array(_labels(rows, models)) == labels,
        "verifier, three-way": np.array(LABELS)[scores.argmax(axis=1)] == labels,
    }
    kinds = np.array([row["kind"] for row in rows])
    pairs = np.array([row["id"].rpartition("-")[0] for row in rows])
    lines = []
    for kind in ("all", *sorted(set(kinds))):
        own = (kinds == kind) | (kind == "all")
        cells = {}
        for name, marks in right.items():
            found = bootstrap(mean(marks[own].astype(np.float64)), list(pairs[own]))
            cells[name] = {"value": found.estimate, "low": found.low, "high": found.high}
        lines.append({"kind": kind, "items": int(own.sum()), "cells": cells})
    return lines


def _labels(rows: Sequence[dict[str, str]], models: OpenModels) -> list[str]:
    """What the product calls each claim."""
    judge = StatementJudge(models.judge(), models.search, against_contradiction=False)
    sources = [Source(row["id"], row["premise"]) for row in rows]
    statements = [
        Statement(s.id, s.id, row["claim"], row["label"] == "supported", row["label"], (s,))
        for row, s in zip(rows, sources, strict=True)
    ]
    libraries = apart([s.sources for s in statements], models.open_encoder())
    found = judge.predictions(statements, list(libraries))
    return [str(one.label) for one in found if one.method == "veracite"]


if __name__ == "__main__":
    main()
