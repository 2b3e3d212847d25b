"""Fits the decision (engine/judge/decision.json): from the network and the checks to probabilities.

The rows did not train the verifier, and no figure that is published is of them
(``scripts/training/decision_rows`` writes them). What a set counts for does not depend on how many
rows it has. A side is fitted in turns: the premise that says most by the weights so far speaks for
a row, then the weights are fitted anew. The figures printed are of leave-one-set-out
cross-validation: each set is judged by what was fitted on all others, as the sets of users will be.
What the network says is computed once and kept in the file that ``--cache`` names.

    python -m scripts.fit_decision --rows ROWS.jsonl --cache READINGS.pickle --out decision.json
"""

import hashlib
import json
import pickle
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from scripts.training.pairs import options, read_rows
from veracite.engine.bootstrap import calibration_error
from veracite.engine.exam import sentences_of
from veracite.engine.judge.checks import VERBATIM
from veracite.engine.judge.decision import CLAIM, PREMISE, Decision, Reading, Side
from veracite.engine.judge.judge import Judge
from veracite.engine.types import Claim
from veracite.index.documents import Document, Evidence, Passage
from veracite.models.bundled import bundled_verifier

Values = NDArray[np.float64]
Marks = NDArray[np.bool_]

REGULARISATION = 0.1
TURNS = 4
SIGNS: dict[str, dict[str, int]] = {
    "support": {
        "network supported": 1, "supported by more": 1, "similarity": 1, "words left over": -1,
        "supported alone": 1, "contradicted alone": -1,
    },
    "contradiction": {"network contradicted": 1},
}  # fmt: skip
"""The sign that a weight may have; what would get the other one, or is not named, has none."""
TIMES = {
    "unrelated": 2, "written": 10, "folders": 5, "shifted": 0.5, "citint": 0.2, "expertqa": 0.2,
    "retold": 4, "moved": 4,
}  # fmt: skip
"""Sets that do not count once: more those whose texts are the most like what people check, less
those whose labels answer another question."""
DENIALS = ("cases", "moved", "retold")
"""Sets that are for what contradicts a claim alone."""
OURS = ("folders", "made", "new", "written", "shifted", "unrelated", *DENIALS)
"""Sets that were made for this; the others are real ones."""
SHARES = {"support": 0.40, "contradiction": 0.38}
"""Of the weight, what supported rows get and what contradicted ones. In the sets for choosing five
in six are right then of what is called supported, from a probability of 0.5 on, nine in ten of what
is called contradicted, and at most three in a hundred true claims are called contradicted."""


@dataclass(frozen=True, slots=True)
class Row:
    """A claim with what a search found for it."""

    source: str
    """The set it comes from."""
    claim: Claim
    evidence: tuple[Evidence, ...]
    label: str
    """supported, neutral, contradicted; unsupported where it may be either of the last two."""


def main() -> None:
    """Reads the rows, fits, reports and writes."""
    given = options(__doc__, "--rows", "--cache", "--out")
    rows = list(_rows(given.rows))
    readings = _readings(rows, given.cache)
    sources = np.array([row.source for row in rows])
    labels = np.array([row.label for row in rows])
    left_out = _report(sources, labels, crossed(sources, labels, readings))
    sides = dict(zip(("support", "contradiction"), fit(sources, labels, readings), strict=True))
    decision: dict[str, Any] = {"version": 15}
    for name, side in sides.items():
        decision[name] = {
            "premise": dict(zip(PREMISE, side.premise.round(5).tolist(), strict=True)),
            "claim": dict(zip(CLAIM, side.claim.round(5).tolist(), strict=True)),
            "intercept": round(side.intercept, 5),
        }
    decision |= {"leave one set out": left_out, "rows": dict(sorted(Counter(sources).items()))}
    given.out.write_text(json.dumps(decision, indent=1) + "\n", encoding="utf-8")


def _rows(path: Path) -> Iterator[Row]:
    """The rows that ``scripts/training/decision_rows`` wrote."""
    for given in read_rows(path):
        text = given["claim"]
        claim = Claim(text, 0, len(text), text, given["query"], resolved=given["resolved"])
        evidence = tuple(_evidence(rank, **p) for rank, p in enumerate(given["passages"], 1))
        yield Row(given["set"], claim, evidence, given["label"])


def _evidence(
    rank: int, document: str, heading: str | None, text: str, cosine: float | None
) -> Evidence:
    """A passage of the document that is named."""
    digest = hashlib.sha256(f"{heading}\n{text}".encode()).hexdigest()
    owner = Document(document, digest, "rows/3")
    passage = Passage(owner, 0, len(text), None, heading, text, digest)
    return Evidence(passage, rank, 1 / (60 + rank), cosine, None)


def _readings(rows: Sequence[Row], cache: Path) -> list[Reading]:
    """What is read of each row; what the network said of a pair is kept for the next time."""
    verifier = _Remembering(cache)
    unused = Side(np.zeros(len(PREMISE)), np.zeros(len(CLAIM)), 0.0)
    judge = Judge(
        verifier, Decision(unused, unused, "none"), 0.5, sentences_of, lambda document: ""
    )
    read = dict(judge.read([row.claim for row in rows], [row.evidence for row in rows]))
    verifier.keep()
    return [read[place] for place in range(len(rows))]


class _Remembering:
    """The bundled verifier, which scores no pair twice."""

    def __init__(self, path: Path) -> None:
        verifier, self._path = bundled_verifier(), path
        self.id, self.fits, self._score = verifier.id, verifier.fits, verifier.score
        name, known = pickle.loads(path.read_bytes()) if path.exists() else ("", {})
        self._known: dict[tuple[str, str], NDArray[np.float32]] = known if name == self.id else {}

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        if new:
            self._known.update(zip(new, self._score(new), strict=True))
        return np.stack([self._known[pair] for pair in pairs])

    def keep(self) -> None:
        self._path.write_bytes(pickle.dumps((self.id, self._known)))


def fit(
    sources: NDArray[np.str_], labels: NDArray[np.str_], readings: Sequence[Reading]
) -> tuple[Side, Side]:
    """Supported or not, of rows as users have them; contradicted or not, where it is known."""
    every = ~np.isin(sources, DENIALS)
    supported = labels[every] == "supported"
    known = labels != "unsupported"
    denied = labels[known] == "contradicted"
    return (
        _side("support", [*compress(readings, every)], supported, _weights(sources[every])),
        _side("contradiction", [*compress(readings, known)], denied, _weights(sources[known])),
    )


def _side(name: str, readings: Sequence[Reading], truth: Marks, weights: Values) -> Side:
    """One regression, its premises chosen and its weights fitted in turns."""
    weights = _shared(weights, truth, SHARES[name])
    premise = np.zeros(len(PREMISE))
    premise[0 if name == "support" else 1] = 1.0
    allowed = [*PREMISE, *CLAIM]
    for _ in range(TURNS):
        values = np.stack([_values(reading, premise) for reading in readings])
        coefficients, intercept = _signed(name, allowed, values, truth, weights)
        premise = coefficients[: len(PREMISE)]
    return Side(premise, coefficients[len(PREMISE) :], intercept)


def _values(reading: Reading, premise: Values) -> Values:
    best = int((reading.beside @ premise).argmax())
    return np.concatenate((reading.beside[best], reading.whole))


def _signed(
    name: str, columns: Sequence[str], values: Values, truth: Marks, weights: Values
) -> tuple[Values, float]:
    """A regression whose weights have the signs that they may have, the others being left out."""
    mean, scale = values.mean(axis=0), np.maximum(values.std(axis=0), 1e-6)
    signs = SIGNS[name]
    kept = [place for place, column in enumerate(columns) if column in signs]
    while True:
        regression = LogisticRegression(C=REGULARISATION, max_iter=3000)
        regression.fit(((values - mean) / scale)[:, kept], truth, sample_weight=weights)
        found = regression.coef_[0]
        wrong = [p for p, w in zip(kept, found, strict=True) if w * signs[columns[p]] < 0]
        if not wrong:
            break
        kept.remove(max(wrong, key=lambda p: abs(found[kept.index(p)])))
    coefficients = np.zeros(len(columns))
    coefficients[kept] = found / scale[kept]
    return coefficients, float(regression.intercept_[0] - coefficients @ mean)


def _shared(weights: Values, truth: Marks, of_true: float) -> Values:
    """The weights, of which those of true rows make up a share."""
    share = weights[truth].sum() / weights.sum()
    result: Values = weights * np.where(truth, of_true / share, (1 - of_true) / (1 - share))
    return result


def _weights(sources: NDArray[np.str_]) -> Values:
    """Every set counts the same, or so many times, however many rows it has; the mean is 1."""
    sizes = Counter(sources.tolist())
    weights = np.array([TIMES.get(source, 1) / sizes[source] for source in sources.tolist()])
    result: Values = weights / weights.mean()
    return result


def crossed(
    sources: NDArray[np.str_], labels: NDArray[np.str_], readings: Sequence[Reading]
) -> Values:
    """Leave-one-set-out probabilities, shape (rows, 3)."""
    predicted = np.zeros((len(sources), 3))
    for source in np.unique(sources):
        own = sources == source
        sides = fit(sources[~own], labels[~own], [*compress(readings, ~own)])
        decision = Decision(*sides, "none", frozenset({VERBATIM.id}))
        for place in np.flatnonzero(own).tolist():
            scores = decision.decide(readings[place], 0.0).scores
            predicted[place] = (scores.supported, scores.neutral, scores.contradicted)
    return predicted


def _report(
    sources: NDArray[np.str_], labels: NDArray[np.str_], predicted: Values
) -> dict[str, float]:
    """Prints the figures of each set, and returns the means of the real ones."""
    print(f"{'set':14s} {'rows':>5s} {'bal.acc':>8s} {'AUC':>6s} {'ECE':>6s} {'false con.':>10s}")
    figures: dict[str, tuple[float, ...]] = {}
    for source in np.unique(sources).tolist():
        own = sources == source
        truth, scores = labels[own] == "supported", predicted[own]
        called = scores.argmax(1) == 2
        false = called[np.isin(labels[own], ("supported", "neutral"))]
        wrong = f"{false.mean():10.3f}" if len(false) else f"{'':>10s}"
        if truth.all() or not truth.any():
            print(f"{source:14s} {own.sum():5d} {'':>8s} {'':>6s} {'':>6s} {wrong}")
            continue
        supported = scores[:, 0]
        figures[source] = (
            balanced_accuracy_score(truth, supported >= 0.5),
            roc_auc_score(truth, supported),
            calibration_error(supported, truth),
        )
        print(f"{source:14s} {own.sum():5d} " + _shown(figures[source]) + f" {wrong}")
    print(f"{'mean':14s} {len(sources):5d} " + _shown(np.mean([*figures.values()], axis=0)))
    for least in (0.5, 0.6, 0.7, 0.8):
        told = []
        for column, label in ((0, "supported"), (2, "contradicted")):
            called = predicted[:, column] >= least
            right = int((labels[called] == label).sum())
            told.append(f"{label} {right} of {int(called.sum())}")
        print(f"from {least}: " + ", ".join(told))
    real = [found for source, found in figures.items() if source not in OURS]
    means = np.mean(real, axis=0).round(4).tolist()
    return dict(zip(("balanced", "AUC", "ECE"), means, strict=True))


def _shown(figures: Sequence[float] | Values) -> str:
    balanced, area, error = figures
    return f"{balanced:8.3f} {area:6.3f} {error:6.3f}"


if __name__ == "__main__":
    main()
