"""Measures what a user waits for, each time as a ratio against something named.

- start-up: ``veracite --version`` against a bare interpreter that does nothing
- the second check of the samples against the first, which has to read, encode and judge everything
- a check after one sentence of the draft was changed against the first

Run it on a machine that does nothing else: ``make bench``.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from update_docs import ROOT, environment

SAMPLES = ROOT / "tests" / "samples"
VERACITE = Path(sys.executable).with_name("veracite")
RUNS = 11


def seconds(command: Sequence[str | Path], environ: dict[str, str] | None = None) -> float:
    """How long a command takes, wall clock."""
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, env=environ, check=True)
    return time.perf_counter() - start


def told(times: Mapping[str, float]) -> None:
    """Print each beside the first one."""
    against, reference = next(iter(times.items()))
    for what, measured in times.items():
        print(f"{what:<34}{measured:8.3f} s   {measured / reference:7.2f} x {against}")


def start_up() -> None:
    """The median of several starts, in turns, so that both meet the same machine."""
    bare, version = [sys.executable, "-c", "pass"], [str(VERACITE), "--version"]
    turns = [(seconds(bare), seconds(version)) for _ in range(RUNS)]
    reference, measured = map(statistics.median, zip(*turns, strict=True))
    told({"bare interpreter": reference, "veracite --version": measured})


def check() -> None:
    """Checks of the sample draft with an index of its own."""
    with tempfile.TemporaryDirectory() as folder:
        environ = environment(folder)
        draft = Path(folder) / "draft.md"
        text = (SAMPLES / "draft.md").read_text(encoding="utf-8")
        command: list[str | Path] = [VERACITE, "check", draft, "--against", SAMPLES / "library"]
        command += ["--fail-on", "none"]
        times = {}
        for what, changed in (
            ("first check of the samples", text),
            ("second check, nothing changed", text),
            ("third check, one claim changed", text.replace("£7", "£8")),
        ):
            draft.write_text(changed, encoding="utf-8")
            times[what] = seconds(command, environ)
        told(times)


if __name__ == "__main__":
    start_up()
    check()
