"""Mends sentences that somebody wrote wrong on purpose, and counts what was put in their place.

    python scripts/measure_fix.py SET.jsonl DOCUMENTS [--kept FOLDER]

Each line of the set has ``wrong`` (a sentence), ``right`` (all ways to put it right) and
``document`` (a path below DOCUMENTS). All documents of the set are one library; the sentences on
one document are the paragraphs of one text. A replacement that is not among the right ones counts
as harmful, and is printed: read these, as the set may lack a way to put it right.
"""

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from veracite.engine.events import Proposed
from veracite.engine.methods.fix import FixSettings
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Change
from veracite.engine.workbench import Workbench

Row = dict[str, str | list[str]]


def _plain(text: object) -> str:
    return " ".join(str(text).split())


def outcomes(
    rows: list[Row], documents: Path, kept: Path
) -> Iterator[tuple[Row, str, Change | None]]:
    """Each sentence with what became of it: right, harmful, left, or supported as it was."""
    sources = sorted({documents / str(row["document"]) for row in rows})
    with Workbench(CheckSettings(), Paths(kept / "data", kept / "cache", kept / "none")) as bench:
        for source in sources:
            own = [row for row in rows if documents / str(row["document"]) == source]
            text = "\n\n".join(str(row["wrong"]) for row in own)
            events = bench.fix(text, FixSettings(), against=tuple(sources))
            changes = {
                e.change.before.claim.text: e.change for e in events if isinstance(e, Proposed)
            }
            for row in own:
                change = changes.get(str(row["wrong"]))
                if change is None or not change.kept:
                    yield row, "supported" if change is None else "left", change
                else:
                    right = _plain(change.text) in map(_plain, row["right"])
                    yield row, "right" if right else "harmful", change


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("set", type=Path)
    parser.add_argument("documents", type=Path)
    parser.add_argument("--kept", type=Path, help="where the index is kept for the next run")
    given = parser.parse_args()
    rows = [json.loads(line) for line in given.set.read_text(encoding="utf-8").splitlines()]
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as scratch:
        for row, outcome, change in outcomes(rows, given.documents, given.kept or Path(scratch)):
            counts[outcome] += 1
            print(f"{outcome:10s} {row['wrong']}")
            if change and outcome != "right":
                print(f"{'':10s} {change.before.label}: {change.text} ({change.reason})")
    print(", ".join(f"{outcome}: {count}" for outcome, count in counts.most_common()))


if __name__ == "__main__":
    main()
