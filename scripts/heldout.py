"""Labelled rows (claim, passages, label) as the engine's own claims and evidence."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from veracite.engine.words import Claim
from veracite.index.documents import Document, Evidence, Passage, Sentence
from veracite.index.sentences import sentence_spans
from veracite.models.encoder import Encoder

__all__ = ["Row", "claim_of", "evidence_of", "read_rows", "sentences_of"]


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


def evidence_of(
    claim: str, passages: Iterable[tuple[str | None, str]], encoder: Encoder, k: int
) -> tuple[Evidence, ...]:
    """The k passages most similar to a claim, most similar first."""
    found = [_passage(heading, text) for heading, text in passages]
    vectors = encoder.encode([claim, *(_with_heading(p) for p in found)])
    cosines = vectors[1:] @ vectors[0]
    order = np.argsort(-cosines, kind="stable")[:k]
    return tuple(
        Evidence(found[i], rank, 1 / (60 + rank), float(cosines[i]), None)
        for rank, i in enumerate(order, 1)
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
