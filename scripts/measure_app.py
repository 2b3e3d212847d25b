"""Measures the app: its first frame beside Textual's own smallest app, quitting, a large report.

    python scripts/measure_app.py [--rounds N] [--claims N] [--python PYTHON] [--model MODEL.gguf]

The first frame of each room, as which the app was left, is timed in a terminal of its own (a pty of
80 by 24), from the start of the process to the last word of the screen, all in turn. Quitting is
timed from the key to the end of the process: with nothing open, and while the samples' draft, many
times over, is checked; with a model also while that judges. All are run by PYTHON, such as that of
an environment with an installed wheel. Keys are timed from the press until nothing is left to draw,
on a report of so many claims and on one of twenty, all in one paragraph: what is worst for a text
area.
"""

import argparse
import asyncio
import fcntl
import json
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
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from veracite.engine.events import Event, Finished, Judged, Segmented
from veracite.engine.types import Citation, Claim, Label, Report, Verdict
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
ROOMS = {"check": b"Report", "ask": b"Trace", "library": b"New", "models": b"Remove"}
"""The last word of each room's first frame."""
OURS = "from veracite.tui.app import run; run()"
CHECKING = """
from pathlib import Path
from veracite.tui.app import run
run(path=Path({text!r}), against=(Path({library!r}),))
"""
SAMPLES = Path(__file__).resolve().parents[1] / "tests" / "samples"
OVER = 40
"""How often the draft stands in the text whose check is left."""
PATIENCE = 60
"""Seconds."""
F5, CTRL_Q = b"\x1b[15~", b"\x11"


class Replay:
    """An engine that has its verdicts already."""

    def __init__(self, count: int) -> None:
        self.text = " ".join(f"Claim {number} says what it says here." for number in range(count))
        self._verdicts = list(_verdicts(self.text))

    def check(self, text: str, *_: object, place: int = 0) -> Generator[Event, None, None]:
        """As fast as they can be taken."""
        yield Segmented(tuple(verdict.claim for verdict in self._verdicts))
        for index, verdict in enumerate(self._verdicts):
            yield Judged(index, verdict, False, index + 1, len(self._verdicts))
        found = tuple(self._verdicts)
        yield Finished(Report(None, text, "0" * 64, found, 1, (), (), {}, {}))

    def require(self, *_: object) -> None:
        """Whatever it is checked against is there."""

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
    seconds: dict[str, list[float]] = {"smallest": [], **{room: [] for room in ROOMS}}
    with tempfile.TemporaryDirectory() as home:
        for round_ in range(options.rounds + 1):
            for name, taken in seconds.items():
                frame = first_frame(options.python, name, Path(home) / name)
                if round_:  # the first one reads everything from the disk
                    taken.append(frame)
        left = quitting(options, Path(home))
    smallest = statistics.median(seconds.pop("smallest"))
    print(f"first frame, medians of {options.rounds}: Textual's smallest app {smallest:.2f} s")
    for room, taken in seconds.items():
        ours = statistics.median(taken)
        print(f"  {room}: {ours:.2f} s, ratio {ours / smallest:.2f}")
    for name, times in left.items():
        print(
            f"quitting, {name}: median {statistics.median(times):.2f} s, at most {max(times):.2f}"
        )
    many, few = (asyncio.run(keys(count)) for count in (options.claims, FEW))
    print(f"from a key to its frame, {options.claims:,} claims beside {FEW} (medians):")
    for key in KEYS:
        print(f"  {key:<18} {many[key] * 1000:6.0f} ms {few[key] * 1000:6.0f} ms", end="")
        print(f"  ratio {many[key] / few[key]:.1f}")
    print(f"the whole check: {many['check']:.1f} s beside {few['check']:.1f} s")


def first_frame(python: str, name: str, home: Path) -> float:
    """Seconds from the start of an app, in the room of a name, to the last word of its screen."""
    code, last = (OURS, ROOMS[name]) if name in ROOMS else (SMALLEST, b"Quit")
    (home / "data").mkdir(parents=True, exist_ok=True)
    (home / "data" / "app.json").write_text(json.dumps({"room": name}), encoding="utf-8")
    began = time.perf_counter()
    with running(python, code, home) as (app, terminal):
        read_until(terminal, last)
        taken = time.perf_counter() - began
        app.kill()
    return taken


def quitting(options: argparse.Namespace, home: Path) -> dict[str, list[float]]:
    """Seconds from the key to the end of the process, by what the app was at, in turn."""
    text = home / "text.md"
    text.write_text((SAMPLES / "draft.md").read_text(encoding="utf-8") * OVER, encoding="utf-8")
    checking = CHECKING.format(text=str(text), library=str(SAMPLES / "library"))
    cases: dict[str, tuple[str, dict[str, str]]] = {
        "nothing open": (OURS, {}),
        "while it checks": (checking, {}),
    }
    if options.model:
        model = {"VERACITE_MODEL": options.model, "VERACITE_JUDGE": "gguf"}
        cases["while the model judges"] = (checking, model)
    found: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(options.rounds):
        for number, (name, (code, settings)) in enumerate(cases.items()):
            with running(options.python, code, home / str(number), settings) as (app, terminal):
                read_until(terminal, b"Report")
                if code is checking:
                    os.write(terminal, F5)
                    read_until(terminal, b"Judging")
                found[name].append(_left(app, terminal))
    return found


def _left(app: subprocess.Popen[bytes], terminal: int) -> float:
    began = time.perf_counter()
    os.write(terminal, CTRL_Q)
    while app.poll() is None:
        if select.select([terminal], [], [], 0.002)[0]:
            try:
                os.read(terminal, 65_536)
            except OSError:  # nobody writes to it any more
                app.wait()
    return time.perf_counter() - began


@contextmanager
def running(
    python: str, code: str, home: Path, settings: dict[str, str] | None = None
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A process with a terminal of its own, and that terminal's other end."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    places = {
        "TERM": "xterm-256color",
        "VERACITE_DATA_DIR": str(home / "data"),
        "VERACITE_CACHE_DIR": str(home / "cache"),
        "VERACITE_CONFIG": "",
        "XDG_CONFIG_HOME": str(home),
    }
    environment = os.environ | places | (settings or {})
    with subprocess.Popen(
        [python, "-c", code], stdin=its, stdout=its, stderr=its, env=environment
    ) as app:
        os.close(its)
        try:
            yield app, ours
        finally:
            app.kill()
    os.close(ours)


def read_until(terminal: int, text: bytes) -> None:
    """Read until the app has written this; a minute at most, for an app may draw for ever."""
    drawn, end = b"", time.monotonic() + PATIENCE
    while text not in drawn:
        if not select.select([terminal], [], [], max(0, end - time.monotonic()))[0]:
            raise SystemExit(f"{text!r} was not drawn, after {drawn[-2000:]!r}")
        drawn += os.read(terminal, 65_536)


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
    parser.add_argument("--python", default=sys.executable, help="that has the app installed")
    parser.add_argument("--model", help="a GGUF file, judging with which is left too")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
