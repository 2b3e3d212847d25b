"""Prints what each check of the decision is worth, on the claims that choices are made on.

    python -m scripts.training.untrained --data DATA --out HELD
    python scripts/measure_checks.py --data DATA --held HELD [--limit 60]

For each check: for how many claims it says anything, how many labels are others without it (its
weight taken for 0, nothing fitted anew), and how many right less wrong labels that loses on each
set. A label is right, wrong, or neither: uncertain, or *not found* for what is there.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from measure_strangers import sets

from veracite.engine.claims.segmentation import segment
from veracite.engine.evaluation.figures import split
from veracite.engine.evaluation.formats import load
from veracite.engine.evaluation.items import Statement, Task
from veracite.engine.evaluation.predict import claims_of
from veracite.engine.judge.checks import CHECKS, SOMETHING_ELSE, VERBATIM
from veracite.engine.judge.decision import PREMISE, Decision, Reading, bundled_decision
from veracite.engine.judge.judge import Judge
from veracite.engine.retrieve import Search
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Claim, Label
from veracite.index.memory import MemoryLibrary, Text, Vectors
from veracite.models.bundled import bundled_encoder, bundled_verifier

ROOT = Path(__file__).resolve().parents[1]
BAR = CheckSettings().uncertain_below
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
    library: MemoryLibrary


def main() -> None:
    """Reads the sets once and decides them as often as there are checks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--held", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=60, help="claims of a set")
    given = parser.parse_args()
    items = dict(_sets(given.data, given.held, Vectors(bundled_encoder().encode), given.limit))
    readings = {name: list(_readings(some)) for name, some in items.items()}
    decision = bundled_decision()
    whole = {name: [_label(decision, r) for r in found] for name, found in readings.items()}
    print("| check | fires | changed | loss | where |\n|---|---|---|---|---|")
    for check in (check.id for check in CHECKS):
        without = decision.without([check])
        changed, loss, where = 0, 0, []
        for name, some in items.items():
            labels = [_label(without, reading) for reading in readings[name]]
            differing = sum(a is not b for a, b in zip(labels, whole[name], strict=True))
            lost = _worth(some, whole[name]) - _worth(some, labels)
            changed, loss = changed + differing, loss + lost
            where += [f"{name} {lost:+d}"] if differing else []
        fires = _fires(check, [r for found in readings.values() for r in found if r is not None])
        print(f"| {check} | {fires} | {changed} | {loss:+d} | {', '.join(where)} |")


def _sets(data: Path, held: Path, vectors: Vectors, limit: int) -> Iterator[tuple[str, list[Item]]]:
    """Each set of claims: first halves of labelled ones, and some that are kept for choices.

    ``measure_quality.py`` takes its figures from the second halves, by the same split.
    """
    yield "strangers", list(_own(ROOT / "scripts/strangers/first", vectors))
    yield "same subject", list(_own(ROOT / "tests/data", vectors))
    yield "changed facts", list(_changed_facts(vectors, limit))
    wikibio = [data / "eval/wikibio/wikibio_gpt3_000-118.jsonl.gz"]
    begin = [data / f"eval/begin/begin_dev_{part}.tsv.gz" for part in ("cmu", "tc", "wow")]
    yield "wikibio", list(_first_half("detect", wikibio, vectors, limit))
    for name, files in {
        "attributionbench": [held / "attributionbench.jsonl"],
        "begin": begin,
        "foolmetwice": [held / "foolmetwice.jsonl"],
        "contract": [held / "contract_nli.json"],
        "wice": [held / "wice.jsonl"],
    }.items():
        yield name, list(_first_half("attribute", files, vectors, limit))


def _plain(text: str) -> Claim:
    """A claim as a draft of one paragraph has it."""
    (claim, *rest) = segment(text, markdown=False)
    return claim if not rest else Claim(text, 0, len(text), text, text)


def _own(folder: Path, vectors: Vectors) -> Iterator[Item]:
    for _, rows, documents in sets(folder):
        files = sorted(documents.iterdir())
        library = MemoryLibrary([Text(f.name, f.read_text("utf-8")) for f in files], vectors)
        yield from (Item(_plain(row["claim"]), LABELS[row["label"]], library) for row in rows)


def _changed_facts(vectors: Vectors, limit: int) -> Iterator[Item]:
    lines = (ROOT / "tests/changed_facts/changed_facts.jsonl").read_text("utf-8").splitlines()
    for row in map(json.loads, lines[:: max(1, len(lines) // limit) | 1]):
        library = MemoryLibrary([Text(row["id"], row["premise"])], vectors)
        yield Item(_plain(row["claim"]), row["label"], library)


def _first_half(task: Task, files: list[Path], vectors: Vectors, limit: int) -> Iterator[Item]:
    """Some of a set; what is detected has the documents of all for its library."""
    every = [item for item in load(task, files).items if isinstance(item, Statement)]
    truth = np.array([one.truth for one in every])
    parts = split([one.group for one in every], [one.part for one in every], truth)
    kept = [one for one, chosen in zip(every, parts.chosen, strict=True) if chosen]
    known: dict[tuple[str, ...], MemoryLibrary] = {}
    for one in kept[:: max(1, len(kept) // limit)]:
        claims = [claim for claim in claims_of(one) if claim.not_checkable is None]
        if len(claims) != 1:
            continue
        owners = every if task == "detect" else [one]
        sources = {source.id: source for owner in owners for source in owner.sources}
        if tuple(sources) not in known:
            texts = [Text(s.id, s.text, s.title) for s in sources.values()]
            known[tuple(sources)] = MemoryLibrary(texts, vectors)
        label = "supported" if one.truth else LABELS.get(one.label, "unsupported")
        yield Item(claims[0], label, known[tuple(sources)])


def _readings(items: Sequence[Item]) -> Iterator[Reading | None]:
    verifier = bundled_verifier()
    for item in items:
        library = item.library
        judge = Judge(verifier, bundled_decision(), BAR, library.sentences, library.raw_text)
        evidence = Search(library, None, None, "hybrid").gather([item.claim])
        yield dict(judge.read([item.claim], evidence)).get(0)


def _label(decision: Decision, reading: Reading | None) -> Label:
    if reading is None:
        return Label.NOT_FOUND
    return decision.decide(reading, BAR).label


def _worth(items: Sequence[Item], labels: Sequence[Label]) -> int:
    """Right labels less wrong ones."""
    return sum(_right(item.label, label) for item, label in zip(items, labels, strict=True))


def _right(truth: str, label: Label) -> int:
    if truth in ("supported", "contradicted"):
        opposite = "contradicted" if truth == "supported" else "supported"
        return {truth: 1, opposite: -1}.get(label.value, 0)
    right = ("not_found", "contradicted") if truth == "unsupported" else ("not_found",)
    return 0 if label is Label.UNCERTAIN else 1 if label.value in right else -1


def _fires(check: str, readings: Sequence[Reading]) -> int:
    if check in PREMISE:
        return sum(bool(reading.beside[:, PREMISE.index(check)].any()) for reading in readings)
    if check == VERBATIM.id:
        return sum(reading.verbatim is not None for reading in readings)
    if check == SOMETHING_ELSE.id:
        return sum(any(reading.apart) for reading in readings)
    barred = (r.cannot_support(r.probabilities[:, 0] >= 0.5) for r in readings)
    return sum(bool(one.any()) for one in barred)


if __name__ == "__main__":
    main()
