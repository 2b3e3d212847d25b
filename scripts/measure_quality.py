"""Measures everything that is said about quality: scripts/results.json and its page, RESULTS.md.

    python scripts/measure_quality.py --data DATA --runs RUNS [--torch-python PYTHON]
    python scripts/measure_quality.py --data DATA --runs RUNS --only wikibio --only felm

DATA is laid out as its README says. What was measured is kept in RUNS, and a command that was
stopped goes on where it was; nothing is measured again unless the models or the code have changed,
or ``--again`` is given. All of it takes about 25 minutes on two cores that do nothing else.
"""

import argparse
import hashlib
import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from quality_sets import ENTRIES, PREPARE, Entry
from results_page import RESULTS, write

from veracite.engine.evaluation.models import Models
from veracite.engine.evaluation.predict import this_machine

ROOT = Path(__file__).resolve().parents[1]
CODE = ("engine/**/*.py", "index/**/*.py", "models/*.py")
"""What a figure can depend on."""


def main() -> int:
    """Measures what is asked for and writes the page of all that was ever measured."""
    given = _options()
    runs: Path = given.runs.resolve()
    runs.mkdir(parents=True, exist_ok=True)
    places = {"DATA": given.data.resolve(), "HELD": runs / "held", "RUNS": runs}
    now = present()
    failed = []
    for entry in ENTRIES:
        if given.only and entry.name not in given.only:
            continue
        kept = runs / f"{entry.name}.json"
        shown = shown_command(entry, given.torch_python is not None)
        if not given.again and _is_current(kept, {**now, "command": shown}):
            continue
        if not _measure(entry, shown, places, kept, now, given.torch_python):
            failed.append(entry.name)
    found = {entry.name: runs / f"{entry.name}.json" for entry in ENTRIES}
    entries = {
        name: json.loads(kept.read_text("utf-8")) for name, kept in found.items() if kept.exists()
    }
    RESULTS.write_text(json.dumps({"entries": entries}, indent=1) + "\n", "utf-8")
    write(now["models"])
    if failed:
        print(f"Failed: {', '.join(failed)}. The messages are above.", file=sys.stderr)
    return 1 if failed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--runs", type=Path, required=True, help="where results are kept")
    parser.add_argument("--only", action="append", choices=[e.name for e in ENTRIES])
    parser.add_argument("--again", action="store_true", help="measure what is there already")
    parser.add_argument("--torch-python", metavar="PYTHON", help="an interpreter with torch, onnx "
                        "and transformers, for the throughput")  # fmt: skip
    return parser.parse_args()


def shown_command(entry: Entry, torch: bool) -> str:
    """The command as the page shows it."""
    command = entry.command
    if entry.limit is not None:
        command += f" --limit {entry.limit}"
    if entry.kind == "speed" and torch:
        command += " --torch-python PYTHON"
    return command


def present() -> dict[str, Any]:
    """What results depend on besides the command."""
    models = Models()
    try:
        ids = list(models.ids)
    finally:
        models.close()
    digest = hashlib.sha256()
    for file in sorted(file for pattern in CODE for file in ROOT.glob(pattern)):
        digest.update(file.read_bytes())
    return {"models": ids, "code": digest.hexdigest()[:12]}


def _is_current(kept: Path, wanted: Mapping[str, Any]) -> bool:
    if not kept.exists():
        return False
    held = json.loads(kept.read_text("utf-8"))
    return all(held[key] == value for key, value in wanted.items())


def _measure(
    entry: Entry,
    shown: str,
    places: Mapping[str, Path],
    kept: Path,
    now: Mapping[str, Any],
    torch_python: str | None,
) -> bool:
    """Run one command and keep what it prints; False if it fails."""
    print(f"{entry.name}: {shown}", file=sys.stderr)
    if "HELD" in shown and not places["HELD"].exists():
        subprocess.run(_words(PREPARE, places, torch_python), cwd=ROOT, check=True)
    words = _words(shown, places, torch_python)
    if shown.startswith("veracite"):
        words.append("--json")
    # Predictions go below the code's own folder: others' would not be made again.
    environ = os.environ | {"VERACITE_DATA_DIR": str(places["RUNS"] / "runs" / now["code"])}
    started = time.perf_counter()
    done = subprocess.run(words, cwd=ROOT, env=environ, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        return False
    text = done.stdout.decode("utf-8")
    envelope = {
        **now,
        "command": shown,
        "date": datetime.now(UTC).date().isoformat(),
        "machine": _machine(this_machine()),
        "seconds": round(time.perf_counter() - started, 1),
        "printed": text if entry.kind == "text" else _kept_of(json.loads(text)),
    }
    partial = kept.with_suffix(".partial")
    partial.write_text(json.dumps(envelope, indent=1), encoding="utf-8")
    partial.replace(kept)
    return True


def _words(shown: str, places: Mapping[str, Path], torch_python: str | None) -> list[str]:
    """A shown command as it is run: this interpreter's programs, real folders."""
    programs = {"python": sys.executable, "PYTHON": torch_python or sys.executable}
    programs["veracite"] = str(Path(sys.executable).with_name("veracite"))
    words = []
    for word in shlex.split(shown):
        start, slash, rest = word.partition("/")
        place = places.get(start)
        words.append(programs.get(word, word) if place is None else f"{place}{slash}{rest}")
    return words


def _kept_of(printed: dict[str, Any]) -> dict[str, Any]:
    """What a page can be made of: the figures, and no text or path of the data."""
    if "methods" not in printed:
        return printed
    parts = [
        {k: part[k] for k in ("use", "name", "items", "positives")} for part in printed["parts"]
    ]
    return {"methods": printed["methods"], "parts": parts}


def _machine(machine: Mapping[str, Any]) -> str:
    cores: Sequence[str] = (f"{machine['cores']} cores", machine["system"])
    return f"{machine['cpu']}, {', '.join(cores)}, Python {machine['python']}"


if __name__ == "__main__":
    sys.exit(main())
