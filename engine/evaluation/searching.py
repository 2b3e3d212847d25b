"""Finding the documents that answer a query: BM25, dense and both, beside a random order."""

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from veracite.engine.evaluation.items import Prediction, Query
from veracite.engine.settings import Retrieval
from veracite.index.documents import Evidence
from veracite.index.library import Library

__all__ = ["DEPTH", "METHODS", "Searcher"]

METHODS = {
    "hybrid": "BM25 and embeddings, fused, as `veracite check` searches",
    "dense": "the sentence encoder's embeddings alone",
    "lexical": "BM25 alone",
    "random": "documents in random order",
}
DEPTH = 100
"""Documents that are kept of each ranking."""

_MODES: Mapping[str, Retrieval] = {"hybrid": "hybrid", "dense": "dense", "lexical": "lexical"}


@dataclass(frozen=True, slots=True)
class Searcher:
    """Searches one library for every query.

    A document stands where its best passage stands.
    """

    library: Library
    ids: Mapping[str, str]
    """File name in the library to the document's id in the set."""
    seed: int

    def predictions(self, queries: Sequence[Query]) -> list[Prediction]:
        """The documents that each method finds, best first."""
        made: list[Prediction] = []
        for method, mode in _MODES.items():
            began = time.perf_counter()
            found = self.library.search_many([q.text for q in queries], k=2 * DEPTH, mode=mode)
            seconds = (time.perf_counter() - began) / max(1, len(queries))
            made += [
                _prediction(query, method, self._documents(evidence), seconds)
                for query, evidence in zip(queries, found, strict=True)
            ]
        known = sorted(set(self.ids.values()))
        for query in queries:
            drawn = random.Random(f"{self.seed}/{query.id}")
            found_by_chance = drawn.sample(known, min(DEPTH, len(known)))
            made.append(_prediction(query, "random", found_by_chance, 0.0))
        return made

    def _documents(self, found: Sequence[Evidence]) -> list[str]:
        names = (PurePath(item.passage.document.path).name for item in found)
        return list(dict.fromkeys(self.ids[name] for name in names))[:DEPTH]


def _prediction(query: Query, method: str, found: Sequence[str], seconds: float) -> Prediction:
    return Prediction(query.id, method, None, None, round(seconds, 6), found=tuple(found))
