"""Labelled rows (claim, passages, label) as the engine's own claims and evidence."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from veracite.engine.overlap import content_words, coverage
from veracite.engine.words import Claim
from veracite.index.documents import Document, Evidence, Passage, Sentence
from veracite.index.sentences import sentence_spans
from veracite.models.encoder import Encoder

__all__ = ["Pool", "Row", "claim_of", "read_rows", "sentences_of"]


_SHARED = 0.5


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled example."""

    source: str
    """The set it comes from."""
    claim: str
    passages: tuple[tuple[str | None, str], ...]
    """(heading, text) of each."""
    label: str
    """supported, neutral or contradicted."""


def read_rows(path: Path) -> Iterator[Row]:
    """Rows of a JSON lines file as ``scripts/training`` writes them."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            passages = tuple((p["heading"], p["text"]) for p in row["passages"] if p["text"])
            yield Row(row["set"], row["claim"], passages, row["label"])


def claim_of(text: str) -> Claim:
    """A sentence as a claim, taken as it is."""
    return Claim(text, 0, len(text), statement=text, query=text)


class Pool:
    """All rows' passages: from the others come the passages that a search finds beside the right.

    A library returns k passages for every claim, mostly beside the point. Rows with one passage
    would teach the decision nothing about them.
    """

    def __init__(self, rows: Sequence[Row], encoder: Encoder) -> None:
        texts = dict.fromkeys(passage for row in rows for passage in row.passages)
        self._passages = [_passage(heading, text) for heading, text in texts]
        self._places = {passage: place for place, passage in enumerate(texts)}
        self._vectors = encoder.encode([_with_heading(p) for p in self._passages])
        self._stems = [
            frozenset(word.stem for word in content_words(_with_heading(p))) for p in self._passages
        ]
        self._encoder = encoder

    def evidence(self, row: Row, k: int) -> tuple[Evidence, ...]:
        """A row's own passages, most similar first, filled up to k with near ones of other rows.

        None that shares half of the claim's words: it might decide the claim after all.
        """
        (query,) = self._encoder.encode([row.claim])
        cosines = self._vectors @ query
        own = {self._places[passage] for passage in row.passages}
        chosen = sorted(own, key=lambda place: -cosines[place])[:k]
        said = content_words(row.claim)
        for place in np.argsort(-cosines, kind="stable"):
            if len(chosen) >= k:
                break
            if place not in own and coverage(said, self._stems[place]) < _SHARED:
                chosen.append(int(place))
        chosen.sort(key=lambda place: -cosines[place])
        return tuple(
            Evidence(self._passages[place], rank, 1 / (60 + rank), float(cosines[place]), None)
            for rank, place in enumerate(chosen, 1)
        )


def sentences_of(passage: Passage) -> Sequence[Sentence]:
    """The sentences of a passage that stands for a document of its own."""
    return [
        Sentence(s.start, s.end, None, passage.text[s.start : s.end])
        for s in sentence_spans(passage.text)
    ]


def _passage(heading: str | None, text: str) -> Passage:
    digest = hashlib.sha256(f"{heading}\n{text}".encode()).hexdigest()
    document = Document(f"/{digest}", digest, "rows/1")
    return Passage(document, 0, len(text), None, heading, text, digest)


def _with_heading(passage: Passage) -> str:
    return f"{passage.heading}. {passage.text}" if passage.heading else passage.text
