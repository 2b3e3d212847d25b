"""Leave out the word pieces that the texts of the training hardly have.

    python -m scripts.training.vocabulary --mpnet DIR --texts FILE_OR_FOLDER ... --out DIR

Writes ``tokenizer.json`` and ``kept.json``, the numbers that the pieces left had before. What
stays: special tokens, single characters and their continuations, so that nothing becomes unknown
that was not, and the pieces that the texts have most often. A word whose piece is gone is read in
smaller ones.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from tokenizers import Tokenizer

from scripts.training.pairs import read_lines

_FILES = (".jsonl", ".jsonl.gz", ".txt", ".txt.gz", ".csv.gz", ".json.gz", ".tsv.gz")
PIECE = 20_000
"""Characters that are cut into pieces at a time."""


def lines_of(paths: Iterable[Path]) -> Iterator[str]:
    """Yield the lines of files, and of the files of folders."""
    for given in paths:
        for path in sorted(given.rglob("*")) if given.is_dir() else [given]:
            if path.name.endswith(_FILES):
                for line in read_lines(path):
                    yield from (line[at : at + PIECE] for at in range(0, len(line), PIECE))


def counted(tokens: Tokenizer, lines: Iterable[str]) -> Counter[int]:
    """Return how often each piece occurs."""
    counts: Counter[int] = Counter()
    some: list[str] = []
    for line in lines:
        some.append(line)
        if len(some) == 1000:
            for e in tokens.encode_batch(some, add_special_tokens=False):
                counts.update(e.ids)
            some = []
    for e in tokens.encode_batch(some, add_special_tokens=False):
        counts.update(e.ids)
    return counts


def kept_pieces(
    vocabulary: dict[str, int], special: set[int], counts: Counter[int], most: int
) -> list[int]:
    """Return the numbers of the pieces that stay, in their order: what must, then the frequent."""
    single = {
        number
        for piece, number in vocabulary.items()
        if len(piece.removeprefix("##")) == 1 or number in special
    }
    frequent = (number for number, _ in counts.most_common() if number not in single)
    return sorted(single | set(islice(frequent, max(0, most - len(single)))))


def renumbered(definition: dict[str, object], kept: list[int]) -> dict[str, object]:
    """Return a tokenizer's definition with these pieces alone, numbered anew, without cutting."""
    new = {old: number for number, old in enumerate(kept)}
    model = dict(definition["model"])  # type: ignore[call-overload]
    model["vocab"] = {piece: new[old] for piece, old in model["vocab"].items() if old in new}
    added = [
        {**one, "id": new[one["id"]]}
        for one in definition["added_tokens"]  # type: ignore[attr-defined]
    ]
    around = dict(definition["post_processor"])  # type: ignore[call-overload]
    for side in ("sep", "cls"):
        around[side] = [around[side][0], new[around[side][1]]]
    cut = {"truncation": None, "padding": None}
    return {**definition, **cut, "added_tokens": added, "post_processor": around, "model": model}


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpnet", type=Path, required=True)
    parser.add_argument("--texts", type=Path, nargs="+", required=True)
    parser.add_argument("--most", type=int, default=20_000, help="pieces that stay")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    definition = json.loads((given.mpnet / "tokenizer.json").read_text("utf-8"))
    tokens = Tokenizer.from_str(json.dumps(definition))
    tokens.no_padding()
    tokens.no_truncation()
    special = {one["id"] for one in definition["added_tokens"]}
    counts = counted(tokens, lines_of(given.texts))
    kept = kept_pieces(definition["model"]["vocab"], special, counts, given.most)
    given.out.mkdir(parents=True, exist_ok=True)
    made = json.dumps(renumbered(definition, kept), ensure_ascii=False, separators=(",", ":"))
    (given.out / "tokenizer.json").write_text(made, "utf-8")
    (given.out / "kept.json").write_text(json.dumps(kept), "utf-8")
    left = set(kept)
    lost = sum(count for piece, count in counts.items() if piece not in left)
    print(f"{len(kept)} pieces; {lost / counts.total():.5f} of the texts' are not among them")


if __name__ == "__main__":
    main()
