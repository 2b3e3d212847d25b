"""Fits engine/decision.json: from the verifier's scores and plain measures to probabilities.

The rows are held back from the verifier's training (``scripts/training`` writes them) and come from
sets that may train what ships; no evaluation row is read. The figures printed are of five-fold
cross-validation over these rows, never of the rows a fold was fitted on.

    python scripts/fit_decision.py --rows ROWS.jsonl --cache FEATURES.npz --out decision.json
"""

import argparse
import json
from collections import Counter
from pathlib import Path

import numpy as np
from heldout import Pool, Row, claim_of, read_rows, sentences_of
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, log_loss
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from veracite.engine.decision import Decision
from veracite.engine.features import NAMES
from veracite.engine.verify import Judge
from veracite.models.bundled import bundled_encoder, bundled_verifier

LABELS = ("supported", "neutral", "contradicted")
K = (2, 4, 6)
"""Passages a claim is judged on, in turn: small libraries and large ones."""
AT_MOST = 180
"""Rows of one set."""
REGULARISATION = 0.3


def main() -> None:
    """Reads the rows, fits, reports and writes."""
    options = _options()
    rows = _sample([row for row in read_rows(options.rows) if row.passages])
    features = _features(rows, options.cache)
    labels = np.array([LABELS.index(row.label) for row in rows])
    weights = _weights(rows)
    predicted = cross_val_predict(
        _model(),
        features,
        labels,
        cv=StratifiedKFold(5, shuffle=True, random_state=0),
        method="predict_proba",
        params={"logisticregression__sample_weight": weights},
    )
    _report(rows, labels, predicted)
    model = _model()
    model.fit(features, labels, logisticregression__sample_weight=weights)
    scaler, regression = model[0], model[1]
    for name, row in zip(NAMES, regression.coef_.T, strict=True):
        print(f"  {name:38s} " + " ".join(f"{value:+.2f}" for value in row))
    options.out.write_text(
        json.dumps(
            {
                "version": 1,
                "features": NAMES,
                "mean": scaler.mean_.round(6).tolist(),
                "scale": scaler.scale_.round(6).tolist(),
                "weights": regression.coef_.round(5).tolist(),
                "intercept": regression.intercept_.round(5).tolist(),
                "rows": {
                    s: sum(r.source == s for r in rows) for s in sorted({r.source for r in rows})
                },
            },
            indent=1,
        )
        + "\n",
        encoding="utf-8",
    )


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


def _model() -> Pipeline:
    return make_pipeline(StandardScaler(), LogisticRegression(C=REGULARISATION, max_iter=2000))


def _weights(rows: list[Row]) -> NDArray[np.float64]:
    """Each set counts by the square root of its size, so that no set drowns the others."""
    sizes = {
        source: sum(row.source == source for row in rows) for source in {r.source for r in rows}
    }
    weights = np.array([sizes[row.source] ** -0.5 for row in rows])
    result: NDArray[np.float64] = weights / weights.mean()
    return result


def _features(rows: list[Row], cache: Path) -> NDArray[np.float64]:
    if cache.exists():
        stored: NDArray[np.float64] = np.load(cache)["features"]
        if len(stored) == len(rows):
            return stored
    encoder, verifier = bundled_encoder(), bundled_verifier()
    unused = Decision((), np.zeros(0), np.zeros(0), np.zeros((3, 0)), np.zeros(3), "none")
    judge = Judge(verifier, unused, 0.5, sentences_of, lambda document: "")
    claims = [claim_of(row.claim) for row in rows]
    pool = Pool(rows, encoder)
    evidence = [pool.evidence(row, K[index % len(K)]) for index, row in enumerate(rows)]
    found = dict(judge.read(claims, evidence))
    features = np.stack([found[index].features() for index in range(len(rows))])
    np.savez_compressed(cache, features=features)
    return features


def _report(rows: list[Row], labels: NDArray[np.int64], predicted: NDArray[np.float64]) -> None:
    sources = np.array([row.source.split("_")[0] for row in rows])
    print(
        f"{'set':24s} {'rows':>5s} {'3-way accuracy':>14s} {'supported bal.acc':>18s} "
        f"{'log loss':>9s}"
    )
    for source in [*sorted(set(sources)), "all"]:
        own = np.ones(len(rows), bool) if source == "all" else sources == source
        truth, scores = labels[own], predicted[own]
        three = (truth == scores.argmax(1)).mean()
        two = balanced_accuracy_score(truth == 0, scores[:, 0] >= 0.5)
        loss = log_loss(truth, scores, labels=[0, 1, 2])
        print(f"{source:24s} {own.sum():5d} {three:14.3f} {two:18.3f} {loss:9.3f}")
    confidence, right = predicted.max(1), predicted.argmax(1) == labels
    edges = np.quantile(confidence, np.linspace(0, 1, 11))
    bins = np.clip(np.searchsorted(edges, confidence, side="right") - 1, 0, 9)
    gaps = [
        (bins == b).mean() * abs(confidence[bins == b].mean() - right[bins == b].mean())
        for b in range(10)
    ]
    print(f"expected calibration error (10 equal-mass bins): {sum(gaps):.3f}")


if __name__ == "__main__":
    main()
