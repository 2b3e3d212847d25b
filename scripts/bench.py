"""Measures what a user waits for, each time as a ratio against something named.

- start-up: ``veracite --version`` against a bare interpreter that does nothing
- the second check of the samples against the first, which has to read, encode and judge everything
- a check after one sentence of the draft was changed against the first

Run it on a machine that does nothing else: ``make bench``.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "tests" / "samples"
VERACITE = Path(sys.executable).with_name("veracite")
RUNS = 11


def seconds(command: Sequence[str | Path], environ: dict[str, str] | None = None) -> float:
    """How long a command takes, wall clock."""
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, env=environ, check=True)
    return time.perf_counter() - start


def row(what: str, measured: float, against: str, reference: float) -> None:
    print(f"{what:<34}{measured:8.3f} s   {measured / reference:7.2f} x {against}")


def start_up() -> None:
    """The median of several starts, in turns, so that both meet the same machine."""
    bare: list[float] = []
    version: list[float] = []
    for _ in range(RUNS):
        bare.append(seconds([sys.executable, "-c", "pass"]))
        version.append(seconds([VERACITE, "--version"]))
    reference = statistics.median(bare)
    row("bare interpreter", reference, "itself", reference)
    row("veracite --version", statistics.median(version), "bare interpreter", reference)


def check() -> None:
    """Checks of the sample draft with an index of its own."""
    with tempfile.TemporaryDirectory() as folder:
        environ = {
            **os.environ,
            "VERACITE_CACHE_DIR": f"{folder}/cache",
            "VERACITE_DATA_DIR": f"{folder}/data",
            "VERACITE_CONFIG": os.devnull,
        }
        draft = Path(folder) / "draft.md"
        text = (SAMPLES / "draft.md").read_text(encoding="utf-8")
        draft.write_text(text, encoding="utf-8")
        library = SAMPLES / "library"
        command: list[str | Path] = [VERACITE, "check", draft, "--against", library]
        command += ["--fail-on", "none"]
        first = seconds(command, environ)
        second = seconds(command, environ)
        draft.write_text(text.replace("£7", "£8"), encoding="utf-8")
        edited = seconds(command, environ)
    row("first check of the samples", first, "itself", first)
    row("second check, nothing changed", second, "first check", first)
    row("third check, one claim changed", edited, "first check", first)


def main() -> None:
    start_up()
    check()


if __name__ == "__main__":
    main()
