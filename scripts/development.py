"""The claims that choices are made on: first halves of labelled sets, and sets kept for that.

Everything here may be looked at as often as one likes; the second halves, which
``measure_quality.py`` takes its figures from, are left out by the same split.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from veracite.engine.claims.segmentation import segment
from veracite.engine.evaluation.figures import split
from veracite.engine.evaluation.formats import load
from veracite.engine.evaluation.items import Source, Statement, Task
from veracite.engine.evaluation.predict import claims_of
from veracite.engine.types import Claim
from veracite.index.memory import MemoryLibrary, Text, Vectors

ROOT = Path(__file__).resolve().parents[1]
LABELS = {
    "SUPPORTS": "supported", "REFUTES": "contradicted", "Entailment": "supported",
    "Contradiction": "contradicted", "NotMentioned": "neutral", "supported": "supported",
    "neither": "neutral", "contradicted": "contradicted",
}  # fmt: skip
"""What the sets call a claim; anything else that is not true is merely not supported."""


@dataclass(frozen=True, slots=True)
class Item:
    """A labelled claim and the library that it is judged by."""

    claim: Claim
    label: str
    """supported, neutral, contradicted; unsupported where it may be either of the last two."""
    group: str
    library: MemoryLibrary


@dataclass(frozen=True, slots=True)
class Set:
    """A set's items."""

    name: str
    items: tuple[Item, ...]


def development_sets(data: Path, held: Path, vectors: Vectors, limit: int) -> Iterator[Set]:
    """Each set of claims, at most ``limit`` of one.

    Args:
        data: Laid out as its README says.
        held: What ``scripts.training.untrained`` wrote from it.
        vectors: Of passages and queries.
        limit: Items of a set; every n-th one is taken.
    """
    yield Set("strangers", tuple(_strangers(ROOT / "scripts/strangers/first", vectors)))
    yield Set("same subject", tuple(_same_subject(vectors)))
    yield Set("changed facts", tuple(_changed_facts(vectors, limit)))
    wikibio = data / "eval/wikibio/wikibio_gpt3_000-118.jsonl.gz"
    yield _together("wikibio", "detect", [wikibio], vectors, limit)
    begin = [data / f"eval/begin/begin_dev_{part}.tsv.gz" for part in ("cmu", "tc", "wow")]
    for name, files in {
        "attributionbench": [held / "attributionbench.jsonl"],
        "begin": begin,
        "foolmetwice": [held / "foolmetwice.jsonl"],
        "contract": [held / "contract_nli.json"],
        "wice": [held / "wice.jsonl"],
    }.items():
        yield _each(name, files, vectors, limit)


def _library(sources: dict[str, Source], vectors: Vectors) -> MemoryLibrary:
    return MemoryLibrary([Text(s.id, s.text, s.title) for s in sources.values()], vectors)


def _plain(text: str) -> Claim:
    """A claim as a draft of one paragraph has it."""
    (claim, *rest) = segment(text, markdown=False)
    return claim if not rest else Claim(text, 0, len(text), text, text)


def _strangers(folder: Path, vectors: Vectors) -> Iterator[Item]:
    files = sorted((folder / "documents").iterdir())
    library = MemoryLibrary([Text(f.name, f.read_text("utf-8")) for f in files], vectors)
    for line in (folder / "claims.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        group = row.get("document", row["claim"])
        yield Item(_plain(row["claim"]), LABELS[row["label"]], group, library)


def _same_subject(vectors: Vectors) -> Iterator[Item]:
    (path,) = (ROOT / "tests").rglob("same_subject.json")
    held = json.loads(path.read_text("utf-8"))
    library = MemoryLibrary([Text(d["name"], d["text"]) for d in held["documents"]], vectors)
    for row in held["claims"]:
        label = "neutral" if "not" in row else "contradicted"
        yield Item(_plain(row["claim"]), label, row["claim"], library)


def _changed_facts(vectors: Vectors, limit: int) -> Iterator[Item]:
    lines = (ROOT / "tests/changed_facts/changed_facts.jsonl").read_text("utf-8").splitlines()
    pairs = [json.loads(line) for line in lines]
    chosen = pairs[:: max(1, len(pairs) // limit) | 1]
    for row in chosen:
        library = MemoryLibrary([Text(row["id"], row["premise"])], vectors)
        yield Item(_plain(row["claim"]), row["label"], row["id"], library)


def _first_half(task: Task, files: list[Path], limit: int) -> list[Statement]:
    every = [item for item in load(task, files).items if isinstance(item, Statement)]
    truth = np.array([statement.truth for statement in every])
    parts = split([s.group for s in every], [s.part for s in every], truth)
    kept = [s for s, chosen in zip(every, parts.chosen, strict=True) if chosen]
    return kept[:: max(1, len(kept) // limit)]


def _labelled(statement: Statement) -> str:
    if statement.truth:
        return "supported"
    return LABELS.get(statement.label, "unsupported")


def _together(name: str, task: Task, files: list[Path], vectors: Vectors, limit: int) -> Set:
    """A set whose documents are one library, those of the second half among them."""
    sources = {
        source.id: source
        for item in load(task, files).items
        if isinstance(item, Statement)
        for source in item.sources
    }
    library = _library(sources, vectors)
    return Set(name, tuple(_items(_first_half(task, files, limit), lambda s: library)))


def _each(name: str, files: list[Path], vectors: Vectors, limit: int) -> Set:
    known: dict[tuple[str, ...], MemoryLibrary] = {}

    def of(statement: Statement) -> MemoryLibrary:
        sources = {source.id: source for source in statement.sources}
        return known.setdefault(tuple(sources), _library(sources, vectors))

    return Set(name, tuple(_items(_first_half("attribute", files, limit), of)))


def _items(statements: list[Statement], library_of) -> Iterator[Item]:  # type: ignore[no-untyped-def]
    for statement in statements:
        claims = [c for c in claims_of(statement) if c.not_checkable is None]
        if len(claims) == 1:
            label = _labelled(statement)
            yield Item(claims[0], label, statement.group, library_of(statement))
