"""Measures the app: its first frame beside Textual's own smallest app, and a large report.

    python scripts/measure_app.py [--rounds N] [--claims N]

The first frame is timed in a terminal of its own (a pty of 80 by 24), from the start of the process
to the last word of the screen, the two apps in turn. Keys are timed from the press until nothing is
left to draw, on a report of so many claims and on one of twenty, all in one paragraph: what is
worst for a text area.
"""

import argparse
import asyncio
import fcntl
import os
import pty
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Generator, Sequence
from pathlib import Path

from veracite.engine.events import Event, Finished, Judged, Segmented
from veracite.engine.words import Citation, Claim, Label, Report, Verdict
from veracite.tui.app import VeraciteApp

KEYS = ("right", "n", "p", "left", "pagedown", "pageup", "1", "0", "greater_than_sign")
FEW = 20

SMALLEST = """
from textual.app import App
from textual.widgets import Footer, Static
class Smallest(App):
    BINDINGS = [("q", "quit", "Quit")]
    def compose(self):
        yield Static("Ready")
        yield Footer()
Smallest().run()
"""
OURS = "from veracite.tui.app import run; run()"


class Replay:
    """An engine that has its verdicts already."""

    def __init__(self, count: int) -> None:
        self.text = " ".join(f"Claim {number} says what it says here." for number in range(count))
        self._verdicts = list(_verdicts(self.text))

    def check(self, text: str, *_: object) -> Generator[Event, None, None]:
        """As fast as they can be taken."""
        yield Segmented(tuple(verdict.claim for verdict in self._verdicts))
        for index, verdict in enumerate(self._verdicts):
            yield Judged(index, verdict, False, index + 1, len(self._verdicts))
        found = tuple(self._verdicts)
        yield Finished(Report(None, text, "0" * 64, found, 1, (), (), {}, {}))

    def cancel(self) -> None:
        """There is nothing to cut short."""


def _verdicts(text: str) -> Generator[Verdict, None, None]:
    place = 0
    for number, sentence in enumerate(text.split(". ")):
        end = min(len(text), place + len(sentence) + 1)
        claim = Claim(text[place:end], place, end, text[place:end], text[place:end])
        quote = Citation("/a.md", 1, 0, 9, "It says so.", "supports", 0.9, "0" * 64, "It says so.")
        yield Verdict(claim, list(Label)[number % 5], 0.9, None, "replay", "So it is.", (quote,))
        place = end + 1


def main() -> None:
    """Measure and print."""
    options = _options()
    seconds: dict[str, list[float]] = {"ours": [], "smallest": []}
    with tempfile.TemporaryDirectory() as home:
        for round_ in range(options.rounds + 1):
            for name, code, last in (("smallest", SMALLEST, b"Quit"), ("ours", OURS, b"Report")):
                taken = first_frame(code, last, Path(home))
                if round_:  # the first one reads everything from the disk
                    seconds[name].append(taken)
    ours, smallest = (statistics.median(seconds[name]) for name in ("ours", "smallest"))
    print(f"first frame, median of {options.rounds}: {ours:.2f} s")
    print(f"  Textual's smallest app: {smallest:.2f} s; ratio {ours / smallest:.2f}")
    many, few = (asyncio.run(keys(count)) for count in (options.claims, FEW))
    print(f"from a key to its frame, {options.claims:,} claims beside {FEW} (medians):")
    for key in KEYS:
        print(f"  {key:<18} {many[key] * 1000:6.0f} ms {few[key] * 1000:6.0f} ms", end="")
        print(f"  ratio {many[key] / few[key]:.1f}")
    print(f"the whole check: {many['check']:.1f} s beside {few['check']:.1f} s")


def first_frame(code: str, last: bytes, home: Path) -> float:
    """Seconds from the start of an app to the last word of its first screen."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    places = {
        "TERM": "xterm-256color",
        "VERACITE_DATA_DIR": str(home / "data"),
        "VERACITE_CACHE_DIR": str(home / "cache"),
        "VERACITE_CONFIG": "",
        "XDG_CONFIG_HOME": str(home),
    }
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=its, stdout=its, stderr=its, env=os.environ | places
    ) as app:
        os.close(its)
        drawn = b""
        while last not in drawn:
            ready, _, _ = select.select([ours], [], [], 60)
            if not ready:
                raise SystemExit(f"nothing was drawn, after {drawn[-200:]!r}")
            drawn += os.read(ours, 65_536)
        taken = time.perf_counter() - began
        app.kill()
    os.close(ours)
    return taken


async def keys(count: int, presses: int = 7) -> dict[str, float]:
    """Seconds from each key to its frame, the median; and those of the check."""
    engine = Replay(count)
    app = VeraciteApp(engine)  # type: ignore[arg-type]
    found: dict[str, float] = {}
    async with app.run_test(size=(120, 40)) as pilot:
        screen = app.check_screen
        screen.text.editor.load_text(engine.text)
        began = time.perf_counter()
        await pilot.press("f5")
        await asyncio.to_thread(screen.runner.join)
        await pilot.pause()
        found["check"] = time.perf_counter() - began
        for key in KEYS:
            taken = []
            for _ in range(presses):
                began = time.perf_counter()
                await pilot.press(key)
                await pilot.pause()
                taken.append(time.perf_counter() - began)
            found[key] = statistics.median(taken)
    return found


def _options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--claims", type=int, default=2_000)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
