"""Write the rows that the decision is fitted on: held-out examples, and new kinds of checks.

    python -m scripts.training.decision_rows --heldout heldout.jsonl \\
        --checks checks.jsonl --out FILE

``--heldout`` is what ``dataset`` writes, ``--checks`` what ``stage2`` writes; both come from the
part that never trains. Of each family of generated kinds 120 rows are drawn.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

from scripts.training.pairs import LABELS, NEUTRAL, NOT_SUPPORTED

AT_MOST = 120
FAMILIES = {
    "bridge": "relations",
    "deeds": "relations",
    "kinds": "relations",
    "exchanged": "relations",
    "equal": "renderings",
    "reworded": "renderings",
}


def family(name: str) -> str:
    """Return the family of a generated kind: "new_long2_altered" is of "long"."""
    kind = name.removeprefix("new_").split("_")[0].rstrip("0123456789")
    return FAMILIES.get(kind, kind)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("heldout", "checks", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    given = parser.parse_args()
    rng = random.Random(5)
    groups: dict[str, list[dict[str, object]]] = {}
    for line in given.checks.read_text("utf-8").split("\n"):
        row = json.loads(line) if line else {"set": ""}
        if row["set"].startswith("new_"):
            groups.setdefault(family(row["set"]), []).append(row)
    with given.out.open("w", encoding="utf-8") as file:
        file.write(given.heldout.read_text("utf-8"))
        for name, rows in groups.items():
            rng.shuffle(rows)
            for row in rows[:AT_MOST]:
                # What is merely not supported may be contradicted: it teaches the first head alone.
                two_way = row["label"] == NOT_SUPPORTED
                made = {
                    "set": f"{'twoway' if two_way else 'new'}_{name}",
                    "claim": row["claim"],
                    "passages": [{"heading": None, "text": row["premise"]}],
                    "label": LABELS[NEUTRAL if two_way else int(str(row["label"]))],
                }
                file.write(json.dumps(made, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
