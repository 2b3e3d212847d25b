"""Claims, passages and readings for the tests, made from plain words."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from veracite.engine.judge.decision import Reading
from veracite.engine.judge.premises import compose
from veracite.engine.types import Claim
from veracite.index.documents import Document, Evidence, Passage, Sentence

SUPPORTED, NEUTRAL, CONTRADICTED = (0.9, 0.08, 0.02), (0.05, 0.9, 0.05), (0.02, 0.08, 0.9)


def claim(text: str, query: str | None = None) -> Claim:
    return Claim(text, 0, len(text), text, query or text)


def evidence(
    name: str, sentences: Sequence[str], heading: str | None = None, rank: int = 1
) -> Evidence:
    """A passage whose raw text is its sentences, one a line."""
    text = " ".join(sentences)
    document = Document(f"/{name}", f"sha-{name}", "plain/1")
    passage = Passage(document, 0, len(text), 1, heading, text, f"id-{name}")
    return Evidence(passage, rank, 1 / (60 + rank), 0.6, None)


def sentences_of(passage: Passage) -> list[Sentence]:
    found, start = [], 0
    for part in passage.text.split(". "):
        end = start + len(part) + (0 if start + len(part) == len(passage.text) else 1)
        found.append(Sentence(start, end, 1, passage.text[start:end]))
        start = end + 1
    return found


def raw_text_of(*items: Evidence) -> Callable[[Document], str]:
    texts = {item.passage.document.path: item.passage.text for item in items}
    return lambda document: texts[document.path]


def reading(
    said: Claim,
    items: Sequence[Evidence],
    rows: Mapping[str, tuple[float, float, float]] | None = None,
) -> Reading:
    """A reading in which a premise has the probabilities of the first text that stands in it.

    A premise in which none does is neutral.
    """
    premises = compose(said, items, sentences_of, lambda premise, claim: True)
    known = rows or {}
    found = [
        next((row for text, row in known.items() if text in premise.text), NEUTRAL)
        for premise in premises.premises
    ]
    return Reading.of(premises, np.array(found, dtype=np.float32))
