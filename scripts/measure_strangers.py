"""Checks claims that somebody wrote about documents that no rule and no training has seen.

    python scripts/measure_strangers.py [--uncertain-below 0.75] [--sets scripts/blind]

``scripts/strangers`` has documents such as people keep (minutes, a lease, a manual, letters) and
ten claims about each, written in November 2026 before anything was run on them, many to trip it
up: 130 for verifier-6 and judge-17 (``first``), which were known when the decision was fitted anew,
and 120 after that (``second``), to which the rules on denials owe something. A claim's label is
*supported*, *contradicted* or *neither* by all the documents of its set. Rules that are made
knowing them make the figures say less: write further ones then. ``scripts/blind`` has two such
further sets, 120 claims each, labelled alike by a second reader: whoever runs one of them while
still choosing anything has used it up, so ``two`` is run once, when a network and its decision are
final.
"""

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from update_readme import output_of

FOLDER = Path(__file__).with_name("strangers")
LABELS = ("supported", "contradicted", "neither")
VERDICTS = ("supported", "contradicted", "not_found", "uncertain", "not_checkable")


def verdicts(claims: list[str], documents: Path, uncertain_below: float) -> dict[str, str]:
    """The label that ``veracite check`` gives to each claim, each a paragraph of one text."""
    with tempfile.TemporaryDirectory() as scratch:
        draft = Path(scratch) / "claims.txt"
        draft.write_text("\n\n".join(claims) + "\n", encoding="utf-8")
        command = ["veracite", "check", str(draft), "--against", str(documents)]
        command += ["--json", "--quiet", "--fail-on", "none"]
        printed = output_of([*command, "--uncertain-below", str(uncertain_below)])
    return {one["text"]: one["label"] for one in json.loads(printed)["claims"]}


def told(folder: Path, uncertain_below: float) -> Iterator[str]:
    """How often each label was given to the claims of a set, and how often rightly."""
    lines = (folder / "claims.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    found = verdicts([row["claim"] for row in rows], folder / "documents", uncertain_below)
    counts = Counter((row["label"], found[row["claim"]]) for row in rows)
    yield f"{folder.name:14s}" + "".join(f"{verdict:>15s}" for verdict in VERDICTS)
    for label in LABELS:
        yield f"{label:14s}" + "".join(f"{counts[label, verdict]:15d}" for verdict in VERDICTS)
    for verdict in VERDICTS[:2]:
        called = sum(counts[label, verdict] for label in LABELS)
        yield f"called {verdict}: {counts[verdict, verdict]} of {called} rightly"


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--uncertain-below", type=float, default=0.6, help="as in check")
    parser.add_argument("--sets", type=Path, default=FOLDER, help="a folder with one for each set")
    given = parser.parse_args()
    for folder in sorted(given.sets.iterdir()):
        print("\n".join(told(folder, given.uncertain_below)), end="\n\n")


if __name__ == "__main__":
    main()
