"""How well verdicts separate true from false sentences, on WikiBio GPT-3 (Manakul et al., 2023).

Each article's own reference text is the library of its GPT-3 sentences: read, cut, indexed and
searched as any folder is. A sentence scores the probability that it is supported. Thresholds,
the baselines' too, are those with the best balanced accuracy on the first half of the articles;
results are on the second half. Intervals are a paired bootstrap over articles.

    python scripts/evaluate_wikibio.py wikibio_gpt3_000-118.jsonl.gz
"""

import argparse
import gzip
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from heldout import claim_of
from numpy.typing import NDArray

from veracite.engine.decision import bundled_decision
from veracite.engine.overlap import content_words, coverage
from veracite.engine.verify import Judge
from veracite.index.library import Library
from veracite.models.bundled import bundled_encoder, bundled_verifier
from veracite.models.encoder import Encoder
from veracite.models.entailment import Verifier

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Scored:
    """Every sentence of the set with what each method gives it; arrays of one length."""

    article: NDArray[np.int64]
    factual: NDArray[np.bool_]
    methods: dict[str, Values]


def main() -> None:
    """Scores all sentences and prints the table."""
    options = _options()
    with gzip.open(options.data, "rt", encoding="utf-8") as lines:
        articles = [json.loads(line) for line in lines]
    scored = _score_all(articles, options.k)
    if options.scores:
        columns = {"article": scored.article, "factual": scored.factual} | scored.methods
        np.savez_compressed(options.scores, allow_pickle=False, **columns)
    middle = len(articles) // 2
    _print_table(scored, scored.article < middle, scored.article >= middle)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("-k", type=int, default=6, help="passages a sentence is judged on (CEG: 6)")
    parser.add_argument(
        "--scores", type=Path, help="keep every sentence's scores in this .npz file"
    )
    return parser.parse_args()


def _score_all(articles: Sequence[dict[str, object]], k: int) -> Scored:
    encoder, verifier = bundled_encoder(), bundled_verifier()
    article: list[int] = []
    factual: list[bool] = []
    rows: list[dict[str, float]] = []
    for number, item in enumerate(articles):
        sentences = [str(s) for s in _list(item["gpt3_sentences"])]
        labels = [str(s) for s in _list(item["annotation"])]
        rows += _score(sentences, str(item["wiki_bio_text"]), encoder, verifier, k)
        article += [number] * len(sentences)
        factual += [label == "accurate" for label in labels]
    return Scored(
        np.array(article),
        np.array(factual),
        {name: np.array([row[name] for row in rows]) for name in rows[0]},
    )


def _list(value: object) -> list[object]:
    assert isinstance(value, list)
    return value


def _score(
    sentences: Sequence[str], reference: str, encoder: Encoder, verifier: Verifier, k: int
) -> list[dict[str, float]]:
    """The scores of one article's sentences, by every method."""
    decision = bundled_decision()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "article.txt").write_text(reference, encoding="utf-8")
        index = Path(folder) / "index"
        with Library.open(index, encode=encoder.encode, encoder_id=encoder.id) as library:
            library.add([Path(folder) / "article.txt"])
            for _ in library.sync():
                pass
            claims = [claim_of(sentence) for sentence in sentences]
            evidence = library.search_many(
                sentences, k=k, threshold=encoder.threshold, mode="hybrid"
            )
            judge = Judge(verifier, decision, 0.5, library.sentences, library.raw_text)
            readings = dict(judge.read(claims, evidence))
    stems = {word.stem for word in content_words(reference)}
    return [
        {
            "Veracite": decision.scores(readings[i].features()).supported,
            "verifier alone": float(readings[i].probabilities[:, 0].max()),
            "lexical overlap": coverage(content_words(sentence), stems),
            "embedding similarity": max(e.cosine or 0.0 for e in evidence[i]),
            "length": -float(len(sentence)),
        }
        for i, sentence in enumerate(sentences)
    ]


def _print_table(scored: Scored, chosen: NDArray[np.bool_], held: NDArray[np.bool_]) -> None:
    truth = scored.factual[held]
    print(
        f"sentences: {chosen.sum()} for thresholds, {held.sum()} for results, "
        f"of these {truth.mean():.1%} factual; always one label: balanced accuracy 0.500"
    )
    print(
        f"{'method':22s} {'threshold':>9s} {'bal.acc':>8s} {'AUC':>6s} {'AP factual':>10s} "
        f"{'AP nonfactual':>13s}  Veracite's lead, 95 % interval"
    )
    said: dict[str, NDArray[np.bool_]] = {}
    for name, values in scored.methods.items():
        threshold = _best_threshold(values[chosen], scored.factual[chosen])
        said[name] = values[held] >= threshold
        low, high = _lead(said["Veracite"], said[name], truth, scored.article[held])
        lead = "" if name == "Veracite" else f"{low:+.3f} .. {high:+.3f}"
        print(
            f"{name:22s} {threshold:9.3f} {_balanced(said[name], truth):8.3f} "
            f"{_auc(values[held], truth):6.3f} {_precision(values[held], truth):10.3f} "
            f"{_precision(-values[held], ~truth):13.3f}  {lead}"
        )


def _balanced(said: NDArray[np.bool_], truth: NDArray[np.bool_]) -> float:
    return float((said[truth].mean() + (~said[~truth]).mean()) / 2)


def _best_threshold(values: Values, truth: NDArray[np.bool_]) -> float:
    candidates = np.unique(values)
    return float(max(candidates, key=lambda t: _balanced(values >= t, truth)))


def _auc(values: Values, truth: NDArray[np.bool_]) -> float:
    """Probability that a factual sentence scores above a nonfactual one, ties counted half."""
    above = values[truth][:, None] - values[~truth][None, :]
    return float((above > 0).mean() + (above == 0).mean() / 2)


def _precision(values: Values, truth: NDArray[np.bool_]) -> float:
    """Average precision: the mean precision at each true item, best score first."""
    right = truth[np.argsort(-values, kind="stable")]
    return float((np.cumsum(right) / np.arange(1, len(right) + 1))[right].mean())


def _lead(
    ours: NDArray[np.bool_],
    theirs: NDArray[np.bool_],
    truth: NDArray[np.bool_],
    article: NDArray[np.int64],
    rounds: int = 2000,
) -> tuple[float, float]:
    """95 % interval of the difference in balanced accuracy, articles drawn with replacement."""
    random = np.random.default_rng(0)
    members = [np.flatnonzero(article == a) for a in np.unique(article)]
    leads = []
    for _ in range(rounds):
        drawn = np.concatenate(
            [members[i] for i in random.integers(len(members), size=len(members))]
        )
        leads.append(_balanced(ours[drawn], truth[drawn]) - _balanced(theirs[drawn], truth[drawn]))
    low, high = np.quantile(leads, [0.025, 0.975])
    return float(low), float(high)


if __name__ == "__main__":
    main()
