"""Compare exported verifiers on pairs that trained none of them.

    python -m scripts.training.compare rows --data DIR --held DIR --checks FILE --out ROWS.jsonl
    python -m scripts.training.compare judge --rows ROWS.jsonl --network FOLDER FOLDER ...

``rows`` takes some of each kind of ``--checks`` (what ``mix`` wrote), and of the sets that stay out
of all training those groups that no figure is taken from, each with the sentences that share most
with it: alone, joined, and their passage. ``judge`` prints for each set the area under the curve
of "supported" (the best premise's), and three-way accuracy where there is one premise.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from scripts.training.pairs import JOINT, NOT_SUPPORTED, headed, read_lines
from scripts.training.written import HELD_SERIES

Row = dict[str, Any]

SINGLE, TOGETHER, WORDS = 3, 4, 90
"""Sentences that are premises alone, and that are joined; words of the joint premise."""
OF_CHECKS, OF_SETS = 110, 130
"""Rows of each kind."""
_KINDS = ("made_", "new_changed", "new_exchanged", "new_equal", "new_hedge", "new_long",
          "new_table", "new_mined", "new_person", "new_")  # fmt: skip


def kind(name: str) -> str:
    """Return under which name a set's pairs are counted."""
    if name.startswith("written_"):
        return f"series {name[8:]}" if name in HELD_SERIES else "written blocks"
    return next((start.rstrip("_") for start in _KINDS if name.startswith(start)), name)


def of_checks(path: Path, rng: random.Random) -> Iterator[Row]:
    """Yield some pairs of each kind."""
    kinds: dict[str, list[Row]] = defaultdict(list)
    for line in read_lines(path):
        row = json.loads(line)
        if not row["set"].endswith("summedits") and len(row["premise"].split()) <= 110:
            kinds[kind(row["set"])].append(row)
    for name, rows in sorted(kinds.items()):
        most = 4 * OF_CHECKS if name == "written blocks" else OF_CHECKS
        for row in rng.sample(rows, min(most, len(rows))):
            truth = row["label"] == 0
            yield {"set": name, "claim": row["claim"], "premises": [row["premise"]],
                   "label": row["label"], "truth": truth}  # fmt: skip


def _words(text: str) -> set[str]:
    return {word[:6] for word in re.findall(r"\w+", text.lower()) if len(word) > 2}


def premises_of(claim: str, sources: Sequence[tuple[str, str]]) -> list[str]:
    """Return what of the documents is read beside a claim; each source is a heading and a text."""
    from veracite.engine.claims.segmentation import segment

    every = [
        (headed(heading, claim_.text.strip()), place)
        for place, (heading, text) in enumerate(sources)
        for claim_ in segment(text, markdown=False)
    ]
    if not every:
        return []
    frequent = Counter(word for text, _ in every for word in _words(text))
    said = _words(claim)

    def shared(at: int) -> float:
        own = said & _words(every[at][0])
        return sum(math.log(1 + len(every) / frequent[word]) for word in own)

    best = sorted(range(len(every)), key=lambda at: (-shared(at), at))[:TOGETHER]
    joined, room = [], WORDS
    for at in sorted(best):
        words = every[at][0].split()
        if room > 0:
            joined.append(" ".join(words[:room]))
            room -= len(words)
    return list(dict.fromkeys([*(every[at][0] for at in best[:SINGLE]), JOINT.join(joined)]))


def _first_half(entry: str, paths: list[Path], rng: random.Random) -> Iterator[Row]:
    from veracite.engine.evaluation.figures import split
    from veracite.engine.evaluation.formats import load
    from veracite.engine.evaluation.items import Statement

    items = [i for i in load("attribute", paths).items if isinstance(i, Statement)]
    truth = np.array([i.truth for i in items])
    chosen = split([i.group for i in items], [i.part for i in items], truth).chosen
    half = [item for item, own in zip(items, chosen, strict=True) if own]
    for item in rng.sample(half, min(OF_SETS, len(half))):
        sources = [(s.title or "", s.text) for s in item.sources]
        yield {"set": entry, "claim": item.text, "premises": premises_of(item.text, sources),
               "label": None, "truth": item.truth}  # fmt: skip


def _wikibio(path: Path, rng: random.Random) -> Iterator[Row]:
    rows: list[Row] = []
    for line in read_lines(path)[:59]:
        row = json.loads(line)
        sources = [("", row["wiki_bio_text"])]
        for said, label in zip(row["gpt3_sentences"], row["annotation"], strict=True):
            rows.append({"set": "WikiBio 0..58", "claim": said, "label": None,
                         "premises": premises_of(said, sources),
                         "truth": label == "accurate"})  # fmt: skip
    yield from rng.sample(rows, min(2 * OF_SETS, len(rows)))


def rows(given: argparse.Namespace) -> None:
    """Write the rows."""
    rng = random.Random(3)
    data = given.data
    begin = [data / "eval" / "begin" / f"begin_dev_{name}.tsv.gz" for name in ("cmu", "tc", "wow")]
    made = [
        *of_checks(given.checks, rng),
        *_wikibio(data / "eval" / "wikibio" / "wikibio_gpt3_000-118.jsonl.gz", rng),
        *_first_half("AttributionBench", [given.held / "attributionbench.jsonl"], rng),
        *_first_half("BEGIN", begin, rng),
        *_first_half("SummEdits", [given.held / "summedits.jsonl"], rng),
    ]
    with given.out.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(r, ensure_ascii=False) + "\n" for r in made if r["premises"])
    print(Counter(row["set"] for row in made), sum(len(row["premises"]) for row in made))


class Network:
    """An exported verifier, one pair at a time on one thread."""

    def __init__(self, folder: Path) -> None:
        import onnxruntime as ort
        from tokenizers import Tokenizer

        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = ort.InferenceSession(str(folder / "verifier.onnx"), options)
        self._tokens = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokens.no_padding()
        self._tokens.enable_truncation(256, strategy="only_first")

    def chances(self, premise: str, claim: str) -> list[float]:
        """Return the probabilities of a pair."""
        encoded = self._tokens.encode(premise, claim)
        start = encoded.sequence_ids.index(1)
        types = [int(at >= start) for at in range(len(encoded.ids))]
        inputs = {"input_ids": np.array([encoded.ids]), "token_type_ids": np.array([types])}
        logits = self._session.run(["logits"], inputs)[0][0].astype(float)
        powers = np.exp(logits - logits.max())
        return [float(power) for power in powers / powers.sum()]


def judge(given: argparse.Namespace) -> None:
    """Print the table."""
    every = [json.loads(line) for line in read_lines(given.rows)]
    table: dict[str, list[str]] = defaultdict(list)
    means: list[list[float]] = []
    for folder in given.network:
        kept = folder / f"{given.rows.stem}.chances.json"
        if kept.exists():
            found = json.loads(kept.read_text("utf-8"))
        else:
            network = Network(folder)
            found = [[network.chances(p, row["claim"]) for p in row["premises"]] for row in every]
            kept.write_text(json.dumps(found), "utf-8")
        sets: dict[str, list[tuple[float, bool, bool | None]]] = defaultdict(list)
        for row, of_premises in zip(every, found, strict=True):
            best = int(np.argmax(of_premises[0]))
            right = None
            if row["label"] is not None:
                right = best == row["label"] or (row["label"] == NOT_SUPPORTED and best > 0)
            sets[row["set"]].append((max(chance[0] for chance in of_premises), row["truth"], right))
        own = []
        for name, scored in sets.items():
            truth = [one[1] for one in scored]
            both = 0 < sum(truth) < len(truth)
            auc = roc_auc_score(truth, [one[0] for one in scored]) if both else math.nan
            three = [one[2] for one in scored if one[2] is not None]
            table[f"{name} ({len(scored)})"].append(
                f"{auc:.3f}" + (f" / {np.mean(three):.3f}" if three else "")
            )
            if not three:
                own.append(auc)
        means.append(own)
    for name, cells in table.items():
        print(f"{name:32}", *(f"{cell:16}" for cell in cells))
    print(f"{'mean of the sets left out':32}", *(f"{np.mean(own):<16.3f}" for own in means))


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("rows")
    for name in ("data", "held", "checks", "out"):
        one.add_argument(f"--{name}", type=Path, required=True)
    one.set_defaults(run=rows)
    one = commands.add_parser("judge")
    one.add_argument("--rows", type=Path, required=True)
    one.add_argument("--network", type=Path, nargs="+", required=True)
    one.set_defaults(run=judge)
    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    main()
