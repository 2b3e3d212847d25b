"""Write the training pairs and the held-out examples.

    python -m scripts.training.dataset --data DIR --out DIR

Writes ``short.jsonl`` and ``long.jsonl`` (premise, claim, label) to train on, ``checks.jsonl`` in
the same form from the part that never trains, and ``heldout.jsonl`` from the same part as claims
with passages. The held-out part is chosen by a hash of the claim, the page or the title.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from pathlib import Path
from typing import TextIO

from scripts.training.articles import articles
from scripts.training.documents import Example, documents
from scripts.training.pairs import LABELS, NEUTRAL, NOT_SUPPORTED, Pair, held_out, short_pairs
from scripts.training.shapes import document_premises, premise, window
from scripts.training.synthesis import Maker

SHARE = {
    "wice": 30,
    "wice_chunks": 30,
    "foolmetwice": 25,
    "foolmetwice_without": 25,
    "factcheck_gpt": 20,
    "summedits": 20,
    "expertqa": 15,
    "citint": 8,
    "contract_nli": 15,
}
"""Per cent of each document set that never trains."""
SELDOM = {"citint": 0.25, "contract_nli": 0.6}
"""The share of a set's pairs that is used: citing sentences are labelled for another question."""
TITLES = 5.0
"""Per cent of the articles' titles that never train."""
SETS_LIMIT = {
    "foolmetwice_without": 200,
    "factcheck_gpt": 400,
    "fever": 1000,
    "fever_neutral": 200,
    "fever_symmetric": 0,
}


def write(file: TextIO, name: str, shown: str, claim: str, label: int) -> None:
    """Write one pair."""
    row = {"set": name, "premise": shown, "claim": claim, "label": label}
    file.write(json.dumps(row, ensure_ascii=False) + "\n")


def held_row(name: str, claim: str, passages: list[tuple[str, str]], label: int) -> str:
    """Return one held-out example; a claim that is merely not supported counts as neutral."""
    word = LABELS[NEUTRAL if label == NOT_SUPPORTED else label]
    shown = [{"heading": heading or None, "text": text} for heading, text in passages]
    row = {"set": name, "claim": claim, "passages": shown, "label": word}
    return json.dumps(row, ensure_ascii=False) + "\n"


def _short(data: Path, out: Path, rng: random.Random) -> tuple[list[Pair], list[Pair]]:
    kept: list[Pair] = []
    aside: list[Pair] = []
    for pair in short_pairs(data, rng):
        fever = pair.set.startswith("fever")
        away = held_out(pair.claim, 11.5) if fever else held_out(pair.premise, 2)
        (aside if away else kept).append(pair)
    with (out / "short.jsonl").open("w", encoding="utf-8") as file:
        for pair in kept:
            write(file, pair.set, pair.premise, pair.claim, pair.label)
    return kept, aside


def _limited(rows: list[tuple[str, str]], rng: random.Random) -> list[str]:
    counts: Counter[str] = Counter()
    kept: list[str] = []
    rng.shuffle(rows)
    for name, row in rows:
        counts[name] += 1
        if counts[name] <= SETS_LIMIT.get(name, 650):
            kept.append(row)
    return kept


def build(data: Path, out: Path, picks: int, short_share: int) -> None:
    """Write all files."""
    rng = random.Random(11)
    short, aside = _short(data, out, rng)
    held: list[tuple[str, str]] = []
    for pair in aside:
        if pair.set in ("fever", "fever_neutral"):
            held.append(
                (pair.set, held_row(pair.set, pair.claim, [("", pair.premise)], pair.label))
            )
    used: list[Example] = []
    checks: list[tuple[str, str, str, int]] = []
    for example in documents(data):
        if not held_out(example.key, SHARE[example.set]):
            used.append(example)
            continue
        if len(example.passages) <= 60:
            passages = [(h, " ".join(s)) for h, s in example.passages]
            held.append(
                (example.set, held_row(example.set, example.claim, passages, example.label))
            )
        for shown, label in document_premises(example, rng):
            checks.append((example.set, shown, example.claim, label))
    every = articles(data)
    rest = [a for a in every if held_out(a.title, TITLES)]
    maker = Maker(rest, rng)
    for i in range(len(rest)):
        for made in maker.claims(i, 4):
            generated = premise(made, maker, i, rng)
            if generated:
                checks.append((f"made_{made.kind}", generated, made.claim, made.label))
            passages = [(made.article.heading, " ".join(window(made)))]
            if rng.random() < 0.5:
                other = maker.other(i)
                passages.append((other.heading, " ".join(other.sentences[:4])))
            if passages[0][1]:
                held.append(
                    ("generated", held_row(f"made_{made.kind}", made.claim, passages, made.label))
                )
    held_rows = _limited(held, rng)
    (out / "heldout.jsonl").write_text("".join(held_rows), encoding="utf-8")
    with (out / "checks.jsonl").open("w", encoding="utf-8") as file:
        for name, shown, claim, label in checks:
            write(file, name, shown, claim, label)
        for pair in aside:
            write(file, pair.set, pair.premise, pair.claim, pair.label)
    pool = [a for a in every if not held_out(a.title, TITLES)]
    maker = Maker(pool, rng)
    counts: Counter[str] = Counter()
    with (out / "long.jsonl").open("w", encoding="utf-8") as file:
        for example in used:
            if rng.random() > SELDOM.get(example.set, 1.0):
                continue
            for shown, label in document_premises(example, rng):
                write(file, example.set, shown, example.claim, label)
                counts[example.set] += 1
        for i in range(len(pool)):
            for made in maker.claims(i, picks):
                generated = premise(made, maker, i, rng)
                if generated:
                    write(file, f"made_{made.kind}", generated, made.claim, made.label)
                    counts[f"made_{made.kind}"] += 1
        useful = [p for p in short if p.set != "scitail"]
        for pair in rng.sample(useful, min(short_share, len(useful))):
            write(file, pair.set, pair.premise, pair.claim, pair.label)
            counts[pair.set] += 1
    print(json.dumps(counts, indent=1))
    print("held out", len(held_rows), "checks", len(checks) + len(aside))


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--picks", type=int, default=5, help="generated claims per article")
    parser.add_argument("--short", type=int, default=10_000, help="sentence pairs mixed in")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    build(given.data, given.out, given.picks, given.short)


if __name__ == "__main__":
    main()
