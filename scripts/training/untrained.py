"""Write the rows of the training sets that never trained the verifier, in the sets' own formats.

    python -m scripts.training.untrained --data DIR --out DIR

The same hash of the same key as in ``scripts.training.dataset`` decides. AttributionBench was not
trained on, but its ExpertQA rows are ExpertQA's: those that ExpertQA's hash does not hold out are
left out.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scripts.training.dataset import SHARE
from scripts.training.pairs import held_out, options, read_rows, read_text

Row = dict[str, Any]
ROWS: dict[str, tuple[str, Callable[[Row], bool]]] = {
    "wice": (
        "wice/dev.jsonl.gz",
        lambda row: held_out(str(row["meta"].get("claim_title", row["claim"])), SHARE["wice"]),
    ),
    "foolmetwice": (
        "foolmetwice/*.jsonl.gz",
        lambda row: held_out(row["wikipedia_page"], SHARE["foolmetwice"]),
    ),
    "attributionbench": (
        "attributionbench/dev_all_subset_balanced.jsonl.gz",
        lambda r: r["src_dataset"] != "ExpertQA" or held_out(r["question"], SHARE["expertqa"]),
    ),
    "summedits": (
        "summedits/*.json.gz",
        lambda row: held_out(re.sub(r"_(?:og|\d+)$", "", row["id"]), SHARE["summedits"]),
    ),
}
"""The files of each set of rows, and which rows are kept."""


def write(data: Path, out: Path) -> None:
    """Write all files."""
    train = data / "train"
    for name, (files, kept) in ROWS.items():
        every: list[Row] = []
        for path in sorted(train.glob(files)):
            every += json.loads(read_text(path)) if ".json" in path.suffixes else read_rows(path)
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in every if kept(row)]
        (out / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8", newline="\n")
        print(f"{name}: {len(lines)} of {len(every)} rows")
    contracts = json.loads(read_text(train / "contract_nli" / "dev.json.gz"))
    own = [d for d in contracts["documents"] if held_out(d["file_name"], SHARE["contract_nli"])]
    pairs = [
        {"id": f"{d['id']}/{key}", "group": str(d["id"]), "label": judged["choice"]}
        | {"text": contracts["labels"][key]["hypothesis"], "evidence": d["text"]}
        for d in own
        for key, judged in d["annotation_sets"][0]["annotations"].items()
    ]
    (out / "contract_nli.json").write_text(json.dumps(pairs, ensure_ascii=False), encoding="utf-8")
    print(f"contract_nli: {len(own)} of {len(contracts['documents'])} contracts")


def main() -> None:
    """Run from the command line."""
    given = options(__doc__, "--data", "--out")
    given.out.mkdir(parents=True, exist_ok=True)
    write(given.data, given.out)


if __name__ == "__main__":
    main()
