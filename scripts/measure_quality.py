"""Measures everything that is said about quality: scripts/results.json and its page, RESULTS.md.

    python scripts/measure_quality.py --data DATA --runs RUNS
    python scripts/measure_quality.py --data DATA --runs RUNS --only wikibio --only felm
    python scripts/measure_quality.py --data DATA --runs RUNS --before CHECKOUT

DATA is laid out as its README says. What was measured is kept in RUNS, and a command that was
stopped goes on where it was; nothing is measured again unless the models or the code have changed
or its file in RUNS is gone. All of it takes about 25 minutes on two cores that do nothing else.
CHECKOUT holds another commit, an earlier one, whose figures are to stand beside.
"""

import argparse
import hashlib
import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench import machine
from results_page import ENTRIES, PREPARE, RESULTS, models_now, write

ROOT = Path(__file__).resolve().parents[1]
CODE = ("engine/**/*.py", "index/**/*.py", "models/*.py")
"""What a figure can depend on."""


def main() -> int:
    """Measures what is asked for and writes the page of all that was ever measured."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--runs", type=Path, required=True, help="where results are kept")
    parser.add_argument("--only", action="append", choices=ENTRIES)
    parser.add_argument("--before", type=Path, help="a checkout to be measured in place of this")
    given = parser.parse_args()
    root, part = (given.before or ROOT).resolve(), "before" if given.before else "entries"
    runs = given.runs.resolve() / ("before" if given.before else "")
    runs.mkdir(parents=True, exist_ok=True)
    places = {"DATA": given.data.resolve(), "HELD": given.runs.resolve() / "held", "RUNS": runs}
    now = present(root)
    written = json.loads(RESULTS.read_text("utf-8"))
    entries, failed = written.get(part, {}), []
    for name, command in ENTRIES.items():
        kept = runs / f"{name}.json"
        wanted = given.only is None or name in given.only
        if wanted and not _is_of(kept, {**now, "command": command}):
            print(f"{name}: {command}", file=sys.stderr)
            if not _measure(command, places, kept, now, root):
                failed.append(name)
        if kept.exists():
            entries[name] = json.loads(kept.read_text("utf-8"))
    written[part] = {name: entries[name] for name in ENTRIES if name in entries}
    RESULTS.write_text(json.dumps(written, indent=1) + "\n", "utf-8")
    if failed:
        print(f"Failed: {', '.join(failed)}. The messages are above.", file=sys.stderr)
        return 1
    write()
    return 0


def _is_of(kept: Path, wanted: Mapping[str, Any]) -> bool:
    """Whether a result is there that depends on the same."""
    return kept.exists() and wanted.items() <= json.loads(kept.read_text("utf-8")).items()


def present(root: Path = ROOT) -> dict[str, Any]:
    """What the results of a checkout depend on besides the command."""
    digest = hashlib.sha256()
    for file in sorted(file for pattern in CODE for file in root.glob(pattern)):
        digest.update(file.read_bytes())
    return {"models": models_now() if root == ROOT else [], "code": digest.hexdigest()[:12]}


def _measure(
    command: str, places: Mapping[str, Path], kept: Path, now: Mapping[str, Any], root: Path
) -> bool:
    """Run one command on a checkout's package and keep what it prints; False if it fails."""
    if "HELD" in command and not places["HELD"].exists():
        subprocess.run(_words(PREPARE, places), cwd=ROOT, check=True)
    words = _words(command, places)
    if command.startswith("veracite"):
        words.append("--json")
    environ = os.environ | {
        "PYTHONPATH": str(_source(root, places["RUNS"])),
        # Predictions go below the code's own folder: others' would not be made again.
        "VERACITE_DATA_DIR": str(places["RUNS"] / "runs" / now["code"]),
    }
    started = time.perf_counter()
    done = subprocess.run(words, cwd=ROOT, env=environ, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        return False
    printed = json.loads(done.stdout)
    if "methods" in printed:
        # The figures, and no text or path of the data.
        named = ("use", "name", "items", "positives")
        parts = [{key: part[key] for key in named} for part in printed["parts"]]
        printed = {"methods": printed["methods"], "parts": parts}
    envelope = {
        **now,
        "command": command,
        "commit": subprocess.getoutput(f"git -C {root} describe --always --dirty"),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine().rpartition(", load")[0],
        "seconds": round(time.perf_counter() - started, 1),
        "printed": printed,
    }
    partial = kept.with_suffix(".partial")
    partial.write_text(json.dumps(envelope, indent=1), encoding="utf-8")
    partial.replace(kept)
    return True


def _source(root: Path, runs: Path) -> Path:
    """Where a checkout's package is found, whether or not it has links to its rooms itself."""
    if (root / "src" / "veracite").exists():
        return root / "src"
    package = runs / "source" / root.name / "veracite"
    package.mkdir(parents=True, exist_ok=True)
    (package / "__init__.py").touch()
    for room in ("engine", "index", "models", "tui"):
        if not (package / room).exists():
            (package / room).symlink_to(root / room)
    return package.parent


def _words(shown: str, places: Mapping[str, Path]) -> list[str]:
    """A shown command as it is run: this interpreter's programs, real folders."""
    python = Path(sys.executable)
    programs = {"python": str(python), "veracite": str(python.with_name("veracite"))}
    words = []
    for word in shlex.split(shown):
        start, slash, rest = word.partition("/")
        place = places.get(start)
        words.append(programs.get(word, word) if place is None else f"{place}{slash}{rest}")
    return words


if __name__ == "__main__":
    sys.exit(main())
