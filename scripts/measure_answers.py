"""Measures what every method answers, and writes scripts/ANSWERS.md.

    python scripts/measure_answers.py --data DATA --runs RUNS [--questions 100] [--set nq_oracle]

DATA is laid out as its README says; nothing of it is written into the page. What was measured is
kept in RUNS, and a command that was stopped goes on where it was, unless the models or the code
have changed. The questions are the same ones every time, drawn at random from a seed.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from answer_sets import ABLATIONS, METHODS, SETS, QuestionSet
from answers_page import Answers, page

from veracite.engine.evaluation.models import Models
from veracite.engine.evaluation.record import Machine, this_machine
from veracite.engine.evaluation.results_json import from_json

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "scripts" / "ANSWERS.md"


def main() -> int:
    """Measures what is asked for and writes the page of all that was ever measured."""
    given = _options()
    runs: Path = given.runs.resolve()
    runs.mkdir(parents=True, exist_ok=True)
    failed = []
    for one in SETS:
        if not given.render and (not given.sets or one.name in given.sets):
            shown = _command(one, given)
            if not _measure(shown, given, runs, runs / f"answers-{one.name}.json"):
                failed.append(one.name)
    measured = [answers for one in SETS if (answers := _kept(one, runs)) is not None]
    given.page.write_text(page(measured, _present(given.model)), "utf-8")
    if failed:
        print(f"Failed: {', '.join(failed)}. The messages are above.", file=sys.stderr)
    return 1 if failed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--runs", type=Path, required=True, help="where results are kept")
    parser.add_argument("--page", type=Path, default=PAGE)
    parser.add_argument("--set", dest="sets", action="append", choices=[s.name for s in SETS])
    parser.add_argument("--questions", type=int, default=100, help="of each set [%(default)s]")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--method", dest="methods", action="append", help="instead of all "
                        "(repeatable), as veracite eval answer --method takes it")  # fmt: skip
    parser.add_argument("--no-ablations", action="store_true", help="whole methods alone")
    parser.add_argument("--model", type=Path, help="a GGUF file that writes the answers")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--render", action="store_true", help="measure nothing, write the page")
    return parser.parse_args()


def _command(one: QuestionSet, given: argparse.Namespace) -> str:
    """The command as the page shows it."""
    methods = given.methods or (*METHODS, *(() if given.no_ablations else ABLATIONS))
    words = ["veracite", "eval", "answer", *(word for d in one.data for word in ("--data", d))]
    words += ["--collection", "all", "--limit", str(given.questions), "--seed", str(given.seed)]
    if given.model:
        words += ["--model", given.model.name]
    return shlex.join([*words, "--method", ",".join(methods)])


def _measure(shown: str, given: argparse.Namespace, runs: Path, kept: Path) -> bool:
    """Run one command and keep what it prints; False if it fails."""
    print(shown, file=sys.stderr)
    words = [_real(word, given) for word in shlex.split(shown)]
    if given.threads:
        words += ["--threads", str(given.threads)]
    environ = os.environ | {"VERACITE_DATA_DIR": str(runs / "data")}
    done = subprocess.run(
        [*words, "--json"], cwd=ROOT, env=environ, stdout=subprocess.PIPE, check=False
    )
    if done.returncode:
        return False
    envelope = {
        "command": shown,
        "date": datetime.now(UTC).date().isoformat(),
        "machine": asdict(this_machine()),
        "printed": json.loads(done.stdout),
    }
    partial = kept.with_suffix(".partial")
    partial.write_text(json.dumps(envelope, indent=1), encoding="utf-8")
    partial.replace(kept)
    return True


def _real(word: str, given: argparse.Namespace) -> str:
    """A shown word as it is run: this interpreter's program, real files."""
    if word == "veracite":
        return str(Path(sys.executable).with_name(word))
    if given.model and word == given.model.name:
        return str(given.model.resolve())
    start, slash, rest = word.partition("/")
    return f"{given.data.resolve()}/{rest}" if slash and start == "DATA" else word


def _present(writer: Path | None) -> tuple[str, ...]:
    """The ids of the models as they are now."""
    models = Models(file=writer)
    try:
        return models.ids
    finally:
        models.close()


def _kept(one: QuestionSet, runs: Path) -> Answers | None:
    path = runs / f"answers-{one.name}.json"
    if not path.exists():
        return None
    held = json.loads(path.read_text("utf-8"))
    machine = Machine(**held["machine"])
    told = f"{machine.cpu}, {machine.cores} cores, {machine.system}, Python {machine.python}"
    return Answers(one, held["command"], held["date"], told, from_json(held["printed"]))


if __name__ == "__main__":
    sys.exit(main())
