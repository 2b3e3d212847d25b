"""Fits engine/decision.json: from the verifier's scores and plain measures to probabilities.

The rows are held back from the verifier's training and come from sets that may train what ships
(``scripts/training/decision_rows`` writes them); no evaluation row is read. The figures printed
are of five-fold cross-validation over these rows, never of the rows a fold was fitted on.

    python scripts/fit_decision.py --rows ROWS.jsonl --cache FEATURES.npz --out decision.json
"""

import argparse
import json
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
from heldout import Pool, Row, claim_of, read_rows, sentences_of
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from veracite.engine.decision import Decision
from veracite.engine.features import NAMES
from veracite.engine.verify import Judge
from veracite.models.bundled import bundled_encoder, bundled_verifier

Values = NDArray[np.float64]

LABELS = ("supported", "neutral", "contradicted")
K = (2, 4, 6)
"""Passages a claim is judged on, in turn: small libraries and large ones."""
TWO_WAY = frozenset({"citint", "expertqa", "summedits", "twoway", "wice"})
"""Sets that only say whether a claim is supported: what they call neutral may be contradicted."""
AT_MOST = 180
"""Rows of one set."""
REGULARISATION = 0.1
GENERATED = frozenset({"made", "new", "twoway"})
"""Families of rows that the training's rules made: easy, and more than there are others."""
GENERATED_SHARE = 0.5
"""Of the weight of all rows."""


def main() -> None:
    """Reads the rows, fits, reports and writes."""
    options = _options()
    rows = _sample([row for row in read_rows(options.rows) if row.passages])
    features = _features(rows, options.cache)
    _report(rows, _crossed(rows, features))
    scaler, regressions = _fit(rows, features)
    weights = np.stack([regression.coef_[0] for regression in regressions])
    for name, row in zip(NAMES, weights.T, strict=True):
        print(f"  {name:38s} " + " ".join(f"{value:+.2f}" for value in row))
    decision = {
        "version": 3,
        "features": NAMES,
        "mean": scaler.mean_.round(6).tolist(),
        "scale": scaler.scale_.round(6).tolist(),
        "weights": weights.round(5).tolist(),
        "intercept": [round(float(regression.intercept_[0]), 5) for regression in regressions],
        "rows": {s: sum(r.source == s for r in rows) for s in sorted({r.source for r in rows})},
    }
    options.out.write_text(json.dumps(decision, indent=1) + "\n", encoding="utf-8")


def _fit(rows: list[Row], features: Values) -> tuple[StandardScaler, list[LogisticRegression]]:
    """The two regressions: supported or not; contradicted or not, of what is not supported."""
    scaler = StandardScaler().fit(features)
    standard = scaler.transform(features)
    labels = np.array([LABELS.index(row.label) for row in rows])
    three_way = np.array([row.source.split("_")[0] not in TWO_WAY for row in rows])
    regressions = []
    for chosen, column in ((labels >= 0, 0), ((labels != 0) & three_way, 2)):
        regression = LogisticRegression(C=REGULARISATION, max_iter=2000, class_weight="balanced")
        own = [row for row, kept in zip(rows, chosen, strict=True) if kept]
        regression.fit(standard[chosen], labels[chosen] == column, sample_weight=_weights(own))
        regressions.append(regression)
    return scaler, regressions


def _predict(
    scaler: StandardScaler, regressions: list[LogisticRegression], features: Values
) -> Values:
    standard = scaler.transform(features)
    supported, contradicted = (r.predict_proba(standard)[:, 1] for r in regressions)
    contradicted = contradicted * (1 - supported)
    return np.stack([supported, 1 - supported - contradicted, contradicted], axis=1)


def _crossed(rows: list[Row], features: Values) -> Values:
    """Five-fold cross-validated probabilities, shape (rows, 3)."""
    predicted = np.zeros((len(rows), 3))
    labels = [row.label + row.source for row in rows]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # some strata have fewer than five rows
        folds = list(StratifiedKFold(5, shuffle=True, random_state=0).split(features, labels))
    for train, test in folds:
        fitted = _fit([rows[i] for i in train], features[train])
        predicted[test] = _predict(*fitted, features[test])
    return predicted


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True, help="features, computed once")
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


def _sample(rows: list[Row]) -> list[Row]:
    order = np.random.default_rng(0).permutation(len(rows))
    taken: Counter[str] = Counter()
    sample = []
    for place in order:
        taken[rows[place].source] += 1
        if taken[rows[place].source] <= AT_MOST:
            sample.append(rows[place])
    return sample


def _weights(rows: list[Row]) -> Values:
    """Each set counts by the square root of its size, so that no set drowns the others.

    Generated rows together have the share of the weight that is theirs.
    """
    sizes = Counter(row.source for row in rows)
    weights = np.array([sizes[row.source] ** -0.5 for row in rows])
    generated = np.array([row.source.split("_")[0] in GENERATED for row in rows])
    if generated.any() and not generated.all():
        share = GENERATED_SHARE / (1 - GENERATED_SHARE)
        weights[generated] *= share * weights[~generated].sum() / weights[generated].sum()
    result: Values = weights / weights.mean()
    return result


def _features(rows: list[Row], cache: Path) -> Values:
    if cache.exists():
        stored: Values = np.load(cache)["features"]
        if len(stored) == len(rows):
            return stored
    encoder, verifier = bundled_encoder(), bundled_verifier()
    unused = Decision((), np.zeros(0), np.zeros(0), np.zeros((2, 0)), np.zeros(2), "none")
    judge = Judge(verifier, unused, 0.5, sentences_of, lambda document: "")
    claims = [claim_of(row.claim) for row in rows]
    pool = Pool(rows, encoder)
    evidence = [pool.evidence(row, K[index % len(K)]) for index, row in enumerate(rows)]
    found = dict(judge.read(claims, evidence))
    features = np.stack([found[index].features() for index in range(len(rows))])
    np.savez_compressed(cache, features=features)
    return features


def _report(rows: list[Row], predicted: Values) -> None:
    sources = np.array([row.source.split("_")[0] for row in rows])
    labels = np.array([LABELS.index(row.label) for row in rows])
    print(f"{'set':14s} {'rows':>5s} {'3-way accuracy':>14s} {'supported bal.acc':>18s}")
    for source in [*sorted(set(sources)), "all"]:
        own = np.ones(len(rows), bool) if source == "all" else sources == source
        truth, scores = labels[own], predicted[own]
        three = (truth == scores.argmax(1)).mean()
        says = scores[:, 0] >= 0.5
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # rows of one class only: nan
            balanced = (says[truth == 0].mean() + (~says)[truth != 0].mean()) / 2
        shown = "      (two-way)" if source in TWO_WAY else f"{three:14.3f}"
        print(f"{source:14s} {own.sum():5d} {shown} {balanced:18.3f}")
    three_way = np.array([source not in TWO_WAY for source in sources])
    confidence, right = predicted.max(1)[three_way], (predicted.argmax(1) == labels)[three_way]
    edges = np.quantile(confidence, np.linspace(0, 1, 11))
    bins = np.clip(np.searchsorted(edges, confidence, side="right") - 1, 0, 9)
    gaps = [
        (bins == b).mean() * abs(confidence[bins == b].mean() - right[bins == b].mean())
        for b in range(10)
    ]
    print(f"expected calibration error, three-way sets (10 equal-mass bins): {sum(gaps):.3f}")
    for low in (0.5, 0.6, 0.7, 0.8, 0.9):
        sure = confidence >= low
        print(
            f"  at least {low:.0%} sure: {sure.mean():.1%} of rows, {right[sure].mean():.1%} right"
        )


if __name__ == "__main__":
    main()
