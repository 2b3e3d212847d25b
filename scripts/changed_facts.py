"""How well one changed fact is noticed in an otherwise copied sentence: tests/changed_facts.

    python scripts/changed_facts.py

Each claim is judged by the verifier alone (its premise as it is, the most probable of three
classes), by the product (the premise as a library in memory, labels as a user sees them) and by
word overlap (the threshold of each half of the pairs comes from the other half; the lead over it
is of the product, two-way). Two-way: supported or not; three-way: supported, contradicted or
neither. Intervals are 95 %, a bootstrap over pairs.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

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


@dataclass(frozen=True)
class Cell:
    """The share of a row's claims that one method has right, and its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Line:
    """One kind of change, or all, and one half of it, or both."""

    kind: str
    half: str
    items: int
    cells: dict[str, Cell]
    """By method; one without a value for this line is missing."""


def main() -> None:
    """Judges the set and prints the table, or everything as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROWS, help="a set of the same fields")
    parser.add_argument("--limit", type=int, help="claims, from the first")
    parser.add_argument("--threads", type=int)
    given = parser.parse_args()
    lines = given.data.read_text("utf-8").splitlines()[: given.limit]
    rows = [json.loads(line) for line in lines]
    models = Models(given.threads)
    try:
        measured = {
            "models": list(models.ids),
            "lines": [asdict(line) for line in measure(rows, models)],
        }
    finally:
        models.close()
    print(json.dumps(measured, indent=1))


def measure(rows: Sequence[dict[str, str]], models: Models) -> list[Line]:
    """Every line of the table: all rows first, then each kind; of each both halves."""
    right = _right(rows, models)
    kinds = np.array([row["kind"] for row in rows])
    labels = np.array([row["label"] for row in rows])
    pairs = np.array([row["id"].rpartition("-")[0] for row in rows])
    lines = []
    for kind in ("all", *sorted(set(kinds))):
        for half in ("both", "supported", "contradicted"):
            of_kind = np.ones(len(rows), bool) if kind == "all" else kinds == kind
            own = of_kind & (np.ones(len(rows), bool) if half == "both" else labels == half)
            cells = {name: _cell(values[own], pairs[own]) for name, values in right.items()}
            lines.append(Line(kind, half, int(own.sum()), cells))
    return lines


def _cell(right: Values, pairs: NDArray[np.str_]) -> Cell:
    found = bootstrap(mean(right), list(pairs))
    return Cell(found.estimate, found.low, found.high)


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
