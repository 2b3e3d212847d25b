"""Prints recall@6 of search by words, by meaning and by both, on first halves of question sets.

    python scripts/measure_retrieval.py --data DATA [--queries 120] [--documents 400]

Each set's documents are one library: those that its questions need, and others of its corpus up to
the limit. A question's recall is the share of the documents it needs among those that the six best
passages come from. The last columns are what hybrid search has more than the better of the other
two, and a 95 % interval of that (questions drawn anew, 2,000 times).
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veracite.engine.evaluation.formats import load
from veracite.engine.evaluation.items import Query
from veracite.index.memory import MemoryLibrary, Text, Vectors
from veracite.index.retrieval import Mode
from veracite.models.bundled import bundled_encoder

SETS = {
    "HotpotQA": ["hotpotqa/hotpot_dev_distractor_subset.json.gz"],
    "NQ": ["nq_oracle/nq-open-oracle_0-1299.jsonl.gz"],
    "QED": ["qed/qed-dev.jsonlines.gz"],
    "SciFact": ["scifact/scifact.zip"],
}
K = 6
MODES: tuple[Mode, ...] = ("lexical", "dense", "hybrid")


def main() -> None:
    """Reads the sets one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--queries", type=int, default=120)
    parser.add_argument("--documents", type=int, default=400)
    given = parser.parse_args()
    vectors = Vectors(bundled_encoder().encode)
    print("| set | questions | words | meaning | hybrid | more | 95 % |\n" + "|---" * 7 + "|")
    for name, files in SETS.items():
        queries, library = _set(given, files, vectors)
        recalls = {mode: _recalls(queries, library, mode) for mode in MODES}
        words, meaning, hybrid = (recalls[mode].mean() for mode in MODES)
        better = recalls["lexical" if words >= meaning else "dense"]
        more = recalls["hybrid"] - better
        drawn = np.random.default_rng(0).integers(len(more), size=(2_000, len(more)))
        low, high = np.quantile(more[drawn].mean(axis=1), [0.025, 0.975])
        figures = f"{words:.3f} | {meaning:.3f} | {hybrid:.3f} | {more.mean():+.3f}"
        print(f"| {name} | {len(queries)} | {figures} | {low:+.3f} to {high:+.3f} |", flush=True)


def _set(
    given: argparse.Namespace, files: list[str], vectors: Vectors
) -> tuple[list[Query], MemoryLibrary]:
    loaded = load("retrieve", [given.data / "eval" / file for file in files])
    every = [item for item in loaded.items if isinstance(item, Query)]
    first = every[: len(every) // 2]
    queries = first[:: max(1, len(first) // given.queries)]
    needed = {document for query in queries for document in query.relevant}
    corpus = sorted(loaded.corpus, key=lambda document: document.id not in needed)
    texts = [Text(d.id, d.text, d.title) for d in corpus[: max(len(needed), given.documents)]]
    return queries, MemoryLibrary(texts, vectors)


def _recalls(queries: list[Query], library: MemoryLibrary, mode: Mode) -> NDArray[np.float64]:
    def recalls() -> Iterator[float]:
        found = library.search_many([query.text for query in queries], k=K, mode=mode)
        for query, evidence in zip(queries, found, strict=True):
            documents = {one.passage.document.path for one in evidence}
            yield len(documents & set(query.relevant)) / len(query.relevant)

    return np.array(list(recalls()))


if __name__ == "__main__":
    main()
