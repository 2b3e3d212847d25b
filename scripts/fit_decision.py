"""Fits the decision (engine/judging/decision.json): from scores and measures to probabilities.

The rows did not train the verifier, and no figure that is published is of them
(``scripts/training/decision_rows`` writes them). What a set counts for does not depend on how many
rows it has. The figures printed are of leave-one-set-out cross-validation: each set is judged by
what was fitted on all others, as the sets of users will be. "False con." is the share of supported
and neutral rows whose most probable reading is contradicted, before the rules of
``engine/comparing/sameness.py``.

    python scripts/fit_decision.py --rows ROWS.jsonl --cache FEATURES.npz --out decision.json
"""

import argparse
import hashlib
import inspect
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import StandardScaler

from veracite.engine.judging import features as module
from veracite.engine.judging.decision import Decision
from veracite.engine.judging.features import NAMES, features
from veracite.engine.judging.verify import Judge
from veracite.engine.words import Claim
from veracite.index.documents import Document, Evidence, Passage, Sentence
from veracite.index.sentences import sentence_spans
from veracite.models.bundled import bundled_verifier

Values = NDArray[np.float64]
Marks = NDArray[np.bool_]

REGULARISATION = 0.3
FOR_SUPPORT = (
    "supported by a passage",
    "supported by a sentence",
    "supported jointly",
    "supported by the nearest sentence",
    "supported by a close sentence",
    "contradicted by the nearest sentence",
    "contradicted by a close sentence",
    "coverage by a passage",
    "conflict in a close sentence",
)
"""What tells whether a claim is supported in every set. The others do in some and mislead in the
rest: any high probability of contradiction also says that a passage is about the claim."""
FOR_CONTRADICTION = (
    "contradicted jointly",
    "contradicted by a close sentence",
    "similarity",
)
"""What tells a contradicted claim from one that nothing is said of; with all features the loss in
sets left out is a third higher."""
TIMES = {"unrelated": 3, "fever": 2, "made": 2, "new": 2, "written": 2}
"""Sets that count more than once: those whose labels leave no doubt."""
PRIOR = 0.4
"""Share of the weight that supported rows get: as large as their share of all rows, whatever
``TIMES`` counts more than once. With 0.45 only half of what "supported" got 0.6 to 0.7 was."""
BINS = 10
"""Of equal mass, for the expected calibration error."""
TOGETHER = 32
"""Rows whose pairs go through the verifier between two lines of progress."""


@dataclass(frozen=True, slots=True)
class Row:
    """A claim with what a search found for it."""

    source: str
    """The set it comes from."""
    claim: Claim
    evidence: tuple[Evidence, ...]
    label: str
    """supported, neutral, contradicted; unsupported where it may be either of the last two."""


@dataclass(frozen=True)
class Fitted:
    """Two logistic regressions over standardised features."""

    scaler: StandardScaler
    supported: LogisticRegression
    contradicted: LogisticRegression
    """Of what is not supported."""

    def scores(self, features: Values) -> Values:
        """(supported, neutral, contradicted) of each row, shape (rows, 3)."""
        standard = self.scaler.transform(features)
        supported, contradicted = (
            r.predict_proba(standard)[:, 1] for r in (self.supported, self.contradicted)
        )
        contradicted = contradicted * (1 - supported)
        return np.stack([supported, 1 - supported - contradicted, contradicted], axis=1)


def main() -> None:
    """Reads the rows, fits, reports and writes."""
    options = _options()
    rows = read_rows(options.rows)
    features = _features(rows, options.cache)
    sources = np.array([row.source for row in rows])
    labels = np.array([row.label for row in rows])
    _report(sources, labels, _crossed(sources, labels, features))
    fitted = _fit(sources, labels, features)
    regressions = (fitted.supported, fitted.contradicted)
    weights = np.stack([regression.coef_[0] for regression in regressions])
    for name, row in zip(NAMES, weights.T, strict=True):
        print(f"  {name:38s} " + " ".join(f"{value:+.2f}" for value in row))
    decision = {
        "version": 4,
        "features": NAMES,
        "mean": fitted.scaler.mean_.round(6).tolist(),
        "scale": fitted.scaler.scale_.round(6).tolist(),
        "weights": weights.round(5).tolist(),
        "intercept": [round(float(regression.intercept_[0]), 5) for regression in regressions],
        "rows": dict(sorted(Counter(row.source for row in rows).items())),
    }
    options.out.write_text(json.dumps(decision, indent=1) + "\n", encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True, help="features, computed once")
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


def read_rows(path: Path) -> list[Row]:
    """The rows that ``scripts/training/decision_rows`` wrote."""
    rows = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line:
            given = json.loads(line)
            text = given["claim"]
            claim = Claim(text, 0, len(text), text, given["query"], resolved=given["resolved"])
            evidence = tuple(_evidence(p, rank) for rank, p in enumerate(given["passages"], 1))
            rows.append(Row(given["set"], claim, evidence, given["label"]))
    return rows


def _evidence(given: dict[str, Any], rank: int) -> Evidence:
    passage = _passage(given["heading"], given["text"])
    return Evidence(passage, rank, 1 / (60 + rank), given["cosine"], None)


def _passage(heading: str | None, text: str) -> Passage:
    """A passage that stands for a document of its own."""
    digest = hashlib.sha256(f"{heading}\n{text}".encode()).hexdigest()
    document = Document(f"/{digest}", digest, "rows/2")
    return Passage(document, 0, len(text), None, heading, text, digest)


def _sentences(passage: Passage) -> list[Sentence]:
    return [
        Sentence(s.start, s.end, None, passage.text[s.start : s.end])
        for s in sentence_spans(passage.text)
    ]


def _features(rows: list[Row], cache: Path) -> Values:
    """The features of each row; those stored are taken if rows, verifier and code are the same."""
    verifier = bundled_verifier()
    made_of = f"{verifier.id} {inspect.getsource(module)} {rows}"
    key = hashlib.sha256(made_of.encode()).hexdigest()
    if cache.exists():
        stored = np.load(cache)
        if str(stored["key"]) == key:
            known: Values = stored["features"]
            return known
    unused = Decision((), np.zeros(0), np.zeros(0), np.zeros((2, 0)), np.zeros(2), "none")
    judge = Judge(verifier, unused, 0.5, _sentences, lambda document: "")
    found: list[Values] = []
    for start in range(0, len(rows), TOGETHER):
        group = rows[start : start + TOGETHER]
        read = dict(judge.read([r.claim for r in group], [r.evidence for r in group]))
        found += [features(read[place]) for place in range(len(group))]
        print(f"{len(found)} of {len(rows)} rows read", flush=True)
    measured = np.stack(found)
    np.savez_compressed(cache, features=measured, key=key)
    return measured


def _fit(sources: NDArray[np.str_], labels: NDArray[np.str_], features: Values) -> Fitted:
    """Supported or not, of all rows; contradicted or neutral, of those where it is known."""
    scaler = StandardScaler().fit(features)
    standard = scaler.transform(features)
    known = np.isin(labels, ("neutral", "contradicted"))
    return Fitted(
        scaler,
        _regression(
            standard * np.isin(NAMES, FOR_SUPPORT),
            supported := labels == "supported",
            _with_prior(_weights(sources), supported),
        ),
        _regression(
            standard[known] * np.isin(NAMES, FOR_CONTRADICTION),
            labels[known] == "contradicted",
            _weights(sources[known]),
        ),
    )


def _regression(standard: Values, truth: Marks, weights: Values) -> LogisticRegression:
    """A feature that is 0 everywhere gets the weight 0."""
    regression = LogisticRegression(C=REGULARISATION, max_iter=2000)
    regression.fit(standard, truth, sample_weight=weights)
    return regression


def _with_prior(weights: Values, truth: Marks) -> Values:
    """The weights, of which those of true rows make up ``PRIOR``."""
    share = weights[truth].sum() / weights.sum()
    result: Values = weights * np.where(truth, PRIOR / share, (1 - PRIOR) / (1 - share))
    return result


def _weights(sources: NDArray[np.str_]) -> Values:
    """Every set counts the same, or so many times, however many rows it has; the mean is 1."""
    sizes = Counter(sources)
    weights = np.array([TIMES.get(source, 1) / sizes[source] for source in sources])
    result: Values = weights / weights.mean()
    return result


def _crossed(sources: NDArray[np.str_], labels: NDArray[np.str_], features: Values) -> Values:
    """Leave-one-set-out probabilities, shape (rows, 3)."""
    predicted = np.zeros((len(sources), 3))
    for source in np.unique(sources):
        own = sources == source
        fitted = _fit(sources[~own], labels[~own], features[~own])
        predicted[own] = fitted.scores(features[own])
    return predicted


def _report(sources: NDArray[np.str_], labels: NDArray[np.str_], predicted: Values) -> None:
    print(f"{'set':14s} {'rows':>5s} {'bal.acc':>8s} {'AUC':>6s} {'ECE':>6s} {'false con.':>10s}")
    figures = []
    for source in np.unique(sources):
        own = sources == source
        truth, scores = labels[own] == "supported", predicted[own]
        called = scores.argmax(1) == 2
        false = called[np.isin(labels[own], ("supported", "neutral"))]
        wrong = f"{false.mean():10.3f}" if len(false) else f"{'':>10s}"
        if truth.all() or not truth.any():
            print(f"{source:14s} {own.sum():5d} {'':>8s} {'':>6s} {'':>6s} {wrong}")
            continue
        figures.append(_figures(truth, scores[:, 0]))
        print(f"{source:14s} {own.sum():5d} " + _shown(figures[-1]) + f" {wrong}")
    print(f"{'mean':14s} {len(sources):5d} " + _shown(tuple(np.mean(figures, axis=0))))


def _figures(truth: Marks, scores: Values) -> tuple[float, float, float]:
    """Balanced accuracy at one half, AUC, and expected calibration error."""
    says = scores >= 0.5
    balanced = (says[truth].mean() + (~says)[~truth].mean()) / 2
    edges = np.quantile(scores, np.linspace(0, 1, BINS + 1))
    bins = np.clip(np.searchsorted(edges, scores, side="right") - 1, 0, BINS - 1)
    gaps = [
        (bins == b).mean() * abs(scores[bins == b].mean() - truth[bins == b].mean())
        for b in np.unique(bins)
    ]
    return float(balanced), float(roc_auc_score(truth, scores)), float(sum(gaps))


def _shown(figures: tuple[float, ...]) -> str:
    balanced, area, error = figures
    return f"{balanced:8.3f} {area:6.3f} {error:6.3f}"


if __name__ == "__main__":
    main()
