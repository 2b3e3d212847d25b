"""Write the third stage's pairs: those written by hand, behind some that the network knows.

    python -m scripts.training.refine --known PAIRS.jsonl --out DIR

Writes ``known.jsonl``, a sample of ``--known`` (what ``scripts.training.stage2`` wrote), to be
labelled by the network that is to be refined (``label_pairs --network``), so that it forgets less;
``refine.jsonl``, the same with the written pairs behind it, each once to three times in different
forms (``--renamed``: under other surnames), those seldom whose claim alone betrays its label
("not", "because", "all" are no evidence; after He et al., Unlearn Dataset Bias in Natural Language
Inference, 2019, with numbers of copies for weights); and ``written_checks.jsonl``, the blocks that
never train.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline

from scripts.training.dataset import SHARE, write
from scripts.training.pairs import Pair, read_lines
from scripts.training.renaming import Surnames
from scripts.training.written import FOLDER, Block, blocks, copies, renderings

SHARES = {"document": 0.6, "sentence": 0.5, "generated": 0.2}
"""Shares of what is known that is kept, by what it was made from."""
MOST_BETRAYED = 0.33
"""How likely a label may be by its claim alone for the pair to be used every time."""
SENTENCES = {
    "snli", "mnli", "fever", "sick", "watson", "fever_neutral", "rte", "scitail",
    "fever_symmetric", "fracas", "commitment_bank",
}  # fmt: skip


def kind(name: str) -> str:
    """Return what a set's pairs were made from."""
    bare = name.removeprefix("tok_").removeprefix("aside_")
    if bare in SHARE:
        return "document"
    return "sentence" if bare in SENTENCES else "generated"


def known_pairs(path: Path, share: float, rng: random.Random) -> list[Pair]:
    """Return the sample of what is known, ``share`` of what ``SHARES`` would keep."""
    rows = (json.loads(line) for line in read_lines(path))
    return [
        Pair(row["set"], row["premise"], row["claim"], row["label"])
        for row in rows
        if rng.random() < share * SHARES[kind(row["set"])]
    ]


def betrayed(chosen: list[Block]) -> npt.NDArray[np.float64]:
    """Return how likely each claim's label is by the words of the claim alone, shape (claims,).

    Each is told by a model of the other blocks' claims.
    """
    claims = [claim for block in chosen for claim, _ in block.claims]
    labels = np.array([label for block in chosen for _, label in block.claims])
    groups = [at for at, block in enumerate(chosen) for _ in block.claims]
    words = TfidfVectorizer(ngram_range=(1, 2), min_df=2, token_pattern=r"\b\w+\b")
    model = make_pipeline(words, LogisticRegression(max_iter=300))
    told = cross_val_predict(
        model, claims, labels, groups=groups, cv=GroupKFold(8), method="predict_proba"
    )
    chances: npt.NDArray[np.float64] = told[np.arange(len(labels)), labels]
    return chances


def written_pairs(
    chosen: list[Block], times: int, rng: random.Random, share: float
) -> Iterator[Pair]:
    """Yield the written pairs, the fewer times the more their claims betray, a share renamed."""
    if not share:
        yield from _in_turn(chosen, times, rng)
        return
    surnames = Surnames(
        text
        for block in chosen
        for text in (block.heading, block.premise, *(claim for claim, _ in block.claims))
    )
    for pair in _in_turn(chosen, times, rng):
        yield surnames.renamed(pair, rng) if rng.random() < share else pair


def _in_turn(chosen: list[Block], times: int, rng: random.Random) -> Iterator[Pair]:
    chances = betrayed(chosen)
    for turn in range(times):
        for pair, chance in zip(renderings(chosen, rng), chances, strict=True):
            if turn == 0 or rng.random() < (MOST_BETRAYED / max(chance, MOST_BETRAYED)) ** 2:
                yield pair
        yield from renderings(list(copies(chosen, rng)), rng)


def put(path: Path, pairs: Iterable[Pair]) -> None:
    """Write pairs as JSON lines."""
    with path.open("w", encoding="utf-8") as file:
        for pair in pairs:
            write(file, pair.set, pair.premise, pair.claim, pair.label)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--known", type=Path, required=True)
    parser.add_argument("--written", type=Path, default=FOLDER)
    parser.add_argument("--times", type=int, default=3, help="forms of each written pair")
    parser.add_argument("--share", type=float, default=1.0, help="of what is known")
    parser.add_argument("--renamed", type=float, default=0.0, help="share under other surnames")
    parser.add_argument("--seed", type=int, default=29)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    known = known_pairs(given.known, given.share, random.Random(5))
    every = blocks(given.written)
    taught = [block for block in every if not block.held_out]
    held = [block for block in every if block.held_out]
    new = list(written_pairs(taught, given.times, random.Random(given.seed), given.renamed))
    checks = list(renderings(held, random.Random(29)))
    put(given.out / "known.jsonl", known)
    put(given.out / "refine.jsonl", [*known, *new])
    put(given.out / "written_checks.jsonl", checks)
    print(f"{len(known)} known pairs, {len(new)} written ones, {len(checks)} to check")


if __name__ == "__main__":
    main()
