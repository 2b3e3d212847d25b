"""Prints what search finds: documents for questions, and the deciding sentences of claims.

    python scripts/measure_retrieval.py --data DATA [--queries 120] [--documents 400]

The first table has recall@6 of search by words, by meaning and by both, on first halves.

Each set's documents are one library: those that its questions need, and others of its corpus up to
the limit. A question's recall is the share of the documents it needs among those that the six best
passages come from. The last columns are what hybrid search has more than the better of the other
two, and a 95 % interval of that (questions drawn anew, 2,000 times).

The second table is of claims for which a set names the deciding sentences. The texts of a set's
claims are one library. It has the share of the claims of whose sentences at least one is among the
premises: as a check composes them, and composed from every passage of the library.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veracite.engine.evaluation.formats import load
from veracite.engine.evaluation.items import Query
from veracite.engine.judge.premises import Premises, compose
from veracite.engine.retrieve import Search
from veracite.engine.types import Claim
from veracite.index.memory import MemoryLibrary, Text, Vectors
from veracite.index.retrieval import Mode
from veracite.models.bundled import bundled_encoder, bundled_verifier

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from scripts.training import documents
from scripts.training.pairs import fever

SETS = {
    "HotpotQA": ["hotpotqa/hotpot_dev_distractor_subset.json.gz"],
    "NQ": ["nq_oracle/nq-open-oracle_0-1299.jsonl.gz"],
    "QED": ["qed/qed-dev.jsonlines.gz"],
    "SciFact": ["scifact/scifact.zip"],
}
K = 6
_LEAST = 20
"""Letters of a sentence that may be known again."""
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
    print("\n| set | claims | as a check | every passage | ratio |\n" + "|---" * 5 + "|")
    for name, examples in _claims(given.data).items():
        some = examples[:: max(1, len(examples) // given.queries)]
        once, whole = _evidence(some, vectors)
        print(
            f"| {name} | {len(some)} | {once:.3f} | {whole:.3f} | {once / whole:.3f} |", flush=True
        )


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


_Example = tuple[str, str, tuple[str, ...]]
"""A claim, its document and the sentences of it that decide the claim."""


def _claims(data: Path) -> dict[str, list[_Example]]:
    """The claims of each set whose deciding sentences are known."""
    found: dict[str, list[_Example]] = {
        "FEVER": [(pair.claim, pair.premise, (pair.premise,)) for pair in fever(data)]
    }
    loaders = {
        "WiCE": documents.wice,
        "Fool Me Twice": documents.foolmetwice,
        "ContractNLI": documents.contract_nli,
        "CitInt": documents.citint,
    }
    for name, loader in loaders.items():
        found[name] = [
            (e.claim, "\n\n".join(" ".join(sentences) for _, sentences in e.passages), e.evidence)
            for e in loader(data)
            if e.evidence and e.set != "wice_chunks"
        ]
    return found


def _evidence(examples: list[_Example], vectors: Vectors) -> tuple[float, float]:
    """The share of claims with a deciding sentence among the premises, both ways."""
    library = MemoryLibrary([Text(text, text) for text in {t for _, t, _ in examples}], vectors)
    fits = bundled_verifier().fits
    ways = {False: 0, True: 0}
    for statement, _, deciding in examples:
        claim = Claim(statement, 0, len(statement), statement, statement)
        (every,) = library.search_many([statement], k=100_000, threshold=None, mode="dense")
        (some,) = Search(library, None, None, "hybrid").gather([claim])
        for whole, evidence in ((True, every), (False, some)):
            ways[whole] += _has(compose(claim, evidence, library.sentences, fits), deciding)
    return ways[False] / len(examples), ways[True] / len(examples)


def _has(premises: Premises, deciding: Iterable[str]) -> bool:
    """Whether a sentence that decides the claim, or most of it, is read."""
    read = {_plain(c.sentence.text) for p in premises.premises for c in p.candidates}
    wanted = [_plain(sentence) for sentence in deciding]
    return any(own in one or one in own for one in wanted for own in read if len(own) >= _LEAST)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


if __name__ == "__main__":
    main()
