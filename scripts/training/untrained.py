"""Write the rows of the training sets that never trained the verifier, in the sets' own formats.

    python -m scripts.training.untrained --data DIR --out DIR

The same hash of the same key as in ``scripts.training.dataset`` decides. AttributionBench was not
trained on, but its ExpertQA rows are ExpertQA's: those that ExpertQA's hash does not hold out are
left out.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from scripts.training.dataset import SHARE
from scripts.training.pairs import held_out, read_lines, read_text

Row = dict[str, Any]


def _wice(row: Row) -> bool:
    return held_out(str(row["meta"].get("claim_title", row["claim"])), SHARE["wice"])


def _summedits(row: Row) -> bool:
    return held_out(re.sub(r"_(?:og|\d+)$", "", row["id"]), SHARE["summedits"])


def _foolmetwice(row: Row) -> bool:
    return held_out(row["wikipedia_page"], SHARE["foolmetwice"])


def _attributionbench(row: Row) -> bool:
    return row["src_dataset"] != "ExpertQA" or held_out(row["question"], SHARE["expertqa"])


def _lines(*paths: Path) -> Iterable[Row]:
    return (json.loads(line) for path in paths for line in read_lines(path))


def _keep(name: str, rows: Iterable[Row], kept: Callable[[Row], bool], out: Path) -> None:
    every = list(rows)
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in every if kept(row)]
    (out / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8", newline="\n")
    print(f"{name}: {len(lines)} of {len(every)} rows")


def _contracts(path: Path, out: Path) -> None:
    whole = json.loads(read_text(path))
    kept = [d for d in whole["documents"] if held_out(d["file_name"], SHARE["contract_nli"])]
    text = json.dumps({**whole, "documents": kept}, ensure_ascii=False)
    (out / "contract_nli.json").write_text(text, encoding="utf-8")
    print(f"contract_nli: {len(kept)} of {len(whole['documents'])} contracts")


def write(data: Path, out: Path) -> None:
    """Write all files."""
    train = data / "train"
    _keep("wice", _lines(train / "wice" / "dev.jsonl.gz"), _wice, out)
    edited = sorted((train / "summedits").glob("*.json.gz"))
    summaries = (row for path in edited for row in json.loads(read_text(path)))
    _keep("summedits", summaries, _summedits, out)
    both = (train / "foolmetwice" / f"{name}.jsonl.gz" for name in ("dev", "test"))
    _keep("foolmetwice", _lines(*both), _foolmetwice, out)
    credited = train / "attributionbench" / "dev_all_subset_balanced.jsonl.gz"
    _keep("attributionbench", _lines(credited), _attributionbench, out)
    _contracts(train / "contract_nli" / "dev.json.gz", out)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    write(given.data, given.out)


if __name__ == "__main__":
    main()
